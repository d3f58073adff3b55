"""Scenario files: a situation written by hand, as the inputs of one table.

The first line sets the scene, each further line is one thing a sensor showed or an arbiter did;
`t` is in milliseconds from 1970-01-01T00:00:00.000Z. Keys and their meaning: `docs/scenarios.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import msgspec

from arbiterd.messages.commands import read_command
from arbiterd.rules.registry import choices_of, chosen, ruleset
from arbiterd.rules.ruleset import Colour, RuleSet, read_board_field
from arbiterd.table.inputs import ClockSaid, HandShown, Input, act_said
from arbiterd.table.setup import TableSetup, with_settings
from arbiterd.timing.control import Kind, Rate, read_period
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
DAYS_MAX = 30
LAST_MS = DAYS_MAX * 86_400_000
"""No line is later."""

HEAD_KEYS = frozenset(
    "scenario ruleset rate fen moves clock illegal sensing scan_ms press_ms settings"
    " round_started_t white black pictures".split(" ")
)


class ScenarioError(Exception):
    """The writer can put this right: the message names the line and says what to write."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A table's set-up and all that happens at it, in order of time."""

    name: str
    setup: TableSetup
    inputs: tuple[Input, ...]


ScenarioLine = Mapping[str, Any]


def read_scenario(text: str) -> Scenario:
    """The whole file. Raises ScenarioError with the number of the line at fault."""
    lines = [
        (number, _decoded(number, line))
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip()
    ]
    if not lines or "scenario" not in lines[0][1]:
        raise ScenarioError('line 1: the first line sets the scene; begin with {"scenario":"name"}')
    number, head = lines[0]
    try:
        return _Reader(head).read(lines[1:])
    except (ValueError, TypeError, KeyError) as wrong:
        raise ScenarioError(f"line {number}: {_sentence(wrong)}") from None


def _decoded(number: int, line: str) -> ScenarioLine:
    try:
        value = msgspec.json.decode(line)
    except msgspec.DecodeError as wrong:
        raise ScenarioError(f"line {number}: this is not JSON ({wrong}); mend the line") from None
    except RecursionError:
        raise ScenarioError(f"line {number}: brackets inside brackets, too deep; mend it") from None
    if not isinstance(value, dict):
        raise ScenarioError(f'line {number}: write one JSON object a line, {{"t":0, …}}')
    return cast("ScenarioLine", value)


def _sentence(wrong: Exception) -> str:
    if isinstance(wrong, KeyError):
        return f"the key {wrong.args[0]!r} is missing"
    return str(wrong)


