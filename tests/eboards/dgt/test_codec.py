"""The codec of one DGT board: bytes in, events out."""

from __future__ import annotations

import base64
from collections import Counter
from itertools import pairwise

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eboards.bounds import bounded
from eboards.dgt.codec import DgtCodec
from eboards.events import (
    CHESS_BOARD,
    Battery,
    Button,
    ClockGone,
    ClockReading,
    DeviceEvent,
    Fault,
    Identity,
    Noise,
    Scan,
    Side,
    SquareChange,
)
from kept_beside import RECORDED_GAME, RECORDED_MOVES, kept_beside

S = 1_000_000_000
START = "rnbqkbnr" + "p" * 8 + "." * 32 + "P" * 8 + "RNBQKBNR"
DUMP = bytes.fromhex(
    "860043 08090a0c0b0a0908 0707070707070707" + "00" * 32 + "0101010101010101 0203040605040302"
)
LIFT_E2 = bytes.fromhex("8e00053400")
PLACE_E4 = bytes.fromhex("8e00052401")
RUNNING = bytes.fromhex("8d000a21303021290509")


def read(text: str) -> list[DeviceEvent]:
    return DgtCodec().receive(bytes.fromhex(text), at_ns=0)


def facts(events: list[DeviceEvent]) -> list[DeviceEvent]:
    return [event for event in events if not isinstance(event, Fault)]


def recorded() -> list[bytes]:
    return [base64.b64decode(line) for line in kept_beside(RECORDED_GAME).read_text().splitlines()]


def square(name: str) -> int:
    return CHESS_BOARD.square(name)


# What the wire's own description says.


def test_the_start_position() -> None:
    assert DgtCodec().receive(DUMP, at_ns=7) == [Scan(7, tuple(START))]


def test_the_start_position_of_a_board_that_lies_the_other_way_round() -> None:
    text = "860043 0203040506040302" + "01" * 8 + "00" * 32 + "07" * 8 + "08090a0b0c0a0908"

    (scan,) = read(text)

    assert isinstance(scan, Scan)
    assert scan.placement == tuple(reversed(START))


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("8e00053400 8e00052401", [("e2", "."), ("e4", "P")]),
        (
            "8e00053c00 8e00053e05 8e00053f00 8e00053d02",
            [("e1", "."), ("g1", "K"), ("h1", "."), ("f1", "R")],
        ),
    ],
    ids=["e4", "O-O"],
)
def test_moves(text: str, changes: list[tuple[str, str]]) -> None:
    assert read(text) == [SquareChange(0, square(name), piece) for name, piece in changes]


@pytest.mark.parametrize(
    ("text", "left_ms", "right_ms", "running", "lever", "flags"),
    [
        ("8d000a21303021290509", 5_345_000, 5_430_000, Side.LEFT, Side.LEFT, (False, False)),
        ("8d000a21301221293513", 5_375_000, 5_412_000, Side.RIGHT, Side.RIGHT, (False, False)),
        ("8d000a30000020004112", 41_000, 0, None, Side.RIGHT, (False, True)),
        ("8d000a20030220030208", 182_000, 182_000, None, Side.LEFT, (False, False)),
    ],
    ids=["left runs", "right runs", "right flag", "before the start"],
)
def test_times(
    text: str,
    left_ms: int,
    right_ms: int,
    running: Side | None,
    lever: Side,
    flags: tuple[bool, bool],
) -> None:
    assert read(text) == [
        ClockReading(0, left_ms, right_ms, running, lever, left_flag=flags[0], right_flag=flags[1])
    ]


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("8d000a00000000000020", [ClockGone(0)]),
        ("8d000a00000000000000", []),
        ("9100083133313136", [Identity(0, "dgt", serial="13116")]),
        ("91000c313331313620312e30", [Identity(0, "dgt", serial="13116")]),
        ("91000431", [Identity(0, "dgt", serial="1")]),
        ("910009313233343536", [Identity(0, "dgt", serial="123456")]),
        ("91000d31323334353637383930", [Identity(0, "dgt", serial="1234567890")]),
        ("a2000d30303030303133313136", [Identity(0, "dgt", serial="0000013116")]),
        ("a2000d332e3235303030303031", [Identity(0, "dgt", firmware="3.25")]),
        ("9000050801", [Identity(0, "dgt", bus_address=1025)]),
        ("900005663c", [Identity(0, "dgt", bus_address=13116)]),
        ("9000057f7f", [Identity(0, "dgt", bus_address=16383)]),
        ("9300050108", [Identity(0, "dgt", firmware="1.8")]),
        ("930005030a", [Identity(0, "dgt", firmware="3.10")]),
        ("9600050102", []),
        ("a0000c587f7f011700041e02", [Battery(0, 88, charging=False)]),
        ("a0000758017f7f", [Battery(0, 88)]),
        ("80 8e00052401", [SquareChange(0, 36, "P")]),
        ("800003 8e00052401", [SquareChange(0, 36, "P")]),
    ],
)
def test_what_else_a_board_says(text: str, events: list[DeviceEvent]) -> None:
    assert read(text) == events


