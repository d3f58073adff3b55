"""Whatever comes over a wire: no codec raises, and what it says is in its bounds or a fault."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from typing import Any, get_args

import pytest

from arbiterd.journal.encode import decode, encode
from eboards.bounds import FIELDS, MOVES_MAX, bounded
from eboards.codec import AskBoard, Codec
from eboards.csa.codec import CsaCodec
from eboards.events import (
    CHESS_BOARD,
    SHOGI_BOARD,
    ClockReading,
    DeviceEvent,
    Fault,
    Identity,
    LineReported,
    LinkDown,
    LinkUp,
    Noise,
    Scan,
    SquareChange,
)
from eboards.livechess.codec import LiveChessCodec
from eboards.registry import FAMILIES
from eboards.usi.codec import UsiCodec

SECOND = 1_000_000_000
CODECS = {family.name: family.codec for family in FAMILIES} | {
    "livechess": LiveChessCodec,
    "csa": CsaCodec,
    "usi": UsiCodec,
}
DEEP = "[" * 900 + "]" * 900
SEEDS = range(12)

HUGE = ("1" + "0" * 29, "9" * 5_000, "-1", "1e308", "NaN", "Infinity", "true", '"7"', DEEP, "null")
LIVECHESS = [
    f'{{"response":"feed","id":1,"param":{{"serialnr":"7","clock":{{"white":{n},"black":1,"run":null}}}}}}'
    for n in HUGE
] + [
    '{"response":"call","id":1,"param":[{"serialnr":"\\ud800"}]}',
    '{"response":"call","id":1,"param":[{"serialnr":"7","battery":"' + "9" * 5_000 + '%"}]}',
    '{"response":"call","id":1,"param":[{"serialnr":"7","battery":"' + "9" * 400 + 'V"}]}',
    f'{{"response":"call","id":1,"param":{DEEP}}}',
    f'{{"response":"call","id":1,"param":[{{"serialnr":{DEEP}}}]}}',
    '{"response":"call","id":1,"param":[{"serialnr":"' + "x" * 10_000 + '"}]}',
    '{"response":"call","id":1,"param":[{"serialnr":"\\u001b[2J"}]}',
    f'{{"response":"error","id":1,"param":{{"message":{DEEP}}}}}',
    '{"response":"error","id":1,"param":{"message":"\\ud800\\u001b[31m"}}',
    f'{{"response":"feed","id":1,"param":{{"serialnr":"7","board":{DEEP}}}}}',
    '{"response":"feed","id":1,"param":{"serialnr":"7","board":"' + "8" * 100_000 + '"}}',
    "[" * 100_000,
    '{"response":{"a":1}}',
    '{"response":"call","id":' + "9" * 4_000 + "}",
]  # fmt: skip
CSA = [
    "+", "+7776FU", "T" + "9" * 400, "T" + "9" * 30, "-3334FU,T" + "9" * 900, "T1e9",
    "Time_Unit:" + "9" * 500 + "min", "$TIME:" + "9" * 400 + "+0+0", "$TIME_LIMIT:99999:99+99999",
    "$TIME:0+" + "9" * 9 + "+0", "Total_Time:" + "9" * 400, "Byoyomi:" + "9" * 9, "+7776FU,T1",
    "PI" + "11KY" * 100, "P+00AL" * 100, "%" + "x" * 500, "Your_Turn:", "##[" + "]" * 500,
]  # fmt: skip
USI = [
    "position startpos moves 7g7f", "go btime " + "9" * 5_000 + " wtime 1",
    "go btime 99999999999 wtime 1 byoyomi 5", "position startpos moves " + "7g7f " * 2_500, "go",
    "position sfen " + "9" * 8_000 + " b - 1", "go", "bestmove 3c3d", "gameover win",
]  # fmt: skip


def hold(event: DeviceEvent) -> DeviceEvent:
    """What the table gets of it: it can be written down and read back."""
    told = bounded(event, CHESS_BOARD)
    kind, body = encode(told)
    assert decode(kind, body) == told
    assert len(body) < 200_000
    return told


def drive(codec: Codec, data: bytes, step: int) -> list[DeviceEvent]:
    """As a link does: asked what is due, given bytes as they come."""
    told: list[DeviceEvent] = []
    for number, begin in enumerate(range(0, len(data), step)):
        at_ns = number * SECOND // 20
        due_ns = codec.due_at_ns
        if due_ns is not None and due_ns <= at_ns:
            told += codec.due(at_ns)[1]
        codec.send(AskBoard(), at_ns)
        told += codec.receive(data[begin : begin + step], at_ns)
    return told


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", CODECS)
def test_random_bytes_are_events_within_bounds(name: str, seed: int) -> None:
    dice = Random(f"{name}/{seed}")
    data = dice.randbytes(4_000)
    if seed % 3 == 1:  # Lines and letters, for those that read text.
        data = bytes(dice.choice(b"0123456789abcdefghMPT+-%#:/, \n\r*ID.") for _ in data)
    for event in drive(CODECS[name](), data, dice.choice((1, 7, 64, 4_000))):
        hold(event)


@pytest.mark.parametrize(
    ("codec", "lines"),
    [(LiveChessCodec, LIVECHESS), (CsaCodec, CSA), (UsiCodec, USI)],
    ids=["livechess", "csa", "usi"],
)
def test_what_feeds_send_is_bounded(codec: type[Any], lines: list[str]) -> None:
    reader = codec()
    for number, line in enumerate(lines):
        at_ns = number * 10 * SECOND
        reader.due(at_ns)
        for event in reader.receive(line.encode() + b"\n", at_ns + 1):
            hold(event)
    for event in reader.due(10**15)[1]:
        hold(event)


def test_a_livechess_clock_of_thirty_digits_is_a_fault() -> None:
    codec = LiveChessCodec("7")
    events = [e for line in LIVECHESS[:2] for e in codec.receive(line.encode() + b"\n", 0)]
    assert [type(e) for e in events] == [Fault, Fault]


def test_a_feed_whose_game_never_ends_is_followed_to_a_bound() -> None:
    codec = CsaCodec()
    codec.receive(b"PI\n+\n", 0)
    cycle = b"+2838HI\n-8272HI\n+3828HI\n-7282HI\n"
    told = [e for n in range(MOVES_MAX // 4 + 2) for e in codec.receive(cycle, n)]
    longest = max(len(e.moves) for e in told if isinstance(e, LineReported))
    assert longest == MOVES_MAX
    assert any(isinstance(e, Fault) and "without end" in e.note for e in told)


@pytest.mark.parametrize(
    "event",
    [
        ClockReading(1, 10**29, 0, None, None),
        ClockReading(1, -1, 0, None, None),
        ClockReading(1, 0, 0, None, None, late_ns=10**30),
        Identity(1, "dgt", serial="\ud800"),
        Identity(1, "dgt", trademark="[red]\x1b[2J"),
        Identity(1, "dgt", firmware="x" * 81),
        Scan(1, ("P",) * 81),
        Scan(1, ("PPP",) * 64),
        SquareChange(1, 64, "P"),
        SquareChange(1, 3, "\ud800"),
        LineReported(1, "", ("7g7f",) * (MOVES_MAX + 1)),
        LineReported(1, "", (), (10**30,)),
    ],
)
def test_what_is_beyond_is_a_fault_that_names_it(event: DeviceEvent) -> None:
    fault = bounded(event, CHESS_BOARD)
    assert isinstance(fault, Fault)
    assert fault.noise is Noise.RANGE
    assert type(event).__name__ in fault.note
    hold(fault)


def test_what_a_board_of_nine_by_nine_shows_is_within_its_own_bounds() -> None:
    scan = Scan(1, (*("+P",) * 80, "."))
    assert bounded(scan, SHOGI_BOARD) is scan


def test_every_field_of_every_event_has_a_bound() -> None:
    for kind in get_args(DeviceEvent):
        if kind not in (Fault, LinkUp, LinkDown):
            assert {field.name for field in fields(kind)} - {"at_ns"} == set(FIELDS[kind]), kind


def test_a_fault_is_cut_to_size() -> None:
    fault = hold(Fault(1, Noise.STRAY, b"x" * 10_000, "\x1b[31m\ud800" * 100))
    assert isinstance(fault, Fault)
    assert len(fault.data) <= 256
    assert fault.note.isprintable()
    reason = hold(LinkDown(1, "\x1b[2J" + "x" * 10_000))
    assert isinstance(reason, LinkDown)
    assert reason.reason.isprintable()
