"""What a game may have in common with others, beyond what the Laws ask of every game."""

from __future__ import annotations

from enum import StrEnum


class Custom(StrEnum):
    """A body of rules that a game follows. Laws and rows of the catalogue hold where it does.

    A game with none of them has every general law: its ends, draws and results, its clock and
    flags, board and record, conduct and penalties.
    """

    TOUCH = "touch-move"
    """A touched piece must be moved or captured (Article 4)."""
    PRESS = "press"
    """The press completes a move; what is irregular is put right, and an illegal move that was
    completed is counted (6.2, 7.2 to 7.6)."""
    CHESS_PIECES = "chessmen"
    """One king a side, who castles; pawns capture en passant and are exchanged (3.7, 3.8)."""
    SHUFFLED = "shuffled"
    """The first rank is drawn by lot (Guidelines II)."""
    DRAW_CLAIMS = "draw-claims"
    """A player may claim a draw: the third occurrence, fifty moves (9.2, 9.3)."""
    FOULS_LOSE = "fouls-lose"
    """A released move stands and a foul loses at once; periods are counted down, and the players
    keep no record (shogi)."""
    RIVER = "river"
    """Pawns become planks of a river, and must keep up with the opponent's (Guadalete)."""
