"""A round begins while the pieces of the game before still stand: they are none of the new one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arbiterd.rules.ruleset import differing
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from arbiterd.timing.control import Kind, Rate, read_periods
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import DgtEmulator
from eboards.events import EMPTY

from .hands import OPERA
from .wired import CHESS, SECOND, Hall

SETUP = TableSetup(rate=Rate(Kind.STANDARD, periods=read_periods(("90:00+30",))))
OLD_CLOCK = {"start-clock-setting-wrong"}
"""All there is to say of a clock that runs on from the game before."""
DISPLACED = {"displaced-board-knocked", "displaced-on-opp-time"}


def called(plies: int, *, stopped: bool = True, result: str | None = "1-0") -> Hall:
    """So many half-moves were played and the result entered, then the next round was begun."""
    hall = Hall()
    hall.board = DgtEmulator(clock=EmulatedClock(5_430_000, 5_430_000, increment_ms=30_000))
    hall.table = Table(SETUP)
    hall.plug_in()
    for move in OPERA[:plies]:
        hall.play(move)
    hall.wait(10 * SECOND)
    if result is not None:
        hall.act({"action": "set-result", "result": result, "reason": "agreed"})
    if stopped:
        hall.board.stop(hall.now_ns)
    hall.wait(3 * SECOND)
    setup = replace(SETUP, round=2)
    hall.table = hall.table.reseated(setup).copied()
    hall.told.clear()
    hall.wait(20 * SECOND)
    return hall


def kings_to_the_centre(hall: Hall) -> None:
    """Black has won: the kings are put on d4 and e5, and what stood there aside."""
    for king, square in (("K", CHESS.geometry.square("e5")), ("k", CHESS.geometry.square("d4"))):
        if hall.board.board.piece(square) != EMPTY:
            hall.put(square, EMPTY)
        hall.put([*map(hall.board.board.piece, range(64))].index(king), EMPTY)
        hall.put(square, king)


def set_up(hall: Hall, *, without: int | None = None) -> None:
    """The clock is stopped, hands clear the board and put the array up at leisure, and set it."""
    hall.board.stop(hall.now_ns)
    home = CHESS.placement(CHESS.start())
    wanted = [EMPTY if square == without else piece for square, piece in enumerate(home)]
    now = [hall.board.board.piece(square) for square in range(64)]
    for square in differing(wanted, now):
        if now[square] != EMPTY:
            hall.put(square, EMPTY)
    for number, square in enumerate(differing(wanted, [*map(hall.board.board.piece, range(64))])):
        hall.put(square, wanted[square])
        if number % 4 == 2:
            hall.wait(9 * SECOND)
    hall.wait(3 * SECOND)
    hall.board.set_times(5_430_000, 5_430_000, hall.now_ns)
    if hall.board.clock is not None:
        hall.board.clock.right_high = False
    hall.wait(6 * SECOND)
    hall.position, hall.started = CHESS.start(), False


def kinds(hall: Hall) -> set[str]:
    return {one["kind"] for one in hall.rulings if one["state"] == "open"}


def played(hall: Hall) -> list[Any]:
    return [(told["san"], told["how"]) for told in hall.moves if "replaces" not in told]


@pytest.mark.parametrize("stopped", [True, False], ids=["clock stopped", "clock left running"])
@pytest.mark.parametrize("plies", [1, 2, 4, 9, 20, 33])
def test_the_game_before_that_still_stands_is_no_play_of_the_new_one(
    plies: int, stopped: bool
) -> None:
    """At every such table of the hall half-moves were missed, or the board was knocked over."""
    hall = called(plies, stopped=stopped)
    assert hall.moves == []
    assert kinds(hall) == (set() if stopped else OLD_CLOCK)
    assert hall.table.state(hall.now_ns).status == "waiting"
    assert not hall.table.in_play, "nobody has to say why the round after is begun"


@pytest.mark.parametrize("stopped", [True, False], ids=["clock stopped", "clock left running"])
@pytest.mark.parametrize("plies", [2, 20])
def test_the_pieces_are_set_up_and_the_new_game_is_played(plies: int, stopped: bool) -> None:
    hall = called(plies, stopped=stopped)
    hall.table = hall.table.copied()
    hall.pull_out(said=True)
    hall.wait(3 * SECOND)
    hall.plug_in()
    set_up(hall)
    assert kinds(hall) == set(), "nor does the call to set the old clock stand any more"
    for move in OPERA[:10]:
        hall.play(move)
    assert played(hall) == [(move, "pressed") for move in OPERA[:10]]
    assert {told["game"] for told in hall.moves} == {"1-2"}
    assert kinds(hall) == set()


def test_a_piece_that_is_missing_from_the_array_is_told_and_the_game_is_not_lost() -> None:
    hall = called(20)
    set_up(hall, without=8)
    assert kinds(hall) == {"start-piece-extra-or-missing"}
    for move in OPERA[:10]:
        hall.play(move)
    assert played(hall) == [(move, "pressed") for move in OPERA[:10]]


def test_where_both_sides_press_a_game_is_on_that_nobody_saw_begin() -> None:
    hall = called(20)
    hall.board.start(hall.now_ns)
    for move in OPERA[20:24]:
        hall.play(move)
    hall.wait(20 * SECOND)
    assert "tech-gap" in kinds(hall)


def test_half_moves_that_were_made_before_the_round_was_begun_are_of_it() -> None:
    """A game that was under way was left for it."""
    hall = called(2, stopped=False, result=None)
    assert hall.table.view.moves == ("e2e4", "e7e5")


@pytest.mark.parametrize("plies", [9, 20, 33])
def test_a_game_that_is_left_for_the_next_round_is_no_board_knocked_over(plies: int) -> None:
    """Its clock still ran, and its pieces stood as they had for minutes."""
    hall = called(plies, stopped=False, result=None)
    assert not kinds(hall) & DISPLACED


@pytest.mark.parametrize("plies", [9, 20, 33])
def test_a_board_that_is_first_seen_in_mid_game_was_not_knocked_over(plies: int) -> None:
    """The service was started late: half-moves are missing, and that is all."""
    hall = Hall()
    hall.board = DgtEmulator(clock=EmulatedClock(5_430_000, 5_430_000, increment_ms=30_000))
    hall.table = Table(SETUP)
    for move in OPERA[:plies]:
        hall.make(move)
    hall.board.start(hall.now_ns)
    hall.plug_in(seconds=20)
    assert kinds(hall) == {"tech-gap"}


@pytest.mark.parametrize("stopped", [True, False], ids=["clock stopped", "clock left running"])
@pytest.mark.parametrize("plies", [1, 9, 20])
def test_kings_left_in_the_centre_are_the_result_of_the_game_before(
    plies: int, stopped: bool
) -> None:
    """The next round was begun, with a reason, before anybody had entered the result."""
    hall = called(plies, stopped=stopped, result=None)
    kings_to_the_centre(hall)
    hall.wait(10 * SECOND)
    assert kinds(hall) - OLD_CLOCK
    hall.table = hall.table.reseated(replace(SETUP, round=3)).copied()
    hall.told.clear()
    hall.wait(20 * SECOND)
    assert kinds(hall) <= (set() if stopped else OLD_CLOCK)
    assert hall.table.state(hall.now_ns).status == "waiting"
    set_up(hall)
    for move in OPERA[:10]:
        hall.play(move)
    assert played(hall) == [(move, "pressed") for move in OPERA[:10]]
    assert kinds(hall) == set()


@pytest.mark.parametrize("runs", [False, True], ids=["clock stopped", "clock left running"])
@pytest.mark.parametrize("plies", [1, 9, 20])
def test_kings_that_are_first_seen_in_the_centre_are_the_result_of_a_game_before(
    plies: int, runs: bool
) -> None:
    """The service is started in the morning, and the boards stand as they were left."""
    hall = Hall()
    hall.board = DgtEmulator(clock=EmulatedClock(5_430_000, 5_430_000, increment_ms=30_000))
    hall.table = Table(SETUP)
    for move in OPERA[:plies]:
        hall.make(move)
    kings_to_the_centre(hall)
    if runs:
        hall.board.start(hall.now_ns)
    hall.plug_in(seconds=20)
    assert not kinds(hall)
    set_up(hall)
    for move in OPERA[:10]:
        hall.play(move)
    assert played(hall) == [(move, "pressed") for move in OPERA[:10]]
    assert kinds(hall) == set()
