"""What players do besides moving: adjusting, holding, trying, replying too soon."""

from __future__ import annotations

import pytest

from eboards.events import SensingClass

KINDS_UNKNOWN = (SensingClass.COLOUR, SensingClass.OCCUPANCY)


def test_adjusting_between_moves_on_the_players_own_clock(table) -> None:
    table.make("e2e4", "e7e5").lift("b1").place("b1").make("g1f3", "b8c6")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3", "b8c6"], [])


def test_adjusting_on_the_opponents_clock(table) -> None:
    table.make("e2e4").lift("f1", after=2).place("f1", after=1).make("e7e5", "g1f3")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3"], [])


def test_pieces_put_right_while_both_clocks_are_stopped_are_nobodys_touches(table) -> None:
    """An arbiter does so, or asks for it; the move that follows had broken Article 4.3."""
    table.make("e2e4", "e7e5").pause(after=2)
    for name in ("a2", "g8", "d1"):
        table.lift(name, after=2).place(name, after=1.5)
    table.wait(5).start_clock("white").make("g1f3", "b8c6")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3", "b8c6"], [])


def test_a_piece_held_when_the_clocks_are_stopped_is_touched(table) -> None:
    table.make("e2e4", "e7e5").lift("d1", after=2).wait(2).pause()
    table.wait(3).place("d1").wait(3).start_clock("white").make("g1f3")
    table.calls("touch-own-then-other", "paused-board-changes")


def test_the_piece_just_moved_is_adjusted_after_the_press(table) -> None:
    table.make("e2e4").lift("e4", after=1).place("e4", after=0.6).make("e7e5")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5"], [])


def test_a_piece_is_lifted_held_for_minutes_and_put_back(table) -> None:
    table.make("e2e4").lift("g8").wait(240).place("g8").make("b8c6", "g1f3")
    table.calls("touch-own-then-other")
    assert (table.moves, table.alarms) == (["e2e4", "b8c6", "g1f3"], [])


def test_a_piece_is_lifted_held_for_minutes_and_moved(table) -> None:
    table.make("e2e4").lift("g8").wait(240).place("f6").press("black").played("g8f6")
    table.make("b1c3")
    assert (table.moves, table.alarms) == (["e2e4", "g8f6", "b1c3"], [])


def test_jadoube_of_six_pieces_in_a_row(table) -> None:
    """No sensor hears whether it was said: the arbiter is told what was touched, and asks."""
    table.make("d2d4")
    for square in ("a8", "b8", "c8", "d8", "e8", "f8"):
        table.lift(square, after=0.5).place(square, after=0.5)
    table.make("d7d5", "c2c4")
    table.calls("touch-own-several")
    assert (table.moves, table.alarms) == (["d2d4", "d7d5", "c2c4"], [])


def test_jadoube_of_two_pieces_at_once(table) -> None:
    table.make("d2d4").lift("d8", "e8").place("e8").place("d8").make("d7d5", "c2c4")
    assert (table.moves, table.alarms) == (["d2d4", "d7d5", "c2c4"], [])


@pytest.mark.parametrize("dwell", [0.6, 1.5, 3.0, 8.0, 60.0])
def test_a_move_is_tried_taken_back_and_tried_elsewhere(table, dwell: float) -> None:
    table.make("e2e4", "e7e5").lift("f1").place("c4").wait(dwell).lift("c4").place("b5")
    table.press("white").played("f1b5").make("a7a6")
    if dwell >= 1.5:
        table.calls("move-released-changed-pressed")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "f1b5", "a7a6"], [])


@pytest.mark.parametrize("dwell", [0.6, 1.5, 3.0, 8.0, 60.0])
def test_a_move_is_tried_taken_back_and_another_piece_moved(table, dwell: float) -> None:
    table.make("e2e4", "e7e5").lift("f1").place("c4").wait(dwell).lift("c4").place("f1")
    table.make("g1f3", "b8c6")
    table.calls("touch-own-then-other")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3", "b8c6"], [])


def test_a_capture_is_taken_back_and_its_victim_stands_again(table) -> None:
    table.make("e2e4", "d7d5").lift("e4").replace("d5").wait(5)
    table.lift("d5").place("e4").place("d5", "p").make("b1c3", "g8f6")
    table.calls("touch-both-own-first")
    assert (table.moves, table.alarms) == (["e2e4", "d7d5", "b1c3", "g8f6"], [])


