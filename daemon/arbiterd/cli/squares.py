"""Squares of a chess board as commands name them to who stands at it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eboards.events import CHESS_BOARD, Square

NAMED_MAX: Final = 8
"""So many squares are named; of more, how many there are."""


def named(squares: Sequence[Square]) -> str:
    """As "e2 e4"; of many, "12 squares"."""
    if len(squares) > NAMED_MAX:
        return f"{len(squares)} squares"
    return " ".join(CHESS_BOARD.names[square] for square in squares)
