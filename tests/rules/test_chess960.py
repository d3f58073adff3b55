"""The 960 start positions, beside an independent library's."""

from __future__ import annotations

import chess
import pytest

from arbiterd.rules.chess960 import first_rank, number_of, start_fen
from arbiterd.rules.registry import ruleset


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