def test_the_opponent_replies_before_the_press(table) -> None:
    table.make("e2e4", press=False).make("e7e5", press=False)
    table.press("white", after=0.1).press("black", after=0.3).make("g1f3")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3"], [])


def test_the_opponent_replies_before_the_move_is_finished(table) -> None:
    table.lift("e2").lift("e7", after=0.1).place("e4", "P", after=0.2).press("white", after=0.1)
    table.place("e5", "p", after=0.1).press("black").played("e2e4", "e7e5").make("g1f3")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3"], [])


def test_the_reply_is_made_before_the_move_itself(table) -> None:
    table.lift("e2").lift("e7", after=0.1).place("e5", "p", after=0.1).place("e4", "P", after=0.1)
    table.press("white", after=0.1).press("black").played("e2e4", "e7e5").make("g1f3")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3"], [])


def test_a_recapture_before_the_press(table) -> None:
    table.make("e2e4", "d7d5").make("e4d5", press=False).make("d8d5", press=False)
    table.press("white", after=0.1).press("black", after=0.4).make("b1c3")
    assert (table.moves, table.alarms) == (["e2e4", "d7d5", "e4d5", "d8d5", "b1c3"], [])


def test_nobody_presses_for_a_while(table) -> None:
    table.make("e2e4", press=False).wait(10).make("e7e5", press=False).wait(10)
    table.make("g1f3", press=False).wait(10).make("b8c6", press=False).make("f1b5")
    expected = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]
    assert (table.moves, table.alarms) == (expected, [])


def test_three_plies_in_two_seconds_with_presses_out_of_order(table) -> None:
    table.make("e2e4", "e7e5")
    table.lift("g1", after=0.2).lift("b8", after=0.15).place("f3", "N", after=0.15)
    table.place("c6", "n", after=0.1).press("black", after=0.05).press("white", after=0.1)
    table.lift("f1", after=0.2).press("black", after=0.05).place("b5", after=0.2)
    table.press("white", after=0.2).played("g1f3", "b8c6", "f1b5").make("a7a6")
    expected = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]
    assert (table.moves, table.alarms) == (expected, [])


def test_two_presses_between_two_messages_of_the_clock_are_never_seen(table) -> None:
    table.make("e2e4", press=False).unseen_press("white")
    table.make("e7e5", press=False).unseen_press("black")
    table.make("g1f3", "b8c6")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3", "b8c6"], [])


def test_a_press_is_heard_a_second_late_when_the_reply_is_in_the_air(table) -> None:
    table.make("e2e4", press=False).lift("e7").press("white", after=0.2, late=1.0)
    table.place("e5", "p").press("black", late=1.0).played("e7e5").make("g1f3")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3"], [])


def test_the_clock_of_a_table_is_never_heard_at_all(table) -> None:
    table.no_clock()
    for move in ("e2e4", "e7e5", "g1f3", "b8c6"):
        table.make(move, press=False).wait(8)
    table.calls("clock-lost")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3", "b8c6"], [])


@pytest.mark.parametrize("sensing", KINDS_UNKNOWN)
def test_a_player_thinks_with_the_reply_in_hand_before_the_other_has_pressed(
    table_with, sensing: SensingClass
) -> None:
    table = table_with(sensing=sensing, scan_ms=100).make("e2e4", "e7e5")
    table.lift("f1").place("c4").lift("g8", after=0.8).wait(10).place("g8")
    table.press("white", after=4).played("f1c4").make("g8f6")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "f1c4", "g8f6"], [])


@pytest.mark.parametrize("sensing", KINDS_UNKNOWN)
def test_a_reply_begun_before_the_move_stood_and_made_after_its_press(
    table_with, sensing: SensingClass
) -> None:
    """Nobody presses for it for a while; the move before it is complete, and is no riddle."""
    table = table_with(sensing=sensing, scan_ms=225).make("e2e4", "c7c6")
    table.lift("d2", after=2).lift("d7").place("d4", "P", after=0.1).press("white", after=0.2)
    table.place("d5", "p", after=0.4).played("d2d4", "d7d5").wait(8).press("black").make("b1c3")
    assert table.moves == ["e2e4", "c7c6", "d2d4", "d7d5", "b1c3"]
    assert table.alarms == []
