"""Scenario files: a situation written by hand, as the inputs of one table.

The first line sets the scene, each further line is one thing a sensor showed or an arbiter did;
`t` is in milliseconds from 1970-01-01T00:00:00.000Z. Keys and their meaning: `docs/scenarios.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msgspec import UNSET

from arbiterd.messages.commands import read_command
from arbiterd.rules.registry import choices_of, chosen, ruleset
from arbiterd.rules.ruleset import RuleSet, read_board_field
from arbiterd.table.inputs import ClockSaid, HandShown, Input, act_said
from arbiterd.table.scenario_lines import (
    HAPPENINGS,
    ClockLine,
    HappeningLine,
    SceneLine,
    read_line,
)
from arbiterd.table.setup import TableSetup, with_settings
from arbiterd.timing.control import Kind, Rate, read_periods
from eboards.events import (
    EMPTY,
    UNKNOWN,
    ClockGone,
    Finger,
    LinkDown,
    LinkUp,
    Scan,
    Sensing,
    SensingClass,
    SquareChange,
)

MS = 1_000_000


class ScenarioError(Exception):
    """The writer can put this right: the message names the line and says what to write."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A table's set-up and all that happens at it, in order of time."""

    name: str
    setup: TableSetup
    inputs: tuple[Input, ...]


def read_scenario(text: str) -> Scenario:
    """The whole file. Raises ScenarioError with the number of the line at fault."""
    lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines or '"scenario"' not in lines[0][1]:
        raise ScenarioError('line 1: the first line sets the scene; begin with {"scenario":"name"}')
    number, scene = lines[0]
    try:
        return _Reader(read_line(scene, SceneLine)).read(lines[1:])
    except ValueError as wrong:
        raise ScenarioError(f"line {number}: {wrong}") from None


class _Reader:
    """The head's choices, and with them the meaning of each line."""

    def __init__(self, scene: SceneLine) -> None:
        self._scene = scene
        ruleset(scene.ruleset)
        choices = choices_of(scene.ruleset)
        own = {key: value for key, value in scene.settings.items() if key in choices}
        self._rules: RuleSet[Any, Any] = chosen(scene.ruleset, own)

    def read(self, lines: list[tuple[int, str]]) -> Scenario:
        inputs: list[Input] = []
        last_ns = 0
        for number, text in lines:
            try:
                line = read_line(text, HappeningLine)
                at_ns = round(line.t * MS)
                if at_ns < last_ns:
                    raise ValueError(f"t goes back to {line.t:g}; write the lines in order of time")
                inputs += self._inputs(at_ns, line)
            except ValueError as wrong:
                raise ScenarioError(f"line {number}: {wrong}") from None
            last_ns = at_ns
        name = self._scene.scenario
        return Scenario(name, self._setup(), (*self._opening(inputs), *inputs))

    def _inputs(self, at_ns: int, line: HappeningLine) -> list[Input]:
        if line.hand is not UNSET:
            return [HandShown(at_ns, side, text) for side, text in sorted(line.hand.items())]
        if line.lift is not UNSET:
            return [SquareChange(at_ns, self._square(line.lift), EMPTY)]
        if line.place is not UNSET:
            return [SquareChange(at_ns, self._square(line.place), line.piece)]
        if line.scan is not UNSET:
            field = line.scan.partition(" ")[0]
            return [Scan(at_ns, read_board_field(self._rules.geometry, field))]
        if line.touch is not UNSET:
            return [Finger(at_ns, self._square(line.touch), down=line.down)]
        if line.link is not UNSET:
            return [self._link(at_ns, line)]
        if line.act is not UNSET:
            return [act_said(read_command(line.act), at_ns)]
        if line.clock is None:
            return [ClockGone(at_ns)]
        if line.pause or any(said is not UNSET for said in (line.press, line.flag, line.clock)):
            return [_clock_said(at_ns, line, self._scene.press_ms * MS)]
        raise ValueError(f"nothing known happens here; use one of {', '.join(HAPPENINGS)}")

    # The scene.

    def _setup(self) -> TableSetup:
        scene = self._scene
        rate, started_ms = scene.rate, scene.round_started_t
        setup = TableSetup(
            ruleset=scene.ruleset,
            rate=Rate(
                kind=rate.kind,
                supervised=(
                    rate.kind is Kind.STANDARD if rate.supervised is UNSET else rate.supervised
                ),
                periods=read_periods(rate.time),
            ),
            start=scene.fen,
            moves=scene.moves,
            white=scene.white,
            black=scene.black,
            orientation=0,
            illegal=(scene.illegal.white, scene.illegal.black),
            clock=None if scene.clock is None else _read_off(0, scene.clock),
            round_started_ns=None if started_ms is None else round(started_ms * MS),
        )
        return with_settings(setup, scene.settings)

    def _opening(self, inputs: list[Input]) -> list[Input]:
        """The link comes up, and the board shows the position unless a first scan says other."""
        sensing = self._sensing()
        opening: list[Input] = [LinkUp(0, "scenario", "", sensing)]
        first = inputs[0] if inputs else None
        if not (isinstance(first, Scan) and first.at_ns == 0):
            opening.append(Scan(0, sensed(self._shown(), sensing.kind)))
        return opening

    def _sensing(self) -> Sensing:
        scene = self._scene
        scan_ns, geometry = scene.scan_ms * MS, self._rules.geometry
        return Sensing(scene.sensing, scan_ns, geometry, pictures=scene.pictures)

    def _shown(self) -> tuple[str, ...]:
        position = self._rules.start(self._scene.fen)
        for text in self._scene.moves:
            position = self._rules.play(position, self._rules.parse(position, text))
        return self._rules.placement(position)

    # The lines.

    def _link(self, at_ns: int, line: HappeningLine) -> Input:
        """`down`: the board falls silent; `up`: it answers again, and a scan follows."""
        if line.link == "up":
            return LinkUp(at_ns, "scenario", "", self._sensing())
        return LinkDown(at_ns, line.reason)

    def _square(self, name: str) -> int:
        try:
            return self._rules.geometry.square(name)
        except ValueError:
            names = self._rules.geometry.names
            raise ValueError(
                f"{name[:20]!r} is no square of this board; write {names[0]} to {names[-1]}"
            ) from None


def sensed(placement: tuple[str, ...], kind: SensingClass) -> tuple[str, ...]:
    """What sensors of this class make of the pieces that stand there."""
    if kind is SensingClass.OCCUPANCY:
        return tuple(EMPTY if piece == EMPTY else UNKNOWN for piece in placement)
    if kind is SensingClass.COLOUR:
        return tuple(p if p == EMPTY else "w" if p[-1].isupper() else "b" for p in placement)
    if kind is SensingClass.KIND:
        return tuple(piece[-1] for piece in placement)
    return placement


def _read_off(at_ns: int, clock: ClockLine, **more: Any) -> ClockSaid:
    return ClockSaid(
        at_ns,
        white_ms=clock.white_ms,
        black_ms=clock.black_ms,
        running=None if clock.running is UNSET else clock.running,
        running_said=clock.running is not UNSET,
        **more,
    )


def _clock_said(at_ns: int, line: HappeningLine, late_ns: int) -> ClockSaid:
    return _read_off(
        at_ns,
        line.clock or ClockLine(),
        press=None if line.press is UNSET else line.press,
        flag=None if line.flag is UNSET else line.flag,
        pause=line.pause,
        late_ns=late_ns,
    )
