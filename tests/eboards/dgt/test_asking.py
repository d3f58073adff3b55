"""What the driver of a DGT board asks, when, and what it makes of silence and of answers."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from eboards.codec import AskBoard, SetClock, ShowText
from eboards.dgt.codec import LOSSY_SETTLE_NS, LOST_NS, SETTLE_NS, DgtCodec
from eboards.events import (
    Battery,
    ClockReading,
    ClockReply,
    DeviceEvent,
    Fault,
    Identity,
    Noise,
    Scan,
    Side,
)

from .test_codec import DUMP, LIFT_E2, PLACE_E4, RUNNING, START, S, facts, square


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


@pytest.mark.parametrize("digits", [b"7", b"123456", b"1234567890"])
def test_a_board_whose_number_is_shorter_or_longer_is_there_all_the_same(digits: bytes) -> None:
    """Nothing else is asked of a board on which nobody moves."""
    said = bytes((0x91, 0, 3 + len(digits))) + digits
    shell = Shell(DgtCodec(), ANSWERS | {b"\x45": said})

    shell.until(60 * S)

    assert not any(isinstance(event, Fault) for event in shell.events)
    identities = [event for event in shell.events if isinstance(event, Identity)]
    assert identities[-1].serial == digits.decode()


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
