"""Recordings of wires, with times and without."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eboards.dgt.codec import DgtCodec
from eboards.events import ClockReading
from eboards.transport import WireError
from eboards.transport.recording import (
    RecordedBytes,
    Recording,
    RecordingError,
    has_times,
    read_log,
    read_messages,
    write_log,
)
from eboards.transport.replay import ReplayWire, heard, timed
from kept_beside import RECORDED_GAME, kept_beside

S = 1_000_000_000
MS = 1_000_000

STANDS = bytes.fromhex("8d000a20030220030208")
RUNS = bytes.fromhex("8d000a20030220030109")
LATER = bytes.fromhex("8d000a20030220030009")
LIFT = bytes.fromhex("8e00053400")
PLACE = bytes.fromhex("8e00052401")


def times(*messages: bytes) -> list[int]:
    return [at_ns // MS for at_ns, _ in timed(messages, DgtCodec())]


def test_without_a_running_clock_a_message_takes_200_ms() -> None:
    assert times(STANDS, LIFT, PLACE, STANDS) == [0, 200, 400, 600]


def test_a_running_clock_speaks_once_a_second_and_the_rest_is_spread_between() -> None:
    assert times(STANDS, RUNS, LIFT, PLACE, LATER, LATER) == [0, 200, 533, 866, 1200, 2200]


def test_the_message_that_shows_the_clock_stopped_still_took_its_second() -> None:
    assert times(RUNS, LIFT, STANDS, PLACE) == [0, 500, 1000, 1200]


def test_behind_the_last_message_of_a_running_clock_a_message_takes_200_ms() -> None:
    assert times(RUNS, LATER, LIFT, PLACE) == [0, 1000, 1200, 1400]


def test_a_real_game_lasts_as_long_as_its_clock_says() -> None:
    lines = heard(kept_beside(RECORDED_GAME).read_text(), DgtCodec())

    assert len(lines) == 455
    assert lines == sorted(lines, key=lambda line: line[0])
    codec = DgtCodec()
    readings = [
        event
        for at_ns, data in lines
        for event in codec.receive(data, at_ns)
        if isinstance(event, ClockReading)
    ]
    running = [e for e in readings if e.running is not None]
    assert running[-1].at_ns - running[0].at_ns == (len(running) - 1) * S
    assert readings[-1].at_ns == running[-1].at_ns + S


SAID = st.builds(
    RecordedBytes,
    at_ns=st.integers(0, 10**15),
    direction=st.sampled_from("<>"),
    data=st.binary(max_size=20),
)


@given(st.lists(SAID).map(lambda said: sorted(said, key=lambda each: each.at_ns)))
def test_what_is_written_is_read_again_to_the_nanosecond(said: list[RecordedBytes]) -> None:
    out = io.StringIO()
    write_log(out, said, {"Device": "DGT, 13116, 1.8", "Notes": "two: reads"})

    again = read_log(out.getvalue())

    assert again == Recording(tuple(said), {"Device": "DGT, 13116, 1.8", "Notes": "two: reads"})
    assert has_times(out.getvalue())


def test_a_log_as_people_write_it() -> None:
    log = read_log("# Device: any\n\n  0    < 8e 00 05 34 00\n 210.5 >42\n")

    assert log.head == {"Device": "any"}
    assert log.said == (RecordedBytes(0, "<", LIFT), RecordedBytes(210_500_000, ">", b"\x42"))
    assert log.heard == ((0, LIFT),)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("0 < 8e\nsoon < 00", "line 2: write `milliseconds < bytes`"),
        ("0 < 8", "line 1"),
        ("0 < 8e\n1 < " + "8e " * 70_000, "line 2: write `milliseconds < bytes`"),
        ("5 < 8e\n4 < 00", "line 2: 4 ms is before the line above"),
    ],
)
def test_a_log_that_is_none_names_the_line(text: str, complaint: str) -> None:
    with pytest.raises(RecordingError, match=complaint):
        read_log(text)


def test_messages_that_are_not_base64_name_the_line() -> None:
    with pytest.raises(RecordingError, match="line 2: not base64"):
        read_messages("jgAFNAA=\n!!!\n")


async def test_a_recording_is_a_wire_that_speaks_at_its_times() -> None:
    now = [5 * S]

    async def until(at_ns: int) -> None:
        now[0] = at_ns

    wire = ReplayWire([(0, LIFT), (300 * MS, PLACE)], "game.log", lambda: now[0], until)

    assert (await wire.read()).at_ns == 5 * S
    assert (await wire.read()).at_ns == 5 * S + 300 * MS
    with pytest.raises(WireError, match=r"game\.log has ended"):
        await wire.read()
