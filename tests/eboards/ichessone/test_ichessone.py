"""iChessOne: worked examples of the wire, and how a torn message is told."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eboards.events import Battery, DeviceEvent, Fault, Identity, Noise, Scan
from eboards.ichessone.codec import IChessOneCodec
from eboards.ichessone.emulator import IChessOneEmulator

MS = 1_000_000
SECOND = 1000 * MS
START = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
PLAYED = START[:36] + "P" + START[37:52] + "." + START[53:]
IC_01 = bytes.fromhex("3D 70 A8 9B C9 8A 77777777" + "00" * 16 + "11111111 42 35 63 24")
IC_02 = bytes.fromhex(
    "3D 70 A8 9B C9 8A 77777777" + "00" * 10 + "10" + "00" * 5 + "11 11 01 11 42 35 63 24"
)
IC_03 = bytes.fromhex("45 4C 80 0F 00 00 00 00 00 10 00 10 00 00 01 FF")


def boards(events: list[DeviceEvent]) -> list[str]:
    return ["".join(event.placement) for event in events if isinstance(event, Scan)]


@pytest.mark.parametrize(
    ("message", "placement"),
    [pytest.param(IC_01, START, id="IC-01"), pytest.param(IC_02, PLAYED, id="IC-02")],
)
def test_positions_are_read_and_shown(message: bytes, placement: str) -> None:
    assert boards(IChessOneCodec().receive(message * 2, 0)) == [placement]
    emulated = IChessOneEmulator(placement)
    emulated.receive(b"RP", 0)
    assert emulated.advance(0) == message


def test_lights_of_a_board() -> None:
    """IC-03: e2 and e4."""
    emulated = IChessOneEmulator()
    emulated.receive(IC_03, 0)

    assert emulated.lit == [36, 52]


@given(st.binary(min_size=32, max_size=32))
def test_every_position_is_read_or_refused_as_its_pieces_allow(packed: bytes) -> None:
    codes = [code for byte in packed for code in (byte & 15, byte >> 4)]
    events = IChessOneCodec().receive((b"\x3dp" + packed) * 2, 0)

    assert len(boards(events)) == (max(codes) <= 12)
    for placement in boards(events):
        emulated = IChessOneEmulator(placement)
        emulated.receive(b"RP", 0)
        assert emulated.advance(0) == b"\x3dp" + packed


@pytest.mark.parametrize("place", range(34))
def test_a_byte_lost_anywhere_costs_one_position(place: int) -> None:
    codec = IChessOneCodec()
    events = codec.receive(IC_01[:place] + IC_01[place + 1 :] + IC_02 + IC_02, 0)

    assert boards(events) == [PLAYED]
    assert any(isinstance(event, Fault) for event in events)


def test_a_message_that_stops_is_dropped() -> None:
    codec = IChessOneCodec()
    codec.receive(IC_01[:20], 0)
    events = codec.receive(IC_02 * 2, 21 * MS)

    assert [type(event) for event in events] == [Fault, Scan]


def test_a_charge_that_looks_like_the_mark_of_a_message() -> None:
    assert IChessOneCodec().receive(b"\x3db\x01\x3d", 0) == [Battery(0, 61, True)]


def talk(
    codec: IChessOneCodec, board: IChessOneEmulator, begin: int, end: int
) -> list[DeviceEvent]:
    events: list[DeviceEvent] = []
    for at_ns in range(begin, end, 10 * MS):
        if codec.due_at_ns is not None and codec.due_at_ns <= at_ns:
            out, found = codec.due(at_ns)
            events += found
            board.receive(out, at_ns)
        events += codec.receive(board.advance(at_ns), at_ns)
    return events


def test_a_board_says_who_it_is_and_tells_changes_without_delay() -> None:
    codec, board = IChessOneCodec(), IChessOneEmulator()
    events = talk(codec, board, 0, 3 * SECOND)
    board.set_square(52, ".", 3 * SECOND)
    lifted = talk(codec, board, 3 * SECOND, 4 * SECOND)

    assert [type(event) for event in events] == [Identity, Scan, Battery]
    assert [event.at_ns - 3 * SECOND <= 150 * MS for event in lifted] == [True]


def test_a_board_that_lost_its_power_for_a_moment_tells_changes_without_delay_again() -> None:
    codec, board = IChessOneCodec(), IChessOneEmulator()
    talk(codec, board, 0, 10 * SECOND)
    board = IChessOneEmulator()
    talk(codec, board, 10 * SECOND, 14 * SECOND)
    delays = []
    for begin in range(14 * SECOND, 24 * SECOND, 700 * MS):
        board.set_square(52, "P" if board.pieces[52] == "." else ".", begin)
        (seen,) = talk(codec, board, begin, begin + 700 * MS)
        delays.append(seen.at_ns - begin)
    assert max(delays) <= 150 * MS


def test_silence_is_told_once() -> None:
    codec, faults = IChessOneCodec(), []
    for at_ns in range(0, 60 * SECOND, 10 * MS):
        if codec.due_at_ns is not None and codec.due_at_ns <= at_ns:
            faults += codec.due(at_ns)[1]

    assert [fault.noise for fault in faults if isinstance(fault, Fault)] == [Noise.SILENT]


def test_a_timer_may_report_as_well() -> None:
    board = IChessOneEmulator()
    board.receive(b"CPM500", 0)

    assert board.advance(SECOND) == IC_01 * 2


HEARD = IC_01 * 2 + b"\x3dhBoard 2.0" + IC_02 + b"\x3db\x00\x50" + IC_02 + b"xy" + IC_01 + b"\x3dz"


@given(st.lists(st.integers(0, len(HEARD)), max_size=40))
def test_events_do_not_depend_on_where_the_reads_fall(cuts: list[int]) -> None:
    whole = IChessOneCodec().receive(HEARD, 0)
    codec, pieces = IChessOneCodec(), []
    for begin, end in pairwise([0, *sorted(cuts), len(HEARD)]):
        pieces += codec.receive(HEARD[begin:end], 0)

    assert whole == pieces
