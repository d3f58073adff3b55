"""Pieces that fall, roll, are brushed by a sleeve; a board that is knocked; coils that fail."""

from __future__ import annotations

import pytest

from arbiterd.tracking.facts import IrregularEntered, MoveMade, OutOfTurn, PlyCertainty, Pressed
from eboards.events import SensingClass

OPENING = ("e2e4", "e7e5", "g1f3", "b8c6")
DISPLACED = {"knocked", "out-of-turn"}
"""A piece that lies elsewhere may be reported as that, and as nothing else."""


def test_a_piece_is_knocked_over_rolls_over_three_squares_and_is_put_back(table) -> None:
    table.make(*OPENING).lift("f3", after=2)
    for square in ("f4", "g5", "f5"):
        table.place(square, "N", after=0.15).lift(square, after=0.2)
    table.hand[:] = ["N"]
    table.place("f3", after=1.5).make("f1b5", "a7a6")
    assert table.moves == [*OPENING, "f1b5", "a7a6"]
    assert set(table.alarms) <= DISPLACED


def test_a_fallen_piece_is_put_back_wrong_and_then_right(table) -> None:
    table.make(*OPENING).lift("f3", after=2).place("g4", after=0.2).lift("g4", after=2)
    table.place("g3", after=1).wait(6).lift("g3").place("f3").make("f1b5", "a7a6")
    table.calls("move-corrected-before-press")
    assert table.moves == [*OPENING, "f1b5", "a7a6"]
    assert set(table.alarms) <= DISPLACED


def test_a_sleeve_shifts_two_pieces(table) -> None:
    table.make(*OPENING).lift("d2", after=2).place("d3", after=0.1)
    table.lift("c2", after=0.05).place("c3", after=0.1).wait(4)
    table.lift("d3").place("d2").lift("c3").place("c2").make("f1b5", "a7a6")
    assert table.moves == [*OPENING, "f1b5", "a7a6"]
    assert set(table.alarms) <= DISPLACED


def test_a_sleeve_shifts_two_pieces_of_the_side_that_has_not_the_move(table) -> None:
    table.make(*OPENING).lift("g7", after=2).place("g6", after=0.1)
    table.lift("h7", after=0.05).place("h6", after=0.1).wait(4)
    table.lift("g6").place("g7").lift("h6").place("h7").make("f1b5", "a7a6")
    table.calls("displaced-on-opp-time", "displaced-two")
    assert table.moves == [*OPENING, "f1b5", "a7a6"]
    assert set(table.alarms) <= DISPLACED


@pytest.mark.parametrize("stopped_after", [0.5, 2.0, 5.0])
def test_the_whole_board_is_knocked_and_set_up_again(table, stopped_after: float) -> None:
    """Clocks that are stopped at once are stopped because of it: no pieces are put away."""
    table.make(*OPENING)
    fallen = [("a1", "a3"), ("b1", "b4"), ("c1", "g4"), ("h7", "h5"), ("g8", "g5"), ("c6", "d5")]
    for here, there in fallen:
        table.lift(here, after=0.05).place(there, after=0.05)
    table.pause(after=stopped_after).wait(5)
    for here, there in fallen:
        table.lift(there, after=1).place(here, after=1)
    table.start_clock("white").make("f1b5", "a7a6")
    table.calls("displaced-board-knocked")
    assert table.moves == [*OPENING, "f1b5", "a7a6"]
    assert "knocked" in table.alarms
    assert set(table.alarms) <= DISPLACED


def test_a_coil_misses_a_piece_until_it_is_centred(table) -> None:
    """A press with the piece in the hand looks the same: it is noted, and nobody is called."""
    table.make("e2e4", "e7e5").hidden.add("f3")
    table.lift("g1").place("f3").press("white").wait(1.5)
    table.hidden.clear()
    table.scan().played("g1f3").make("b8c6")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3", "b8c6"], [])


def test_a_coil_that_misses_a_piece_for_six_seconds_makes_no_offence(table) -> None:
    table.make("e2e4", "e7e5").hidden.add("f3")
    table.lift("g1").place("f3").press("white").wait(6)
    table.hidden.clear()
    table.scan().played("g1f3").make("b8c6")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3", "b8c6"], [])


