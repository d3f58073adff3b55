"""A board is turned in the middle of a game, as 7.2.2 wants it where it lay wrongly, or with the
players: the pieces are put up on it again, and the game goes on."""

from __future__ import annotations

import pytest

from arbiterd.rules.ruleset import Colour
from arbiterd.table.orientation import turned
from eboards.dgt.emulated_board import START
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import DgtEmulator
from eboards.events import CHESS_BOARD, EMPTY, Placement

from .wired import CHESS, MS, SECOND, Hall

BEFORE = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5".split()
AFTER = "c2c3 g8f6 d2d3 d7d6".split()
WHITE_MS, BLACK_MS = 700_000, 500_000


def on_a_board_that_lies(degrees: int, placement: Placement) -> Placement:
    """What its coils show, as it counts them."""
    return turned(CHESS_BOARD, -degrees % 360, placement)


class TurnedHall(Hall):
    """A board that lies turned; White sits at the clock's left unless said otherwise."""

    def __init__(self, degrees: int) -> None:
        super().__init__()
        self.degrees, self.white = degrees, "right" if degrees == 180 else "left"
        times = (WHITE_MS, BLACK_MS) if self.white == "left" else (BLACK_MS, WHITE_MS)
        array = on_a_board_that_lies(degrees, tuple(START))
        self.board = DgtEmulator("".join(array), clock=EmulatedClock(*times))
        assert self.board.clock is not None
        self.board.clock.right_high = self.white == "right"

    def put(self, square: int, piece: str) -> None:
        own = turned(CHESS_BOARD, -self.degrees % 360, tuple(range(64))).index(square)
        super().put(own, piece)

    def press(self, side: Colour) -> None:
        other = "left" if self.white == "right" else "right"
        self.board.press(self.white if side is Colour.WHITE else other, self.now_ns)
        self.wait(2 * SECOND)

    def played(self, moves: list[str]) -> None:
        for move in moves:
            side = CHESS.turn(self.position)
            self.make(move)
            self.press(side)

    def put_up_again(self, degrees: int) -> None:
        """All pieces go off, then on again, a second each."""
        self.degrees = degrees
        wanted = on_a_board_that_lies(degrees, CHESS.placement(self.position))
        for shown in ((EMPTY,) * 64, wanted):
            for square, piece in enumerate(shown):
                if self.board.board.piece(square) != piece:
                    self.board.set_square(square, piece, self.now_ns)
                    self.wait(900 * MS)


@pytest.mark.parametrize("cable", ["in", "out"])
@pytest.mark.parametrize(("lay", "lies"), [(0, 180), (180, 0), (90, 0), (270, 180)])
def test_a_board_that_is_turned_in_mid_game_is_followed(lay: int, lies: int, cable: str) -> None:
    hall = TurnedHall(lay)
    hall.plug_in()
    hall.board.start(hall.now_ns)
    hall.wait(SECOND)
    hall.played(BEFORE)

    hall.board.stop(hall.now_ns)
    hall.wait(3 * SECOND)
    if cable == "out":
        hall.pull_out(said=True)
    hall.put_up_again(lies)
    if cable == "out":
        hall.board.power_cycle(hall.now_ns)
        hall.plug_in()
    hall.wait(10 * SECOND)
    hall.board.start(hall.now_ns)
    hall.wait(3 * SECOND)
    hall.played(AFTER)
    hall.wait(10 * SECOND)

    assert [move["uci"] for move in hall.moves] == BEFORE + AFTER
    assert {move["how"] for move in hall.moves} == {"pressed"}
    asked = {"clock-paused-by-player", "clock-paused-long", "tech-board-lost"}
    lay_turned = {"start-board-half-turn", "start-board-quarter-turn"}
    assert {ruling["kind"] for ruling in hall.rulings} <= asked | lay_turned
    clock = hall.table.state(hall.now_ns).clock
    assert clock.white_ms is not None
    assert clock.black_ms is not None
    assert clock.white_ms > 600_000 > clock.black_ms, "each time is still whose it was"
