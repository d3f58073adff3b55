"""Random play: every verdict verified, and what must hold without any label."""

from __future__ import annotations

from random import Random

import chess
import pytest

from arbiterd.rules.mating import BUDGET_NODES, CanMate, MatingVerdict, can_mate
from arbiterd.rules.mating.checker import fault
from arbiterd.rules.ruleset import Colour
from rules.mating.positions import composed, random_play, walled

pytestmark = pytest.mark.timeout(900)
"""The hardest positions take pure Python some seconds, and machines are busy."""

SLOW_PARTS = 20


def both(fen: str, nodes: int = BUDGET_NODES) -> tuple[MatingVerdict, MatingVerdict]:
    return can_mate(fen, Colour.WHITE, nodes), can_mate(fen, Colour.BLACK, nodes)


def verify(boards: list[chess.Board]) -> int:
    """Verdicts verified; returns how many were open."""
    opened = 0
    for board in boards:
        for verdict in both(board.fen()):
            assert fault(board.fen(), verdict) is None, board.fen()
            opened += verdict.answer is CanMate.NOT_PROVEN
    return opened


def test_random_play_is_answered_and_every_answer_verified() -> None:
    assert verify(list(random_play(Random(1), 250))) == 0


@pytest.mark.slow
@pytest.mark.timeout(6000)
@pytest.mark.parametrize("part", range(SLOW_PARTS))
def test_twenty_thousand_positions_of_random_play(part: int) -> None:
    """A thousand a part; at most one question in a thousand may stay open."""
    assert verify(list(random_play(Random(1000 + part), 1000))) <= 2


def test_walls_are_answered_and_every_answer_verified() -> None:
    dice = Random(2)

    assert verify([walled(dice) for _ in range(60)]) <= 1


@pytest.mark.slow
@pytest.mark.timeout(6000)
@pytest.mark.parametrize("part", range(10))
def test_many_walls(part: int) -> None:
    dice = Random(2000 + part)

    assert verify([walled(dice) for _ in range(200)]) <= 8


def mixed(seed: int) -> list[chess.Board]:
    """Some of everything."""
    dice = Random(seed)
    boards = [walled(dice) for _ in range(15)]
    boards += [chess.Board(f"{fen} 0 1") for fen, _, _ in composed()[::6]]
    return boards + list(random_play(dice, 25))


def test_colours_and_sides_of_the_board_do_not_matter() -> None:
    for board in mixed(3):
        white, black = (verdict.answer for verdict in both(board.fen()))
        swapped = both(board.mirror().fen())
        assert (swapped[1].answer, swapped[0].answer) == (white, black), board.fen()
        if not board.castling_rights:
            turned = board.transform(chess.flip_horizontal)
            assert tuple(v.answer for v in both(turned.fen())) == (white, black), board.fen()


def test_after_impossible_everything_is_impossible() -> None:
    """And what a move makes possible was possible before. Walked at random."""
    dice = Random(4)
    boards = mixed(4) + [walled(dice) for _ in range(40)]
    walked = 0
    for board in boards:
        for side, verdict in zip(Colour, both(board.fen()), strict=True):
            if verdict.answer is not CanMate.IMPOSSIBLE:
                continue
            after = board.copy(stack=False)
            for _ in range(12):
                moves = list(after.legal_moves)
                if not moves:
                    break
                after.push(dice.choice(moves))
                walked += 1
                assert can_mate(after.fen(), side, 3000).answer is not CanMate.POSSIBLE, board.fen()
    assert walked > 100


@pytest.mark.parametrize("seed", [5, 6])
def test_budgets_give_answers_and_never_change_them(seed: int) -> None:
    for board in mixed(seed)[::2]:
        for side, full in zip(Colour, both(board.fen()), strict=True):
            seen = CanMate.NOT_PROVEN
            for nodes in (1, 7, 40, 150, 700, 3000):
                verdict = can_mate(board.fen(), side, nodes)
                assert verdict.answer in {seen, full.answer}
                assert verdict.nodes <= nodes + 60
                seen = verdict.answer


def test_the_same_question_has_the_same_answer() -> None:
    for board in mixed(7)[::3]:
        assert both(board.fen()) == both(board.fen())