def test_a_piece_that_no_coil_shows_for_long_is_missed_and_then_found(table) -> None:
    """After seven seconds it may be said that the press came without the piece on the board."""
    table.make("e2e4", "e7e5").hidden.add("f3")
    table.lift("g1").place("f3").press("white").wait(7)
    table.hidden.clear()
    table.scan().played("g1f3").make("b8c6")
    table.calls("press-piece-in-hand")
    assert table.moves == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert set(table.alarms) <= {"press-without-move"}


def test_a_coil_misses_a_piece_until_after_the_reply(table) -> None:
    table.make("e2e4", "e7e5").hidden.add("f3")
    table.lift("g1").place("f3").press("white").played("g1f3").make("b8c6")
    table.hidden.clear()
    table.scan().make("f1b5")
    expected = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]
    assert (table.moves, table.alarms) == (expected, [])


def test_a_piece_flickers_for_a_scan(table) -> None:
    table.make("e2e4", "e7e5")
    for _ in range(5):
        table.lift("d1", after=3).place("d1", after=0.2)
    table.make("g1f3")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3"], [])


def test_a_chip_reads_as_another_piece_for_a_moment(table) -> None:
    table.make("e2e4", "e7e5").place("d8", "b", after=2).place("d8", "q", after=0.4)
    table.make("g1f3", "b8c6")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3", "b8c6"], [])


def test_a_chip_reads_as_another_piece_wherever_it_goes(table) -> None:
    """The knight of g1 reads as a bishop once it has been set down on f3."""
    table.make("e2e4", "e7e5").lift("g1").place("f3", "B").press("white").played("g1f3")
    table.make("b8c6").lift("f3").place("d4", "B").press("white").played("f3d4").make("c6d4")
    assert table.moves == ["e2e4", "e7e5", "g1f3", "b8c6", "f3d4", "c6d4"]
    assert not table.said(IrregularEntered)
    assert not table.said(OutOfTurn)


def test_a_dead_square_is_understood_once_its_piece_shows_elsewhere(table) -> None:
    """A knight vanishes towards f3, e2 or h3; from where it is seen next it can have been on f3
    alone."""
    table.make("e2e4", "e7e5").hidden.add("f3")
    table.make("g1f3", "b8c6", "f3e5", "c6e5")
    assert table.moves == ["e2e4", "e7e5", "g1f3", "b8c6", "f3e5", "c6e5"]
    assert not table.said(IrregularEntered)
    assert not table.said(OutOfTurn)


def test_a_piece_that_vanished_to_one_of_several_squares_is_not_called_certain(table) -> None:
    table.make("e2e4", "e7e5").hidden.add("f3")
    table.make("g1f3", "b8c6").wait(30)
    told = [fact for fact in table.said(MoveMade) if fact.ply == 3]
    table.calls("move-unexplained-press")
    assert all(fact.sureness is PlyCertainty.LIKELY or fact.alternatives for fact in told)
    assert not table.said(IrregularEntered)
    assert not table.said(OutOfTurn)


@pytest.mark.parametrize(
    ("replied_after", "called"),
    [
        (0.7, "move-unexplained-press"),
        (3.0, "move-unexplained-press"),
        (8.0, "press-piece-in-hand"),
    ],
)
@pytest.mark.parametrize("sensing", [SensingClass.IDENTITY, SensingClass.COLOUR])
def test_who_replies_to_a_piece_that_no_coil_shows_has_done_nothing_wrong(
    table_with, sensing: SensingClass, replied_after: float, called: str
) -> None:
    """White's knight went to a square that reads empty for good: White had the move and pressed, so
    Black's reply is no move of a side that has not got it."""
    table = table_with(sensing=sensing).make("e2e4", "e7e5").wait(6)
    table.hidden.add("f3")
    table.make("g1f3").wait(replied_after).make("b8c6").wait(7).make("f1b5", "a7a6").wait(7)
    table.calls(called, "tech-gap")
    assert table.standing() == {f"{called}/white", "tech-gap/None"}
    assert table.moves[-2:] == ["f1b5", "a7a6"]
    irregular = table.said(IrregularEntered)
    assert all(fact.sureness is PlyCertainty.LIKELY for fact in irregular)


