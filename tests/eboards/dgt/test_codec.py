"""The codec of one DGT board: bytes in, events out."""

from __future__ import annotations

import base64
from collections import Counter
from itertools import pairwise
from random import Random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eboards.codec import AskBoard, SetClock, ShowText
from eboards.dgt.codec import LOSSY_SETTLE_NS, LOST_NS, SETTLE_NS, DgtCodec
from eboards.events import (
    CHESS_BOARD,
    Battery,
    Button,
    ClockGone,
    ClockReading,
    ClockReply,
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


@pytest.mark.parametrize("message", [LIFT_E2, PLACE_E4, DUMP])
def test_a_byte_that_comes_twice_has_the_whole_board_asked_for(message: bytes) -> None:
    """It moves the rest of its message one place on; what is left over behind it says so."""
    for place in range(1, len(message) - 1):
        shell = Shell(DgtCodec(), ANSWERS)
        shell.until(5 * S)
        twice = message[: place + 1] + message[place:]
        shell.codec.receive(twice + RUNNING, 5 * S)
        shell.until(5 * S + 700_000_000)
        assert shell.bytes_sent(5 * S).count(b"\x42") == 1, place
        shown = [event for event in shell.events if isinstance(event, Scan)][-1]
        assert "".join(shown.placement) == START


@pytest.mark.slow
def test_a_lost_byte_costs_one_event_in_the_whole_game() -> None:
    wire = b"".join(recorded())
    assert all(lost(wire, place).total() == 1 for place in range(len(wire)))


# What it asks, and when.


class Shell:
    """Time goes by; the board answers what `answers` says, byte for byte."""

    def __init__(self, codec: DgtCodec, answers: dict[bytes, bytes]) -> None:
        self.codec = codec
        self.answers = answers
        self.sent: list[tuple[int, bytes]] = []
        self.events: list[DeviceEvent] = []

    def until(self, at_ns: int) -> None:
        while (due_ns := self.codec.due_at_ns) is not None and due_ns <= at_ns:
            data, events = self.codec.due(due_ns)
            self.events += events
            if data:
                self.sent.append((due_ns, data))
                self.events += self.codec.receive(self.answers.get(data, b""), due_ns)

    def bytes_sent(self, since_ns: int = 0) -> bytes:
        return b"".join(data for at_ns, data in self.sent if at_ns >= since_ns)


CHARGED = bytes.fromhex("a0000c587f7f011700041e02")
"""88 percent, discharging."""

ANSWERS = {
    b"\x4d": bytes.fromhex("9300050108"),
    b"\x45": bytes.fromhex("9100083133313136"),
    b"\x46": bytes.fromhex("900005663c"),
    b"\x42": DUMP,
    b"\x41": bytes.fromhex("8d000a20030220030208"),
}


def test_the_start_up_asks_who_and_what_one_question_at_a_time() -> None:
    shell = Shell(DgtCodec(), ANSWERS)

    shell.until(2 * S)

    assert shell.bytes_sent().startswith(bytes.fromhex("40 4d 45 55 46 4b 42 41"))
    gaps = [later - before for (before, _), (later, _) in pairwise(shell.sent)]
    assert gaps[0] == 200_000_000
    assert min(gaps) >= 100_000_000
    identities = [event for event in shell.events if isinstance(event, Identity)]
    last = identities[-1]
    assert (last.serial, last.firmware, last.bus_address) == ("13116", "1.8", 13116)


def test_a_board_of_the_bluetooth_kind_says_how_long_it_lasts_and_again_when_that_is_news() -> None:
    charged = {b"\x4d": bytes.fromhex("930005030a"), b"\x4c": CHARGED}
    shell = Shell(DgtCodec(), ANSWERS | charged)

    shell.until(700 * S)
    shell.answers[b"\x4c"] = CHARGED[:3] + b"\x09" + CHARGED[4:]
    shell.until(1000 * S)

    told = [event for event in shell.events if isinstance(event, Battery)]
    assert [(each.percent, each.charging) for each in told] == [(88, False), (9, False)]
    assert told[0].at_ns < 3 * S
    assert shell.bytes_sent().startswith(bytes.fromhex("40 4d 45 55 46 4b 42 41 4c"))


def test_a_board_that_has_no_battery_is_never_asked_for_it() -> None:
    shell = Shell(DgtCodec(), ANSWERS)

    shell.until(700 * S)

    assert b"\x4c" not in shell.bytes_sent()


def test_a_quiet_board_is_asked_for_its_number_every_second_and_a_quarter() -> None:
    shell = Shell(DgtCodec(), ANSWERS)

    shell.until(20 * S)

    asked = [at_ns for at_ns, data in shell.sent if data == b"\x45"]
    gaps = {later - before for before, later in pairwise(asked[1:])}
    quiet_ns = S + 250_000_000
    assert gaps == {quiet_ns, quiet_ns + 100_000_000}, "updates are asked for behind every third"
    assert not any(isinstance(event, Fault) for event in shell.events)


@pytest.mark.parametrize("late_ns", [0, 50_000_000, 200_000_000])
def test_a_board_whose_clock_runs_is_asked_for_no_number(late_ns: int) -> None:
    """Its clock says each second that both are there, if not to the millisecond."""
    times = [bytes.fromhex(f"8d000a2130302129{left_s:02}09") for left_s in range(59, 29, -1)]
    shell = Shell(DgtCodec(), {**ANSWERS, b"\x41": times[0]})
    shell.until(3 * S)

    for second, told in enumerate(times, 3):
        at_ns = second * S + late_ns * (second % 2)
        shell.until(at_ns)
        shell.codec.receive(told, at_ns)

    assert b"\x45" not in shell.bytes_sent(since_ns=4 * S)


def test_a_silent_board_is_lost_after_three_seconds_and_asked_again_for_good() -> None:
    shell = Shell(DgtCodec(), dict(ANSWERS))
    shell.until(10 * S)
    heard_ns = max(at_ns for at_ns, data in shell.sent if data in ANSWERS)
    shell.answers.clear()

    shell.until(60 * S)

    silent = [event for event in shell.events if isinstance(event, Fault)]
    assert silent == [Fault(heard_ns + LOST_NS, Noise.SILENT, note="no answer for 3 s")]
    shell.answers.update(ANSWERS)
    shell.until(66 * S)
    again = shell.events[shell.events.index(silent[0]) + 1 :]
    assert {Identity, Scan, ClockReading} <= {type(event) for event in again}, "all anew"
    assert b"\x4b\x42\x41" in shell.bytes_sent(60 * S)


def test_a_device_that_answers_rubbish_is_called_another_device() -> None:
    shell = Shell(DgtCodec(), {})
    shell.codec.due(0)
    shell.codec.receive(b"ERROR\r\n", S)

    shell.until(6 * S)

    (silent,) = [e for e in shell.events if isinstance(e, Fault) and e.noise is Noise.SILENT]
    assert silent.note == "answers what no DGT board would: another device, or a bad cable?"


@pytest.mark.parametrize("seed", range(5))
def test_a_device_that_never_stops_talking_at_another_speed_is_called_another_device(
    seed: int,
) -> None:
    dice, shell = Random(seed), Shell(DgtCodec(), {})
    for tenth in range(100):
        shell.until(tenth * S // 10)
        shell.events += shell.codec.receive(dice.randbytes(20), tenth * S // 10)

    (silent,) = [e for e in shell.events if isinstance(e, Fault) and e.noise is Noise.SILENT]
    assert silent.note == "answers what no DGT board would: another device, or a bad cable?"
    assert facts(shell.events) == []


def test_half_a_message_for_three_seconds_hints_at_the_cable() -> None:
    shell = Shell(DgtCodec(), ANSWERS)
    shell.until(2 * S)
    shell.answers = {}
    shell.events.clear()
    shell.codec.receive(DUMP[:40], 2 * S)

    shell.until(6 * S)

    assert [event.noise for event in shell.events if isinstance(event, Fault)] == [
        Noise.CUT_OFF,
        Noise.SILENT,
    ]
    assert "cable" in repr(shell.events[-1])


def test_a_board_that_still_talks_is_not_lost_in_the_middle_of_a_long_message() -> None:
    shell = Shell(DgtCodec(), ANSWERS)
    shell.until(2 * S)
    shell.answers, shell.events = {}, []
    shell.codec.receive(b"\x8f\x3e\x03", 2 * S)
    for tenth in range(20, 100):
        shell.until(tenth * S // 10)
        shell.codec.receive(b"\x7f" * 99, tenth * S // 10)

    assert shell.events == []


def test_after_a_move_the_whole_board_is_asked_for_once() -> None:
    shell = Shell(DgtCodec(), ANSWERS)
    shell.until(5 * S)
    shell.codec.receive(LIFT_E2, 5 * S)
    shell.until(5 * S + 300_000_000)
    shell.codec.receive(PLACE_E4, 5 * S + 300_000_000)

    shell.until(8 * S)

    asked = [at_ns for at_ns, data in shell.sent if data == b"\x42" and at_ns > 5 * S]
    assert asked == [5 * S + 300_000_000 + SETTLE_NS]


def test_where_a_message_was_lost_the_whole_board_is_asked_for_sooner_for_a_minute() -> None:
    shell = Shell(DgtCodec(), ANSWERS)
    shell.until(5 * S)
    shell.codec.receive(LIFT_E2, 5 * S)
    shell.until(8 * S)  # The board shows that the pawn is back: its landing was lost.
    shell.codec.receive(LIFT_E2, 8 * S)
    shell.until(80 * S)
    shell.codec.receive(PLACE_E4, 80 * S)
    shell.until(83 * S)

    asked = [at_ns for at_ns, data in shell.sent if data == b"\x42"]
    assert 5 * S + SETTLE_NS in asked
    assert 8 * S + LOSSY_SETTLE_NS in asked
    assert 80 * S + SETTLE_NS in asked


@pytest.mark.parametrize("answer", [b"", DUMP[:-1] + DUMP[-2:], DUMP[:20] + DUMP[19:]])
def test_a_whole_board_that_comes_damaged_is_asked_for_until_it_comes_whole(answer: bytes) -> None:
    """After two tries it was left at that for a minute, with a move in it that nobody saw."""
    shell = Shell(DgtCodec(), ANSWERS)
    shell.until(5 * S)
    shell.answers = {**ANSWERS, b"\x42": answer}
    shell.codec.receive(LIFT_E2, 5 * S)
    shell.until(30 * S)
    shell.answers, before = ANSWERS, len(shell.events)
    shell.until(35 * S)

    assert shell.bytes_sent(6 * S).count(b"\x42") in range(12, 30)
    shown = [event for event in shell.events[before:] if isinstance(event, Scan)]
    assert "".join(shown[-1].placement) == START


def test_a_whole_board_with_one_wrong_bit_is_put_right_though_nobody_moves() -> None:
    """It stood for a minute: no length and no checksum tells of it."""
    shell = Shell(DgtCodec(), ANSWERS)
    shell.until(5 * S)
    e2 = 3 + square("e2")
    shell.answers = {**ANSWERS, b"\x42": DUMP[:e2] + b"\x00" + DUMP[e2 + 1 :]}
    shell.codec.send(AskBoard(), 5 * S)
    shell.until(6 * S)
    shell.answers = ANSWERS
    shell.until(9 * S)

    shown = ["".join(event.placement) for event in shell.events if isinstance(event, Scan)]
    assert START.replace("PPPPPPPP", "PPPP.PPP") in shown
    assert shown[-1] == START


def test_a_press_asks_for_the_whole_board() -> None:
    shell = Shell(DgtCodec(), ANSWERS)
    shell.until(5 * S)
    shell.codec.receive(bytes.fromhex("8d000a20030220030113"), 5 * S)

    shell.until(5 * S + 100_000_000)

    assert shell.bytes_sent(5 * S).endswith(b"\x42")


def test_a_request_of_the_caller_waits_for_its_turn() -> None:
    codec = DgtCodec()
    assert codec.send(AskBoard(), 0) == b"", "nothing goes before the start-up"
    shell = Shell(DgtCodec(), ANSWERS)
    shell.until(5 * S)
    shell.sent.clear()

    shell.codec.send(AskBoard(), 5 * S)
    shell.codec.send(AskBoard(), 5 * S)
    shell.until(5 * S + 100_000_000)

    assert shell.bytes_sent() == b"\x42", "asked once, at once"


# Clock commands.

SET = SetClock(left_ms=5_400_000, right_ms=5_400_000, running=Side.LEFT)
SET_BYTES = bytes.fromhex("2b0a030a 011e00 011e00 09 00")
ACK = "8d000a0a100a0a000000"
REFUSAL = "8d000a0a400a0a000000"


def setting(ack: str) -> Shell:
    shell = Shell(DgtCodec(), {**ANSWERS, SET_BYTES: bytes.fromhex(ack)})
    shell.until(5 * S)
    shell.events.clear()
    shell.codec.send(SET, 5 * S)
    shell.until(5 * S + 500_000_000)
    return shell


def replies(shell: Shell) -> list[ClockReply]:
    return [event for event in shell.events if isinstance(event, ClockReply)]


def test_the_clock_is_set_and_says_so() -> None:
    shell = setting(ACK)

    assert [(reply.command, reply.accepted) for reply in replies(shell)] == [("set-clock", True)]


def test_a_clock_that_refuses_to_be_set_is_heard() -> None:
    (reply,) = replies(setting(REFUSAL))

    assert not reply.accepted
    assert "refused (40)" in reply.detail


def test_a_lost_acknowledgement_is_waited_for_three_times_two_seconds() -> None:
    shell = setting("")
    shell.until(20 * S)

    tried = [at_ns for at_ns, data in shell.sent if data == SET_BYTES]
    gaps = [later - before for before, later in pairwise(tried)]
    assert len(gaps) == 2
    assert all(2 * S <= gap < 2.3 * S for gap in gaps), "the board's keep-alive may go first"
    (reply,) = replies(shell)
    assert not reply.accepted
    assert 2 * S <= reply.at_ns - tried[-1] < 2.3 * S


@pytest.mark.parametrize(
    ("version", "text"),
    [
        ("8d000a0a10090a200000", "2b0c030c 65322d6534202020 00 00"),
        ("8d000a0a10090a1e0000", "2b0b0301 405b7b 00667b 00 01 00"),
    ],
    ids=["DGT 3000", "DGT XL"],
)
def test_a_text_takes_the_form_the_clock_can_show(version: str, text: str) -> None:
    """Segments travel as C B A F E D."""
    ask_version = bytes.fromhex("2b03030900")
    shell = Shell(DgtCodec(), {**ANSWERS, ask_version: bytes.fromhex(version)})
    shell.until(5 * S)
    shell.codec.send(ShowText("e2-e4"), 5 * S)

    shell.until(7 * S)

    assert bytes.fromhex(text) in [data for _, data in shell.sent]


def test_a_text_for_a_clock_that_does_not_say_what_it_is_fails_aloud() -> None:
    shell = Shell(DgtCodec(), ANSWERS)
    shell.until(5 * S)
    shell.codec.send(ShowText("e2-e4"), 5 * S)

    shell.until(20 * S)

    assert [(reply.command, reply.accepted) for reply in replies(shell)] == [
        ("version", False),
        ("show-text", False),
    ]
