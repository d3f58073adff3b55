"""Cables are swapped in mid-round, or a board is exchanged: what another board shows is this game's
only where it shows this game."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arbiterd.laws.act import Act
from arbiterd.rules.ruleset import Colour, board_field
from eboards.dgt.emulated_board import START
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import Badge, DgtEmulator
from eboards.events import CHESS_BOARD, EMPTY

from .wired import CHESS, MS, SECOND, Hall

ITALIAN = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6 e1g1 e8g8 b1d2 a7a6".split()
QUEENS = "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8 g1f3 h7h6 g5h4 b7b6".split()
SWAPPED = 6
"""So many half-moves were made before."""


def table(serial: str, moves: Sequence[str]) -> Hall:
    hall = Hall()
    clock = EmulatedClock(600_000, 600_000)
    hall.board = DgtEmulator(clock=clock, badge=Badge(serial=serial))
    hall.plug_in()
    played(hall, moves)
    return hall


def played(hall: Hall, moves: Sequence[str]) -> None:
    for move in moves:
        hall.play(move)


def swap(one: Hall, other: Hall) -> None:
    """The cables come out, and each goes into the socket of the other."""
    for hall in (one, other):
        hall.pull_out(said=True)
    at_ns = max(one.now_ns, other.now_ns) + 5 * SECOND
    one.board, other.board = other.board, one.board
    one.position, other.position = other.position, one.position
    for hall in (one, other):
        hall.wait(at_ns - hall.now_ns)
        hall.plug_in(6)


def exchange(hall: Hall, placement: str) -> None:
    """A new board with its clock plugged in, once it has stood for a while."""
    hall.pull_out(said=True)
    hall.wait(5 * SECOND)
    clock = hall.board.clock
    assert clock is not None
    clock.stop()
    hall.wait(20 * SECOND)
    hall.board = DgtEmulator(placement, clock=clock, badge=Badge(serial="10009"), at_ns=hall.now_ns)
    clock.right_high = CHESS.turn(hall.position) is Colour.BLACK
    hall.board.start(hall.now_ns)
    hall.plug_in(6)


def record(hall: Hall) -> list[object]:
    return [*hall.table.view.line]


def urgent(hall: Hall) -> list[str]:
    return [r["kind"] for r in hall.rulings if r["state"] == "open" and r["urgency"] < 3]


def test_swapped_cables_put_no_half_move_on_the_wrong_record() -> None:
    one, other = table("10001", ITALIAN[:SWAPPED]), table("10002", QUEENS[:SWAPPED])
    swap(one, other)
    for hall in (one, other):
        assert urgent(hall) == ["tech-board-lost"]
        assert hall.table.state(hall.now_ns).device == "lost"
    assert "another board answers here, 10002 and not 10001" in one.table.view.board.faults[-1]
    clock = one.table.state(one.now_ns).clock

    played(one, QUEENS[SWAPPED:10])
    played(other, ITALIAN[SWAPPED:10])
    assert (record(one), record(other)) == (ITALIAN[:SWAPPED], QUEENS[:SWAPPED])
    assert one.table.state(one.now_ns).clock.running == clock.running, "its clock is not heard"

    swap(one, other)
    for hall in (one, other):
        hall.wait(20 * SECOND)
        assert urgent(hall) == []
        assert hall.table.state(hall.now_ns).device == "ok"
    played(one, ITALIAN[10:])
    played(other, QUEENS[10:])
    assert (record(one), record(other)) == (ITALIAN, QUEENS), "the memories had the rest"


@pytest.mark.parametrize("ahead", [0, 1, 2])
def test_a_board_that_shows_this_game_takes_the_place_of_the_one_before(ahead: int) -> None:
    hall = table("10001", ITALIAN[:SWAPPED])
    for move in ITALIAN[SWAPPED : SWAPPED + ahead]:
        hall.position = CHESS.play(hall.position, CHESS.parse(hall.position, move))
    exchange(hall, "".join(CHESS.placement(hall.position)))
    hall.wait(20 * SECOND)
    played(hall, ITALIAN[SWAPPED + ahead :])
    assert record(hall) == ITALIAN
    assert urgent(hall) == []


@pytest.mark.parametrize("first", [START, EMPTY * 64], ids=["array", "empty"])
def test_pieces_may_be_put_up_on_another_board_in_play(first: str) -> None:
    hall = table("10001", ITALIAN[:SWAPPED])
    exchange(hall, first)
    assert urgent(hall) == ["tech-board-lost"]
    for square, piece in enumerate(CHESS.placement(hall.position)):
        if hall.board.board.piece(square) != piece:
            hall.board.set_square(square, piece, hall.now_ns)
            hall.wait(900 * MS)
    hall.wait(3 * SECOND)
    assert urgent(hall) == []
    played(hall, ITALIAN[SWAPPED:])
    assert record(hall) == ITALIAN
    assert [m["certainty"] for m in hall.moves if m["ply"] > SWAPPED] == ["certain"] * 8


def test_an_arbiter_may_say_that_what_another_board_shows_is_right() -> None:
    hall = table("10001", ITALIAN[:SWAPPED])
    after = CHESS.start()
    for move in QUEENS[:8]:
        after = CHESS.play(after, CHESS.parse(after, move))
    exchange(hall, "".join(CHESS.placement(after)))
    assert urgent(hall) == ["tech-board-lost"]
    act = Act(hall.now_ns, "set-position", by="Ana", fen=CHESS.fen(after))
    assert hall.table.perform(act).ok
    hall.position = after
    hall.wait(SECOND)
    assert hall.table.state(hall.now_ns).device == "ok"
    hall.play(QUEENS[8])
    assert record(hall)[-1] == QUEENS[8]


def test_the_next_game_may_be_played_on_another_board() -> None:
    hall = table("10001", ITALIAN[:SWAPPED])
    exchange(hall, START)
    act = Act(hall.now_ns, "set-result", by="Ana", result="1/2-1/2", reason="agreement")
    assert hall.table.perform(act).ok
    hall.position = CHESS.start()
    hall.wait(60 * SECOND)
    played(hall, QUEENS[:4])
    hall.wait(10 * SECOND)
    assert record(hall) == QUEENS[:4]
    assert board_field(CHESS_BOARD, hall.table.view.tracker.placement) in CHESS.fen(hall.position)
