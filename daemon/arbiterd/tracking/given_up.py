"""Half-moves that stood on the board and were given up for others in their place.

A piece that goes on from where it stood was on its way; or it made two half-moves, and the reply
between them was never shown by itself. What follows tells which, so both are held for a while.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arbiterd.tracking import weights
from arbiterd.tracking.evidence import against_a_stop, last_shown_ns, stood_for
from arbiterd.tracking.leaping import Weighed
from arbiterd.tracking.lines import Line
from arbiterd.tracking.propose import retraces
from arbiterd.tracking.snapshot import Snapshot
from eboards.events import EMPTY

GIVEN_UP_KEPT = 2
"""So many of them are held."""


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A line whose last half-move stood. Its cost is less than nothing: how much speaks against
    those that are believed instead."""

    line: Line
    at_ns: int


def given_up(
    look: Snapshot, before: Line, now: Sequence[Line], held: Sequence[GivenUp], against: float = 0.0
) -> list[GivenUp]:
    """Those `held` that still count, and `before`, if lines `now` go another way; so much speaks
    `against` the best of these, which is not held against it while it is alone."""
    kept = still_held(held, look.at_ns, look.slide_ns)
    if kept:
        known = {id(past) for line in now for past in line.back()}
        kept = [past for past in kept if id(past.line) not in known]
    if not now or before.parent is None or not before.watched:
        return kept
    if before in now or any(line is before for line in now[0].back()):
        return kept
    if stood_for(look, before) < look.sensors.sensing.scan_ns // 2:
        return kept
    pressed = before.pressed
    stood = weights.TAKEN_BACK_PRESSED if pressed else against_a_stop(look, before)
    before.cost, before.aloft = -max(stood, against), 0.0
    return [*kept, GivenUp(before, look.at_ns)][-GIVEN_UP_KEPT:]


def revived(
    look: Snapshot,
    held: Sequence[GivenUp],
    found_now: Sequence[Weighed],
    plies: Sequence[int] = (1, 2, 3),
) -> list[Weighed]:
    """Lines that go on from what was given up and show the board as well; but where that was taken
    back and is made once more, those found now have its times."""
    found: list[Weighed] = []
    known = {line.wires() for _, line in found_now}
    for line in (past.line for past in still_held(held, look.at_ns, look.slide_ns)):
        ways = retraces(look, [(line.cost, line)], plies)
        if _was_taken_back(look, line):
            ways = [(cost, end) for cost, end in ways if end.wires() not in known]
        found += [(cost + weights.TURNED_BACK * _turned_back(line, end), end) for cost, end in ways]
    return found


def _was_taken_back(look: Snapshot, line: Line) -> bool:
    """The board has shown what was there before it since."""
    assert line.parent is not None, "what is given up has a move"
    return last_shown_ns(look, line.parent) > line.made_at_ns


def _turned_back(line: Line, end: Line) -> bool:
    """Its piece has left, and no half-move since then took it from where it had set it down: it
    would have come back by itself."""
    came = line.brought()
    later = list(end.back())[: end.ply - line.ply]
    own = [past for past in later if past.side is line.side]
    return not any((square, EMPTY) in past.written() for past in own for square in came)


def still_held(held: Sequence[GivenUp], at_ns: int, slide_ns: int) -> list[GivenUp]:
    """Those whose replacement has not stood for long enough to be sure."""
    return [past for past in held if at_ns - past.at_ns <= slide_ns]
