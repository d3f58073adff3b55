"""Whoever writes a driver writes nonsense first: an emulated board lives through it and answers.

Written from the wire: what a driver sends that its maker does not expect.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eboards.chesslink.emulator import ChessLinkEmulator
from eboards.chessnut.emulator import ChessnutEmulator
from eboards.cpp.emulator import CppEmulator
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import DgtEmulator
from eboards.emulator import Emulator
from eboards.ichessone.emulator import IChessOneEmulator
from eboards.movetext.emulator import MoveTextEmulator
from eboards.staunton.emulator import StauntonEmulator

SECOND = 1_000_000_000


def chesslink(text: str) -> bytes:
    """With a checksum and parity that are right."""
    value = 0
    for letter in text:
        value ^= ord(letter)
    codes = f"{text}{value:02X}".encode()
    return bytes(code | (0 if code.bit_count() % 2 else 0x80) for code in codes)


def reports(*values: int) -> bytes:
    """To a Staunton board, each byte of a command in a report of its own."""
    return b"".join(bytes((0, value)) for value in values)


MAKERS: dict[str, Callable[[], Emulator]] = {
    "dgt": lambda: DgtEmulator(clock=EmulatedClock(pc_mode=True)),
    "chesslink": lambda: ChessLinkEmulator(mode=1),
    "chessnut": lambda: ChessnutEmulator(moves_pieces=True),
    "ichessone": IChessOneEmulator,
    "staunton": StauntonEmulator,
    "cpp": CppEmulator,
    "movetext": MoveTextEmulator,
}
PIECES_OF_NO_KIND = bytes((0x42, 0x21)) + b"\xdd" * 32 + b"\0"
CASES = {
    "digits of a register that are none": ("chesslink", [chesslink("RZZ")], chesslink("V"), b"v"),
    "digits of a value that are none": ("chesslink", [chesslink("W0G03")], chesslink("V"), b"v"),
    "lights that are none": ("chesslink", [chesslink("L" + "x" * 164)], chesslink("V"), b"v"),
    "pieces of no kind": ("chessnut", [PIECES_OF_NO_KIND], b"\x27\x01\x01", b"CN_AIR"),
    "a timer of nothing": ("ichessone", [b"CPM0"], b"RH", b"iChessOne"),
    "a timer of any length": ("ichessone", [b"CPM" + b"9" * 5_000], b"RH", b"iChessOne"),
    "more hours than a face has": (
        "staunton", [reports(174, 255, 255, 255, 1, 1, 1, 0)], reports(175), b"\xff\xca"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("family", "written", "question", "answer"), CASES.values(), ids=CASES)
def test_what_no_maker_expects_is_lived_through(
    family: str, written: list[bytes], question: bytes, answer: bytes
) -> None:
    board, said = MAKERS[family](), b""
    for at, data in enumerate([*written, question], 1):
        board.receive(data, at * SECOND)
        said = board.advance(at * SECOND + SECOND // 2)
    if family == "chesslink":
        said = bytes(code & 0x7F for code in said)
    assert answer in said


COMMANDS = {
    "dgt": [b"\x2b", b"\x03", b"\x2b\x00", b"\x43", b"\x4b", b"\x41", b"\x87\x00\x00\x07", b"\x00"],
    "chesslink": [chesslink(text) for text in ("V", "S", "R02", "W0203", "R-1", "W 1 1", "T")],
    "chessnut": [b"\x21\x01\x00", b"\x42\x21", b"\x0a\x08", b"\x29\x01\x00", b"\x41\x01\x15"],
    "ichessone": [b"CPM", b"0", b"7", b"CPIRQ", b"CPOFF", b"EL", b"ES", b"RP", b"R"],
    "staunton": [reports(value) for value in (174, 255, 0, 175, 179, 180, 181, 186, 100)],
    "cpp": [b"feature submove_state\n", b"get_state\n", b"\n", b"begin ", b"\xff\n"],
    "movetext": [b"I\r\n", b"X ON\r\n", b"N", b"\r\n", b"\xff"],
}


@pytest.mark.parametrize("family", COMMANDS)
@given(data=st.data())
def test_no_order_of_commands_and_noise_stops_a_board(family: str, data: st.DataObject) -> None:
    piece = st.one_of(st.sampled_from(COMMANDS[family]), st.binary(max_size=3))
    board, at_ns = MAKERS[family](), 0
    for written in data.draw(st.lists(st.lists(piece, max_size=6).map(b"".join), max_size=8)):
        at_ns += data.draw(st.integers(1, 2 * SECOND))
        board.receive(written, at_ns)
        board.advance(at_ns)
        assert board.due_at_ns is None or board.due_at_ns >= 0
