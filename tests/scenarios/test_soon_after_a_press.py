"""A board that is asked for the whole of itself after a press: what can still come after that.

A press waits for the half-move it is for, since a board tells late. Where the board rests and is
seen whole there is nothing to wait for, and an illegal move is told at once.
"""

from __future__ import annotations

import pytest

from arbiterd.tracking.facts import Pressed

PICTURE_S = 0.1
"""From the press to the picture that is asked for."""
LAG_S = 2 * 0.2 + 0.3
"""What a press waits for otherwise: two scans and the grace."""


def told_in_vain(table) -> list[Pressed]:
    """The presses without a half-move that were told by now."""
    return [fact for fact in table.facts if isinstance(fact, Pressed) and fact.move is None]


@pytest.fixture
def table(table_with):
    return table_with(pictures=True, one_wire=True)


def test_an_illegal_move_that_rests_is_told_with_the_picture(table) -> None:
    table.lift("g1").place("g3").press("white", late=1.0)
    assert not told_in_vain(table), "a message may have been lost"
    table.dump(after=PICTURE_S)
    assert told_in_vain(table.wait(0))
    table.calls("illegal-first")


def test_a_press_without_a_half_move_is_told_with_the_picture(table) -> None:
    table.make("e2e4", "e7e5").wait(1).press("white", late=1.0).dump(after=PICTURE_S)
    assert told_in_vain(table.wait(0))
    table.calls("press-no-move")


def test_a_picture_that_shows_what_was_lost_accuses_nobody(table) -> None:
    table.lost = True
    table.lift("g1").place("f3")
    table.lost = False
    table.press("white").dump(after=PICTURE_S)
    assert table.played("g1f3").moves == ["g1f3"]
    assert not table.alarms


@pytest.mark.parametrize("after", [0.05, 0.15, 0.25])
def test_what_was_set_down_just_now_may_be_in_a_hand_until_it_has_stood_two_scans(
    table, after: float
) -> None:
    table.lift("g1").place("g3").press("white", after=after).dump(after=0.05)
    assert not told_in_vain(table.wait(0.4 - after - 0.05 - 0.01))
    table.lift("g3", after=0).place("f3", after=0.05)
    assert table.played("g1f3").moves == ["g1f3"]
    assert not table.alarms


def test_a_king_whose_rook_may_come_is_waited_for(table) -> None:
    table.make("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5").wait(1).lift("e1").place("g1")
    table.wait(1).press("white", late=1.0).dump(after=PICTURE_S)
    table.lift("h1", after=0.1).place("f1", after=0.3)
    assert table.played("e1g1").moves[-1] == "e1g1"
    assert not table.alarms


def test_a_pawn_that_may_be_exchanged_is_waited_for(table_with) -> None:
    table = table_with("7k/P7/8/8/8/8/8/K7 w - - 0 1", pictures=True, one_wire=True)
    table.lift("a7").place("a8", "P").wait(1).press("white", late=1.0).dump(after=PICTURE_S)
    assert not told_in_vain(table.wait(LAG_S - PICTURE_S - 0.2))
    table.place("a8", "Q", after=0.1)
    assert table.moves == ["a7a8q"]
    table.calls("promo-nothing-placed")


def test_a_piece_that_no_coil_shows_is_waited_for(table) -> None:
    table.hidden.add("f3")
    table.make("g1f3").dump(after=PICTURE_S).wait(LAG_S)
    assert not told_in_vain(table)
    table.centre("f3")
    assert table.moves == ["g1f3"]
    assert not table.alarms


def test_a_piece_of_the_other_side_that_shows_nowhere_is_waited_for(table) -> None:
    """A coil that loses a piece for half a second: nobody took it."""
    table.make("e2e4", "e7e5").lift("g1").place("g3").wait(1)
    table.hidden.add("b8")
    table.press("white", after=0.5, late=1.0).dump(after=PICTURE_S)
    assert not told_in_vain(table.wait(LAG_S - PICTURE_S - 0.05))
    table.calls("illegal-first")


def test_a_press_that_may_be_for_the_half_move_before_is_waited_for(table) -> None:
    """Black has replied before White's press is known, and White's next piece rests on its way."""
    table.make("e2e4", press=False).make("e7e5", press=False).wait(0.2)
    table.lift("g1").place("g3").wait(0.5).press("white", late=1.0).dump(after=PICTURE_S)
    table.lift("g3", after=0.05).place("f3", after=0.2)
    assert table.played("g1f3").moves == ["e2e4", "e7e5", "g1f3"]
    assert not table.alarms


@pytest.mark.parametrize("pictures", [False, True])
def test_a_board_whose_clock_speaks_elsewhere_waits_as_long_as_ever(table_with, pictures) -> None:
    table = table_with(pictures=pictures).lift("g1").place("g3").wait(1)
    table.press("white", late=1.0).scan()
    assert not told_in_vain(table.wait(LAG_S - 0.01))
    assert told_in_vain(table.wait(0.02))
    table.calls("illegal-first")


def test_an_illegal_answer_to_an_illegal_move_is_its_own_half_move(table_with) -> None:
    """White's king is up already when Black's press is judged."""
    table = table_with(
        "r1b1k2r/pp2pppp/3p4/8/3n4/2N5/PPP1QPPP/R1B1KB1R w KQkq - 0 7",
        scan_ms=50, pictures=True, one_wire=True,
    )  # fmt: skip
    table.wait(2).lift("f2").place("c7", after=0.4).press("white", after=1.5, late=1.0)
    table.dump(after=PICTURE_S).wait(4).lift("d4").place("d3", after=0.45)
    table.dump(after=0.9).press("black", after=0.16, late=1.0).dump(after=PICTURE_S)
    table.lift("e1", after=0.29).place("d1", after=0.55).dump(after=0.9)
    table.press("white", after=0.03, late=1.0).dump(after=PICTURE_S).wait(10)
    table.calls("illegal-first", "illegal-found-later")
    assert list(table.record) == ["", "", "e1d1"]
