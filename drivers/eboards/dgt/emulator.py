"""An emulated DGT board: bytes in, bytes out, with the time passed in.

Written from what goes over the wire, beside the codec and without it, so that a misreading of
one shows in the other.

    to the board      40..5F one byte each; 2B, 2C, 60, 63: a count and so many bytes;
                      80.. four bytes of a bus command
    from the board    id, length (two 7 bit halves, these three bytes included), data

It powers up in bus mode. The first command of single-board mode that it knows takes it there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from eboards.dgt.emulated_board import START, CoilChange, EmulatedBoard
from eboards.dgt.emulated_bus import BusSide
from eboards.dgt.emulated_clock import SECOND_NS, EmulatedClock
from eboards.dgt.emulated_clock_commands import pressed, replies
from eboards.dgt.emulated_model import LEAD_NS, LiveModel, Model, RecordedModel

if TYPE_CHECKING:
    from random import Random

_DANGEROUS: Final = frozenset({0x4E, 0x51, 0x53, 0x54})
_COUNTED: Final = frozenset({0x2B, 0x2C, 0x60, 0x63})


class Mode(Enum):
    """What a board does of its own accord."""

    BUS = "waits to be addressed"
    IDLE = "reports nothing"
    UPDATE_BOARD = "reports squares"
    UPDATE = "reports squares, and the clock every second"
    UPDATE_NICE = "reports squares, and the clock when it shows something else"


_MODES: Final = {
    0x40: Mode.IDLE,
    0x43: Mode.UPDATE,
    0x44: Mode.UPDATE_BOARD,
    0x4A: Mode.BUS,
    0x4B: Mode.UPDATE_NICE,
}

_ANSWERS: Final = {
    0x41: 0x8D,
    0x42: 0x86,
    0x45: 0x91,
    0x46: 0x90,
    0x47: 0x92,
    0x48: 0x96,
    0x49: 0x8F,
    0x4C: 0xA0,
    0x4D: 0x93,
    0x55: 0xA2,
}
"""Which message answers which question."""


@dataclass(frozen=True, slots=True)
class Badge:
    """Who the board is."""

    serial: str = "13116"
    long_serial: str | None = None
    """Ten characters; None: an older board, which does not know the question."""
    version: tuple[int, int] = (1, 8)
    hardware: tuple[int, int] | None = None
    """None: an older board, which on a bus has one id for its packets of changes, too."""
    bus_address: int | None = None
    """None: its serial number, as far as 14 bits hold it."""
    trademark: str = ""
    percent: int | None = None
    """Charge of a battery; None: it has none."""

    @property
    def address(self) -> int:
        """14 bits."""
        return int(self.serial) & 0x3FFF if self.bus_address is None else self.bus_address

    def said(self, message_id: int) -> bytes | None:
        """What this message of it tells; None: it has no such message."""
        match message_id:
            case 0x90:
                return bytes((self.address >> 7, self.address & 0x7F))
            case 0x91:
                return self.serial[-5:].rjust(5, "0").encode()
            case 0x92:
                return self.trademark.encode("ascii")
            case 0x93:
                return bytes(self.version)
            case 0x96 if self.hardware is not None:
                return bytes(self.hardware)
            case 0xA0 if self.percent is not None:
                return bytes((self.percent, 0x7F, 0x7F, 0, 0, 0, 0, 0, 2))
            case 0xA2 if self.long_serial is not None:
                return self.long_serial.rjust(10, "0").encode("ascii")
        return None


class EmulatedWire:
    """What a board does with the bytes it gets, and when it sends what."""

    def __init__(
        self,
        model: Model,
        badge: Badge,
        clock: EmulatedClock | None,
        at_ns: int,
        dice: Random | None = None,
    ) -> None:
        self.mode = Mode.BUS
        self.harmed: list[int] = []
        """Commands that would have damaged a real board."""
        self._model = model
        self._badge = badge
        self._clock = clock
        self._at_ns = at_ns
        self._command = bytearray()
        self._out = bytearray()
        self._later: list[tuple[int, bytes]] = []
        self._acked = b""
        self._bus: BusSide | None = None
        self._replies: list[tuple[int, bytes]] = []
        if model.memory is not None:
            self._bus = BusSide(
                badge.address, badge.version, model.memory, dice, two_ids=badge.hardware is not None
            )

    @property
    def due_at_ns(self) -> int | None:
        """When there will be something to send. None: not before something is received or done."""
        if self._out:
            return self._at_ns
        model_ns = self._model.due_at_ns
        if not self._later and not self._replies:
            return model_ns
        times = [at_ns for at_ns, _ in (*self._later, *self._replies)]
        return min(times) if model_ns is None else min(*times, model_ns)

    def receive(self, data: bytes, at_ns: int) -> None:
        """Bytes from the computer."""
        self.run(at_ns)
        for byte in data:
            self._byte(byte)

    def run(self, at_ns: int) -> None:
        """Let time go by; what it leads to waits to be taken."""
        for report in self._model.advance(at_ns):
            self._acknowledge(report.at_ns)
            if isinstance(report, CoilChange):
                self._report_square(report.square, report.code)
            elif self.mode is Mode.UPDATE or (self.mode is Mode.UPDATE_NICE and report.changed):
                self._send(0x8D, report.body)
        self._acknowledge(at_ns)
        for reply in sorted(reply for reply in self._replies if reply[0] <= at_ns):
            self._out += reply[1]
        self._replies = [reply for reply in self._replies if reply[0] > at_ns]
        self._at_ns = max(self._at_ns, at_ns)

    def power_up(self) -> None:
        """The board got power again: it waits on the bus, and has forgotten what it was asked."""
        self.mode = Mode.BUS
        self._command.clear()
        self._later.clear()
        self._replies.clear()
        self._out.clear()

    def take(self) -> bytes:
        """What was sent since this was asked last."""
        sent = bytes(self._out)
        self._out.clear()
        return sent

    def unasked(self, body: bytes) -> None:
        """The clock says something by itself: a button, that it is ready."""
        if self.mode in (Mode.UPDATE, Mode.UPDATE_NICE):
            self._send(0x8D, body)

    def _byte(self, byte: int) -> None:
        """Collect a command of several bytes, or carry out one of a single byte."""
        if byte >= 0x80:
            self._command[:] = bytes([byte])
        elif self._command:
            self._command.append(byte)
            self._collected()
        elif byte in _COUNTED:
            self._command.append(byte)
        elif 0x40 <= byte <= 0x5F:
            self._single(byte)

    def _collected(self) -> None:
        command = self._command
        if command[0] >= 0x80:
            if len(command) < 4:
                return
            if sum(command[:3]) & 0x7F == command[3]:
                self._bus_command(bytes(command))
            command.clear()
        elif len(command) == 2 + command[1]:
            whole = bytes(command)
            command.clear()
            self._to_single()
            if whole[0] == 0x2B and self._clock is not None:
                self._clock_command(self._clock, whole[2:])

    def _bus_command(self, command: bytes) -> None:
        """The first one only takes a board in single-board mode back to the bus."""
        if self.mode is not Mode.BUS or self._bus is None:
            self.mode = Mode.BUS
            return
        answers = self._bus.answers(command, self._model, self._at_ns)
        if answers is None:
            self.mode = Mode.IDLE
            return
        self._replies += [(self._at_ns + delay_ns, frame) for delay_ns, frame in answers]

    def _to_single(self) -> None:
        if self.mode is Mode.BUS:
            self.mode = Mode.IDLE

    def _single(self, command: int) -> None:
        self._to_single()
        if command in _MODES:
            self.mode = _MODES[command]
            if self.mode not in (Mode.IDLE, Mode.BUS):
                self._model.listen(steadily=self.mode is Mode.UPDATE, at_ns=self._at_ns)
        elif command in _DANGEROUS:
            self.harmed.append(command)
        elif command in _ANSWERS:
            message_id = _ANSWERS[command]
            said = self._said(message_id)
            if said is not None:
                self._send(message_id, said)

    def _said(self, message_id: int) -> bytes | None:
        """What the board shows or remembers, or says of itself; None: it does not know that."""
        match message_id:
            case 0x86:
                return self._model.image
            case 0x8D:
                return self._model.clock
            case 0x8F:
                return None if self._model.memory is None else self._model.memory.download()
        return self._badge.said(message_id)

    def _clock_command(self, clock: EmulatedClock, command: bytes) -> None:
        sent = replies(clock, command, self._acked)
        self._later += [(self._at_ns + delay_ns, reply) for delay_ns, reply in sent]
        self._acked = next((reply for _, reply in sent), b"")

    def _acknowledge(self, at_ns: int) -> None:
        """Acknowledgements come only while reports of the clock are wanted."""
        due = sorted(late for late in self._later if late[0] <= at_ns)
        self._later = [late for late in self._later if late[0] > at_ns]
        for _, reply in due:
            self.unasked(reply)

    def _report_square(self, square: int, code: int) -> None:
        if self.mode in (Mode.UPDATE_BOARD, Mode.UPDATE, Mode.UPDATE_NICE):
            self._send(0x8E, bytes((square, code)))

    def _send(self, message_id: int, data: bytes) -> None:
        length = len(data) + 3
        self._out += bytes((message_id, length >> 7, length & 0x7F)) + data


class DgtEmulator:
    """A board and a clock that their owner plays on.

    Squares are numbered as the board itself does: 0 is a8 with White at the connector's left.
    Every call brings the time; it never goes back.
    """

    def __init__(
        self,
        placement: str = START,
        clock: EmulatedClock | None = None,
        badge: Badge | None = None,
        *,
        at_ns: int = 0,
        poll_ns: int = SECOND_NS,
        phase_ns: int = 0,
        dice: Random | None = None,
    ) -> None:
        self.board = EmulatedBoard(placement, phase_ns=phase_ns)
        self.clock = clock
        self.badge: Badge = badge or Badge()
        self._model = LiveModel(self.board, clock, at_ns, poll_ns)
        self.wire = EmulatedWire(self._model, self.badge, clock, at_ns, dice)

    @property
    def due_at_ns(self) -> int | None:
        """When `advance` will have something to send. None: not before something happens."""
        return self.wire.due_at_ns

    def receive(self, data: bytes, at_ns: int) -> None:
        """Bytes from the computer. What they lead to comes out of `advance`."""
        self.wire.receive(data, at_ns)

    def advance(self, at_ns: int) -> bytes:
        """Let time go by, and take what the board has sent until then."""
        self.wire.run(at_ns)
        return self.wire.take()

    def set_square(self, square: int, piece: str, at_ns: int) -> None:
        """This stands there now; `.` for nothing."""
        self.wire.run(at_ns)
        self.board.put(square, piece, at_ns)

    def lift(self, square: int, at_ns: int) -> str:
        """A hand takes what stands there. Returns it."""
        piece = self.board.piece(square)
        self.set_square(square, ".", at_ns)
        return piece

    def place(self, square: int, piece: str, at_ns: int) -> None:
        """A hand puts a piece down."""
        self.set_square(square, piece, at_ns)

    def press(self, side: str, at_ns: int) -> bool:
        """A player presses the clock ("left" or "right"). False if that side was down already."""
        return self._clock_at(at_ns).press(side)

    def start(self, at_ns: int) -> None:
        """The start button of the clock."""
        self._clock_at(at_ns).start()

    def stop(self, at_ns: int) -> None:
        """The stop button of the clock."""
        self._clock_at(at_ns).stop()

    def set_times(self, left_ms: int, right_ms: int, at_ns: int) -> None:
        """An arbiter sets both times by hand."""
        self._clock_at(at_ns).set_times(left_ms, right_ms)

    def plug_clock(self, *, connected: bool, at_ns: int) -> None:
        """The clock's cable, or its switch."""
        self._clock_at(at_ns).plug(connected=connected)

    def power_cycle(self, at_ns: int) -> None:
        """The power was off for a moment. Pieces moved meanwhile are found where they stand."""
        self.wire.run(at_ns)
        self.board.find_all()
        self._model.memory.power_up(self.board.image)
        self.wire.power_up()

    def button(self, name: str, at_ns: int) -> None:
        """A button of the clock, or `back+ok`. Only in its PC mode does the clock say so."""
        if self._clock_at(at_ns).pc_mode:
            self.wire.unasked(pressed(name))

    def _clock_at(self, at_ns: int) -> EmulatedClock:
        assert self.clock is not None, "this board has no clock"
        self.wire.run(at_ns)
        return self.clock


class DgtPlayer:
    """A recording as a board: it answers what it is asked, and reports what was recorded.

    `messages` are whole messages with their times; only the differences of these times count.
    """

    def __init__(
        self,
        messages: Sequence[tuple[int, bytes]],
        badge: Badge | None = None,
        *,
        at_ns: int = 0,
        lead_ns: int = LEAD_NS,
    ) -> None:
        self._model = RecordedModel(messages, lead_ns)
        self.badge = badge or Badge()
        self.wire = EmulatedWire(self._model, self.badge, None, at_ns)

    @property
    def ended(self) -> bool:
        """True once all of the recording has been reported."""
        return self._model.ended

    @property
    def due_at_ns(self) -> int | None:
        """When `advance` will have something to send. None: not before something happens."""
        return self.wire.due_at_ns

    def receive(self, data: bytes, at_ns: int) -> None:
        """Bytes from the computer. What they lead to comes out of `advance`."""
        self.wire.receive(data, at_ns)

    def advance(self, at_ns: int) -> bytes:
        """Let time go by, and take what the board has sent until then."""
        self.wire.run(at_ns)
        return self.wire.take()