def test_an_illegal_move_is_pressed_and_put_right(table) -> None:
    table.make(*OPENING).lift("f1").place("f3", "B").press("white").pause(after=3)
    table.lift("f3", after=10).place("f3", "N").place("f1", "B").start_clock("white")
    table.make("f1b5", "a7a6")
    table.calls("capture-own-piece")
    assert table.moves == [*OPENING, "f1b5", "a7a6"]
    assert any(fact.move is None and fact.side == "white" for fact in table.said(Pressed))


def test_an_illegal_move_is_corrected_before_the_press(table) -> None:
    table.make(*OPENING).lift("f1").place("e3", after=1).wait(2).lift("e3").place("e2")
    table.press("white").played("f1e2").make("a7a6")
    assert (table.moves, table.alarms) == ([*OPENING, "f1e2", "a7a6"], [])


@pytest.mark.parametrize("square", ["e3", "h6", "a4"])
def test_an_empty_square_of_rfid_flickers_to_garbage(table_with, square: str) -> None:
    table = table_with(sensing=SensingClass.IDENTITY_NOISY, scan_ms=500).make("e2e4", "e7e5")
    table.place(square, "?", after=1).place(square, ".", after=0.5).make("g1f3", "b8c6")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3", "b8c6"], [])


def test_a_tag_is_misread_while_its_piece_stands(table_with) -> None:
    table = table_with(sensing=SensingClass.IDENTITY_NOISY, scan_ms=500).make("e2e4", "e7e5")
    table.place("b1", "?", after=1).place("b1", "N", after=0.5).make("g1f3", "b8c6")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3", "b8c6"], [])


def test_a_tag_is_misread_where_its_piece_arrives(table_with) -> None:
    table = table_with(sensing=SensingClass.IDENTITY_NOISY, scan_ms=500).make("e2e4", "e7e5")
    table.lift("g1").place("f3", "?", after=0.5).press("white").place("f3", "N", after=0.5)
    table.played("g1f3").make("b8c6")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3", "b8c6"], [])


@pytest.mark.parametrize("pushed", [False, True], ids=["victim first", "in one stroke"])
@pytest.mark.parametrize("clock", [True, False], ids=["clock", "no clock"])
def test_a_piece_that_cannot_be_read_captures(table_with, pushed: bool, clock: bool) -> None:
    """It was taken for the captured piece, read badly: nothing was told before the reply, and
    whoever had pressed was called for a piece in the hand."""
    table = table_with(sensing=SensingClass.IDENTITY_NOISY, scan_ms=500)
    if not clock:
        table.no_clock().calls("clock-lost")
    table.make("d2d4", "d7d5", "c2c4", "g8f6", press=clock).wait(5)
    if not pushed:
        table.lift("d5", after=0.5)
    table.lift("c4", after=0.5).place("d5", "?", after=0.5)
    if clock:
        table.press("white", after=1)
    table.wait(6)
    assert table.record == ("d2d4", "d7d5", "c2c4", "g8f6", "c4d5")
    table.played("c4d5").make("f6d5", press=clock).wait(5)
    assert table.record == ("d2d4", "d7d5", "c2c4", "g8f6", "c4d5", "f6d5")


def test_a_tag_is_misread_while_another_piece_is_in_the_hand(table_with) -> None:
    table = table_with(sensing=SensingClass.IDENTITY_NOISY, scan_ms=500)
    table.make("d2d4", "d7d5", "c2c4", "g8f6").lift("c4", after=2).place("d5", "?", after=0.5)
    table.wait(2).place("d5", "p").wait(1).place("c5").press("white").played("c4c5").make("b8c6")
    assert table.record == ("d2d4", "d7d5", "c2c4", "g8f6", "c4c5", "b8c6")


