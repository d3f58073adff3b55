"""What the order and the times of a turn's changes tell about the hands that made them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import Struct
from msgspec.structs import replace

from arbiterd.tracking.facts import SquareSeen, Turn
from eboards.events import EMPTY, Piece, Square


class Stay(Struct, frozen=True, gc=False):
    """A piece standing on a square for a while."""

    square: Square
    piece: Piece
    from_ns: int
    until_ns: int
    """The end of the turn if it still stands there."""
    still_there: bool

    def at_least(self, held_ns: int) -> Stay:
        """Without the time for which it may have been shown after it had left."""
        if self.still_there or not held_ns:
            return self
        return replace(self, until_ns=max(self.from_ns, self.until_ns - held_ns))

    @property
    def dwell_ms(self) -> int:
        return (self.until_ns - self.from_ns) // 1_000_000


def stays(changes: tuple[SquareSeen, ...], until_ns: int) -> Iterator[Stay]:
    """Every piece put down on a square during these changes, in order."""
    for index, change in enumerate(changes):
        if change.after == EMPTY:
            continue
        left = next((c for c in changes[index + 1 :] if c.square == change.square), None)
        yield Stay(
            change.square,
            change.after,
            change.at_ns,
            left.at_ns if left else until_ns,
            left is None,
        )


SWEPT_PIECES, SWEPT_NS = 6, 1_000_000_000
"""So many pieces that left within so long and stay away were swept off: no hands are so fast."""


def swept_off(turn: Turn) -> tuple[Square, ...]:
    """The squares of such pieces, in the order in which they left; empty where there are none."""
    away = [touch for touch in turn.touches if touch.returned_at_ns is None]
    for first in away:
        until_ns = first.lifted_at_ns + SWEPT_NS
        at_once = [t.square for t in away if first.lifted_at_ns <= t.lifted_at_ns <= until_ns]
        if len(at_once) >= SWEPT_PIECES:
            return tuple(at_once)
    return ()


def newest_change(squares: Collection[Square], turn: Turn) -> int | None:
    """When one of these squares changed last in this turn, in nanoseconds; None: none did."""
    return max((seen.at_ns for seen in turn.changes if seen.square in squares), default=None)


def two_hands(turn: Turn, scan_ns: int, promotion: bool = False) -> bool:
    """Two pieces left their squares within one scan and were put down within another, or a pawn
    left and its piece stood there within one: hardly one hand. A board that was only seen as a
    whole shows nothing of it."""
    lifts = [c.at_ns for c in turn.changes if c.after == EMPTY]
    places = [c.at_ns for c in turn.changes if c.after != EMPTY]
    if promotion:
        return len(lifts) == len(places) == 1 and 0 < abs(places[0] - lifts[0]) < scan_ns
    if len(lifts) != 2 or len(places) != 2 or lifts[0] == places[-1]:
        return False
    return (
        lifts[1] - lifts[0] < scan_ns and places[1] - places[0] < scan_ns and lifts[1] <= places[0]
    )
