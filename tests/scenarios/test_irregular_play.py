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
