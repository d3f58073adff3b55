"""Who can still win, in games that answer for themselves."""

from __future__ import annotations

import pytest

from arbiterd.laws.case.winnable import Winnable, winnable
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour


@pytest.mark.parametrize(
    ("name", "fen", "answer"),
    [
        ("shogi", "4k4/9/9/9/9/9/9/9/4K4 b RB2G 1", Winnable.YES),
        ("shogi", "4k4/9/9/9/9/9/9/9/4K4 b - 1", Winnable.YES),
        ("guadalete", "4k3/8/8/8/8/8/8/4K3 b - - 0 1 a4,a5 1/1", Winnable.NO),
        ("guadalete", "4k2r/8/8/8/8/8/8/4K3 b - - 0 1 a4,a5 1/1", Winnable.NO),
        ("guadalete", "4k1rr/8/8/8/8/8/8/4K3 b - - 0 1 a4,a5 1/1", Winnable.UNKNOWN),
    ],
    ids=["pieces in hand", "a loss is a loss in shogi", "bare king", "one rook", "two rooks"],
)
def test_a_game_says_itself_whether_black_can_win(name: str, fen: str, answer: Winnable) -> None:
    rules = ruleset(name)

    assert winnable(rules, rules.start(fen), Colour.BLACK) is answer