@pytest.mark.parametrize(("shown_for", "released"), [(1.6, False), (4.0, True)])
def test_a_tag_is_shown_for_up_to_three_scans_after_its_piece_has_gone_on(
    table_with, shown_for: float, released: bool
) -> None:
    table = table_with(sensing=SensingClass.IDENTITY_NOISY, scan_ms=500).make("e2e4", "e7e5")
    table.lift("f1").place("c4", after=0.5).lift("c4", after=shown_for).place("b5", after=0.5)
    table.press("white").played("f1b5").make("b8c6")
    assert table.moves == ["e2e4", "e7e5", "f1b5", "b8c6"]
    if released:
        table.calls("move-released-changed-pressed")


def test_contacts_bounce_on_a_board_that_knows_only_occupancy(table_with) -> None:
    table = table_with(sensing=SensingClass.OCCUPANCY, scan_ms=100)
    table.lift("e2").place("e4").lift("e4", after=0.05).place("e4", after=0.05).press("white")
    table.played("e2e4").make("d7d5", "e4d5", "d8d5")
    assert (table.moves, table.alarms) == (["e2e4", "d7d5", "e4d5", "d8d5"], [])


@pytest.mark.parametrize("told", [False, True])
def test_a_piece_that_was_put_right_is_taken_up_by_its_side(table, *, told: bool) -> None:
    """A sleeve had it off its square before. White takes it up when Black has pressed, a second
    before that is heard; or it goes off again before Black's move is made."""
    table.make("e2e4", "e7e5", "g1f3").wait(2)
    table.lift("b1", after=1).place("a3", after=0.1).lift("f1").place("e2", after=0.1)
    table.wait(1).lift("a3").place("b1").lift("e2").place("f1").wait(20)

    table.lift("b8", *(["b1"] if told else [])).place("c6", "n").lift(*([] if told else ["b1"]))
    table.press("black", after=0.3, late=1.0)
    table.wait(5).place("b1", "N").played("b8c6").make("b1c3")

    assert ("displaced-pressed" in table.called()) is told
    table.calls(*table.called())


def test_two_pieces_that_went_together_are_no_move_and_another_one(table) -> None:
    """A sleeve takes pawn and queen a square on while White has not pressed: the pawn's way is a
    legal move, and no hand made one after the other."""
    table.make("e2e4", "e7e5", "d2d4", "d8h4").make("g1f3", press=False)
    table.lift("f7", after=0.5).place("f6", after=0.03)
    table.lift("h4", after=0.07).place("h3", after=0.03).wait(6)

    assert table.standing() == {"displaced-two/None"}
    table.lift("f6").place("f7").lift("h3").place("h4").wait(3)
    assert not table.standing()
    table.calls("displaced-two")


def test_kings_that_a_knock_put_in_the_centre_signal_nothing(table_with) -> None:
    table = table_with("8/p1p2k2/1p1p4/2r5/3K4/1P1P4/P1P5/4R3 w - - 0 40").wait(5)
    fallen = ("a7", "a5"), ("c7", "e6"), ("b6", "g6"), ("d6", "h5"), ("c5", "h3"), ("b3", "f2")
    for here, there in (*fallen, ("f7", "d5"), ("d4", "e4")):
        table.lift(here, after=0.03).place(there, after=0.03)
    table.pause(after=4).wait(10)

    assert table.called() == {"displaced-board-knocked"}
    table.calls("displaced-board-knocked")


@pytest.mark.parametrize("falls", ["off the board", "onto c6"])
def test_who_replies_beside_a_piece_that_was_knocked_over_is_not_named(table, falls: str) -> None:
    """At the press the piece may be the reply begun; once the reply was another, it is displaced,
    and an arbiter is called before play goes on."""
    table.make("e2e4", "e7e5").lift("g1", after=1).place("f3").lift("d7")
    if falls == "onto c6":
        table.place("c6")
    else:
        table.hand.pop()
    table.press("white").wait(5).lift("b8").place("a6").press("black").wait(10)
    assert table.standing() == {"displaced-on-opp-time/None"}

    table.lift("b1").place("c3").press("white").wait(6)
    table.lift("a6").place("c5").press("black")
    assert table.standing() == {"displaced-found-later/None"}
    table.calls("displaced-on-opp-time", "displaced-found-later")
