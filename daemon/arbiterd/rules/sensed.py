"""What a board shows, read as a position where its sensors do not tell the kinds of pieces, or
their faces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, permutations
from typing import Any

from arbiterd.rules.ruleset import Colour, RuleSet, differing
from eboards.events import (
    BLACK_PIECE,
    EMPTY,
    UNKNOWN,
    WHITE_PIECE,
    Piece,
    Placement,
    SensingClass,
    Square,
)

Rules = RuleSet[Any, Any]


def as_known(
    rules: Rules, before: Placement, shown: Sequence[Piece], sensing: SensingClass
) -> Placement:
    """What is shown, with pieces whose kind or face is not sensed taken for those the position has
    there; where just one piece left, one that came and may be that piece is, if none that can be
    read has come that is. Where only colours are sensed, `w` and `b` are pieces of a colour and no
    bishops."""
    if not _blurs(shown, sensing):
        return tuple(shown)
    squares = _otherwise(rules, before, shown, sensing)
    now, left, came = _compared(rules, before, shown, sensing, squares)
    if len(came) == len(left) == 1:
        gone, read = before[left[0]], {shown[square] for square in squares}
        if gone not in read and may_be(rules, gone, shown[came[0]], sensing):
            now[came[0]] = gone
    return tuple(now)


def signalled(
    rules: Rules,
    before: Placement,
    shown: Sequence[Piece],
    sensing: SensingClass,
    cleared: Iterable[Square] = (),
) -> str | None:
    """The result that kings put in the centre stand for: 1-0, 0-1, 1/2-1/2.

    Where kinds are not sensed they are the pieces that left their squares since `before`, and
    those that came, or stand on squares that were `cleared` meanwhile.
    """
    signal = rules.result_signal(shown)
    if signal is not None or not _blurs(shown, sensing):
        return signal
    squares = _otherwise(rules, before, shown, sensing)
    if len(squares) < 2 - len(rules.kings_in_centre(before)):
        return None  # A king that comes to the centre has left its square.
    centre, vacated = rules.kings_in_centre(("K",) * len(before)), set(cleared)
    now, left, came = _compared(rules, before, shown, sensing, squares)
    again = [s for s in centre if s in vacated and s not in came and shown[s] != EMPTY]
    missing = 2 - len(rules.kings_in_centre(now))
    if not 0 <= len(left) - missing <= len(centre) or missing < 0:
        return None
    for kings in permutations(left, missing):
        if not set(left) - set(kings) <= set(centre):
            continue  # Only what made room for them may be gone besides.
        for places in combinations((*came, *again), missing):
            put = {place: before[s] for place, s in zip(places, kings, strict=True)}
            fits = all(may_be(rules, king, shown[s], sensing) for s, king in put.items())
            if fits and set(came) <= set(places):
                signal = rules.result_signal([put.get(s, piece) for s, piece in enumerate(now)])
                if signal is not None:
                    return signal
    return None


def may_be(rules: Rules, piece: Piece, seen: Piece, sensing: SensingClass) -> bool:
    """Whether a square that shows this may hold that piece; or nothing, where it is EMPTY."""
    if not _blurred(seen, sensing) or piece == EMPTY:
        return piece == seen
    if sensing is SensingClass.KIND and seen != UNKNOWN:
        return reading(rules, piece, sensing) == seen
    return seen == UNKNOWN or rules.owner(piece) is rules.owner(seen)


def reading(rules: Rules, piece: Piece, sensing: SensingClass) -> Piece:
    """What such sensors show of a piece."""
    if sensing is SensingClass.KIND or piece == EMPTY:
        return piece.removeprefix("+")
    if sensing is SensingClass.OCCUPANCY:
        return UNKNOWN
    if sensing is not SensingClass.COLOUR:
        return piece
    owner = rules.owner(piece)
    if owner is None:
        return UNKNOWN
    return WHITE_PIECE if owner is Colour.WHITE else BLACK_PIECE


def _otherwise(
    rules: Rules, before: Placement, shown: Sequence[Piece], sensing: SensingClass
) -> tuple[Square, ...]:
    """The squares that do not read as the position has them."""
    reads = {piece: reading(rules, piece, sensing) for piece in set(before)}
    return differing([reads[piece] for piece in before], shown)


def _compared(
    rules: Rules,
    before: Placement,
    shown: Sequence[Piece],
    sensing: SensingClass,
    squares: Iterable[Square],
) -> tuple[list[Piece], list[Square], list[Square]]:
    """What is shown, as far as the position tells what it is; of these squares, which read
    otherwise, those that lost their piece; and those with one of which it does not."""
    now, left, came = list(before), [], []
    for square in squares:
        was, seen = before[square], shown[square]
        if was != EMPTY and may_be(rules, was, seen, sensing):
            continue
        now[square] = seen
        if _blurred(seen, sensing):
            came.append(square)
        elif was != EMPTY == seen:
            left.append(square)
    return now, left, came


def _blurs(shown: Sequence[Piece], sensing: SensingClass) -> bool:
    return sensing in (SensingClass.COLOUR, SensingClass.KIND) or UNKNOWN in shown


def _blurred(seen: Piece, sensing: SensingClass) -> bool:
    """A piece of which the kind is not sensed, or which face it shows."""
    if sensing is SensingClass.COLOUR and seen in (WHITE_PIECE, BLACK_PIECE):
        return True
    return seen == UNKNOWN or (sensing is SensingClass.KIND and seen != EMPTY)
