"""What was played while nobody listened, from the board's own memory.

When a board is lost its table keeps how it stood. When the board is back and shows something else,
its memory is asked for, joined to that, and played through a copy of the tracker as it was then.
Until it has come, nothing is made of what the board shows: it would look like pieces displaced.
What is seen and heard meanwhile goes on from there: it is written down as a memory would be, and
read with it. Where no memory comes, it goes on from what the board showed when it was back.
Only where all ways to continue are the same half-moves are they put on the record, marked as
recovered, with the times of the clock that the memory holds. Several go to the arbiter as
candidates; where there is none, what tracking makes of the gap stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from arbiterd.rules.ruleset import Colour, RuleSet
from arbiterd.table.orientation import square, turned
from arbiterd.timing.facts import ClockShown
from arbiterd.tracking.facts import PlyCertainty
from arbiterd.tracking.record import Record
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.tracker import Tracker
from eboards.events import LogLine, LogMark, Placement, Scan, Side, SquareChange
from eboards.memory import LastSeen, as_lines, missed, shown_after

STEP_NS = 1_000_000_000
"""The memory has an order and no times: a press and what follows it are put so far apart."""

MEMORY_NS = 20_000_000_000
"""A memory takes eight seconds on its line, behind what else is asked of a board that is back."""

SINCE_MAX = 400
"""So many lines are kept of what is seen while the memory is waited for: a scramble's."""

IN_HAND = 4
"""A half-move that is just being made changes no more squares than castling does."""


class Absence(Struct, kw_only=True, frozen=True):
    """How the table stood when the board was last heard."""

    raw: list[str]
    """As the board counts its squares."""
    tracker: bytes
    plies: int
    serial: str = ""
    """What the board calls itself; empty: it does not say."""
    stranger: bool = False
    """Another board answers at the table since, with other pieces: this one is lost still."""
    stopped: Side | None = None
    stopped_ms: int | None = None
    until_ns: int | None = None
    """The board is back, and its memory is waited for until then. None: not yet."""
    back: Placement = ()
    """What it showed when it was back, as it counts its squares."""
    since: tuple[LogLine, ...] = ()
    """What was seen and heard after that."""

    def saw(self, event: Scan | SquareChange) -> Absence:
        """The same, with what the board shows now."""
        shows = shown_after(self.since, self.back)
        return self._with(as_lines(event, shows))

    def heard(self, side: Side, stopped_ms: int | None) -> Absence:
        """The same, after the press of this side."""
        return self._with((LogLine(LogMark.CLOCK, side=side, stopped_ms=stopped_ms),))

    def _with(self, lines: tuple[LogLine, ...]) -> Absence:
        since = (*self.since, *lines)
        return replace(self, since=since) if len(since) <= SINCE_MAX else self


@dataclass(frozen=True, slots=True)
class Recovered:
    """The half-moves after the absence, in wire form, each with what the clock showed."""

    moves: tuple[str, ...]
    shown: tuple[ClockShown | None, ...]
    before: ClockShown | None
    """At the press of the half-move before them. None: it was pressed earlier, or not at all."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What a memory is read with."""

    rules: RuleSet[Any, Any]
    settings: TrackingSettings
    degrees: int
    white_left: bool
    record: Record
    """As it stands now: what was played goes on from it."""

    def colour(self, side: Side) -> Colour:
        left = Colour.WHITE if self.white_left else Colour.BLACK
        return left if side is Side.LEFT else left.other


def continuations(
    memory: Memory,
    lines: tuple[LogLine, ...],
    gone: Absence,
    now: tuple[str, ...] | None,
    at_ns: int,
) -> tuple[Recovered, ...]:
    """Every line of play with which the memory goes on from the absence, each once.

    They end in `now`, as the board counts; None: it has not shown itself yet, and what its memory
    ends with is taken. Touches, and pieces put right, are no play.
    """
    known = LastSeen(tuple(gone.raw), gone.stopped, gone.stopped_ms)
    found: dict[tuple[str, ...], Recovered] = {}
    for way in missed(lines, known):
        for rest in _behind(way.placement, gone, now):
            played = _played(memory, _begun(memory, gone), (*way.lines, *rest), gone, at_ns)
            if played is not None:
                found.setdefault(played.moves, played)
    return tuple(found.values())


