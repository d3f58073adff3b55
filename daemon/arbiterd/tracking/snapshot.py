"""One look at the board: what it shows, when, and what led to it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from arbiterd.rules.ruleset import Colour
from arbiterd.tracking import weights
from arbiterd.tracking.facts import SquareSeen
from arbiterd.tracking.lines import Line
from arbiterd.tracking.sensors import Sensors
from eboards.events import EMPTY, Piece, Placement, Square

LIFTED_MAX = 2
"""So many pieces of the side to move may be in the air while the move before is looked for."""


class Effort(Struct):
    """A budget of positions to look at. Where it ended, nothing is known."""

    left: int
    spent: bool = False
    whole: Effort | None = None
    """What this one is a part of."""

    def part(self) -> Effort:
        """Half of what is left, for one search, so that something is left for those after it."""
        return Effort(self.left // 2, whole=self)

    def take(self, positions: int = 1) -> bool:
        """Whether so many more may be looked at; if not, none from here on."""
        if positions > self.left or (self.whole is not None and not self.whole.take(positions)):
            self.spent = True
        if not self.spent:
            self.left -= positions
        return not self.spent


class Echo(Struct, frozen=True, gc=False):
    """A square said again what it showed: what it showed in between was lost."""

    at_ns: int
    square: Square


class Snapshot(Struct, frozen=True, eq=False, gc=False):
    """One look at the board: what it shows, when, and what led to it."""

    sensors: Sensors
    at_ns: int
    placement: Placement
    """As sensed."""
    hash: int
    changes: Sequence[SquareSeen]
    echoes: Sequence[Echo]
    slide_ns: int
    effort: Effort
    loss_ns: int | None = None
    """When there was last a sign that messages were lost; None: none since the board agreed."""
    doubted: bool = False
    """One square is not read as it shows."""
    hides: bool = False
    """Pieces look alike and no clock is there: one that leaves may have taken another, unseen."""
    otherwise: Collection[Square] = ()
    """Squares that are taken for other than they show."""
    presses: Sequence[tuple[Colour, int, int]] = ()
    """The newest presses: whose, when known, and how much earlier each may have come."""

    def since(self, at_ns: int) -> Sequence[SquareSeen]:
        """The changes after this time; they are in order, so looked for from the newest."""
        first = len(self.changes)
        while first and self.changes[first - 1].at_ns > at_ns:
            first -= 1
        return self.changes[first:]


def shown_since(look: Snapshot, origin: Line) -> int:
    """When the board came to show this, however long after it is looked at."""
    newest_ns = look.changes[-1].at_ns if look.changes else look.at_ns
    return max(newest_ns, origin.made_at_ns)


def something_arrived(
    sensors: Sensors, changes: Sequence[SquareSeen], at_ns: int, shown: Sequence[Piece], line: Line
) -> bool:
    """A piece was set down; or one left that showed twice, and had been set down before."""
    for change in reversed(changes):
        if change.at_ns != at_ns:
            return False
        if change.after != EMPTY or (sensors.counts and _showed_twice(change.before, shown, line)):
            return True
    return False


def _showed_twice(piece: Piece, shown: Sequence[Piece], line: Line) -> bool:
    """As many show without the one that left as there are, or as there were before the newest
    half-move dropped one, unpressed: that may be the one that left."""
    there = line.seen.placement.count(piece)
    if line.dropped and not line.pressed:
        there -= sum(brought == piece for _, brought in line.written())
    return shown.count(piece) >= there


def came_at_once(look: Snapshot) -> bool:
    """Messages were lost: more squares changed together than one half-move writes by itself."""
    return len(look.changes) >= 3 and look.changes[-3].at_ns == look.at_ns


def in_the_dark(look: Snapshot, origin: Line) -> bool:
    """Messages were lost since then: what was not seen says nothing."""
    return look.loss_ns is not None and look.loss_ns >= origin.made_at_ns


def put_back(look: Snapshot, line: Line, most: int = LIFTED_MAX) -> tuple[Snapshot, int]:
    """The look with pieces in the air back on their squares, the last lifted first, and how many.

    A piece is in the air where its square is empty and fewer of its kind show than there are. One
    that was taken on the way looks the same, so this is one reading of two.
    """
    placement, seen = list(look.placement), line.seen
    since_ns = line.made_at_ns if line.parent is None else line.parent.made_at_ns
    number, count = look.hash, 0
    for change in reversed(look.changes):
        if change.at_ns <= since_ns or count == most:
            break
        square = change.square
        piece = seen.placement[square]
        if change.after != EMPTY or not placement[square] == EMPTY != piece:
            continue
        if placement.count(piece) < seen.placement.count(piece):
            placement[square] = piece
            number ^= look.sensors.hashing.of[square][piece]
            count += 1
    if not count:
        return look, 0
    return replace(look, placement=tuple(placement), hash=number), count


def raised(look: Snapshot, line: Line) -> list[tuple[Snapshot, float]]:
    """The look as it is, and with the last piece or the last two that were lifted put back."""
    looks = [(look, 0.0)]
    for most in range(1, LIFTED_MAX + 1):
        raised, lifted = put_back(look, line, most)
        if lifted < most:
            break
        looks.append((raised, weights.LIFTED * lifted))
    return looks
