"""The 960 start positions, beside an independent library's."""

from __future__ import annotations

import chess
import pytest

from arbiterd.rules.chess960 import first_rank, number_of, start_fen
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour, Reason


def test_each_number_is_the_position_others_give_it() -> None:
    for number in range(960):
        board = chess.Board.from_chess960_pos(number)
        assert start_fen(number).split()[0] == board.board_fen()
        assert number_of(first_rank(number)) == number


@pytest.mark.parametrize("number", [*range(0, 960, 37), 518, 959])
def test_two_half_moves_from_a_start_there_are_as_many_positions(number: int) -> None:
    rules = ruleset("chess960")
    position, board = rules.start(start_fen(number)), chess.Board.from_chess960_pos(number)
    ours = theirs = 0
    for move in rules.legal_moves(position):
        ours += len(rules.legal_moves(rules.play(position, move)))
    for peer in list(board.legal_moves):
        board.push(peer)
        theirs += board.legal_moves.count()
        board.pop()

    assert ours == theirs


@pytest.mark.parametrize("number", [-1, 960])
def test_there_are_no_others(number: int) -> None:
    with pytest.raises(ValueError, match="0 to 959"):
        first_rank(number)


CASTLED_ONE_STAYS = [
    ("R1K5", "2KR4", "A", "c1a1"),
    ("1RK5", "2KR4", "B", "c1b1"),
    ("6KR", "5RK1", "H", "g1h1"),
    ("3K1R2", "5RK1", "F", "d1f1"),
    ("3RK3", "2KR4", "D", "e1d1"),
]
"""White's first rank before and after castling in which king or rook keeps its square."""


@pytest.mark.parametrize(("before", "after", "right", "wire"), CASTLED_ONE_STAYS)
def test_castling_in_which_one_of_the_two_stays_is_read_as_castling(
    before: str, after: str, right: str, wire: str
) -> None:
    """II.3.2: only the king or only the rook may change its square."""
    rules = ruleset("chess960")
    shown = rules.placement(rules.start(f"4k3/8/8/8/8/8/8/{after} w - - 0 1"))
    reasons = {
        f"4k3/8/8/8/8/8/8/{before} w {right} - 0 1": None,
        f"4k3/8/8/8/8/8/8/{before} w - - 0 1": Reason.CASTLING_LOST,
        f"4k3/8/8/8/8/8/8/{before} b {right} - 0 1": Reason.OUT_OF_TURN,
    }
    for fen, reason in reasons.items():
        attempt = rules.read_attempt(rules.start(fen), shown, Colour.WHITE)

        assert (attempt and attempt.reason) == reason
        assert attempt is None or attempt.wire == wire
