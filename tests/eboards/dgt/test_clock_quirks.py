"""What clocks on DGT boards are known to do, one test each.

Acknowledgements, zero messages and old times follow documents and other people's logs: no
recording of them is public.
"""

from __future__ import annotations

import pytest

from eboards.codec import SetClock, ShowText
from eboards.dgt.codec import DgtCodec
from eboards.dgt.emulated_clock import EmulatedClock, Quirk
from eboards.dgt.emulator import DgtEmulator
from eboards.events import (
    Button,
    ClockGone,
    ClockReading,
    ClockReply,
    DeviceEvent,
    Fault,
    Noise,
    Remembered,
    Side,
)

S = 1_000_000_000
MS = 1_000_000
SET = SetClock(left_ms=5_400_000, right_ms=5_400_000, running=None)


class Cable:
    """A codec, an emulated board with a clock, and the time on both."""

    def __init__(self, clock: EmulatedClock, *, poll_ns: int = S) -> None:
        self.emulator = DgtEmulator(clock=clock, poll_ns=poll_ns)
        self.codec = DgtCodec()
        self.events: list[DeviceEvent] = []
        self.written: list[bytes] = []
        self.until(5 * S)
        self.events.clear()
        self.written.clear()

    def until(self, at_ns: int) -> None:
        while True:
            times = [t for t in (self.codec.due_at_ns, self.emulator.due_at_ns) if t is not None]
            now_ns = min(times)
            if now_ns > at_ns:
                return
            self.events += self.codec.receive(self.emulator.advance(now_ns), now_ns)
            if self.codec.due_at_ns is not None and self.codec.due_at_ns <= now_ns:
                data, events = self.codec.due(now_ns)
                self.written.append(data)
                self.events += events
                self.emulator.receive(data, now_ns)

    @property
    def replies(self) -> list[tuple[str, bool]]:
        return [(e.command, e.accepted) for e in self.events if isinstance(e, ClockReply)]

    @property
    def readings(self) -> list[ClockReading]:
        return [event for event in self.events if isinstance(event, ClockReading)]

    @property
    def faults(self) -> list[Noise]:
        return [event.noise for event in self.events if isinstance(event, Fault)]

    def order(self, command: SetClock | ShowText) -> None:
        self.codec.send(command, 5 * S)


def heard(*texts: str) -> list[DeviceEvent]:
    """Messages, a second apart, through one codec."""
    codec = DgtCodec()
    return [
        event
        for second, text in enumerate(texts)
        for event in codec.receive(bytes.fromhex(text), second * S)
    ]


