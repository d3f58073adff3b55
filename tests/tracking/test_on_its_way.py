"""Where a hand may rest that carries a piece: on the line to its goal, or beside the goal."""

from __future__ import annotations

import chess

from arbiterd.tracking.evidence import on_its_way
from eboards.events import CHESS_BOARD


def test_between_the_two_on_their_line_or_beside_the_goal_and_nowhere_else() -> None:
    """Every way on the board, held to python-chess' own squares between two."""
    squares = [chess.parse_square(name) for name in CHESS_BOARD.names]
    for start in range(64):
        for goal in range(64):
            between = chess.SquareSet(chess.between(squares[start], squares[goal]))
            allowed = {
                stop
                for stop in range(64)
                if squares[stop] in between
                or chess.square_distance(squares[stop], squares[goal]) <= 1
            }
            told = {stop for stop in range(64) if on_its_way(CHESS_BOARD, start, stop, goal)}
            assert told == allowed, (CHESS_BOARD.names[start], CHESS_BOARD.names[goal])
