"""What an arbiter has decided stands on the record, whatever still stands on the board.

The board is to be put right, and until it is, it differs. Nothing that stood there when the word
was said overrules it, and play goes on from what was decided.
"""

from __future__ import annotations

import pytest

from eboards.events import SensingClass

PROMOTIONS = {
    "white": ("8/1k2P3/8/7r/8/8/6K1/8 w - - 0 50", "e7", "e8", "R", "Q", "b7b6", "g2g3", "b6b7"),
    "black": ("8/6k1/8/8/7R/8/1K2p3/8 b - - 0 50", "e2", "e1", "r", "q", "b2b3", "g7g6", "b3b2"),
}
SIDES = pytest.mark.parametrize("side", sorted(PROMOTIONS))
LATE = [0.0, 1.5, 9.0]


@SIDES
@pytest.mark.parametrize("late", LATE)
@pytest.mark.parametrize("set_right", ["before the reply", "after the reply", "never"])
def test_a_queen_is_decided_where_a_rook_was_set_down(
    table_with, side: str, late: float, set_right: str
) -> None:
    fen, origin, target, rook, queen, reply, go_on, then = PROMOTIONS[side]
    table = table_with(fen).lift(origin, after=2).press(side, after=0.8)
    table.place(target, rook, after=1.5).wait(7)
    assert table.tracker.record.plies[0].move == origin + target + rook.lower()
    decided = origin + target + "q"
    table.replace_move(1, decided).wait(late)
    assert [ply.move for ply in table.tracker.record.plies] == [decided]
    if set_right == "before the reply":
        table.lift(target, after=1).place(target, queen, after=1)
    table.make(reply).wait(6)
    if set_right == "after the reply":
        table.lift(target, after=1).place(target, queen, after=1).wait(6)
    table.make(go_on).wait(6).make(then)
    assert table.record == (decided, reply, go_on, then)
    table.calls("promo-nothing-placed")


@SIDES
def test_a_rook_set_down_after_the_decision_changes_nothing(table_with, side: str) -> None:
    fen, origin, target, rook, queen, reply, *_ = PROMOTIONS[side]
    table = table_with(fen).lift(origin, after=2).press(side, after=0.8).wait(20)
    decided = origin + target + "q"
    table.replace_move(1, decided)
    table.place(target, rook, after=1.5).wait(20)
    assert table.record == (decided,)
    table.lift(target).place(target, queen, after=1).make(reply)
    assert table.record == (decided, reply)
    table.calls(*table.called())


@pytest.mark.parametrize("sensing", SensingClass)
def test_a_half_move_that_was_taken_back_and_stands_is_not_told_again(
    table_with, sensing: SensingClass
) -> None:
    table = table_with(sensing=sensing).make("e2e4", "e7e5", "g1f3").wait(5)
    table.take_back(3).wait(10)
    assert table.record == ("e2e4", "e7e5")
    table.lift("d2", after=1).wait(8).place("d2").wait(8)
    assert table.record == ("e2e4", "e7e5")
    table.lift("f3").place("g1", after=1).wait(8)
    assert table.record == ("e2e4", "e7e5")
    table.start_clock("white").make("b1c3")
    assert table.record == ("e2e4", "e7e5", "b1c3")
    if sensing is not SensingClass.MOVES:
        table.calls("touch-own-then-other")


def test_the_half_move_that_was_taken_back_may_be_played_again(table) -> None:
    table.make("e2e4", "e7e5", "g1f3").wait(5)
    table.take_back(3).start_clock("white").wait(10)
    table.lift("f3").place("g1", after=1).wait(6).make("g1f3", "b8c6")
    assert table.record == ("e2e4", "e7e5", "g1f3", "b8c6")


def test_play_goes_on_from_half_moves_that_were_never_heard(table) -> None:
    """What the decision does not speak of is told from the board as ever."""
    table.make("e2e4", "e7e5").wait(5).replace_move(2, "c7c5").wait(5)
    table.make("g1f3").wait(5).make("b8c6").wait(5)
    table.lift("e5", after=1).place("e7", after=1).lift("c7", after=1).place("c5", after=1).wait(8)
    assert table.record == ("e2e4", "c7c5", "g1f3", "b8c6")


@pytest.mark.parametrize("sensing", SensingClass)
def test_another_half_move_is_decided_than_the_one_that_stands(
    table_with, sensing: SensingClass
) -> None:
    table = table_with(sensing=sensing).make("e2e4", "e7e5", "f1c4").wait(5)
    table.replace_move(3, "f1b5").wait(30)
    assert table.record == ("e2e4", "e7e5", "f1b5")
    table.make("a7a6").wait(10)
    assert table.record == ("e2e4", "e7e5", "f1b5", "a7a6")
    table.lift("c4", after=1).place("b5", after=1).wait(8).make("b5a4")
    assert table.record == ("e2e4", "e7e5", "f1b5", "a7a6", "b5a4")
