"""Old computers: the lines they write, and what cannot be had from them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eboards.codec import AskBoard
from eboards.events import Fault, Identity, MoveReported, SensingClass
from eboards.movetext.codec import MoveTextCodec
from eboards.movetext.emulator import MoveTextEmulator

GAME = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1", "h7h6", "b5c6", "d7c6")


def test_a_move_of_a_universal_chess_board() -> None:
    """NV-01."""
    vector = bytes.fromhex("4D 65 32 65 34 0D 0A")
    board = MoveTextEmulator(bare=True)
    board.play("e2e4", 0)

    assert board.advance(0) == vector
    assert MoveTextCodec().receive(vector, 3) == [MoveReported(3, "e2e4")]


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("M   1   e2-e4", "e2e4"),
        ("M   1,  e7-e5", "e7e5"),
        ("M  12,  d5xe6 ep", "d5e6"),
        ("M   5   O-O", "e1g1"),
        ("M   5,  O-O-O", "e8c8"),
        ("M  40   b7xa8/N", "b7a8n"),
        ("Mb7b8/Q", "b7b8q"),
        ("M e2-e4", "e2e4"),
        ("M   9   d1-d8#", "d1d8"),
    ],
)
@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_every_way_to_write_a_move(line: str, move: str, end: str) -> None:
    assert MoveTextCodec().receive((line + end).encode(), 0) == [MoveReported(0, move)]


@pytest.mark.parametrize("line", ["MO-O", "M   1   e2-e9", "Q", "M e2", "\xff\xfe"])
def test_what_is_no_move_is_a_fault(line: str) -> None:
    (fault,) = MoveTextCodec().receive(line.encode("latin-1") + b"\n", 0)

    assert isinstance(fault, Fault)


def test_a_move_taken_back_is_told_to_people() -> None:
    board = MoveTextEmulator()
    board.play("e2e4", 0)
    board.take_back("e2e4", 1)
    (fault,) = MoveTextCodec().receive(board.advance(1), 1)

    assert isinstance(fault, Fault)
    assert "e2e4 was taken back" in fault.note


@pytest.mark.parametrize("bare", [False, True])
def test_a_game_comes_out_as_it_was_played(bare: bool) -> None:
    codec, board = MoveTextCodec(), MoveTextEmulator(bare=bare)
    told = []
    for at_ns in range(0, 1_000_000_000, 100_000_000):
        out, _ = codec.due(at_ns)
        board.receive(out, at_ns)
        told += codec.receive(board.advance(at_ns), at_ns)
    for move in GAME:
        castles = move == "e1g1" and not bare
        board.play(move, 1, takes=move in ("b5c6", "d7c6"), castles=castles)
        told += codec.receive(board.advance(1), 1)

    assert [event.text for event in told if isinstance(event, MoveReported)] == list(GAME)
    assert [type(event) for event in told[:1]] == [MoveReported if bare else Identity]


def test_it_cannot_be_asked_for_the_board_and_its_silence_means_nothing() -> None:
    codec = MoveTextCodec()
    codec.due(0)

    assert codec.sensing.kind is SensingClass.MOVES
    assert codec.send(AskBoard(), 1) == b""
    assert codec.due_at_ns is None


HEARD = b"ID.UCBII V1.09\r\nNew Game\r\nM   1   e2-e4\r\nzzz\r\nM   1,  e7-e5\r\n"


@given(st.lists(st.integers(0, len(HEARD)), max_size=20))
def test_events_do_not_depend_on_where_the_reads_fall(cuts: list[int]) -> None:
    whole = MoveTextCodec().receive(HEARD, 0)
    codec, pieces = MoveTextCodec(), []
    for begin, end in pairwise([0, *sorted(cuts), len(HEARD)]):
        pieces += codec.receive(HEARD[begin:end], 0)

    assert whole == pieces
