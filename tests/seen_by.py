"""What a board of a family can show of the pieces that stand on it."""

from __future__ import annotations

from collections.abc import Iterable

from eboards.events import BLACK_PIECE, EMPTY, UNKNOWN, WHITE_PIECE, Placement, SensingClass
from eboards.family import Family

_SIDES = {True: WHITE_PIECE, False: BLACK_PIECE}


def seen_by(of: Family, pieces: Iterable[str]) -> Placement:
    """`pieces` in reading order, as its sensors tell them apart."""
    match of.codec().sensing.kind:
        case SensingClass.OCCUPANCY:
            return tuple(EMPTY if piece == EMPTY else UNKNOWN for piece in pieces)
        case SensingClass.COLOUR:
            return tuple(EMPTY if piece == EMPTY else _SIDES[piece.isupper()] for piece in pieces)
    return tuple(pieces)
