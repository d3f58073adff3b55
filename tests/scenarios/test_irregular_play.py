"""Irregular plies that are answered: by a legal move, by another irregular one, pressed or not.

Each is a ply of its own on the record, with who made it, on every kind of sensor.
"""

from __future__ import annotations

import pytest

from arbiterd.tracking.facts import Gap, IrregularEntered, Pressed
from eboards.events import SensingClass

SENSING = (SensingClass.IDENTITY, SensingClass.COLOUR, SensingClass.OCCUPANCY)
OPENING = ("e2e4", "e7e5")
ON = ("d2d4", "d7d6")


def carry(table, here: str, there: str, side: str = ""):
    """One piece goes there, wherever it may; `side` presses."""
    table.lift(here, after=1).place(there, after=0.4)
    return table.press(side) if side else table


@pytest.mark.parametrize("sensing", SENSING)
@pytest.mark.parametrize("white", ["white", ""], ids=["pressed", "unpressed"])
@pytest.mark.parametrize("black", ["black", ""], ids=["pressed", "unpressed"])
def test_an_illegal_move_is_answered_by_an_illegal_move(
    table_with, sensing: SensingClass, white: str, black: str
) -> None:
    table = table_with(sensing=sensing).make(*OPENING).wait(2.5)
    carry(table, "g1", "g3", white).wait(0 if white else 1)
    carry(table, "b8", "b6", black).wait(2)
    carry(carry(table, "d2", "d4", "white"), "d7", "d6", "black")

    assert table.record == (*OPENING, "", "", *ON)
    assert [fact.side for fact in table.said(IrregularEntered)] == ["white", "black"]
    assert not table.said(Gap)
    assert table.standing() == {
        "illegal-found-later/white" if white else "illegal-unpressed-replied/white",
        "illegal-found-later/black" if white and black else "illegal-unpressed-replied/black",
    }
    table.calls(*table.called())


@pytest.mark.parametrize("sensing", SENSING[:2])
@pytest.mark.parametrize("gap", [0.4, 0.6, 1.5])
@pytest.mark.parametrize("given", [0, 1, 2])
def test_half_moves_that_were_given_are_as_firm_as_those_played(
    table_with, sensing: SensingClass, gap: float, given: int
) -> None:
    table = table_with(sensing=sensing, moves=OPENING[:given]).wait(2)
    table.make(*OPENING[given:]).wait(2.5)
    carry(table, "g1", "g3", "white")
    table.lift("b8", after=gap).place("c6", after=0.4).press("black").wait(4)

    assert table.record == (*OPENING, "", "b8c6")
    assert not table.said(Gap)
    assert table.standing() == {"illegal-found-later/white"}
    table.calls(*table.called())


@pytest.mark.parametrize("sensing", SENSING)
@pytest.mark.parametrize("gap", [0.2, 0.6, 1.5, 3.0])
def test_an_unpressed_illegal_move_is_answered_at_once(
    table_with, sensing: SensingClass, gap: float
) -> None:
    table = table_with(sensing=sensing).make(*OPENING).wait(2.5)
    carry(table, "g1", "g3").wait(gap)
    table.lift("b8", after=0.1).place("c6", after=0.4).wait(2)
    carry(carry(table, "d2", "d4", "white"), "d7", "d6", "black")

    assert table.record == (*OPENING, "", "b8c6", *ON)
    assert [fact.side for fact in table.said(IrregularEntered)] == ["white"]
    assert not [fact for fact in table.said(Pressed) if fact.move is None]
    assert table.standing() == {"illegal-unpressed-replied/white"}
    table.calls(*table.called())


@pytest.mark.parametrize("sensing", [SensingClass.IDENTITY, SensingClass.COLOUR])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_side_topples_two_of_its_own_and_presses(
    table_with, sensing: SensingClass, when: str
) -> None:
    """It is named for it, and nobody else; the thread is not lost for that."""
    table = table_with(sensing=sensing).make(*OPENING).wait(2.5)
    if when == "after":
        carry(table, "g1", "f3")
    for here, there in (("a2", "a3"), ("b2", "b3")):
        table.lift(here, after=0.1).place(there, after=0.2)
    if when == "before":
        carry(table, "g1", "f3")
    table.press("white").wait(5)

    assert {row.split("/")[1] for row in table.standing()} == {"white"}
    assert [fact.side for fact in table.said(Pressed) if fact.move is None] == ["white"]
    table.calls(*table.called())


@pytest.mark.parametrize("presses", [True, False], ids=["pressed", "unpressed"])
def test_two_own_pieces_are_swapped_after_a_move(table_with, presses: bool) -> None:
    table = carry(table_with().make(*OPENING).wait(2.5), "g1", "f3")
    table.lift("a1", "b1", after=0.2).place("a1", "N", after=0.2).place("b1", "R", after=0.2)
    table.hand.clear()
    table.press("white") if presses else None
    table.wait(5)

    if presses:
        assert table.standing() == {"displaced-two/white"}
    assert {row.split("/")[1] for row in table.standing()} <= {"white", "None"}
    table.calls(*table.called())


