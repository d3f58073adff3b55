"""LiveChess as a source: its frames become events, cut anywhere, and rubbish becomes faults."""

from __future__ import annotations

import json
from collections import deque
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eboards.events import (
    Battery,
    ClockGone,
    ClockReading,
    DeviceEvent,
    Fault,
    Identity,
    Noise,
    Scan,
    Side,
)
from eboards.livechess.codec import LiveChessCodec
from eboards.livechess.emulator import START, LiveChessEmulator, ServedBoard

SECOND = 1_000_000_000


def talk(
    codec: LiveChessCodec, emulator: LiveChessEmulator, from_ns: int, to_ns: int
) -> list[DeviceEvent]:
    """Both ends for a while, looked at ten times a second."""
    events: list[DeviceEvent] = []
    for at_ns in range(from_ns, to_ns, SECOND // 10):
        if codec.due_at_ns is not None and codec.due_at_ns <= at_ns:
            out, found = codec.due(at_ns)
            events += found
            emulator.receive(out, at_ns)
        events += codec.receive(emulator.advance(at_ns), at_ns)
    return events


def test_a_board_is_found_named_and_shown() -> None:
    emulator = LiveChessEmulator([ServedBoard("12345", list(START), battery="84%")])

    events = talk(LiveChessCodec(), emulator, 0, 2 * SECOND)

    assert [type(e) for e in events] == [Identity, Battery, Scan, ClockGone]
    identity, battery, scan, _ = events
    assert isinstance(identity, Identity)
    assert identity.serial == "12345"
    assert isinstance(battery, Battery)
    assert battery.percent == 84
    assert isinstance(scan, Scan)
    assert scan.placement == tuple(START)


def test_what_changed_between_two_looks_comes_in_one_event() -> None:
    codec, emulator = LiveChessCodec(), LiveChessEmulator()
    talk(codec, emulator, 0, 2 * SECOND)

    emulator.set_square(52, ".", 2 * SECOND)
    emulator.set_square(36, "P", 2 * SECOND + SECOND // 4)
    emulator.set_clock(5400, 5390, False, 2 * SECOND + SECOND // 2)
    events = talk(codec, emulator, 2 * SECOND + SECOND // 2, 5 * SECOND)

    scan, clock = events
    assert isinstance(scan, Scan)
    assert (scan.placement[52], scan.placement[36]) == (".", "P")
    assert isinstance(clock, ClockReading)
    assert (clock.left_ms, clock.right_ms, clock.running) == (5_400_000, 5_390_000, Side.RIGHT)


@pytest.mark.parametrize("stops", [True, False])
def test_a_side_that_had_time_and_has_none_left_has_flagged(stops: bool) -> None:
    """Whether the clock stops then or runs on. One that is not set yet shows no time, and no flag;
    nor does the next clock."""
    codec, emulator = LiveChessCodec(), LiveChessEmulator()
    faces = [(0, 0, None), (2, 9, None), (1, 9, True), (0, 9, None if stops else True), None]
    told: list[DeviceEvent] = []
    for second, face in enumerate([*faces, (0, 5, None), (5, 5, None), (5, 0, None)], 2):
        if face is None:
            emulator.boards[0].clock = None
        else:
            emulator.set_clock(*face, second * SECOND)
        told += talk(codec, emulator, (second - 1) * SECOND, second * SECOND)

    flags = [(e.left_flag, e.right_flag) for e in told if isinstance(e, ClockReading)]
    none, left, right = (False, False), (True, False), (False, True)
    assert flags == [none, none, none, left, none, none, right]


def test_a_piece_that_is_in_the_air_for_half_a_second_is_seen_there() -> None:
    """In the recorded session events follow each other within 0.33 s."""
    codec, emulator = LiveChessCodec(), LiveChessEmulator()
    talk(codec, emulator, 0, 2 * SECOND)

    emulator.set_square(52, ".", 2 * SECOND)
    lifted = talk(codec, emulator, 2 * SECOND, 2 * SECOND + SECOND // 2)
    emulator.set_square(36, "P", 2 * SECOND + SECOND // 2)
    placed = talk(codec, emulator, 2 * SECOND + SECOND // 2, 3 * SECOND)

    for told, pawn in ((lifted, "."), (placed, "P")):
        (scan,) = told
        assert isinstance(scan, Scan)
        assert (scan.placement[52], scan.placement[36]) == (".", pawn)


def test_the_board_asked_for_is_the_one_that_is_read() -> None:
    empty = ["."] * 64
    emulator = LiveChessEmulator([ServedBoard("1", list(START)), ServedBoard("2", empty)])

    events = talk(LiveChessCodec("2"), emulator, 0, 2 * SECOND)

    assert [e.placement for e in events if isinstance(e, Scan)] == [tuple(empty)]


def test_a_board_that_is_not_there_is_named() -> None:
    events = talk(LiveChessCodec("77"), LiveChessEmulator(), 0, 2 * SECOND)

    (fault,) = events
    assert isinstance(fault, Fault)
    assert "77" in fault.note


@pytest.mark.parametrize("why", ["is NOTRESPONDING", "is INACTIVE", "has no board"])
def test_a_board_that_livechess_has_lost_is_told_once_and_shown_when_it_is_back(why: str) -> None:
    board = ServedBoard("12345", list(START), clock=(5400, 5400, None))
    codec, emulator = LiveChessCodec("12345"), LiveChessEmulator([board])
    talk(codec, emulator, 0, 2 * SECOND)

    if why == "has no board":
        emulator.boards = []
    else:
        board.state = why.removeprefix("is ")
    away = talk(codec, emulator, 2 * SECOND, 45 * SECOND)
    board.state, emulator.boards = "ACTIVE", [board]
    back = talk(codec, emulator, 45 * SECOND, 56 * SECOND)

    (fault,) = away
    assert isinstance(fault, Fault)
    assert (fault.noise, why in fault.note, "12345" in fault.note) == (Noise.SILENT, True, True)
    assert [type(event) for event in back] == [Identity, Scan, ClockReading]


def test_a_board_that_livechess_does_not_hear_yet_is_asked_for_and_not_subscribed_to() -> None:
    board = ServedBoard("12345", list(START), state="NOTRESPONDING")
    codec, emulator = LiveChessCodec(), LiveChessEmulator([board])
    before = talk(codec, emulator, 0, 25 * SECOND)
    board.state = "ACTIVE"
    after = talk(codec, emulator, 25 * SECOND, 36 * SECOND)

    assert [type(event) for event in before] == [Fault]
    assert [type(event) for event in after] == [Identity, Scan, ClockGone]


def test_a_wireless_board_whose_data_is_behind_is_told_and_read_on() -> None:
    """As LiveChess says of boards of its radio: nobody was told that its times are late."""
    board = ServedBoard("12345", list(START), state="DELAYED")
    codec, emulator = LiveChessCodec(), LiveChessEmulator([board])

    behind = talk(codec, emulator, 0, 12 * SECOND)
    board.state = "ACTIVE"
    after = talk(codec, emulator, 12 * SECOND, 40 * SECOND)

    assert [type(event) for event in behind] == [Identity, Fault, Scan, ClockGone, Fault]
    (words,) = {event.note for event in behind if isinstance(event, Fault)}
    assert "12345 is DELAYED: what it shows comes late" in words
    assert after == []


def test_silence_is_told_once() -> None:
    codec = LiveChessCodec()
    codec.due(0)

    faults = [codec.due(n * SECOND)[1] for n in range(1, 9)]

    assert [f.noise for found in faults for f in found if isinstance(f, Fault)] == [Noise.SILENT]


def test_a_livechess_that_was_stuck_shows_its_board_again_though_nobody_moved() -> None:
    codec, emulator = LiveChessCodec("12345"), LiveChessEmulator()
    talk(codec, emulator, 0, 15 * SECOND)

    stuck = [codec.due(at_ns)[1] for at_ns in range(15 * SECOND, 27 * SECOND, SECOND // 10)]
    back = talk(codec, emulator, 27 * SECOND, 31 * SECOND)

    assert [f.noise for found in stuck for f in found if isinstance(f, Fault)] == [Noise.SILENT]
    assert [type(event) for event in back] == [Identity, Scan, ClockGone]


@pytest.mark.parametrize("late_s", [2, 4, 10])
def test_a_livechess_that_always_answers_late_is_read_and_told(late_s: int) -> None:
    """From 3 s on no answer was taken for one: its board never came."""
    codec, emulator, answers = LiveChessCodec("12345"), LiveChessEmulator(), deque[bytes]()
    events: list[DeviceEvent] = []
    for at_ns in range(0, 120 * SECOND, SECOND // 10):
        if codec.due_at_ns is not None and codec.due_at_ns <= at_ns:
            out, found = codec.due(at_ns)
            events += found
            emulator.receive(out, at_ns)
        answers.append(emulator.advance(at_ns))
        if len(answers) > 10 * late_s:
            events += codec.receive(answers.popleft(), at_ns)
    noises = [event.noise for event in events if isinstance(event, Fault)]

    assert any(isinstance(event, Scan) for event in events)
    assert noises.count(Noise.SILENT) == (late_s > 3), "at most until its first answer"
    assert (Noise.LATE in noises) is (late_s > 3)
    assert set(noises) <= {Noise.SILENT, Noise.LATE}


def test_an_error_is_an_answer_and_no_silence() -> None:
    codec = LiveChessCodec("12345")
    codec.due(0)
    said = {"response": "error", "id": 1, "param": {"message": "no such board"}, "time": 0}

    (fault,) = codec.receive(json.dumps(said).encode() + b"\n", SECOND)

    assert isinstance(fault, Fault)
    assert (fault.noise, fault.note) == (Noise.UNEXPECTED_REPLY, "no such board")
    assert [codec.due(n * SECOND)[1] for n in range(1, 10)] == [[]] * 9


def conversation() -> bytes:
    """All that a LiveChess says in a short session."""
    codec, emulator, heard = LiveChessCodec(), LiveChessEmulator(), b""
    for at_ns in range(0, 4 * SECOND, SECOND // 10):
        if codec.due_at_ns is not None and codec.due_at_ns <= at_ns:
            emulator.receive(codec.due(at_ns)[0], at_ns)
        data = emulator.advance(at_ns)
        codec.receive(data, at_ns)
        heard += data
        if at_ns == 2 * SECOND:
            emulator.set_square(52, ".", at_ns)
    return heard


HEARD = conversation()


def listening() -> LiveChessCodec:
    """A codec that has asked both its questions."""
    codec = LiveChessCodec("12345")
    codec.due(0)
    codec.due(10 * SECOND)
    return codec


@given(st.lists(st.integers(0, len(HEARD))))
def test_events_do_not_depend_on_where_the_reads_fall(cuts: list[int]) -> None:
    whole = listening().receive(HEARD, 0)
    codec, pieces = listening(), []
    for begin, end in pairwise([0, *sorted(cuts), len(HEARD)]):
        pieces += codec.receive(HEARD[begin:end], 0)

    assert whole == pieces


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["response", "id", "param", "board", "clock", "white", "run", "serialnr"]
            ),
            inner,
        )
    ),
    max_leaves=12,
)


@given(st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
def test_no_bytes_can_raise_or_jam_the_codec(rubbish: bytes) -> None:
    codec = listening()
    codec.receive(rubbish + b"\n", 0)
    frame = {"response": "feed", "id": 1, "param": {"serialnr": "12345", "board": "8/" * 7 + "8"}}

    (scan,) = codec.receive(json.dumps(frame).encode() + b"\n", 0)

    assert isinstance(scan, Scan)
