"""A board that was turned by half between two games, and a clock that stayed where it stood."""

from __future__ import annotations

import pytest

from .test_turned_in_play import AFTER, BEFORE, TurnedHall
from .wired import SECOND


def begun(degrees: int, white: str, runs: str) -> TurnedHall:
    """The board lies so, White sits at this side of the clock, and that side is set going."""
    hall = TurnedHall(degrees)
    hall.white = white
    clock = hall.board.clock
    assert clock is not None
    clock.right_high = runs == "right"
    hall.plug_in()
    hall.board.start(hall.now_ns)
    hall.wait(3 * SECOND)
    return hall


@pytest.mark.parametrize("white", ["left", "right"])
def test_the_clock_that_is_set_going_first_is_whites(white: str) -> None:
    """6.6: nobody is called, and each press is that of the side that moved."""
    hall = begun(180, white, white)
    hall.played(BEFORE + AFTER)
    hall.wait(10 * SECOND)

    assert [move["uci"] for move in hall.moves] == BEFORE + AFTER
    assert {move["how"] for move in hall.moves} == {"pressed"}
    assert [ruling["kind"] for ruling in hall.rulings if ruling["urgency"] < 3] == []


def test_on_a_board_that_lies_as_it_should_blacks_clock_is_told() -> None:
    hall = begun(0, "left", "right")
    assert "start-clock-wrong-side" in {ruling["kind"] for ruling in hall.rulings}
