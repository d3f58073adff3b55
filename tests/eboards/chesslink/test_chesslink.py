"""ChessLink: worked examples of the wire, and what a bad line may do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eboards.chesslink.codec import ChessLinkCodec
from eboards.chesslink.emulator import ChessLinkEmulator
from eboards.chesslink.frame import ChessLinkFramer, checksum, message
from eboards.codec import AskBoard
from eboards.events import DeviceEvent, Fault, Identity, Noise, Scan, SensingClass

MS = 1_000_000
START = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
IN_THE_AIR = START[:52] + "." + START[53:]
PLAYED = IN_THE_AIR[:36] + "P" + IN_THE_AIR[37:]
RANK_1 = "52 CE C2 CB 51 C2 CE 52"
RANK_8 = "F2 6E 62 6B F1 62 6E F2"
FULL, BARE, BLACK = "D0 " * 8, "AE " * 8, "70 " * 8
GAP = "D0 D0 D0 AE D0 D0 D0 D0 "
"""Seen from h1, e2 is the fourth of its rank."""


def from_h1(second: str, fourth: str, check: str) -> bytes:
    """A position as a board sends it whose first square is h1."""
    ranks = f"73 {RANK_1} {second} {BARE} {fourth} {BARE * 2} {BLACK} {RANK_8} {check}"
    return bytes.fromhex(ranks)


def turned(placement: str) -> str:
    return placement[::-1]


CL_04 = from_h1(FULL, BARE, "37 B3")
CL_05 = bytes.fromhex(
    f"73 F2 6E 62 F1 6B 62 6E F2 {BLACK} {BARE * 4} {FULL} 52 CE C2 51 CB C2 CE 52 37 B3"
)
CL_06 = from_h1(GAP, BARE, "B0 C4")
CL_07 = from_h1(GAP, "AE AE AE D0 AE AE AE AE ", "37 B3")
LIT = "43 43 43 43 B3 B3 B3 B3"
CL_15 = bytes.fromhex("4C B3 32" + "B0" * 56 + LIT + "B0" * 10 + LIT + "B0 B0" * 40 + "34 C4")


def scans(data: bytes) -> list[str]:
    """What a position seen twice is read as."""
    events = ChessLinkCodec().receive(data + data, 0)
    return ["".join(event.placement) for event in events if isinstance(event, Scan)]


@pytest.mark.parametrize(
    ("vector", "placement"),
    [
        pytest.param(CL_04, turned(START), id="CL-04"),
        pytest.param(CL_05, START, id="CL-05"),
        pytest.param(CL_06, turned(IN_THE_AIR), id="CL-06"),
        pytest.param(CL_07, turned(PLAYED), id="CL-07"),
    ],
)
def test_positions_are_read_as_they_lie(vector: bytes, placement: str) -> None:
    assert scans(vector) == [placement]


@pytest.mark.parametrize("vector", [CL_04, CL_05, CL_06, CL_07])
def test_the_emulator_shows_them_byte_for_byte(vector: bytes) -> None:
    (placement,) = scans(vector)
    for lies_turned in (False, True):
        pieces = placement[::-1] if lies_turned else placement
        board = ChessLinkEmulator(pieces, turned=lies_turned, mode=1)
        board.receive(bytes.fromhex("D3 B5 B3"), 0)
        assert board.advance(0) == vector


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        pytest.param("D6 B5 B6", "76 B0 31 B0 B3 37 34", id="CL-01 CL-02"),
        pytest.param("D3 B5 B3", CL_05.hex(" "), id="CL-03 CL-05"),
        pytest.param("58 B5 38", "F8 37 38", id="CL-08 CL-09"),
        pytest.param("57 B0 32 B0 B3 B5 B6", "F7 B0 32 B0 B3 37 B6", id="CL-10 CL-11"),
        pytest.param("52 B0 B0 B5 32", "F2 B0 B0 B0 B0 37 32", id="CL-12 CL-13"),
        pytest.param(CL_15.hex(" "), "EC B6 43", id="CL-15 CL-16"),
    ],
)
def test_what_is_asked_and_answered(asked: str, answer: str) -> None:
    board = ChessLinkEmulator(mode=1)
    board.receive(bytes.fromhex(asked), 0)

    assert board.advance(0).hex(" ").upper() == answer.upper()


@pytest.mark.parametrize(
    ("text", "vector"),
    [
        ("V", "D6 B5 B6"),
        ("S", "D3 B5 B3"),
        ("X", "58 B5 38"),
        ("W0203", "57 B0 32 B0 B3 B5 B6"),
        ("R00", "52 B0 B0 B5 32"),
        pytest.param("W011E", "57 B0 31 31 45 32 32", id="CL-14"),
    ],
)
def test_requests_are_written_with_parity_and_checksum(text: str, vector: str) -> None:
    assert message(text) == bytes.fromhex(vector)


def test_a_register_written_is_a_register_read() -> None:
    board = ChessLinkEmulator(mode=1)
    board.receive(bytes.fromhex("57 B0 31 31 45 32 32"), 0)

    assert board.advance(0) == message("w011E")
    assert board.registers[1] == 0x1E


def spoken(board: ChessLinkEmulator, until_ms: int) -> list[int]:
    """When a board spoke by itself, in ms; a host looks every 2."""
    return [ms for ms in range(0, until_ms, 2) if board.advance(ms * MS)]


def board_told(*writes: str) -> ChessLinkEmulator:
    """One whose registers were written at the start."""
    board = ChessLinkEmulator()
    for text in writes:
        board.receive(message(text), 0)
    board.advance(0)
    return board


@pytest.mark.parametrize(
    ("period", "scans"),
    [
        pytest.param("14", 24, id="as sold"),
        pytest.param("1E", 16, id="as some programs set it"),
        pytest.param("0F", 32, id="the least"),
        pytest.param("0E", 24, id="below the least it is as sold"),
        pytest.param("FF", 1, id="the most"),
    ],
)
def test_register_01_says_how_often_the_board_looks(period: str, scans: int) -> None:
    assert len(spoken(board_told(f"W01{period}"), 1000)) == scans


@pytest.mark.parametrize(("timer", "reports"), [("32", 4), ("FF", 0), ("0A", 24)])
def test_register_03_says_how_often_it_reports_by_the_timer(timer: str, reports: int) -> None:
    assert len(spoken(board_told(f"W03{timer}", "W0202"), 1000)) == reports


@pytest.mark.parametrize(("mode", "told_ms"), [("3", 42), ("4", 82), ("5", 124), ("7", 206)])
def test_a_change_is_reported_once_it_stood_for_as_many_scans(mode: str, told_ms: int) -> None:
    board = board_told(f"W020{mode}", "S")
    board.set_square(52, ".", 1 * MS)

    assert spoken(board, 400) == [told_ms]


def test_a_board_told_not_to_check_obeys_what_came_damaged() -> None:
    damaged = message("X")[:-2] + message("V")[-2:]
    strict, lenient = board_told(), board_told("W0201", "W0001")
    strict.receive(damaged, MS)
    lenient.receive(damaged, MS)

    assert strict.advance(MS) == b""
    assert lenient.advance(MS) == message("x")


def test_lights_stand_at_the_corners_of_their_squares() -> None:
    board = ChessLinkEmulator(mode=1)
    board.receive(CL_15, 0)

    lit = {number: pattern for number, pattern in enumerate(board.lights) if pattern}
    assert lit == dict.fromkeys((28, 29, 37, 38), 0xCC) | dict.fromkeys((30, 31, 39, 40), 0x33)
    assert board.slot == 0x32


def test_the_version_is_who_it_is() -> None:
    events = ChessLinkCodec().receive(bytes.fromhex("76 B0 31 B0 B3 37 34"), 5)

    assert events == [Identity(5, "chesslink", firmware="1.3")]


def test_a_position_counts_once_it_was_seen_twice() -> None:
    codec = ChessLinkCodec()

    assert codec.receive(CL_04, 0) == []
    assert len(codec.receive(CL_04, 1)) == 1
    assert codec.receive(CL_04, 2) == []
    codec.send(AskBoard(), 3)
    assert len(codec.receive(CL_04, 4)) == 1


@pytest.mark.parametrize("place", range(67))
def test_a_byte_lost_anywhere_costs_one_position(place: int) -> None:
    codec = ChessLinkCodec()
    codec.receive(CL_04, 0)
    events = codec.receive(CL_06[:place] + CL_06[place + 1 :] + CL_07 + CL_07, 1)

    found = [event for event in events if isinstance(event, Scan)]
    assert [scan.placement for scan in found] == [tuple(turned(PLAYED))]
    assert any(isinstance(event, Fault) for event in events)


@pytest.mark.parametrize("place", range(67 * 8))
def test_a_flipped_bit_is_never_believed(place: int) -> None:
    flipped = bytearray(CL_06)
    flipped[place // 8] ^= 1 << place % 8
    events = ChessLinkCodec().receive(bytes(flipped) * 2, 0)

    assert not [event for event in events if isinstance(event, Scan)]
    assert any(isinstance(event, Fault) for event in events)


def test_out_of_step_a_black_rook_begins_no_message() -> None:
    framer = ChessLinkFramer()
    framer.feed(CL_05[2:], 0)

    assert framer.feed(CL_05, 0)[-1] == "s" + START


@given(st.permutations(START))
def test_any_order_of_the_same_pieces_has_the_same_checksum(pieces: list[str]) -> None:
    assert checksum("s" + "".join(pieces)) == checksum("s" + START)


def talk(codec: ChessLinkCodec, board: ChessLinkEmulator, seconds: float) -> list[DeviceEvent]:
    events: list[DeviceEvent] = []
    for at_ns in range(0, int(seconds * 1000) * MS, 5 * MS):
        if codec.due_at_ns is not None and codec.due_at_ns <= at_ns:
            out, found = codec.due(at_ns)
            events += found
            board.receive(out, at_ns)
        events += codec.receive(board.advance(at_ns), at_ns)
    return events


def test_a_board_that_reports_otherwise_is_told_to_report_changes() -> None:
    board = ChessLinkEmulator(mode=2)
    talk(ChessLinkCodec(), board, 1)

    assert board.registers[2] == 3


def test_a_board_that_answers_no_writing_is_no_fault() -> None:
    events = talk(ChessLinkCodec(), ChessLinkEmulator(mute=True, version="0180", mode=1), 12)

    assert [type(event) for event in events] == [Identity, Scan]


def test_an_eone_tells_what_is_occupied_and_no_more() -> None:
    codec = ChessLinkCodec()
    events = talk(codec, ChessLinkEmulator(version="0205", model="e-one 2"), 2)

    assert codec.sensing.kind is SensingClass.OCCUPANCY
    assert [event.placement for event in events if isinstance(event, Scan)] == [
        tuple("?" * 16 + "." * 32 + "?" * 16)
    ]


@pytest.mark.parametrize("late_ms", [100, 300, 600])
def test_an_eone_shows_no_piece_before_it_has_said_what_it_is(late_ms: int) -> None:
    """As it comes it reports every scan; over the air these stand before its first answer."""
    codec, board = ChessLinkCodec(), ChessLinkEmulator(version="0204", model="e-one 1.2", mode=0)
    told: list[tuple[DeviceEvent, SensingClass]] = []
    unheard: list[tuple[int, bytes]] = []
    for at_ns in range(0, 5_000 * MS, 5 * MS):
        if codec.due_at_ns is not None and codec.due_at_ns <= at_ns:
            unheard.append((at_ns + late_ms * MS, codec.due(at_ns)[0]))
        while unheard and unheard[0][0] <= at_ns:
            board.receive(unheard.pop(0)[1], at_ns)
        said = codec.receive(board.advance(at_ns), at_ns)
        told += [(event, codec.sensing.kind) for event in said]

    events = [event for event, _ in told]
    assert [type(event) for event in events] == [Identity, Scan]
    assert {kind for _, kind in told} == {SensingClass.OCCUPANCY}


@pytest.mark.parametrize("answer", [b"", message("vzzzz")])
def test_a_board_that_says_no_version_is_shown_all_the_same(answer: bytes) -> None:
    codec = ChessLinkCodec()
    events: list[DeviceEvent] = []
    for at_ns in range(0, 5_000 * MS, 40 * MS):
        out = b""
        if codec.due_at_ns is not None and codec.due_at_ns <= at_ns:
            out, found = codec.due(at_ns)
            events += found
        events += codec.receive((answer if out == message("V") else b"") + CL_05, at_ns)

    assert [event for event in events if not isinstance(event, Fault)] == [
        Scan(events[-1].at_ns, tuple(START))
    ]


def test_silence_is_told_once_and_the_board_is_new_after_it() -> None:
    codec, board = ChessLinkCodec(), ChessLinkEmulator()
    talk(codec, board, 1)
    silent: list[DeviceEvent] = []
    for at_ns in range(1000 * MS, 20_000 * MS, 10 * MS):
        if codec.due_at_ns is not None and codec.due_at_ns <= at_ns:
            silent += codec.due(at_ns)[1]

    assert [event.noise for event in silent if isinstance(event, Fault)] == [Noise.SILENT]
    back = codec.receive(message("v0103") + (CL_05 * 2), 21_000 * MS)
    assert [type(event) for event in back] == [Identity, Scan]


@pytest.mark.parametrize("away_ms", [18_100, 18_300, 18_500, 20_000, 20_500])
@pytest.mark.parametrize("model", ["e-one 1.2", "Supreme"])
def test_a_board_with_a_model_is_shown_after_a_silence_whatever_was_asked_then(
    model: str, away_ms: int
) -> None:
    """The answer that ends the silence may be its version, and all is asked anew behind it."""
    codec, board = ChessLinkCodec(), ChessLinkEmulator(version="0204", model=model, mode=3)
    events: list[DeviceEvent] = []
    for at_ns in range(0, 30_000 * MS, 5 * MS):
        there = not 5_000 * MS < at_ns < (5_000 + away_ms) * MS
        if codec.due_at_ns is not None and codec.due_at_ns <= at_ns:
            out, found = codec.due(at_ns)
            events += found
            board.receive(out if there else b"", at_ns)
        said = board.advance(at_ns)
        events += codec.receive(said if there else b"", at_ns)

    told = [type(event) for event in events]
    assert told == [Identity, Scan, Fault, Identity, Scan]
    assert events[-1].at_ns < (7_500 + away_ms) * MS