@pytest.mark.parametrize(
    "text",
    [
        b"Digital Game Technology\r\nCopyright (c) 1998 DGT\r\nVersion 1.8, serial number 13116",
        b"x" * 256,
        b"\x07\x00 bell",
    ],
)
def test_a_trademark_of_several_lines_costs_no_serial_number(text: bytes) -> None:
    """It stands beside number and version in all that is told of the board from then on."""
    length = len(text) + 3
    trademark = bytes((0x92, length >> 7, length & 0x7F)) + text
    codec = DgtCodec()
    said = codec.receive(trademark + bytes.fromhex("9300050108 9100083133313136"), 0)

    told = [bounded(event, CHESS_BOARD) for event in said]
    assert told == said
    last = told[-1]
    assert isinstance(last, Identity)
    assert (last.serial, last.firmware) == ("13116", "1.8")
    assert last.trademark.startswith(("Digital Game Technology Copyright (c)", "xxx", "\\x07"))


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("0a10082a053100", "back"),
        ("0a10082a213400", "minus"),
        ("0a10082a113300", "run"),
        ("0a10082a093200", "plus"),
        ("0a10082a413500", "ok"),
        ("0a10082a453500", "back+ok"),
    ],
)
def test_buttons_of_the_clock(body: str, name: str) -> None:
    assert read("8d000a" + body) == [Button(0, name)]


# What is not right on the wire.


def test_a_message_inside_another_begins_anew() -> None:
    assert read("860043 0809 8e00053400") == [
        Fault(0, Noise.CUT_OFF, bytes.fromhex("8600430809")),
        SquareChange(0, square("e2"), "."),
    ]


def test_bytes_outside_any_message_are_skipped_and_said() -> None:
    assert read("05417f 8e00052401") == [
        Fault(0, Noise.STRAY, b"\x05\x41\x7f"),
        SquareChange(0, square("e4"), "P"),
    ]


@pytest.mark.parametrize(
    ("text", "noise"),
    [
        ("8d000b", Noise.LENGTH),
        ("8e0000", Noise.LENGTH),
        ("ff7f7f", Noise.LENGTH),
        ("8d000a2f303021290509", Noise.RANGE),
        ("8d000a21603021290509", Noise.RANGE),
        ("8d000a21300b21290509", Noise.RANGE),
        ("8d000a21303021290549", Noise.STRANGE_BITS),
        ("ff000501 02", Noise.UNKNOWN_MESSAGE),
        ("860043" + "10" * 64, Noise.RANGE),
    ],
)
def test_what_cannot_be_is_no_event(text: str, noise: Noise) -> None:
    events = read(text)

    assert facts(events) == []
    assert [event.noise for event in events if isinstance(event, Fault)] == [noise]


def test_bits_without_a_meaning_are_said_and_the_square_still_counts() -> None:
    fault, change = read("8e00053410")

    assert isinstance(fault, Fault)
    assert fault.noise is Noise.STRANGE_BITS
    assert change == SquareChange(0, square("e2"), ".")


