"""What was never heard: half-moves lost to a cable or a radio, a board read in mid-game."""

from __future__ import annotations

import pytest

from arbiterd.tracking.facts import Gap, MoveMade, PlyCertainty
from eboards.events import UNKNOWN, SensingClass

OPENING = ("e2e4", "e7e5", "g1f3", "b8c6")


def test_a_half_move_is_lost_and_a_dump_shows_it(table) -> None:
    table.make(*OPENING[:2])
    table.lost = True
    table.make("g1f3").dump().make("b8c6")
    assert (table.moves, table.alarms) == (list(OPENING), [])


@pytest.mark.parametrize("lost", [1, 2, 3])
def test_the_cable_is_out_for_half_moves(table, lost: int) -> None:
    """These three can have come in one order only."""
    moves = ["e2e4", "e7e5", "g1f3", "d7d5", "f3e5", "c7c5"]
    table.make(*moves[:2]).link(False).make(*moves[2 : 2 + lost])
    table.link(True).make(*moves[2 + lost :])
    table.calls("tech-board-lost")
    assert table.moves == moves
    assert [kind for kind in table.alarms if kind != "gap"] == []


def test_only_the_lift_of_a_move_is_lost(table) -> None:
    table.lost = True
    table.lift("e2")
    table.lost = False
    table.place("e4").press("white").dump().played("e2e4").make("e7e5")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5"], [])


def test_only_the_placing_of_a_move_is_lost(table) -> None:
    table.lift("e2")
    table.lost = True
    table.place("e4")
    table.press("white").dump().played("e2e4").make("e7e5")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5"], [])


def test_the_placing_is_lost_and_the_reply_is_seen_before_the_dump(table) -> None:
    table.lift("e2")
    table.lost = True
    table.place("e4")
    table.lost = False
    table.unseen_press("white").played("e2e4").make("e7e5").dump().make("g1f3")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3"], [])


def test_a_half_move_is_lost_and_the_reply_is_seen_before_the_dump(table) -> None:
    table.make("e2e4", "e7e5")
    table.lost = True
    table.make("g1f3", press=False).unseen_press("white")
    table.lost = False
    table.make("b8c6").dump().make("f1b5")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"], [])


def test_a_lost_capture_and_recapture(table) -> None:
    table.make("e2e4", "d7d5").link(False)
    table.make("e4d5", "d8d5").link(True).make("b1c3", "d5a5")
    table.calls("tech-board-lost")
    assert table.moves == ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5"]
    assert [kind for kind in table.alarms if kind != "gap"] == []


def test_what_one_picture_cannot_tell_is_not_called_certain(table) -> None:
    """...a6, c3, ...a5 and ...a5, c3 leave the same pieces, another side to move."""
    table.make("e2e4").no_clock().link(False)
    table.make("a7a6", "c2c3", "a6a5", press=False).link(True).no_clock().wait(30)
    told = [fact for fact in table.said(MoveMade) if fact.ply > 1]
    unsure = [fact for fact in told if fact.sureness is PlyCertainty.LIKELY or fact.alternatives]
    table.calls("clock-lost", "tech-board-lost", "tech-gap")
    assert unsure or table.said(Gap) or not told


@pytest.mark.parametrize("damaged", [False, True])
def test_what_only_a_reply_tells_of_is_certain_on_a_clean_line_alone(table, damaged: bool) -> None:
    """The knight's arrival on f6 was in the bytes that were damaged; a bishop on h6 looks like the
    answer to a knight that went there."""
    table.make("d2d4").lift("g8")
    table.lost = True
    if damaged:
        table.damage()
    table.place("f6").press("black").played("g8f6")
    table.lost = False
    table.make("c1h6").wait(1)
    told = [fact for fact in table.facts if isinstance(fact, MoveMade) and fact.ply == 2]
    assert [fact.move for fact in told] == ["g8h6"], "it is what was heard"
    likely = [fact.sureness is PlyCertainty.LIKELY for fact in told]
    assert likely == [damaged]
    table.dump()
    assert table.moves == ["d2d4", "g8f6", "c1h6"]


def test_a_link_that_returns_with_nothing_lost_changes_nothing(table) -> None:
    table.make(*OPENING).link(False).wait(30).link(True).make("f1b5")
    table.calls("tech-board-lost")
    assert (table.moves, table.alarms) == ([*OPENING, "f1b5"], [])


def test_the_service_starts_in_mid_game(table_with) -> None:
    table = table_with(moves=OPENING).make("f1b5", "a7a6")
    assert table.moves[len(table.moves) - 2 :] == ["f1b5", "a7a6"]
    assert table.alarms == []
    assert table.record == (*OPENING, "f1b5", "a7a6")


def test_the_service_starts_in_mid_game_after_moves_nobody_saw(table_with) -> None:
    shows = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R"
    table = table_with(moves=OPENING, shows=shows)
    table.start_clock("black").wait(10).played("f1b5").make("a7a6")
    assert table.record == (*OPENING, "f1b5", "a7a6")
    assert [kind for kind in table.alarms if kind != "gap"] == []


def test_a_piece_whose_tag_can_no_longer_be_read_goes_on_playing(table_with) -> None:
    table = table_with(sensing=SensingClass.IDENTITY_NOISY, scan_ms=400)
    table.make("e2e4", "e7e5").place("d7", UNKNOWN).make("g1f3")
    table.lift("d7").place("d6", UNKNOWN, after=0.6).press("black")
    table.played("d7d6").make("f1c4")
    table.lift("d6").place("d5", UNKNOWN, after=0.6).press("black")

    assert table.moves == ["e2e4", "e7e5", "g1f3", "d7d6", "f1c4", "d6d5"]
    assert [kind for kind in table.alarms if kind != "square-suspect"] == []
