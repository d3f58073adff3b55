"""Which pieces left their squares, from the raw changes of one turn."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import SquareSeen, Touch
from eboards.events import EMPTY, UNKNOWN, Piece, Placement, Square

CENTRING_NS = 1_500_000_000
"""Who has pressed may reach back for the piece just moved, and put it right: so soon after the
press. Who wants to take it has hardly seen it by then."""
CENTRED_NS = 900_000_000
"""... and that takes no longer. Who thinks better of taking a piece has held it."""
OUTAGE: Final = 3
"""So many pieces that are gone within one scan, and back within one, were in nobody's hands: two
hands lift two. Their coils failed together, as those of a rank or a file do."""


class Felt(Struct, frozen=True, gc=False):
    """A finger came down on a square or left it."""

    at_ns: int
    square: Square
    down: bool


class Ground(Struct, frozen=True, gc=False):
    """What stood on the board when the turn began, and how its sensors are to be read."""

    home: Placement
    """The pieces as the position has them."""
    shown: Placement
    """The same as the sensors show them."""
    owner: Callable[[Piece], Colour | None]
    scan_ns: int
    debounce_ns: int
    """A piece that was off its square no longer than this was not touched."""
    settling: Mapping[Square, int]
    """Squares of the half-move before, whose pieces were still being put right until a time."""
    presser: Colour | None = None
    """Who pressed for the half-move before: until then this side touched its own pieces itself."""
    pressed_at_ns: int = 0
    weak: Mapping[Square, int] = {}
    """Coils that lose pieces by themselves, and since when that is known."""
    weak_ns: int = 0
    """A piece that was off one of them no longer than this was not touched."""
    goes_on: bool = True
    """A clock runs, or there is none: what was put right while both were stopped is no touch."""

    def settled_at(self, square: Square) -> int:
        """Until when what happens to the piece of this square belongs to the turn before."""
        if self.presser is not None and self.owner(self.home[square]) is self.presser:
            return self.pressed_at_ns
        return self.settling.get(square, -1)

    def is_centred(self, touch: Touch) -> bool:
        """Its own side put it right after the half-move it was moved in."""
        if self.presser is None or touch.returned_at_ns is None:
            return False
        return (
            touch.square in self.settling
            and touch.colour is self.presser
            and touch.lifted_at_ns <= self.pressed_at_ns + CENTRING_NS
            and touch.returned_at_ns - touch.lifted_at_ns <= CENTRED_NS
        )

    def debounce_of(self, touch: Touch) -> int:
        since_ns = self.weak.get(touch.square)
        weak = since_ns is not None and touch.lifted_at_ns > since_ns
        return self.weak_ns if weak else self.debounce_ns


def touches(
    ground: Ground, changes: Iterable[SquareSeen], fingers: Iterable[Felt] = ()
) -> tuple[Touch, ...]:
    """Pieces of the ground that left their squares, or that a finger was felt on, in order."""
    lifts = _without_outages(_lifts(ground, changes), ground.scan_ns)
    found = [*lifts, *_fingers(ground, fingers)]
    if len(found) < 2:
        return tuple(found)
    found.sort(key=lambda touch: touch.lifted_at_ns)
    return tuple(_ordered(found, ground.scan_ns))


def _lifts(ground: Ground, changes: Iterable[SquareSeen]) -> list[Touch]:
    found: list[Touch] = []
    away: dict[Square, int] = {}
    while_stopped: dict[int, bool] = {}
    for change in changes:
        square, shown = change.square, ground.shown[change.square]
        if ground.home[square] == EMPTY:
            continue
        before, after = change.before, change.after
        if square not in away:
            # What stands there and cannot be read has not left.
            before = shown if before == UNKNOWN else before
            after = shown if after == UNKNOWN else after
        if after == shown:
            if square in away:
                at = away.pop(square)
                found[at] = replace(found[at], returned_at_ns=change.at_ns)
                while_stopped[at] &= change.stopped
        elif before == shown and square not in away and change.at_ns > ground.settled_at(square):
            away[square] = len(found)
            while_stopped[len(found)] = change.stopped
            piece = ground.home[square]
            # A piece lifted unheard may have been in the air before those that still are, hardly
            # before one that was put back.
            stood = bool(found) and all(touch.returned_at_ns is not None for touch in found)
            known = stood or not change.pictured
            found.append(Touch(square, piece, ground.owner(piece), change.at_ns, None, known))
    return [
        touch
        for at, touch in enumerate(found)
        if touch.returned_at_ns is None
        or (
            not (ground.goes_on and while_stopped[at])
            and not ground.is_centred(touch)
            and touch.returned_at_ns - touch.lifted_at_ns > ground.debounce_of(touch)
        )
    ]


def _without_outages(lifts: list[Touch], scan_ns: int) -> list[Touch]:
    """The lifts without those of pieces that were lost together, and found together."""
    if len(lifts) < OUTAGE:
        return lifts
    lifted = [touch.lifted_at_ns for touch in lifts]

    def together(touch: Touch) -> int:
        begin = bisect_right(lifted, touch.lifted_at_ns - scan_ns)
        end = bisect_left(lifted, touch.lifted_at_ns + scan_ns)
        return sum(_found_with(touch, other, scan_ns) for other in lifts[begin:end])

    return [touch for touch in lifts if together(touch) < OUTAGE]


def _found_with(one: Touch, other: Touch, scan_ns: int) -> bool:
    """Both are back, and came within one scan."""
    if one.returned_at_ns is None or other.returned_at_ns is None:
        return False
    return abs(one.returned_at_ns - other.returned_at_ns) < scan_ns


def _fingers(ground: Ground, fingers: Iterable[Felt]) -> Iterable[Touch]:
    for finger in fingers:
        piece = ground.home[finger.square]
        settled = finger.at_ns > ground.settled_at(finger.square)
        if finger.down and piece != EMPTY and settled:
            at_ns = finger.at_ns
            yield Touch(finger.square, piece, ground.owner(piece), at_ns, at_ns, felt=True)


def _ordered(found: Sequence[Touch], scan_ns: int) -> Iterable[Touch]:
    """Marks lifts that fell into one scan with the lift before: their order is not known."""
    before_ns: int | None = None
    for touch in found:
        close = before_ns is not None and touch.lifted_at_ns - before_ns < scan_ns
        before_ns = touch.lifted_at_ns
        yield replace(touch, order_known=False) if close and not touch.felt else touch
