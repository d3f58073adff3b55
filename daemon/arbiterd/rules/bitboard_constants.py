"""Numbers and names of `bitboard`: bit 0 is a8, bit 7 h8, bit 63 h1.

A bitboard is an `int` of 64 bits, a square a number in FEN reading order.
"""

from __future__ import annotations

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, CASTLING = range(1, 8)
"""Piece numbers in a move; `CASTLING` is a king that takes its own rook."""

NO_SQUARE = 64
"""`Position.ep` where no pawn can be taken en passant."""

ONE: int = 1
"""The bit of square 0, to shift: the compiled twin needs all its 64 bits."""
FULL: int = (1 << 64) - 1
FILE_A: int = 0x0101010101010101
RANK_8: int = 0xFF
RANK_1: int = 0xFF << 56
LIGHT: int = 0xAA55AA55AA55AA55
"""The light squares: a8 is light."""


def square_table() -> list[int]:
    """The square of a bit, by the bit modulo 67: `SQUARE[(pieces & -pieces) % 67]` is the first
    piece's.

    2 is a primitive root of 67, so the residues of the 64 powers are all different. The lookup is
    the same, and fast, on Python's integers and on C's.
    """
    table = [0] * 67
    for square in range(64):
        table[(1 << square) % 67] = square
    return table
