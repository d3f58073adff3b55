"""Chessnut: worked examples of the reports, and what may go wrong with them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eboards.chessnut.codec import ChessnutCodec
from eboards.chessnut.emulator import ChessnutEmulator
from eboards.events import Battery, Button, DeviceEvent, Fault, Identity, Noise, Scan
from eboards.registry import families_of

MS = 1_000_000
SECOND = 1000 * MS
START = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
LIFTED = START[:52] + "." + START[53:]
PLAYED = LIFTED[:36] + "P" + LIFTED[37:]
E2, E4 = 52, 36

BEHIND = bytes.fromhex("58 23 31 85 44 44 44 44")
IN_FRONT = bytes.fromhex("A6 C9 9B 6A")
CN_01 = BEHIND + bytes(16) + bytes.fromhex("77 77 77 77") + IN_FRONT
CN_02 = BEHIND + bytes(16) + bytes.fromhex("77 07 77 77") + IN_FRONT
CN_03 = BEHIND + bytes(9) + b"\x70" + bytes(6) + bytes.fromhex("77 07 77 77") + IN_FRONT
CN_04 = b"\x01\x24" + CN_01 + bytes.fromhex("2A 00 00 00")


def report(packed: bytes, counter: int = 0) -> bytes:
    """As it comes over USB."""
    return (b"\x01\x3d" + packed + counter.to_bytes(4, "little")).ljust(64, b"\0")


def boards(events: list[DeviceEvent]) -> list[str]:
    return ["".join(event.placement) for event in events if isinstance(event, Scan)]


@pytest.mark.parametrize(
    ("packed", "placement"),
    [
        pytest.param(CN_01, START, id="CN-01"),
        pytest.param(CN_02, LIFTED, id="CN-02"),
        pytest.param(CN_03, PLAYED, id="CN-03"),
    ],
)
def test_positions_are_read_and_shown(packed: bytes, placement: str) -> None:
    assert boards(ChessnutCodec().receive(report(packed) * 2, 0)) == [placement]
    emulated = ChessnutEmulator(placement)
    emulated.receive(bytes.fromhex("21 01 00"), 0)
    assert emulated.advance(200 * MS)[64:98] == b"\x01\x3d" + packed


def test_the_shorter_report_of_bluetooth_is_the_same() -> None:
    """CN-04, counter 42."""
    emulated = ChessnutEmulator(usb=False)
    emulated.receive(bytes.fromhex("21 01 00"), 41 * SECOND + 800 * MS)

    assert emulated.advance(42 * SECOND) == bytes.fromhex("23 01 00") + CN_04
    assert boards(ChessnutCodec().receive(CN_04 * 2, 0)) == [START]


def test_lights_of_a_board() -> None:
    """CN-05."""
    emulated = ChessnutEmulator()
    emulated.receive(bytes.fromhex("0A 08 00 00 00 00 08 00 08 00"), 0)

    assert emulated.lit == [E4, E2]
    assert emulated.advance(0)[:3] == bytes.fromhex("23 01 00")


def test_the_first_thing_said_to_a_board_starts_its_reports() -> None:
    """CN-06."""
    assert ChessnutCodec().due(0) == (bytes.fromhex("21 01 00"), [])


def test_a_beep_has_a_pitch_and_a_length() -> None:
    """CN-07."""
    emulated = ChessnutEmulator()
    emulated.receive(bytes.fromhex("0B 04 03 E8 00 C8"), 0)

    assert emulated.beeps == [(1000, 200)]


def test_coloured_lights_stand_in_the_order_of_the_squares() -> None:
    """CN-08: e2 red, e4 green."""
    emulated = ChessnutEmulator(moves_pieces=True)
    lights = bytearray(32)
    lights[17], lights[25] = 0x20, 0x10
    emulated.receive(b"\x43\x20" + lights, 0)

    nibbles = [code for byte in emulated.coloured for code in (byte & 15, byte >> 4)]
    lit = {8 * (n // 8) + 7 - n % 8: colour for n, colour in enumerate(nibbles) if colour}
    assert lit == {E2: 1, E4: 2}


def test_a_board_that_moves_its_pieces_is_silent_meanwhile() -> None:
    """CN-09."""
    emulated = ChessnutEmulator(moves_pieces=True)
    emulated.receive(bytes.fromhex("21 01 00"), 0)
    emulated.receive(b"\x42\x21" + CN_03 + b"\0", 300 * MS)
    emulated.advance(300 * MS)

    assert "".join(emulated.pieces) == PLAYED
    assert emulated.advance(2 * SECOND) == b""
    assert boards(ChessnutCodec().receive(emulated.advance(6 * SECOND) * 2, 0)) == [PLAYED]


@given(st.binary(min_size=32, max_size=32))
def test_every_report_is_read_or_refused_as_its_pieces_allow(packed: bytes) -> None:
    events = ChessnutCodec().receive(report(packed) * 2, 0)
    codes = [code for byte in packed for code in (byte & 15, byte >> 4)]

    assert len(boards(events)) == (max(codes) <= 12)
    assert max(codes) <= 12 or {type(event) for event in events} == {Fault}
    for placement in boards(events):
        emulated = ChessnutEmulator(placement, usb=False)
        emulated.receive(bytes.fromhex("21 01 00"), 0)
        assert emulated.advance(200 * MS)[5:37] == packed


def test_a_position_counts_once_two_reports_agree() -> None:
    codec = ChessnutCodec()
    told = [boards(codec.receive(report(each), 0)) for each in (CN_01, CN_01, CN_02, CN_03, CN_03)]

    assert told == [[], [START], [], [], [PLAYED]]


@pytest.mark.parametrize("size", range(1, 34))
def test_half_a_report_is_dropped_when_the_next_one_comes(size: int) -> None:
    codec = ChessnutCodec()
    codec.receive(report(CN_02)[:size], 0)
    events = codec.receive(report(CN_01), 200 * MS) + codec.receive(report(CN_01), 400 * MS)

    assert [type(event) for event in events] == [Fault, Scan]


@pytest.mark.parametrize("size", range(34, 66))
@pytest.mark.parametrize("fill", [0x00, 0x1A, 0xFF])
def test_a_report_over_usb_is_read_whatever_fills_it(fill: int, size: int) -> None:
    codec = ChessnutCodec()
    told: list[DeviceEvent] = []
    for number, packed in enumerate((CN_01, CN_01, CN_02, CN_02, CN_03, CN_03)):
        sent = (b"\x01\x3d" + packed).ljust(65, bytes([fill]))[:size]
        told += codec.receive(sent, 200 * MS * number)

    assert boards(told) == [START, LIFTED, PLAYED]
    assert not [event for event in told if isinstance(event, Fault)]


@pytest.mark.parametrize("counter", range(5))
def test_a_report_over_the_air_is_read_however_much_of_the_counter_it_has(counter: int) -> None:
    codec, emulated = ChessnutCodec(), ChessnutEmulator(usb=False, counter=counter)
    told: list[DeviceEvent] = []
    for at_ns in range(0, 4 * SECOND, 10 * MS):
        if at_ns == 2 * SECOND:
            emulated.set_square(E2, ".", at_ns)
        while codec.due_at_ns is not None and codec.due_at_ns <= at_ns:
            emulated.receive(codec.due(at_ns)[0], at_ns)
        told += codec.receive(emulated.advance(at_ns), at_ns)

    assert boards(told) == [START, LIFTED]
    assert not [event for event in told if isinstance(event, Fault)]


def test_charge_is_told_when_it_changes_wherever_charging_is_written() -> None:
    codec = ChessnutCodec()
    said = [codec.receive(bytes((0x2A, 2, *pair)), 0) for pair in ((80, 0), (80, 0), (0, 0))]
    high, beside = codec.receive(b"\x2a\x02\xd0\x00", 1), codec.receive(b"\x2a\x02\x51\x01", 2)

    assert said == [[Battery(0, 80, False)], [], []]
    assert (high, beside) == ([Battery(1, 80, True)], [Battery(2, 81, True)])


def test_the_button_of_the_board() -> None:
    assert ChessnutCodec().receive(b"\x0f\x01", 0) == [Button(0, "01")]


def talk(codec: ChessnutCodec, board: ChessnutEmulator, begin: int, end: int) -> list[DeviceEvent]:
    events: list[DeviceEvent] = []
    for at_ns in range(begin, end, 10 * MS):
        if codec.due_at_ns is not None and codec.due_at_ns <= at_ns:
            out, found = codec.due(at_ns)
            events += found
            board.receive(out, at_ns)
        events += codec.receive(board.advance(at_ns), at_ns)
    return events


def test_a_board_says_who_it_is_and_no_write_is_too_hasty() -> None:
    board = ChessnutEmulator()
    events = talk(ChessnutCodec(), board, 0, 3 * SECOND)

    assert [type(event) for event in events] == [Identity, Scan, Battery]
    assert board.ignored == 0


def test_a_board_that_fell_asleep_is_woken_and_told_anew() -> None:
    codec, board = ChessnutCodec(), ChessnutEmulator()
    talk(codec, board, 0, SECOND)
    silent = [
        event
        for at_ns in range(SECOND, 60 * SECOND, 10 * MS)
        if codec.due_at_ns is not None and codec.due_at_ns <= at_ns
        for event in codec.due(at_ns)[1]
    ]
    back = talk(codec, board, 60 * SECOND, 68 * SECOND)

    assert [event.noise for event in silent if isinstance(event, Fault)] == [Noise.SILENT]
    assert {Identity, Scan} <= {type(event) for event in back}


def test_only_the_models_of_boards_are_taken_for_boards() -> None:
    assert [family.name for family in families_of(0x2D80, 0x8202, "Chessnut Air+")] == ["chessnut"]
    assert families_of(0x2D80, 0x3013, "Tablet") == ()


HEARD = report(CN_01) + bytes.fromhex("23 01 00") + CN_04 + report(CN_03, 7) * 2 + b"\x0f\x02"


@given(st.lists(st.integers(0, len(HEARD)), max_size=40))
def test_events_do_not_depend_on_where_the_reads_fall(cuts: list[int]) -> None:
    whole = ChessnutCodec().receive(HEARD, 0)
    codec, pieces = ChessnutCodec(), []
    for begin, end in pairwise([0, *sorted(cuts), len(HEARD)]):
        pieces += codec.receive(HEARD[begin:end], 0)

    assert whole == pieces
