"""What people are told of a board and its clock: a state, and why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arbiterd.table.board import Board
from eboards.dgt.codec import SENSING
from eboards.events import (
    Battery,
    ClockGone,
    ClockReading,
    ClockReply,
    DeviceEvent,
    Fault,
    Identity,
    LinkDown,
    LinkUp,
    Noise,
    Side,
)

S = 1_000_000_000
UP = LinkUp(0, "dgt", "/dev/ttyACM0", SENSING)
TIMES = ClockReading(3 * S, 60_000, 60_000, Side.LEFT, Side.LEFT)
CUT_OFF = Fault(2 * S, Noise.CUT_OFF)


@pytest.mark.parametrize(
    ("events", "state", "reasons"),
    [
        ([UP], "ok", []),
        ([UP, ClockGone(S)], "degraded", ["answers, but no clock"]),
        ([UP, ClockGone(S), ClockGone(2 * S)], "degraded", ["answers, but no clock"]),
        ([UP, ClockGone(S), TIMES], "ok", []),
        ([UP, ClockGone(S), CUT_OFF, TIMES], "degraded", ["a message was cut off by another"]),
        ([UP, TIMES, ClockGone(4 * S)], "degraded", ["answers, but no clock"]),
        (
            [UP, LinkDown(S, "/dev/ttyACM0: half a message for 3 s: bad cable?")],
            "lost",
            ["/dev/ttyACM0: half a message for 3 s: bad cable?"],
        ),
        ([UP, replace(TIMES, battery_low=True)], "degraded", ["the battery of the clock is low"]),
        ([UP, replace(TIMES, battery_low=True), TIMES], "ok", []),
        (
            [UP, ClockReply(S, "set-clock", accepted=False, detail="the clock refused (40)")],
            "degraded",
            ["set-clock: the clock refused (40)"],
        ),
        (
            [
                UP,
                ClockReply(S, "set-clock", accepted=False, detail="the clock did not answer"),
                ClockReply(9 * S, "set-clock", accepted=True),
            ],
            "ok",
            [],
        ),
        ([UP, Fault(S, Noise.SILENT, note="no answer for 3 s")], "ok", []),
        ([UP, ClockGone(S), LinkDown(2 * S, "gone"), UP], "ok", []),
    ],
)
def test_a_state_has_its_reasons(events: list[DeviceEvent], state: str, reasons: list[str]) -> None:
    board = Board(fixed=True)
    for event in events:
        assert not isinstance(event, Identity)
        board.told(event)

    assert (board.state, board.faults) == (state, reasons)


def test_a_lost_update_is_told_in_words_and_once() -> None:
    """Faults were told as `52: .>P`, in the board's own numbers, another with each one."""
    board = Board(fixed=False)
    lost = (Fault(n * S, Noise.LOST_UPDATE, note=f"5{n}: .>P") for n in (2, 3))

    told = [board.told(event) for event in (UP, *lost)]

    assert board.faults == ["the whole board shows what no update had said"]
    assert told == [True, True, False]


def test_only_what_people_see_is_told_again() -> None:
    board = Board(fixed=True)
    board.told(UP)

    assert board.told(ClockGone(S))
    assert not board.told(ClockGone(2 * S))
    assert board.told(TIMES)
    assert not board.told(TIMES)


def test_a_board_under_another_port_is_told_again() -> None:
    board = Board(fixed=True)
    board.told(UP)

    assert board.told(LinkUp(S, "dgt", "/dev/ttyACM1", SENSING))


def test_a_line_that_was_right_for_a_minute_is_all_right_again() -> None:
    board = Board(fixed=True)
    for event in (UP, ClockGone(S), Fault(2 * S, Noise.CHECKSUM), Fault(30 * S, Noise.CHECKSUM)):
        board.told(event)

    assert not board.calmed(80 * S), "the last one is not a minute old"
    assert board.calmed(90 * S)
    assert (board.state, board.faults) == ("degraded", ["answers, but no clock"])
    assert not board.calmed(91 * S)

    board.told(TIMES)
    assert board.state == "ok"


@pytest.mark.parametrize(
    ("events", "shown"),
    [
        ([replace(UP, at_ns=S)], ("10001", "3.1", 80)),
        ([replace(UP, at_ns=S), Identity(S, "dgt", "10001", "3.1")], ("10001", "3.1", 80)),
        ([replace(UP, at_ns=S), Identity(S, "dgt", "10002", "1.8")], ("10002", "1.8", None)),
        ([replace(UP, driver="chessnut")], ("", "", None)),
    ],
    ids=["answers again", "says who it is", "another number", "another kind"],
)
def test_what_was_told_of_one_board_is_not_shown_of_another(
    events: list[LinkUp | Identity], shown: tuple[str, str, int | None]
) -> None:
    """A board without a battery was shown with the charge of the one before at this port, and one
    that says no number with the number of the other."""
    board = Board(fixed=True)
    known = (UP, Identity(0, "dgt", "10001", "3.1"), Battery(0, 80), LinkDown(S, "unplugged"))
    for event in (*known, *events):
        board.told(event)

    assert (board.serial, board.firmware, board.battery) == shown