class _Reader:
    """The head's choices, and with them the meaning of each line."""

    def __init__(self, head: ScenarioLine) -> None:
        unknown = sorted(set(head) - HEAD_KEYS)
        if unknown:
            raise ValueError(
                f"{unknown[0]!r} is no key of a scene; use {', '.join(sorted(HEAD_KEYS))}"
            )
        self._head = head
        name, settings = head.get("ruleset", "chess"), _object(head, "settings")
        ruleset(name)
        own = {key: value for key, value in settings.items() if key in choices_of(name)}
        self._rules: RuleSet[Any, Any] = chosen(name, own)
        self._press_ns = int(head.get("press_ms", 0)) * MS
        self._readers: dict[str, Callable[[int, ScenarioLine], Input]] = {
            "lift": self._lift,
            "place": self._place,
            "scan": self._scan,
            "press": self._clock,
            "flag": self._clock,
            "pause": self._clock,
            "clock": self._clock,
            "touch": self._finger,
            "act": self._act,
            "link": self._link,
        }

    def read(self, lines: list[tuple[int, ScenarioLine]]) -> Scenario:
        inputs: list[Input] = []
        last_ns = 0
        for number, line in lines:
            try:
                ms = float(line["t"])
                if not abs(ms) <= LAST_MS:
                    raise ValueError(f"t is {ms:g} ms; a scenario ends within {DAYS_MAX} days")
                at_ns = round(ms * MS)
                if at_ns < last_ns:
                    raise ValueError(
                        f"t goes back to {line['t']}; write the lines in order of time"
                    )
                inputs += self._inputs(at_ns, line)
            except (ValueError, TypeError, KeyError) as wrong:
                raise ScenarioError(f"line {number}: {_sentence(wrong)}") from None
            last_ns = at_ns
        return Scenario(self._head["scenario"], self._setup(), (*self._opening(inputs), *inputs))

    def _inputs(self, at_ns: int, line: ScenarioLine) -> list[Input]:
        if "hand" in line:
            hands = sorted(_object(line, "hand").items())
            return [HandShown(at_ns, Colour(side), str(pieces)) for side, pieces in hands]
        reader = next((read for key, read in self._readers.items() if key in line), None)
        if reader is None:
            raise ValueError(f"nothing known happens here; use one of {', '.join(self._readers)}")
        return [reader(at_ns, line)]

    # The scene.

    def _setup(self) -> TableSetup:
        head = self._head
        illegal = _object(head, "illegal")
        clock = head.get("clock")
        setup = TableSetup(
            ruleset=head.get("ruleset", "chess"),
            rate=_rate(_object(head, "rate")),
            start=head.get("fen", ""),
            moves=tuple(head.get("moves", ())),
            white=head.get("white", ""),
            black=head.get("black", ""),
            orientation=0,
            illegal=(int(illegal.get("white", 0)), int(illegal.get("black", 0))),
            clock=None if clock is None else _clock_said(0, {"clock": clock}, 0),
            round_started_ns=_optional_ns(head.get("round_started_t")),
        )
        return with_settings(setup, _object(head, "settings"))

    def _opening(self, inputs: list[Input]) -> list[Input]:
        """The link comes up, and the board shows the position unless a first scan says other."""
        sensing = self._sensing()
        opening: list[Input] = [LinkUp(0, "scenario", "", sensing)]
        first = inputs[0] if inputs else None
        if not (isinstance(first, Scan) and first.at_ns == 0):
            opening.append(Scan(0, sensed(self._shown(), sensing.kind)))
        return opening

    def _sensing(self) -> Sensing:
        kind = SensingClass(self._head.get("sensing", "identity"))
        return Sensing(
            kind,
            int(self._head.get("scan_ms", 200)) * MS,
            self._rules.geometry,
            pictures=bool(self._head.get("pictures", False)),
        )

    def _shown(self) -> tuple[str, ...]:
        position = self._rules.start(self._head.get("fen", ""))
        for text in self._head.get("moves", ()):
            position = self._rules.play(position, self._rules.parse(position, text))
        return self._rules.placement(position)

    # The lines.

    def _lift(self, at_ns: int, line: ScenarioLine) -> Input:
        return SquareChange(at_ns, self._square(line["lift"]), EMPTY)

    def _place(self, at_ns: int, line: ScenarioLine) -> Input:
        return SquareChange(at_ns, self._square(line["place"]), str(line.get("piece", UNKNOWN)))

    def _finger(self, at_ns: int, line: ScenarioLine) -> Input:
        return Finger(at_ns, self._square(line["touch"]), down=bool(line.get("down", True)))

    def _scan(self, at_ns: int, line: ScenarioLine) -> Input:
        return Scan(
            at_ns, read_board_field(self._rules.geometry, str(line["scan"]).partition(" ")[0])
        )

    def _clock(self, at_ns: int, line: ScenarioLine) -> Input:
        """A reading; null where the clock is not heard any more."""
        if line.get("clock", {}) is None:
            return ClockGone(at_ns)
        return _clock_said(at_ns, line, self._press_ns)

    def _link(self, at_ns: int, line: ScenarioLine) -> Input:
        """`down`: the board falls silent; `up`: it answers again, and a scan follows."""
        if line["link"] == "up":
            return LinkUp(at_ns, "scenario", "", self._sensing())
        return LinkDown(at_ns, str(line.get("reason", "the board does not answer")))

    def _act(self, at_ns: int, line: ScenarioLine) -> Input:
        return act_said(read_command(line["act"]), at_ns)

    def _square(self, name: object) -> int:
        try:
            return self._rules.geometry.square(str(name))
        except ValueError:
            names = self._rules.geometry.names
            raise ValueError(
                f"{str(name)[:20]!r} is no square of this board; write {names[0]} to {names[-1]}"
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


def _object(line: ScenarioLine, key: str) -> ScenarioLine:
    """What stands under a key that holds more keys; empty where it is left out."""
    said = line.get(key, {})
    if not isinstance(said, dict):
        raise ValueError(f'{key} is {str(said)[:20]!r}; write an object: "{key}": {{…}}')
    return said


def _rate(said: ScenarioLine) -> Rate:
    return Rate(
        kind=Kind(said.get("kind", "standard")),
        supervised=bool(said.get("supervised", said.get("kind", "standard") == "standard")),
        periods=tuple(read_period(text) for text in said.get("time", ())),
    )


def _optional_ns(milliseconds: float | None) -> int | None:
    return None if milliseconds is None else round(milliseconds * MS)


def _clock_said(at_ns: int, line: ScenarioLine, press_ns: int) -> ClockSaid:
    clock = _object(line, "clock")
    running = clock.get("running")
    return ClockSaid(
        at_ns,
        white_ms=clock.get("white_ms"),
        black_ms=clock.get("black_ms"),
        running=None if running is None else Colour(running),
        running_said="running" in clock,
        press=Colour(line["press"]) if "press" in line else None,
        flag=Colour(line["flag"]) if "flag" in line else None,
        pause=bool(line.get("pause", False)),
        late_ns=press_ns,
    )