def test_a_dump_that_contradicts_the_updates_names_the_squares() -> None:
    codec = DgtCodec()
    codec.receive(DUMP + LIFT_E2, at_ns=0)

    fault, scan = codec.receive(DUMP, at_ns=1)

    assert fault == Fault(1, Noise.LOST_UPDATE, note="52: .>P")
    assert scan == Scan(1, tuple(START))


@given(st.binary(max_size=300))
def test_no_bytes_can_raise_or_jam_the_codec(rubbish: bytes) -> None:
    codec = DgtCodec()
    codec.receive(rubbish, at_ns=0)

    assert codec.receive(LIFT_E2, at_ns=0)[-1] == SquareChange(0, square("e2"), ".")


HEARD = b"\x41\x05" + DUMP + RUNNING + LIFT_E2 + PLACE_E4 + b"\x91\x00\x08\x31\x33\x80" + DUMP[:30]
HEARD += RUNNING + b"\x8e\x7f\x7f\x01" + bytes.fromhex("9300050108 8d000a0a10082a453500")


@given(st.lists(st.integers(0, len(HEARD))))
def test_events_do_not_depend_on_where_the_reads_fall(cuts: list[int]) -> None:
    whole = DgtCodec().receive(HEARD, at_ns=0)

    codec, pieces = DgtCodec(), []
    for begin, end in pairwise([0, *sorted(cuts), len(HEARD)]):
        pieces += codec.receive(HEARD[begin:end], at_ns=0)

    assert whole == pieces


@pytest.mark.parametrize("message", [DUMP, LIFT_E2, RUNNING], ids=["dump", "field", "times"])
def test_a_flipped_bit_outside_the_data_never_makes_an_event(message: bytes) -> None:
    """Every bit of the header, and the top bit of each data byte."""
    header = [(place, bit) for place in range(3) for bit in range(8)]
    tops = [(place, 7) for place in range(3, len(message))]
    for place, bit in header + tops:
        flipped = bytearray(message)
        flipped[place] ^= 1 << bit
        codec = DgtCodec()
        events = codec.receive(bytes(flipped), at_ns=0) + codec.receive(PLACE_E4, at_ns=0)

        assert facts(events) == [SquareChange(0, square("e4"), "P")], (place, bit)
        assert len(events) > 1, "and it is said"


# A real game.


def test_a_real_game_has_no_fault_and_all_its_updates() -> None:
    events = DgtCodec().receive(b"".join(recorded()), at_ns=0)

    assert Counter(type(event) for event in events) == {
        Scan: 1,
        SquareChange: 131,
        ClockReading: 323,
    }


def test_the_updates_of_a_real_game_lead_from_its_first_board_to_its_last() -> None:
    shown = list(START)
    for event in DgtCodec().receive(b"".join(recorded()), at_ns=0):
        if isinstance(event, SquareChange):
            shown[event.square] = event.piece

    board = chess.Board()
    for word in kept_beside(RECORDED_MOVES).read_text().split():
        if word[0] in "abcdefgh":
            board.push_uci(word)
    assert "".join(shown) == "".join(str(board).split())


def lost(wire: bytes, place: int) -> Counter[DeviceEvent]:
    """What is not heard when the byte at this place is lost. Nothing else may be heard instead."""
    whole = Counter(facts(DgtCodec().receive(wire, at_ns=0)))
    maimed = Counter(facts(DgtCodec().receive(wire[:place] + wire[place + 1 :], at_ns=0)))
    assert not maimed - whole, place
    return whole - maimed


def test_a_lost_byte_costs_one_event_whichever_byte_it_is() -> None:
    """Each byte of the game, among the two messages before it and the two behind it."""
    messages = recorded()
    for number in range(2, len(messages) - 2):
        around = messages[number - 2 : number + 3]
        begin = len(around[0] + around[1])
        for place in range(begin, begin + len(around[2])):
            assert lost(b"".join(around), place).total() == 1, (number, place)


@pytest.mark.slow
def test_a_lost_byte_costs_one_event_in_the_whole_game() -> None:
    wire = b"".join(recorded())
    assert all(lost(wire, place).total() == 1 for place in range(len(wire)))


# What it asks, and when.
