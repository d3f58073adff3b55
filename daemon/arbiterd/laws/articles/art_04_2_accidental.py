"""Article 4.2.2: pieces that left their squares by accident bind nobody.

What a sensor can tell of it: a hand that tries a move has one piece on a wrong square at a time.
Two that stand on wrong squares together were shifted, by a sleeve or a knock; one that showed on
several squares in a moment rolled over them; and a piece of the other side that stood elsewhere
and came back was knocked, for a hand that takes it off takes up its own, or keeps it. Any other
accident is for the arbiter to see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from arbiterd.laws.case.hands import Stay, stays
from arbiterd.laws.case.touching import KING, ROOK
from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import SquareSeen, Touch
from eboards.events import BLACK_PIECE, UNKNOWN, WHITE_PIECE, Square

ROLLED_OVER = 3
"""A piece that showed on so many squares without resting rolled over them ..."""
ROLLING_MS = 500
"""... if none showed it for longer than this. A hand takes longer to choose a square."""

Legal = Callable[[Square, Square], bool]
"""Whether the piece of one square could move to another."""


def deliberate(
    touches: Sequence[Touch],
    changes: tuple[SquareSeen, ...],
    until_ns: int,
    scan_ns: int,
    side: Colour,
    legal: Legal,
) -> tuple[Touch, ...]:
    """The touches of this side's turn without those of pieces that fell or were shifted, and were
    put back."""
    if all(touch.returned_at_ns is None for touch in touches):
        return tuple(touches)
    strayed = _ways(touches, changes, until_ns, scan_ns)
    accidental = {
        place
        for place, way in strayed.items()
        if _rolled(touches[place].square, way, legal)
        or (way and touches[place].colour is side.other and _alone(touches[place], touches, side))
    }
    accidental |= _together(touches, strayed)
    return tuple(touch for place, touch in enumerate(touches) if place not in accidental)


def shifted_together(
    touches: Sequence[Touch], changes: tuple[SquareSeen, ...], until_ns: int, scan_ns: int
) -> tuple[Touch, ...]:
    """Those of pieces that stood on wrong squares at one time, and were put back."""
    strayed = _ways(touches, changes, until_ns, scan_ns)
    return tuple(touches[place] for place in sorted(_together(touches, strayed)))


def _ways(
    touches: Sequence[Touch], changes: tuple[SquareSeen, ...], until_ns: int, scan_ns: int
) -> dict[int, list[Stay]]:
    """By the place of each touch whose piece came back: where it stood meanwhile."""
    stood = list(stays(changes, until_ns))
    return {
        place: list(_strayed(touch, stood, scan_ns))
        for place, touch in enumerate(touches)
        if touch.returned_at_ns is not None
    }


def _together(touches: Sequence[Touch], strayed: dict[int, list[Stay]]) -> set[int]:
    return {
        place
        for one, other in combinations(strayed, 2)
        if _shifted(touches[one], strayed[one], touches[other], strayed[other])
        for place in (one, other)
    }


def _strayed(touch: Touch, stood: Sequence[Stay], scan_ns: int) -> Iterator[Stay]:
    """Where the piece may have stood between leaving its square and coming back. Squares are
    sampled in turn: it may show on another one before its own reads empty."""
    assert touch.returned_at_ns is not None, "it came back"
    colour = WHITE_PIECE if touch.colour is Colour.WHITE else BLACK_PIECE
    for stay in stood:
        if (
            stay.square != touch.square
            and stay.piece in (touch.piece, colour, UNKNOWN)
            and touch.lifted_at_ns - scan_ns < stay.from_ns
            and stay.until_ns < touch.returned_at_ns + scan_ns
        ):
            yield stay


def _alone(touch: Touch, touches: Sequence[Touch], side: Colour) -> bool:
    """No piece of this side was off its square while that one was."""
    assert touch.returned_at_ns is not None, "it came back"
    return not any(
        own.colour is side
        and own.lifted_at_ns < touch.returned_at_ns
        and (own.returned_at_ns is None or own.returned_at_ns > touch.lifted_at_ns)
        for own in touches
    )


def _rolled(origin: Square, way: Sequence[Stay], legal: Legal) -> bool:
    return (
        len({stay.square for stay in way}) >= ROLLED_OVER
        and all(stay.dwell_ms <= ROLLING_MS for stay in way)
        and not all(legal(origin, stay.square) for stay in way)
    )


def _shifted(one: Touch, way: Sequence[Stay], other: Touch, other_way: Sequence[Stay]) -> bool:
    """Both stood on wrong squares at one time. A capture that is tried, or castling, does that
    too."""
    if {one.piece.upper(), other.piece.upper()} == {KING, ROOK} and one.colour is other.colour:
        return False
    return any(
        stay.square not in (there.square, other.square)
        and there.square != one.square
        and stay.from_ns < there.until_ns
        and there.from_ns < stay.until_ns
        for stay in way
        for there in other_way
    )
