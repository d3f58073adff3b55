"""House of Staunton and Tap'n Set: worked examples of the reports, the clock above all."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eboards.codec import SetClock
from eboards.events import ClockReading, DeviceEvent, Fault, Identity, Noise, Scan, Side
from eboards.staunton.codec import StauntonCodec
from eboards.staunton.emulator import StauntonEmulator

MS = 1_000_000
SECOND = 1000 * MS
START = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
PLAYED = START[:36] + "P" + START[37:52] + "." + START[53:]
HS_01 = bytes.fromhex("43 25 51 34" + "66" * 4 + "00" * 16 + "CC" * 4 + "A9 8B B7 9A")
HS_02 = bytes.fromhex(
    "43 25 51 34 66 66 60 66" + "00" * 6 + "06" + "00" * 9 + "CC" * 4 + "A9 8B B7 9A"
)
HS_03 = bytes.fromhex("FF CA 01 1D 39 01 1E 80" + "00" * 24)
HS_04 = bytes.fromhex("FF CA 01 1D 39 01 1E C0" + "00" * 24)
LEFT_MS, RIGHT_MS = 5_397_000, 5_400_000


def boards(events: list[DeviceEvent]) -> list[str]:
    return ["".join(event.placement) for event in events if isinstance(event, Scan)]


def readings(events: list[DeviceEvent]) -> list[ClockReading]:
    return [event for event in events if isinstance(event, ClockReading)]


@pytest.mark.parametrize(
    ("report", "placement"),
    [pytest.param(HS_01, START, id="HS-01"), pytest.param(HS_02, PLAYED, id="HS-02")],
)
def test_positions_are_read_and_shown(report: bytes, placement: str) -> None:
    assert boards(StauntonCodec().receive(report * 2, 0)) == [placement]
    assert StauntonEmulator(placement).advance(0) == report


@pytest.mark.parametrize(
    ("report", "running"),
    [pytest.param(HS_03, Side.LEFT, id="HS-03"), pytest.param(HS_04, Side.RIGHT, id="HS-04")],
)
def test_the_clock_is_read_and_shown(report: bytes, running: Side) -> None:
    (reading,) = readings(StauntonCodec().receive(report, 0))
    assert (reading.left_ms, reading.right_ms) == (LEFT_MS, RIGHT_MS)
    assert (reading.running, reading.lever) == (running, running)
    assert (reading.left_flag, reading.right_flag) == (False, False)

    emulated = StauntonEmulator(board=False, left_ms=LEFT_MS, right_ms=RIGHT_MS)
    emulated.start(running.value, 0)
    assert emulated.advance(0) == report


@given(st.binary(min_size=32, max_size=32))
def test_every_report_is_read_or_refused_as_its_pieces_allow(report: bytes) -> None:
    events = StauntonCodec().receive(report * 2, 0)
    codes = [code for byte in report for code in (byte & 15, byte >> 4)]

    assert max(codes) <= 12 or boards(events) == []
    assert any(codes) or events == []
    for placement in boards(events):
        assert StauntonEmulator(placement).advance(0) == report


def test_its_squares_are_those_of_another_maker_read_backwards() -> None:
    """HoS begins at a1, Chessnut at h8."""
    for square in range(64):
        (placement,) = boards(StauntonCodec().receive(_lonely(square) * 2, 0))
        assert placement.index("K") == (63 - square) ^ 7


def _lonely(square: int) -> bytes:
    """A board with a white king on the square that comes at this place."""
    king = b"\x10" if square % 2 else b"\x01"
    return bytes(square // 2) + king + bytes(31 - square // 2)


def play(
    codec: StauntonCodec, emulated: StauntonEmulator, begin: int, end: int
) -> list[DeviceEvent]:
    events: list[DeviceEvent] = []
    for at_ns in range(begin, end, 50 * MS):
        if codec.due_at_ns is not None and codec.due_at_ns <= at_ns:
            out, found = codec.due(at_ns)
            events += found
            emulated.receive(out, at_ns)
        events += codec.receive(emulated.advance(at_ns), at_ns)
    return events


def test_a_press_is_seen_with_how_late_it_may_be() -> None:
    codec, emulated = StauntonCodec(), StauntonEmulator(board=False, increment_ms=30_000)
    emulated.start("left", 0)
    play(codec, emulated, 0, 10 * SECOND)
    emulated.press("left", 10 * SECOND - 50 * MS)
    told = readings(play(codec, emulated, 10 * SECOND, 11 * SECOND))

    assert told[0].running is Side.RIGHT
    assert told[0].left_ms == 5_400_000 - 9_000 + 30_000
    assert told[0].late_ns <= SECOND // 2


def test_a_flag_is_a_time_that_has_run_out_and_not_one_never_set() -> None:
    codec, emulated = StauntonCodec(), StauntonEmulator(left_ms=0, right_ms=0)
    emulated.start(None, 0)
    unset = readings(play(codec, emulated, 0, SECOND))
    emulated.set_times(2_000, 2_000, SECOND)
    emulated.start("left", SECOND)
    told = readings(play(codec, emulated, SECOND, 5 * SECOND))

    assert [(r.left_flag, r.right_flag) for r in unset] == [(False, False)]
    assert (told[-1].left_ms, told[-1].left_flag, told[-1].right_flag) == (0, True, False)


def test_a_face_that_cannot_be_is_refused() -> None:
    (fault,) = StauntonCodec().receive(bytes.fromhex("FF CA 01 3D 39 01 1E 80" + "00" * 24), 0)

    assert isinstance(fault, Fault)
    assert fault.noise is Noise.RANGE


def test_an_arbiter_sets_the_clock_byte_by_byte() -> None:
    codec, emulated = StauntonCodec(), StauntonEmulator()
    play(codec, emulated, 0, SECOND)
    codec.send(SetClock(3_723_000, 60_000, Side.RIGHT), SECOND)
    told = readings(play(codec, emulated, SECOND, 3 * SECOND))

    assert emulated.running == "right"
    assert (told[0].left_ms, told[0].right_ms) == (3_723_000, 60_000)
    assert told[-1].running is Side.RIGHT


@pytest.mark.parametrize(
    ("increment_ms", "gives_ms"), [(0, 0), (30_000, 30_000), (300_000, 255_000)]
)
def test_a_clock_that_is_set_goes_on_giving_the_increment(increment_ms: int, gives_ms: int) -> None:
    """It is a byte of the same command, in seconds."""
    codec, emulated = StauntonCodec(), StauntonEmulator(increment_ms=30_000)
    play(codec, emulated, 0, SECOND)
    codec.send(SetClock(60_000, 50_000, Side.LEFT, increment_ms), SECOND)
    play(codec, emulated, SECOND, 3 * SECOND)
    before = readings(play(codec, emulated, 3 * SECOND, 5 * SECOND))[-1]
    emulated.press("left", 5 * SECOND)
    after = readings(play(codec, emulated, 5 * SECOND, 6 * SECOND))[0]

    assert before.running is Side.LEFT
    assert 0 <= after.left_ms - (before.left_ms - 1_000) - gives_ms <= 1_000


def test_nothing_is_written_unless_an_arbiter_wants_it() -> None:
    codec = StauntonCodec()
    written = [codec.due(at_ns)[0] for at_ns in range(0, 20 * SECOND, SECOND)]

    assert set(written) == {b""}


def test_zeros_are_no_board_until_pieces_were_seen_on_it() -> None:
    codec = StauntonCodec()

    assert codec.receive(bytes(96), 0) == []
    assert boards(codec.receive(HS_01 * 2, 1)) == [START]
    assert boards(codec.receive(bytes(64), 2)) == ["." * 64]


def test_a_board_that_falls_silent_is_told_and_a_standing_clock_is_not() -> None:
    with_board, alone = StauntonCodec(), StauntonCodec()
    emulated = StauntonEmulator(board=False)
    emulated.start(None, 0)
    told = play(alone, emulated, 0, 60 * SECOND)
    play(with_board, StauntonEmulator(), 0, SECOND)
    silent = [
        event
        for at_ns in range(SECOND, 60 * SECOND, SECOND)
        if with_board.due_at_ns is not None and with_board.due_at_ns <= at_ns
        for event in with_board.due(at_ns)[1]
    ]

    assert [type(event) for event in told] == [Identity, ClockReading]
    assert [event.noise for event in silent if isinstance(event, Fault)] == [Noise.SILENT]


@pytest.mark.parametrize("size", range(1, 32))
def test_half_a_report_is_dropped_when_the_next_one_comes(size: int) -> None:
    codec = StauntonCodec()
    codec.receive(HS_02[:size], 0)
    events = codec.receive(HS_01, 250 * MS) + codec.receive(HS_01, 500 * MS)

    assert [type(event) for event in events] == [Fault, Identity, Scan]


HEARD = HS_01 * 2 + HS_03 + HS_02 + b"\x0d" * 32 + HS_02 + HS_04


@given(st.lists(st.integers(0, len(HEARD)), max_size=40))
def test_events_do_not_depend_on_where_the_reads_fall(cuts: list[int]) -> None:
    whole = StauntonCodec().receive(HEARD, 0)
    codec, pieces = StauntonCodec(), []
    for begin, end in pairwise([0, *sorted(cuts), len(HEARD)]):
        pieces += codec.receive(HEARD[begin:end], 0)

    assert whole == pieces
