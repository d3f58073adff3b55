"""What a piece attacks, on plain integers: bit 0 is a8, bit 7 h8, bit 63 h1.

Nothing here knows
whose pieces stand where; sliders are given the occupied squares.

A slider's attacks along one line follow from the six inner squares of that line, and a table has
them. A remainder gathers the six bits: modulo 255 the rows of a board fall on one another, and a
diagonal has one square in each file; modulo 511 the squares of a file become neighbours.
"""

from __future__ import annotations

from collections.abc import Callable

from arbiterd.rules.bitboard_constants import FILE_A, FULL, RANK_1, RANK_8

_NOT_A = FULL ^ FILE_A
_NOT_H = FULL ^ (FILE_A << 7)


def spread(squares: int) -> int:
    """These squares and all their neighbours, diagonals included."""
    squares |= (squares & _NOT_H) << 1 | (squares & _NOT_A) >> 1
    return squares | squares >> 8 | (squares << 8 & FULL)


def white_pawn_attacks(pawns: int) -> int:
    return (pawns & _NOT_A) >> 9 | (pawns & _NOT_H) >> 7


def black_pawn_attacks(pawns: int) -> int:
    return (pawns & _NOT_A) << 7 & FULL | (pawns & _NOT_H) << 9 & FULL


def knight_attacks(knights: int) -> int:
    """All squares these knights attack."""
    one = (knights & _NOT_H) << 1 | (knights & _NOT_A) >> 1
    two = (knights & _NOT_H & _NOT_H >> 1) << 2 | (knights & _NOT_A & _NOT_A << 1) >> 2
    return (one << 16 | one >> 16 | two << 8 | two >> 8) & FULL


def _each(attacks: Callable[[int], int]) -> list[int]:
    return [attacks(1 << square) for square in range(64)]


def _king(king: int) -> int:
    return spread(king) ^ king


_KING: list[int] = _each(_king)
_KNIGHT: list[int] = _each(knight_attacks)
_WHITE_PAWN: list[int] = _each(white_pawn_attacks)
_BLACK_PAWN: list[int] = _each(black_pawn_attacks)


def _ray(square: int, d_file: int, d_row: int) -> list[int]:
    """The squares from here to the edge, nearest first."""
    file, row, found = square & 7, square >> 3, []
    while 0 <= (file := file + d_file) < 8 and 0 <= (row := row + d_row) < 8:
        found.append(row << 3 | file)
    return found


_DIRECTIONS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


def _bits(squares: list[int]) -> int:
    return sum(1 << square for square in squares)


def _line_masks(d_file: int, d_row: int) -> list[int]:
    return [_bits(_ray(s, d_file, d_row)) | _bits(_ray(s, -d_file, -d_row)) for s in range(64)]


_DIAGONAL: list[int] = _line_masks(1, -1)
_ANTIDIAGONAL: list[int] = _line_masks(1, 1)


def _first_rank() -> list[int]:
    """Attacks within a rank, by file and the occupation of its six inner squares."""
    table = []
    for file in range(8):
        for inner in range(64):
            found, occupied = 0, inner << 1
            for step in (-1, 1):
                at = file + step
                while 0 <= at < 8:
                    found |= 1 << at
                    if occupied >> at & 1:
                        break
                    at += step
            table.append(found)
    return table


_RANK: list[int] = _first_rank()
_INNER: int = FULL & ~RANK_8 & ~RANK_1 & _NOT_A & _NOT_H
_INNER_FILE_A: int = FILE_A & ~RANK_8 & ~RANK_1


def _diagonal_attacks(masks: list[int]) -> list[int]:
    return [
        _RANK[(square & 7) << 6 | inner] * FILE_A & masks[square]
        for square in range(64)
        for inner in range(64)
    ]


def _file_attacks() -> list[int]:
    """By square and the file's inner squares read upwards, as the remainder by 511 gives them."""
    columns = [sum(1 << ((7 - at) << 3) for at in range(8) if p >> at & 1) for p in _RANK]
    return [
        columns[(7 - (square >> 3)) << 6 | inner] << (square & 7)
        for square in range(64)
        for inner in range(64)
    ]


_UP: list[int] = _diagonal_attacks(_DIAGONAL)
_DOWN: list[int] = _diagonal_attacks(_ANTIDIAGONAL)
_FILE: list[int] = _file_attacks()
_UP_INNER: list[int] = [mask & _INNER for mask in _DIAGONAL]
_DOWN_INNER: list[int] = [mask & _INNER for mask in _ANTIDIAGONAL]


def bishop_attacks(square: int, occupied: int) -> int:
    up = (occupied & _UP_INNER[square]) % 255 >> 1
    down = (occupied & _DOWN_INNER[square]) % 255 >> 1
    return _UP[square << 6 | up] | _DOWN[square << 6 | down]


def rook_attacks(square: int, occupied: int) -> int:
    row = square & 56
    column = (occupied >> (square & 7) & _INNER_FILE_A) % 511 >> 3
    return (
        _RANK[(square & 7) << 6 | (occupied >> row + 1 & 63)] << row | _FILE[square << 6 | column]
    )


def _pairs(whole_line: bool) -> list[int]:
    """For two squares of one line: the squares between, or that whole line; else 0."""
    table = [0] * 4096
    for square in range(64):
        for d_file, d_row in _DIRECTIONS:
            ray = _ray(square, d_file, d_row)
            line = _bits(ray) | _bits(_ray(square, -d_file, -d_row)) | 1 << square
            for steps, other in enumerate(ray):
                table[square << 6 | other] = line if whole_line else _bits(ray[:steps])
    return table


_BETWEEN: list[int] = _pairs(whole_line=False)
_LINE: list[int] = _pairs(whole_line=True)


def between(a: int, b: int) -> int:
    """The squares strictly between two squares of one line, else none."""
    return _BETWEEN[a << 6 | b]


def line(a: int, b: int) -> int:
    """The whole line through two squares, edge to edge, else nothing."""
    return _LINE[a << 6 | b]


def pawn_targets(square: int, white: bool) -> int:
    """What one pawn attacks; for the other colour, from where pawns attack this square."""
    return _WHITE_PAWN[square] if white else _BLACK_PAWN[square]


def step_attacks(piece: int, square: int) -> int:
    """A knight's (2) or king's (6) attacks, by the piece numbers of `bitboard`."""
    return _KNIGHT[square] if piece == 2 else _KING[square]