def _behind(
    shown: Placement, gone: Absence, now: Placement | None
) -> Iterator[tuple[LogLine, ...]]:
    """What was seen after the memory had been told, wherever it goes on from what that ends with
    and leads to what is shown now."""
    if now in (None, shown):
        yield ()
        return
    for place in range(len(gone.since)):
        before, rest = gone.since[:place], gone.since[place:]
        if shown_after(before, gone.back) == shown and shown_after(rest, shown) == now:
            yield rest


def unaided(memory: Memory, gone: Absence, at_ns: int) -> Recovered | None:
    """The half-moves that were seen while the memory was waited for, which did not come or has no
    part of them. None: there is a doubt about one."""
    tracker = _begun(memory, gone)
    geometry, degrees = memory.rules.geometry, memory.degrees
    tracker.link(at_ns, False, None)
    tracker.link(at_ns, True, None)
    tracker.scanned(at_ns, turned(geometry, degrees, gone.back))
    played = _played(memory, tracker, gone.since, gone, at_ns)
    new = tracker.record.plies[gone.plies :]
    return played if all(ply.sureness is PlyCertainty.CERTAIN for ply in new) else None


def _begun(memory: Memory, gone: Absence) -> Tracker:
    """A tracker as it was when the board was lost."""
    return Tracker.restored(memory.rules, memory.settings, gone.tracker)


def _played(
    memory: Memory, tracker: Tracker, lines: tuple[LogLine, ...], gone: Absence, at_ns: int
) -> Recovered | None:
    geometry = memory.rules.geometry
    stopped: dict[Colour, int] = {}
    if gone.stopped is not None and gone.stopped_ms is not None:
        stopped[memory.colour(gone.stopped)] = gone.stopped_ms
    after: dict[int, ClockShown] = {}
    agreed: int | None = None
    for line in lines:
        at_ns += STEP_NS // 20 if line.quick else STEP_NS // 4
        if line.mark is LogMark.SQUARE and line.square is not None and line.piece is not None:
            tracker.changed(at_ns, square(geometry, memory.degrees, line.square), line.piece)
        elif line.mark is LogMark.CLOCK and line.side is not None and line.stopped_ms is not None:
            side = memory.colour(line.side)
            at_ns += STEP_NS
            tracker.pressed(at_ns, side, 0)
            _run(tracker, at_ns + STEP_NS)
            at_ns += STEP_NS
            stopped[side] = line.stopped_ms
            after[len(tracker.record.plies)] = _shown(at_ns, stopped, side)
        agreed = len(tracker.record.plies) if _agrees(memory, tracker) else agreed
    _run(tracker, at_ns + 60 * STEP_NS)
    if not _goes_on(memory.record, tracker.record, gone.plies):
        return None
    moves = tuple(ply.move for ply in tracker.record.plies)
    in_hand = agreed == len(moves) and _differing(memory, tracker) <= IN_HAND
    if not (_agrees(memory, tracker) or in_hand):
        return None
    if not all(moves[gone.plies :]):
        return None
    shown = tuple(after.get(n) for n in range(gone.plies + 1, len(moves) + 1))
    return Recovered(moves[gone.plies :], shown, after.get(gone.plies))


def _goes_on(record: Record, played: Record, plies: int) -> bool:
    """What was `played` has the first half-moves of the record, and their start: a game that was
    joined in its middle may begin in it where its pieces stood."""
    same = record.start == played.start and record.line[:plies] == played.line[:plies]
    return same and len(played.plies) >= plies


def _agrees(memory: Memory, tracker: Tracker) -> bool:
    return _differing(memory, tracker) == 0


def _differing(memory: Memory, tracker: Tracker) -> int:
    """How many squares show something else than the position."""
    wanted = memory.rules.placement(tracker.position)
    return sum(a != b for a, b in zip(wanted, tracker.placement, strict=True))


def _run(tracker: Tracker, until_ns: int) -> None:
    while (due_ns := tracker.due_at_ns) is not None and due_ns <= until_ns:
        tracker.due(due_ns)


def _shown(at_ns: int, stopped: dict[Colour, int], side: Colour) -> ClockShown:
    """The clock after this side's press, as far as the memory holds it."""
    return ClockShown(
        at_ns, stopped.get(Colour.WHITE), stopped.get(Colour.BLACK), side.other, flag=None
    )
