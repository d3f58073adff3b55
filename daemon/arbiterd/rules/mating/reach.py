"""Positions that no play leads to: those the Laws do not define, and those to flag."""

from __future__ import annotations

from arbiterd.rules.bitboard import Position, attackers, in_check
from arbiterd.rules.bitboard_constants import FULL, LIGHT, RANK_1, RANK_8, square_table

_SQUARE = square_table()


def undefined(pos: Position) -> bool:
    """Do the Laws not say which moves are legal here?

    Not one king each, pawns on the first or last rank, or a king that could be taken.
    """
    for own in (pos.white, pos.black):
        king = pos.kings & own
        if not king or king & (king - 1):
            return True
    if pos.pawns & (RANK_1 | RANK_8):
        return True
    return in_check(pos, white=not pos.white_to_move)


def unreachable(pos: Position, fen: str) -> bool:
    """Can certainly no game lead to this FEN? (Not every such position is found out.)"""
    if undefined(pos) or _too_many(pos, pos.white) or _too_many(pos, pos.black):
        return True
    fields = fen.split()
    return (
        _impossible_check(pos)
        or _impossible_castling(pos, fields[2])
        or _impossible_en_passant(pos, fields[3])
    )


def _too_many(pos: Position, own: int) -> bool:
    """More pawns than eight, or more promoted pieces than pawns are missing."""
    pawns = (pos.pawns & own).bit_count()
    bishops = pos.bishops & own
    promoted = max(0, (pos.queens & own).bit_count() - 1)
    promoted += max(0, (pos.rooks & own).bit_count() - 2)
    promoted += max(0, (pos.knights & own).bit_count() - 2)
    promoted += max(0, (bishops & LIGHT).bit_count() - 1)
    promoted += max(0, (bishops & ~LIGHT & FULL).bit_count() - 1)
    return pawns + promoted > 8


def _impossible_check(pos: Position) -> bool:
    """Two checkers need a slider that was uncovered; three are never possible."""
    own, enemy = (pos.white, pos.black) if pos.white_to_move else (pos.black, pos.white)
    king = _SQUARE[(pos.kings & own) % 67]
    checkers = attackers(pos, king, enemy, pos.white | pos.black)
    if checkers.bit_count() > 2:
        return True
    if checkers.bit_count() < 2:
        return False
    if not checkers & ~(pos.pawns | pos.knights):
        return True
    one_colour = not checkers & LIGHT or not checkers & ~LIGHT & FULL
    return not checkers & ~pos.bishops and one_colour


def _impossible_castling(pos: Position, field: str) -> bool:
    """A right without its king and rook at home (KQkq), or without its rook (files)."""
    if field == "-":
        return False
    return len(field) != len(set(field)) or len(field) != pos.castling.bit_count()


def _impossible_en_passant(pos: Position, field: str) -> bool:
    """A square that no pawn has just passed."""
    if field == "-":
        return False
    file, row = "abcdefgh".index(field[0]), "87654321".index(field[1])
    ep = row << 3 | file
    if row != (2 if pos.white_to_move else 5):
        return True
    passed = pos.black if pos.white_to_move else pos.white
    stood, came = (ep + 8, ep - 8) if pos.white_to_move else (ep - 8, ep + 8)
    occupied = pos.white | pos.black
    return not (passed & pos.pawns) >> stood & 1 or bool(occupied & (1 << ep | 1 << came))
