"""Piece codes of DGT boards, as letters of a FEN."""

from __future__ import annotations

from typing import Final

PIECES: Final = ".PRNBKQprnbkq???"
"""By code: 00 is nothing. 0D, 0E and 0F are pieces with a meaning of their own (a draw, White wins,
Black wins) that few boards know; they show as an unknown piece."""
