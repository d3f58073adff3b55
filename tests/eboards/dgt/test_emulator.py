"""An emulated board on one side, the codec on the other, and byte for byte what goes between."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from random import Random
from typing import Protocol

import pytest

from eboards.dgt.codec import DgtCodec
from eboards.dgt.emulated_board import COIL_NS, SCAN_NS, START
from eboards.dgt.emulated_clock import EmulatedClock, EmulatedClockKind
from eboards.dgt.emulator import Badge, DgtEmulator, DgtPlayer
from eboards.events import (
    CHESS_BOARD,
    Button,
    ClockGone,
    ClockReading,
    DeviceEvent,
    Fault,
    Identity,
    Scan,
    Side,
    SquareChange,
)
from kept_beside import RECORDED_GAME, kept_beside

S = 1_000_000_000
MS = 1_000_000


class Device(Protocol):
    @property
    def due_at_ns(self) -> int | None: ...
    def receive(self, data: bytes, at_ns: int) -> None: ...
    def advance(self, at_ns: int) -> bytes: ...


class Cable:
    """The codec and a device, and time that goes by on both ends."""

    def __init__(self, device: Device, codec: DgtCodec | None = None) -> None:
        self.device = device
        self.codec = codec or DgtCodec()
        self.events: list[DeviceEvent] = []

    def until(self, at_ns: int) -> None:
        while True:
            times = [t for t in (self.codec.due_at_ns, self.device.due_at_ns) if t is not None]
            now_ns = min(times, default=at_ns + 1)
            if now_ns > at_ns:
                return
            self.events += self.codec.receive(self.device.advance(now_ns), now_ns)
            if self.codec.due_at_ns is not None and self.codec.due_at_ns <= now_ns:
                data, events = self.codec.due(now_ns)
                self.events += events
                self.device.receive(data, now_ns)

    def told(self, kind: type[DeviceEvent]) -> Sequence[DeviceEvent]:
        return [event for event in self.events if isinstance(event, kind)]


def asked(emulator: Device, text: str, at_ns: int = 0) -> str:
    emulator.receive(bytes.fromhex(text), at_ns)
    return emulator.advance(at_ns).hex()


def square(name: str) -> int:
    return CHESS_BOARD.square(name)


# Byte for byte.

DUMP = "86004308090a0c0b0a09080707070707070707" + "00" * 32 + "01010101010101010203040605040302"


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("42", DUMP),
        ("41", "8d000a00000000000020"),
        ("45", "9100083133313136"),
        ("46", "900005663c"),
        ("47", "920003"),
        ("4d", "9300050108"),
        ("40", ""),
        ("48", ""),
        ("4c", ""),
        ("55", ""),
        ("00 30 3f 5f", ""),
        ("df0d1203000000000000000000010003023000", ""),
        ("4b42", DUMP),
        ("2b03 030900", ""),
        ("6004 01342400 4d", "9300050108"),
    ],
)
def test_what_an_old_board_answers(command: str, answer: str) -> None:
    assert asked(DgtEmulator(), command) == answer


@pytest.mark.parametrize(
    ("badge", "command", "answer"),
    [
        (Badge(serial="01025"), "46", "9000050801"),
        (Badge(bus_address=16383), "46", "9000057f7f"),
        (Badge(long_serial="13116"), "55", "a2000d30303030303133313136"),
        (Badge(version=(3, 10)), "4d", "930005030a"),
        (Badge(hardware=(1, 2)), "48", "9600050102"),
        (Badge(percent=88), "4c", "a0000c587f7f000000000002"),
        (Badge(trademark="A board"), "47", "92000a4120626f617264"),
    ],
)
def test_what_a_newer_board_answers(badge: Badge, command: str, answer: str) -> None:
    assert asked(DgtEmulator(badge=badge), command) == answer


@pytest.mark.parametrize(
    ("command", "squares", "clock"),
    [
        ("40", False, False),
        ("44", True, False),
        ("43", True, True),
        ("4b", True, True),
        ("4b40", False, False),
        ("4b44", True, False),
        ("4b4a", False, False),
        ("4b87000007", False, False),
    ],
    ids=["idle", "squares", "all", "changes", "idle again", "last wins", "bus", "bus ping"],
)
def test_the_mode_decides_what_is_reported(command: str, squares: bool, clock: bool) -> None:
    emulator = DgtEmulator(clock=EmulatedClock(increment_ms=2000))
    emulator.receive(bytes.fromhex(command), 0)
    emulator.lift(square("e2"), 0)
    emulator.start(0)

    sent = emulator.advance(S).hex()

    assert ("8e00053400" in sent) is squares
    assert ("8d000a2004592005000" in sent or "8d000a20050020045909" in sent) is clock


def test_a_clock_that_stands_is_reported_every_second_only_where_that_is_asked_for() -> None:
    steady, quiet = (DgtEmulator(clock=EmulatedClock()) for _ in range(2))
    steady.receive(b"\x43", 0)
    quiet.receive(b"\x4b", 0)

    assert len(steady.advance(5 * S)) == 5 * 10
    assert quiet.advance(5 * S) == b""


def test_a_running_clock_is_reported_once_a_second_and_no_second_is_missed() -> None:
    emulator = DgtEmulator(clock=EmulatedClock(180_000, 180_000, increment_ms=2000))
    emulator.receive(b"\x4b", 0)
    emulator.start(300 * MS)
    shown = []
    for second in range(1, 30):
        (reading,) = DgtCodec().receive(emulator.advance(second * S), 0)
        assert isinstance(reading, ClockReading)
        shown.append(reading.left_ms)

    assert shown == [180_000 - 1000 * second for second in range(29)]


def test_the_press_arrives_with_its_increment() -> None:
    """As recorded: 2:59 left on the left, then 3:01 with the lever high on the right."""
    emulator = DgtEmulator(clock=EmulatedClock(182_000, 182_000, increment_ms=2000))
    emulator.receive(b"\x4b", 0)
    emulator.start(0)
    emulator.advance(3 * S)
    emulator.press("left", 3 * S + 400 * MS)

    assert emulator.advance(4 * S).hex() == "8d000a20030220030113"


def test_the_flag_falls_and_the_clock_stands() -> None:
    emulator = DgtEmulator(clock=EmulatedClock(41_000, 2_000, increment_ms=2000))
    emulator.receive(b"\x4b", 0)
    emulator.press("left", 0)
    emulator.start(0)

    assert emulator.advance(60 * S).hex().endswith("8d000a30000020004112")


def test_a_further_period_is_added_with_the_flag_shown_and_the_clock_running() -> None:
    emulator = DgtEmulator(clock=EmulatedClock(2_000, 9_000, periods_ms=(1_800_000,)))
    emulator.receive(b"\x4b", 0)
    emulator.start(0)

    assert emulator.advance(2 * S).hex().endswith("8d000a00000940300009")


def test_a_clock_pulled_out_and_put_in_again() -> None:
    emulator = DgtEmulator(clock=EmulatedClock())
    cable = Cable(emulator)
    cable.until(3 * S)
    emulator.plug_clock(connected=False, at_ns=3 * S)
    cable.until(5 * S)
    assert isinstance(cable.events[-1], ClockGone)

    emulator.plug_clock(connected=True, at_ns=5 * S)
    cable.until(7 * S)
    assert isinstance(cable.events[-1], ClockReading)


# The scan.


def test_the_new_square_can_be_reported_before_the_old_one_is_cleared() -> None:
    """A move up the board within one round: the coil of the upper square is read first."""
    emulator = DgtEmulator()
    emulator.receive(b"\x4b", 0)
    emulator.lift(square("e2"), 0)
    emulator.place(square("e4"), "P", 0)

    assert emulator.advance(SCAN_NS).hex() == "8e000524018e00053400"


def test_what_comes_and_goes_between_two_turns_of_a_coil_is_never_seen() -> None:
    emulator = DgtEmulator()
    emulator.receive(b"\x4b", 0)
    emulator.place(square("h4"), "Q", 0)
    emulator.lift(square("h4"), 30 * COIL_NS)

    assert emulator.advance(S) == b""


def test_each_square_is_noticed_at_its_own_turn() -> None:
    for number in range(64):
        emulator = DgtEmulator("." * 64)
        emulator.receive(b"\x4b", 0)
        emulator.set_square(number, "Q", 1)
        due_ns = emulator.due_at_ns

        assert due_ns == number * COIL_NS + (SCAN_NS if number == 0 else 0)
        assert emulator.advance(due_ns - 1) == b""
        assert emulator.advance(due_ns) == bytes((0x8E, 0, 5, number, 6))


def test_a_dump_shows_what_the_coils_have_noticed_not_what_the_hand_just_did() -> None:
    emulator = DgtEmulator()
    emulator.lift(square("a1"), 0)

    assert asked(emulator, "42", 0) == DUMP
    assert asked(emulator, "42", SCAN_NS) != DUMP


def test_a_dead_coil_shows_nothing_ever() -> None:
    emulator = DgtEmulator()
    emulator.board.kill(square("e2"))
    emulator.set_square(square("e2"), "Q", 0)

    assert asked(emulator, "42", S)[6 + 2 * 52 :][:2] == "00"


# Both ends.


@pytest.mark.parametrize("seed", range(6))
def test_what_the_codec_reads_is_what_stands_on_the_board(seed: int) -> None:
    """Any changes at any times: after the next round of the coils both hold the same pieces."""
    dice = Random(seed)
    emulator = DgtEmulator(clock=EmulatedClock())
    cable = Cable(emulator)
    cable.until(3 * S)
    at_ns, pieces = 3 * S, list(START)
    for _ in range(200):
        at_ns += dice.randrange(300 * MS)
        cable.until(at_ns)
        changed, piece = dice.randrange(64), dice.choice(".PRNBKQprnbkq")
        emulator.set_square(changed, piece, at_ns)
        pieces[changed] = piece

    cable.until(at_ns + 2 * S)

    shown: list[str] = []
    for event in cable.events:
        if isinstance(event, Scan):
            assert not shown or tuple(shown) == event.placement, "no dump finds a lost update"
            shown = list(event.placement)
        elif isinstance(event, SquareChange):
            shown[event.square] = event.piece
    assert shown == pieces
    assert cable.told(Fault) == []


def test_who_the_board_is() -> None:
    badge = Badge(serial="47588", long_serial="0000047588", version=(3, 10), bus_address=77)
    cable = Cable(DgtEmulator(badge=badge))

    cable.until(3 * S)

    last = cable.told(Identity)[-1]
    assert isinstance(last, Identity)
    assert (last.serial, last.firmware, last.bus_address) == ("0000047588", "3.10", 77)


def test_nothing_that_harms_a_board_is_ever_sent() -> None:
    emulator = DgtEmulator()
    cable = Cable(emulator)

    cable.until(200 * S)

    assert emulator.wire.harmed == []
    assert emulator.wire.mode.name == "UPDATE_NICE"


def test_a_board_that_lost_its_power_for_a_moment_reports_again_within_a_minute() -> None:
    emulator = DgtEmulator()
    cable = Cable(emulator)
    cable.until(5 * S)
    cable.device = DgtEmulator(at_ns=5 * S)

    cable.until(70 * S)
    emulator = cable.device
    emulator.lift(square("e2"), 70 * S)
    cable.until(71 * S)

    assert any(isinstance(event, SquareChange) for event in cable.events)
    assert cable.told(Fault) == []


@pytest.mark.parametrize("kind", list(EmulatedClockKind))
@pytest.mark.parametrize("pc_mode", [True, False])
def test_a_clock_takes_times_only_in_its_computer_mode(
    kind: EmulatedClockKind, pc_mode: bool
) -> None:
    emulator = DgtEmulator(clock=EmulatedClock(kind=kind, pc_mode=pc_mode))
    emulator.receive(b"\x4b" + bytes.fromhex("2b0a030a011e00011e000100"), 0)

    sent = emulator.advance(75 * MS) + emulator.advance(76 * MS)

    assert sent.hex() == ("8d000a0a100a0a000000" if pc_mode else "8d000a0a400a0a000000")
    if pc_mode:
        assert emulator.advance(S).hex() == "8d000a01300001295909", "and the left side runs"


@pytest.mark.parametrize(
    ("command", "ack"),
    [
        ("2b0b03017b5b7b0000660003 00", "8d000a0a10010a000000"),
        ("2b03030800", "8d000a0a10080a000000"),
        ("2b03030900", "8d000a0a10090a200000"),
        ("2b04030b1000", "8d000a0a100b0a000000"),
        ("2b0c030c65322d6534202020 0100", "8d000a0a100c0a000000"),
    ],
)
def test_each_command_to_the_clock_has_its_acknowledgement(command: str, ack: str) -> None:
    emulator = DgtEmulator(clock=EmulatedClock())
    emulator.receive(b"\x4b" + bytes.fromhex(command), 0)
    assert emulator.advance(76 * MS).hex() == ack


def test_acknowledgements_come_only_where_reports_are_wanted() -> None:
    emulator = DgtEmulator(clock=EmulatedClock())

    emulator.receive(b"\x44" + bytes.fromhex("2b03030900"), 0)

    assert emulator.advance(S) == b""


@pytest.mark.parametrize("name", ["back", "minus", "run", "plus", "ok", "back+ok"])
def test_buttons_speak_in_the_computer_mode(name: str) -> None:
    emulator = DgtEmulator(clock=EmulatedClock(pc_mode=True))
    cable = Cable(emulator)
    cable.until(3 * S)
    emulator.button(name, 3 * S)

    cable.until(4 * S)

    assert cable.told(Button) == [Button(3 * S, name)]


# A recording as a board.


def recording() -> list[tuple[int, bytes]]:
    lines = kept_beside(RECORDED_GAME).read_text().splitlines()
    return [(number * 200 * MS, base64.b64decode(line)) for number, line in enumerate(lines)]


def test_a_recording_is_reported_once_somebody_listens() -> None:
    messages = recording()
    player = DgtPlayer(messages)
    assert player.due_at_ns is None
    cable = Cable(player)

    cable.until(200 * S)

    assert player.ended
    assert cable.told(Fault) == []
    recorded = [
        event
        for _, message in messages
        for event in DgtCodec().receive(message, 0)
        if isinstance(event, SquareChange)
    ]
    heard = [event for event in cable.told(SquareChange) if isinstance(event, SquareChange)]
    assert [(e.square, e.piece) for e in heard] == [(e.square, e.piece) for e in recorded]
    readings = [event for event in cable.events if isinstance(event, ClockReading)]
    assert readings[-1].running is None
    assert readings[-1].lever is Side.RIGHT
