"""The open protocol: emulator and codec agree, and rubbish becomes faults."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eboards.cpp.codec import CppCodec
from eboards.cpp.emulator import CppEmulator
from eboards.events import (
    CHESS_BOARD,
    SHOGI_BOARD,
    DeviceEvent,
    Fault,
    Finger,
    HandsSeen,
    Identity,
    Noise,
    Scan,
    Sensing,
    SensingClass,
)

SECOND = 1_000_000_000
STEP = SECOND // 10
SHOGI_START = list(
    "lnsgkgsnl" + ".r.....b." + "p" * 9 + "." * 27 + "P" * 9 + ".B.....R." + "LNSGKGSNL"
)


def talk(codec: CppCodec, emulator: CppEmulator, from_ns: int, to_ns: int) -> list[DeviceEvent]:
    events: list[DeviceEvent] = []
    for at_ns in range(from_ns, to_ns, STEP):
        if codec.due_at_ns is not None and codec.due_at_ns <= at_ns:
            out, found = codec.due(at_ns)
            events += found
            emulator.receive(out, at_ns)
        events += codec.receive(emulator.advance(at_ns), at_ns)
    return events


@pytest.mark.parametrize("nine", [False, True], ids=["8x8", "9x9"])
@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        (SensingClass.IDENTITY, lambda piece: piece),
        (SensingClass.KIND, lambda piece: piece[-1]),
        (SensingClass.COLOUR, lambda piece: piece if piece == "." else "bw"[piece[-1].isupper()]),
        (SensingClass.OCCUPANCY, lambda piece: piece if piece == "." else "?"),
    ],
)
def test_what_hands_do_is_what_the_codec_tells(nine: bool, kind: SensingClass, shown) -> None:
    emulator = CppEmulator(list(SHOGI_START), SHOGI_BOARD, kind) if nine else CppEmulator(kind=kind)
    codec = CppCodec(SHOGI_BOARD, kind) if nine else CppCodec(kind=kind)
    talk(codec, emulator, 0, SECOND)
    dice, pieces = Random(4), list(emulator.pieces)
    for number in range(1, 40):
        square = dice.randrange(len(pieces))
        pieces[square] = dice.choice([".", "P", "r", "+P" if nine else "Q"])
        emulator.set_square(square, pieces[square], number * SECOND)
        events = talk(codec, emulator, number * SECOND, (number + 1) * SECOND)
        scans = [event for event in events if isinstance(event, Scan)]
        if scans:
            assert scans[-1].placement == tuple(map(shown, pieces))
        assert not [event for event in events if isinstance(event, Fault)]


def test_a_finger_is_told_only_where_the_board_feels_one() -> None:
    line = b"touch e2\nuntouch e2\n"

    felt = CppCodec(feels_touch=True).receive(line, 0)
    assert felt == [Finger(0, 52, True), Finger(0, 52, False)]
    assert all(isinstance(event, Fault) for event in CppCodec().receive(line, 0))


@pytest.mark.parametrize("kind", [SensingClass.COLOUR, SensingClass.IDENTITY])
def test_a_board_says_what_it_is_before_it_shows_itself(kind: SensingClass) -> None:
    emulator = CppEmulator(list(SHOGI_START), SHOGI_BOARD, kind, feels=True)
    codec = CppCodec()
    events = talk(codec, emulator, 0, 30 * SECOND)
    emulator.feel("7g", down=True)
    felt = talk(codec, emulator, 30 * SECOND, 31 * SECOND)

    assert isinstance(events[0], Identity)
    assert len([event for event in events if isinstance(event, Identity)]) == 1
    assert codec.sensing == Sensing(kind, SECOND // 5, SHOGI_BOARD, feels_touch=True)
    assert Finger(30 * SECOND, SHOGI_BOARD.square("7g"), down=True) in felt


@pytest.mark.parametrize(
    "line", ["taste 8x8 50", "colour 10x10 50", "colour 8x8 fast", "colour 8x8 0", "colour 8x8 9 x"]
)
def test_what_no_board_can_be_is_a_fault(line: str) -> None:
    (fault,) = CppCodec().receive(f"senses {line}\n".encode(), 0)

    assert isinstance(fault, Fault)


def test_a_board_that_has_shown_itself_is_of_another_size_only_after_it_was_silent() -> None:
    codec = CppCodec()
    talk(codec, CppEmulator(), 0, SECOND)
    nine = CppEmulator(list(SHOGI_START), SHOGI_BOARD)
    (fault,) = codec.receive(b"senses identity 9x9 200\n", SECOND)
    assert isinstance(fault, Fault)
    assert codec.sensing.geometry == CHESS_BOARD

    events = talk(codec, nine, SECOND, 30 * SECOND)
    shown = [event.placement for event in events if isinstance(event, Scan)]
    assert codec.sensing.geometry == SHOGI_BOARD
    assert list(shown[-1]) == SHOGI_START


def test_a_board_that_was_reset_is_told_again_what_we_want() -> None:
    codec, emulator = CppCodec(), CppEmulator()
    talk(codec, emulator, 0, SECOND)
    fresh = CppEmulator()
    talk(codec, fresh, SECOND, 12 * SECOND)
    fresh.set_square(52, ".", 12 * SECOND)
    told = talk(codec, fresh, 12 * SECOND, 13 * SECOND)

    assert [event.placement[52] for event in told if isinstance(event, Scan)] == ["."]


def test_a_finished_move_is_answered_and_not_believed() -> None:
    codec = CppCodec()
    codec.due(0)

    assert codec.receive(b"move e2e4\n", SECOND) == []
    assert codec.due(SECOND)[0] == b"ok\n"


def test_silence_is_told_once() -> None:
    codec, faults = CppCodec(), []
    for at_ns in range(0, 60 * SECOND, SECOND):
        if codec.due_at_ns is not None and codec.due_at_ns <= at_ns:
            faults += codec.due(at_ns)[1]

    assert [fault.noise for fault in faults if isinstance(fault, Fault)] == [Noise.SILENT]


class BadLine:
    """The first answers of a board come with one byte wrong, or not at all."""

    def __init__(self, emulator: CppEmulator, answers: int, *, lost: bool) -> None:
        self.emulator, self._answers, self._lost = emulator, answers, lost
        self.asked_at: list[int] = []

    def receive(self, data: bytes, at_ns: int) -> None:
        if b"get_state" in data:
            self.asked_at.append(at_ns)
        self.emulator.receive(data, at_ns)

    def advance(self, at_ns: int) -> bytes:
        said = self.emulator.advance(at_ns)
        if not said or not self._answers:
            return said
        self._answers -= 1
        return b"" if self._lost else said.replace(b"/", b"\x8f", 1)


@pytest.mark.parametrize("lost", [False, True], ids=["damaged", "lost"])
def test_an_answer_that_comes_damaged_is_no_silence(lost: bool) -> None:
    line, codec = BadLine(CppEmulator(), answers=2, lost=lost), CppCodec()
    told = talk(codec, line, 0, 9 * SECOND)

    assert [event.noise for event in told if isinstance(event, Fault)] == [Noise.STRAY] * (
        0 if lost else 2
    )
    assert sum(isinstance(event, Scan) for event in told) == 1
    assert line.asked_at == [0, SECOND, 2 * SECOND]


def test_a_state_that_comes_damaged_is_asked_for_and_a_bad_line_once_a_second_at_most() -> None:
    emulator, codec = CppEmulator(), CppCodec()
    talk(codec, emulator, 0, 2 * SECOND)
    codec.receive(b"state rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP\n", 2 * SECOND)
    emulator.pieces[52] = "."
    told = talk(codec, emulator, 2 * SECOND, 2 * SECOND + STEP)
    assert [event.placement[52] for event in told if isinstance(event, Scan)] == ["."]

    line = BadLine(emulator, answers=0, lost=False)
    for at_ns in range(3 * SECOND, 9 * SECOND, STEP):
        codec.receive(b"state \xff\n", at_ns)
        talk(codec, line, at_ns, at_ns + STEP)
    assert 5 <= len(line.asked_at) <= 6


def test_what_a_board_answers_to_a_question_it_does_not_know_asks_nothing_more() -> None:
    line, codec = BadLine(CppEmulator(), answers=0, lost=False), CppCodec()
    for at_ns in range(0, 9 * SECOND, STEP):
        told = talk(codec, line, at_ns, at_ns + STEP)
        told += codec.receive(b"err unknown feature\nwhatever\n", at_ns)
    assert line.asked_at == [0]


HEARD = b"ok\nstate rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\nerr no\nstate 8/8/8/8/8/8/8/uU?5\n"


@given(st.lists(st.integers(0, len(HEARD))))
def test_events_do_not_depend_on_where_the_reads_fall(cuts: list[int]) -> None:
    whole = CppCodec().receive(HEARD, 0)
    codec, pieces = CppCodec(), []
    for begin, end in pairwise([0, *sorted(cuts), len(HEARD)]):
        pieces += codec.receive(HEARD[begin:end], 0)

    assert whole == pieces


@given(st.binary(max_size=600))
def test_no_bytes_can_raise_or_jam_the_codec(rubbish: bytes) -> None:
    codec = CppCodec()
    codec.receive(rubbish + b"\n", 0)

    (scan,) = codec.receive(b"state 8/8/8/8/8/8/8/8\n", 0)

    assert isinstance(scan, Scan)


@pytest.mark.parametrize(
    "board", ["8/8", "9/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/7x", "8/8/8/8/8/8/8/+8", "8/8/8/8/8/8/8/7+P"]
)
def test_a_board_of_another_shape_is_a_fault(board: str) -> None:
    (fault,) = CppCodec().receive(f"state {board}\n".encode(), 0)

    assert isinstance(fault, Fault)


def test_hand_stands_are_told_where_they_are_sensed() -> None:
    board, codec = CppEmulator(list(SHOGI_START), SHOGI_BOARD), CppCodec(SHOGI_BOARD)
    told = talk(codec, board, 0, SECOND)
    assert not [event for event in told if isinstance(event, HandsSeen)]

    board.set_hands("2Pr10p")
    told = talk(codec, board, SECOND, 15 * SECOND)

    assert [e.men for e in told if isinstance(e, HandsSeen)] == ["2Pr10p"] * 2, "and when asked"
    assert codec.receive(b"hands -\n", 15 * SECOND) == [HandsSeen(15 * SECOND, "-")]


@pytest.mark.parametrize("line", [b"hands 2K\n", b"hands P2\n", b"hands 20P\n"])
def test_hands_that_are_none_are_a_fault(line: bytes) -> None:
    (fault,) = CppCodec(SHOGI_BOARD).receive(line, 0)

    assert isinstance(fault, Fault)
    assert fault.noise is Noise.RANGE