def test_the_side_that_puts_right_what_the_other_toppled_has_done_nothing(table) -> None:
    carry(table.make(*OPENING).wait(2.5), "g1", "f3")
    for here, there in (("a2", "a3"), ("b2", "b3")):
        table.lift(here, after=0.1).place(there, after=0.2)
    table.press("white").wait(2)
    for here, there in (("a3", "a2"), ("b3", "b2")):
        table.lift(here, after=0.6).place(there, after=0.5)
    carry(carry(table, "b8", "c6", "black"), "f1", "c4", "white")

    assert table.record == (*OPENING, "g1f3", "b8c6", "f1c4")
    assert table.standing() == {"displaced-two/white"}
    table.calls("displaced-two")


@pytest.mark.parametrize("sensing", SENSING[:2])
@pytest.mark.parametrize("gap", [0.6, 1.5, 3.4])
def test_two_illegal_moves_without_a_press_lose_no_game_from_sight(
    table_with, sensing: SensingClass, gap: float
) -> None:
    """The reply came before the hands had rested, and its side took the other's piece first."""
    table = table_with(sensing=sensing).make(*OPENING, "g1f3", "d7d5").wait(2.5)
    carry(table, "a2", "b3").wait(gap)
    carry(table, "b8", "b6").wait(3)
    table.lift("d5", after=0.3).lift("e4", after=0.2).place("d5", "P", after=0.4)
    carry(table.press("white"), "d8", "d5", "black").wait(5)

    assert table.record[-4:] == ("", "", "e4d5", "d8d5")
    assert table.standing() == {
        "illegal-unpressed-replied/white",
        "illegal-unpressed-replied/black",
    }
    table.calls(*table.called())


@pytest.mark.parametrize("late", [0.0, 1.0])
def test_a_press_that_is_heard_after_the_illegal_reply_is_for_what_it_was_for(
    table, late: float
) -> None:
    """White's press is judged when Black's illegal piece is down: neither has set a clock going."""
    carry(table.make(*OPENING).wait(2.5), "g1", "g3").press("white", late=late)
    table.lift("b8", after=0.1).place("b6", after=0.4).press("black", late=late).wait(2)
    carry(carry(table, "d2", "d4", "white"), "d7", "d6", "black")

    assert table.record == (*OPENING, "", "", *ON)
    assert table.standing() == {"illegal-found-later/white", "illegal-found-later/black"}
    table.calls(*table.called())


def test_who_captures_and_topples_three_of_their_own_is_named(table) -> None:
    table.make(*OPENING, "g1f3", "b8c6").wait(2.5)
    for here, there in (("a2", "b3"), ("g2", "g3"), ("h2", "h3")):
        table.lift(here, after=0.1).place(there, after=0.2)
    table.lift("e5", after=0.4)
    carry(table, "f3", "e5", "white").wait(5)

    assert {row.split("/")[1] for row in table.standing()} == {"white"}
    table.calls(*table.called())


def test_who_puts_right_what_the_other_swapped_has_touched_nothing(table_with) -> None:
    """Black could take either piece, and need not."""
    table = table_with("4k3/8/8/2b5/3R4/4N3/7P/4K3 w - - 0 1").make("e1e2", "e8e7").wait(2.5)
    table.make("h2h3", press=False).lift("d4", after=0.2).lift("e3", after=0.2)
    table.place("d4", "N", after=0.2).place("e3", "R", after=0.2).press("white").wait(5)
    table.hand.clear()
    table.lift("d4", after=0.3).lift("e3", after=0.3)
    table.place("d4", "R", after=0.3).place("e3", "N", after=0.3).wait(1)
    carry(carry(table, "e7", "e8", "black"), "e2", "e1", "white")

    assert table.record == ("e1e2", "e8e7", "h2h3", "e7e8", "e2e1")
    assert not {row for row in table.standing() if row.endswith("/black")}
    assert not [kind for kind in table.called() if kind.startswith("touch-opp")]
    table.calls(*table.called())


@pytest.mark.parametrize("gap", [0.8, 1.5, 3.0])
def test_a_second_move_is_not_the_answer_to_the_reply_that_came_after_it(table, gap: float) -> None:
    carry(table.make(*OPENING).wait(2.5), "g1", "f3", "white")
    carry(table, "b1", "c3").wait(gap - 0.3)
    carry(carry(table, "b8", "c6", "black"), "d2", "d4", "white").wait(2)

    assert table.record == (*OPENING, "g1f3", "", "b8c6", "d2d4")
    assert {row.split("/")[1] for row in table.standing()} == {"white"}
    table.calls(*table.called())