def times(events: list[DeviceEvent]) -> list[tuple[int, int]]:
    return [(e.left_ms // 1000, e.right_ms // 1000) for e in events if isinstance(e, ClockReading)]


def test_a_press_is_reported_with_its_uncertainty() -> None:
    """The board hears the clock once a second: so much earlier the hand may have come."""
    cable = Cable(EmulatedClock(180_000, 180_000))
    cable.emulator.start(5 * S)
    cable.until(7 * S)
    pressed_ns = 7 * S + 300 * MS
    cable.emulator.press("left", pressed_ns)
    cable.until(9 * S)

    (first,) = [e for e in cable.readings if e.lever is Side.RIGHT][:1]
    assert first.at_ns - first.late_ns <= pressed_ns <= first.at_ns


def test_two_presses_between_two_readings_are_not_seen_and_not_invented() -> None:
    cable = Cable(EmulatedClock(180_000, 180_000))
    cable.emulator.start(5 * S)
    cable.until(7 * S)
    cable.emulator.press("left", 7 * S + 200 * MS)
    cable.emulator.press("right", 7 * S + 700 * MS)
    cable.until(9 * S)

    assert {reading.lever for reading in cable.readings} == {Side.LEFT}


def test_a_command_goes_out_only_when_the_one_before_was_acknowledged() -> None:
    cable = Cable(EmulatedClock(pc_mode=True, acks_to_lose=2))
    cable.order(SET)
    cable.order(ShowText("hello"))
    cable.until(8 * S)
    assert not any(data.startswith(b"\x2b\x0c") for data in cable.written)

    cable.until(20 * S)

    assert cable.replies == [("set-clock", True), ("version", True), ("show-text", True)]
    assert cable.emulator.clock is not None
    assert cable.emulator.clock.text == "hello   "


@pytest.mark.parametrize(("lost", "done"), [(0, True), (1, True), (2, True), (3, False)])
def test_a_lost_acknowledgement_is_asked_for_again_three_times_in_all(
    lost: int, done: bool
) -> None:
    cable = Cable(EmulatedClock(pc_mode=True, acks_to_lose=lost))
    cable.order(SET)
    cable.until(20 * S)

    assert cable.replies == [("set-clock", done)]


def test_an_acknowledgement_of_the_command_before_is_not_taken_for_this_one() -> None:
    quirks = frozenset({Quirk.PREVIOUS_ACK})
    cable = Cable(EmulatedClock(quirks=quirks))
    cable.order(ShowText("hello"))
    cable.order(SET)
    cable.until(20 * S)

    assert cable.replies == [("version", True), ("set-clock", False), ("show-text", True)]
    assert Noise.UNEXPECTED_REPLY in cable.faults


def test_a_repeated_acknowledgement_is_no_second_one() -> None:
    cable = Cable(EmulatedClock(pc_mode=True, quirks=frozenset({Quirk.REPEATED_ACK})))
    cable.order(SET)
    cable.until(20 * S)

    assert cable.replies == [("set-clock", True)]
    assert cable.faults == []


def test_a_repeated_button_is_one_press() -> None:
    ok = "8d000a0a10082a413500"
    codec = DgtCodec()
    events = [
        event
        for at_ns in (0, 300 * MS, 700 * MS, 3 * S)
        for event in codec.receive(bytes.fromhex(ok), at_ns)
    ]

    assert events == [Button(0, "ok"), Button(3 * S, "ok")]


def test_a_message_of_zeros_says_nothing() -> None:
    cable = Cable(EmulatedClock(pc_mode=True, quirks=frozenset({Quirk.ZERO_MESSAGE})))
    cable.order(SET)
    cable.until(20 * S)

    assert (0, 0) not in times(cable.events)
    assert cable.faults == []


def test_old_times_behind_new_ones_are_not_believed() -> None:
    clock = EmulatedClock(300_000, 300_000, pc_mode=True, quirks=frozenset({Quirk.STALE_TIMES}))
    cable = Cable(clock)
    cable.emulator.start(5 * S)
    cable.until(5 * S)
    cable.order(SET)
    cable.until(20 * S)

    assert cable.replies == [("set-clock", True)]
    assert set(times(cable.events)) == {(5400, 5400)}


def test_times_that_were_refused_do_not_hide_the_true_ones() -> None:
    cable = Cable(EmulatedClock(300_000, 300_000))
    cable.emulator.start(5 * S)
    cable.order(SET)
    cable.until(8 * S)

    assert cable.replies == [("set-clock", False)]
    assert times(cable.events)[-1] == (297, 300)


def test_an_hour_gained_in_a_moment_is_noise_unless_it_stays() -> None:
    noise = heard("8d000a00050000050009", "8d000a00050052045909", "8d000a00050000045809")
    period = heard("8d000a00050000000009", "8d000a00050061003009", "8d000a00050061002909")

    assert times(noise) == [(300, 300), (298, 300)]
    assert times(period) == [(0, 300), (3629, 300)]
    assert [e.noise for e in noise + period if isinstance(e, Fault)] == [Noise.RANGE] * 2


def test_two_hours_gained_that_differ_are_both_noise() -> None:
    """A second reading confirms a doubtful one only if it says the same."""
    true, next_but_one = "8d000a00050000050009", "8d000a00050000045709"
    noise = heard(true, "8d000a00050001045909", "8d000a00050002045809", next_but_one)

    assert times(noise) == [(300, 300), (297, 300)]
    assert [e.noise for e in noise if isinstance(e, Fault)] == [Noise.RANGE] * 2


@pytest.mark.parametrize("left", [True, False], ids=["left", "right"])
def test_a_clock_that_counts_upwards_once_its_flag_is_down_is_told_each_second(left: bool) -> None:
    def shows(running: str) -> str:
        return f"8d000a000500{running}09" if left else f"8d000a{running}00050013"

    events = heard(*map(shows, ("000001", "400000", "400001", "400002")))
    readings = [event for event in events if isinstance(event, ClockReading)]

    assert [(e.left_ms if left else e.right_ms) // 1000 for e in readings] == [1, 0, 1, 2]
    assert [e.left_flag if left else e.right_flag for e in readings] == [False, True, True, True]
    assert [event for event in events if isinstance(event, Fault)] == []


@pytest.mark.parametrize("lost", range(3, 10))
@pytest.mark.parametrize("body", ["20125820125909", "20005820415909", "25415820005913"])
def test_two_messages_that_became_one_are_no_time_and_no_flag(body: str, lost: int) -> None:
    """A byte of one and the begin of the next are lost: ten bytes that are a message all the same.

    Whatever digits stand in the wrong places, the times before, the times after and the flags are
    the true ones, a second late at most.
    """
    first, second, third = (
        bytes.fromhex(
            "8d000a" + body.replace("58", f"{58 - second}").replace("59", f"{59 - second}")
        )
        for second in range(3)
    )
    merged = first[:lost] + first[lost + 1 :] + second[1:]
    codec = DgtCodec()
    events = [
        event
        for at_s, data in enumerate((first, merged, third, third))
        for event in codec.receive(data, at_s * S)
    ]
    true = set(times(heard(first.hex(), second.hex(), third.hex())))

    assert set(times(events)) <= true
    assert times(events)[-1] == times(heard(third.hex()))[-1]
    assert not any(e.left_flag or e.right_flag for e in events if isinstance(e, ClockReading))


def test_a_flag_that_is_shown_beside_time_waits_for_a_second_reading() -> None:
    """A bit that flipped is gone in the next one; a period that began stays."""
    flipped = heard("8d000a00050000050009", "8d000a00050040045909", "8d000a00050000045809")
    begun = heard("8d000a00050000000109", "8d000a00050040300009", "8d000a00050040295909")

    assert [e.left_flag for e in flipped if isinstance(e, ClockReading)] == [False, False]
    assert [e.left_flag for e in begun if isinstance(e, ClockReading)] == [False, True]
    late = [e.late_ns for e in begun if isinstance(e, ClockReading)]
    assert late == [S, 2 * S], "it may have been so since before the first of the two"


def test_an_hour_set_by_hand_while_the_clock_stands_is_believed_at_once() -> None:
    assert times(heard("8d000a00050000050008", "8d000a01300001300008")) == [
        (300, 300),
        (5400, 5400),
    ]


def test_an_hour_set_by_hand_within_a_second_of_the_stop_waits_for_a_second_reading() -> None:
    stopped = "8d000a01300001300008"
    assert times(heard("8d000a00050000050009", stopped)) == [(300, 300)]
    assert times(heard("8d000a00050000050009", stopped, stopped)) == [(300, 300), (5400, 5400)]


@pytest.mark.parametrize("before", [(), ("8d000a00050000050009",), ("8d000a00050000050008",)])
def test_no_flag_beside_time_is_believed_at_once(before: tuple[str, ...]) -> None:
    """Whether the clock runs, has stopped just now, stands, or was never heard."""
    for state in ("08", "09"):
        flagged = f"8d000a000500400459{state}"
        once, twice = heard(*before, flagged), heard(*before, flagged, flagged)
        assert not any(e.left_flag for e in once if isinstance(e, ClockReading))
        assert [e.left_flag for e in twice if isinstance(e, ClockReading)][-1]


def test_no_clock_beside_a_time_waits_for_a_second_word() -> None:
    """One bit makes a reading say that there is no clock; then anything would be its first time."""
    reading, flipped = "8d000a00050000050009", "8d000a00050000045929"

    assert not any(isinstance(event, ClockGone) for event in heard(reading, flipped))
    assert any(isinstance(event, ClockGone) for event in heard(reading, flipped, flipped))
    assert times(heard(reading, flipped, "8d000a00050000045809"))[-1] == (298, 300)
    assert heard(reading, "8d000a00000000000020")[-1:] == [ClockGone(S)]


@pytest.mark.parametrize(
    "body", ["0a0a0a00050009", "00600000050009", "00056000050009", "000a0000050009", "0f0500000500"]
)
def test_impossible_digits_are_no_time(body: str) -> None:
    events = heard(f"8d000a{body:0<14}")

    assert times(events) == []
    assert events, "and it is said, or it is an acknowledgement nobody asked for"


@pytest.mark.parametrize("runs", ["09", "11"], ids=["newer", "older"])
def test_one_bit_of_the_lever_that_came_as_another_is_no_press(runs: str) -> None:
    """Two presses nobody made came of it. The turn bits would have to be others as well, whichever
    way this generation has them."""
    flipped = f"{int(runs, 16) ^ 2:02x}"
    one, two, three, four = (f"8d000a0005000004{59 - n}" for n in range(4))
    before = (one + runs, two + runs)

    once = heard(*before, three + flipped, four + runs)
    stays = heard(*before, three + flipped, four + flipped)

    levers = [event.lever for event in once if isinstance(event, ClockReading)]
    assert levers == [Side.LEFT] * 3
    assert [e.lever for e in stays if isinstance(e, ClockReading)][-1] is Side.RIGHT


@pytest.mark.parametrize("bit", range(7))
@pytest.mark.parametrize("place", range(3, 9))
def test_one_bit_of_a_time_that_came_as_another_gives_nobody_time(place: int, bit: int) -> None:
    """Each is told as a fault, once the next reading says otherwise; with a time control known a
    false time was an urgent clock-time-jump."""
    messages = [bytearray.fromhex(f"8d000a2002432004{59 - n}09") for n in range(5)]
    messages[2][place] ^= 1 << bit
    told = heard(*(message.hex() for message in messages))

    assert times(told)[-1] == (295, 163)
    assert max(left for left, _ in times(told)[2:]) <= 298
    assert max(right for _, right in times(told)) == 163


def test_two_presses_between_two_readings_are_confirmed_and_no_fault() -> None:
    """The side that stood has more, and the lever lies as before."""
    told = heard("8d000a20050020030009", "8d000a20050220030109", "8d000a20050220030009")

    assert times(told) == [(180, 300), (180, 302)]
    assert not any(isinstance(event, Fault) for event in told)
    assert [e.late_ns for e in told if isinstance(e, ClockReading)] == [S, 2 * S]


def test_turn_bits_of_an_older_generation_are_said_once_and_the_lever_counts() -> None:
    cable = Cable(EmulatedClock(180_000, 180_000, quirks=frozenset({Quirk.TURN_BITS_SWAPPED})))
    cable.emulator.start(5 * S)
    cable.until(7 * S)
    cable.emulator.press("left", 7 * S)
    cable.until(10 * S)

    assert [reading.running for reading in cable.readings][-1] is Side.RIGHT
    assert cable.faults.count(Noise.STRANGE_BITS) <= 1


def test_an_error_that_names_no_command_is_the_failure_of_the_one_sent() -> None:
    cable = Cable(EmulatedClock(pc_mode=True, quirks=frozenset({Quirk.ERROR_20})))
    cable.order(SET)
    cable.until(20 * S)

    assert cable.replies == [("set-clock", False)]


def test_a_clock_outside_its_computer_mode_refuses_and_that_is_told() -> None:
    cable = Cable(EmulatedClock(pc_mode=False))
    cable.order(SET)
    cable.until(20 * S)

    (reply,) = (event for event in cable.events if isinstance(event, ClockReply))
    assert (reply.accepted, reply.detail) == (False, "the clock refused (40)")


def test_a_clock_that_does_not_say_its_version_is_read_and_written_as_an_xl() -> None:
    cable = Cable(EmulatedClock(quirks=frozenset({Quirk.NO_VERSION})))
    cable.emulator.start(5 * S)
    cable.order(ShowText("e2e4"))
    cable.until(20 * S)

    assert cable.readings, "what it shows is read without its version"
    assert cable.replies == [("version", False), ("show-text", True)]


def test_a_text_is_ended_before_the_next_and_by_an_empty_one() -> None:
    cable = Cable(EmulatedClock())
    cable.order(ShowText("hello"))
    cable.until(8 * S)
    cable.codec.send(ShowText(""), 8 * S)
    cable.until(10 * S)

    end = bytes.fromhex("2b03030300")
    texts = [data for data in cable.written if data.startswith((end, b"\x2b\x0c"))]
    assert texts == [end, b"\x2b\x0c\x03\x0chello   \x00\x00", end]
    assert cable.emulator.clock is not None
    assert cable.emulator.clock.text == ""
    assert cable.faults == []


def test_a_clock_switched_off_and_on_is_gone_and_there_again() -> None:
    cable = Cable(EmulatedClock(180_000, 180_000))
    cable.emulator.plug_clock(connected=False, at_ns=5 * S)
    cable.until(7 * S)
    assert cable.events == [ClockGone(6 * S)]

    cable.emulator.plug_clock(connected=True, at_ns=7 * S)
    cable.until(9 * S)
    assert times(cable.events) == [(180, 180)]


def test_a_clock_that_says_it_is_ready_is_asked_for_its_times() -> None:
    cable = Cable(EmulatedClock(180_000, 180_000))
    cable.emulator.wire.unasked(bytes.fromhex("0a10012a000000"))
    cable.until(5 * S + 100 * MS)

    assert cable.written == [b"\x41"]
    assert times(cable.events) == [(180, 180)]


def test_eight_hours_are_passed_on_and_pointed_out() -> None:
    events = heard("8d000a00050000050009", "8d000a08000000045909", "8d000a08000000045909")

    assert [e.note for e in events if isinstance(e, Fault)][-1].startswith("8:00:00")
    assert (299, 28_800) in times(events)


def test_battery_and_flags_of_either_kind() -> None:
    (blocked, shown, weak) = (
        heard(text, text)[-1]
        for text in ("8d000a10000000050012", "8d000a40050000050009", "8d000a0005000005000d")
    )

    assert isinstance(blocked, ClockReading)
    assert isinstance(shown, ClockReading)
    assert isinstance(weak, ClockReading)
    assert (blocked.right_flag, blocked.running) == (True, None)
    assert (shown.right_flag, shown.running) == (True, Side.LEFT)
    assert weak.battery_low


def test_a_memory_that_nobody_asked_for_is_taken_as_it_is() -> None:
    emulator = DgtEmulator()
    emulator.receive(b"\x49", 0)

    events = DgtCodec().receive(emulator.advance(0), 0)

    assert [type(event) for event in events] == [Remembered]


def test_a_board_that_asks_its_clock_more_often_is_read_as_well() -> None:
    """Bluetooth boards ask two or three times a second: every second arrives once all the same."""
    cable = Cable(EmulatedClock(180_000, 180_000), poll_ns=400 * MS)
    cable.emulator.start(5 * S)
    cable.until(15 * S)

    assert [left for left, _ in times(cable.events)] == sorted(
        {left for left, _ in times(cable.events)}, reverse=True
    )


def test_reading_a_game_sends_nothing_to_the_clock() -> None:
    cable = Cable(EmulatedClock(180_000, 180_000))
    cable.emulator.start(5 * S)
    cable.until(200 * S)

    assert not any(b"\x2b" in data for data in cable.written)
