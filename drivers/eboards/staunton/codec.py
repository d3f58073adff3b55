"""House of Staunton (Zmartfun) board with its clock, and the Tap'n Set clock alone, over USB HID.

Reports of 32 bytes without an id.

    < board   a1 b1 ... h1, a2 ... h8; two squares a byte, low nibble first
              0 empty, 1 K Q R N B P, 7 k q r n b p; D, E, F never, so it cannot begin with FF
    < clock   FF CA lh lm ls rh rm rs ...      hours, minutes, seconds, each in six bits
              top bits of rs: 80 running; 40 the right side's time runs, else the left's
              no flag of its own: 0:00:00 where there was time before

    > 00 cc   one byte of a command a report; of them only, and only for an arbiter:
              174 lh lm ls rh rm rs increment    180 run left    181 run right    175 stop

A position counts once two reports agree. The clock says whole seconds: a press is when the other
side's time begins to run. Sources: firmware_notes/staunton.md
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from eboards.codec import AskBoard, AskClock, DeviceCommand, SetClock, Standing
from eboards.dialogue import Dialogue, Request
from eboards.events import (
    ClockReading,
    DeviceEvent,
    Fault,
    Identity,
    Noise,
    Sensing,
    SensingClass,
    Side,
)
from eboards.vigil import Steady, Vigil

MS: Final = 1_000_000
REPORT: Final = 32
PARTED_NS: Final = 50 * MS
"""The parts of one report never come so far apart."""
BYTE_GAP_NS: Final = 50 * MS
LATE_MAX_NS: Final = 1_000 * MS
SENSING: Final = Sensing(SensingClass.IDENTITY, 500 * MS)
"""Two reports a quarter of a second apart; their true rate is nowhere written."""
PIECES: Final = ".KQRNBPkqrnbp"
CLOCK: Final = b"\xff\xca"
SET, RUN_LEFT, RUN_RIGHT, STOP = 174, 180, 181, 175
HOURS_MAX_MS: Final = 10 * 3_600_000
"""The face has one digit for hours."""
INCREMENT_MAX: Final = 0xFF
"""Seconds, in one byte. It is set with the times: left out, it is none from then on."""


class StauntonCodec:
    """One board, one clock, or both on one wire."""

    driver = "staunton"
    standing = Standing.WRITTEN
    sensing = SENSING

    def __init__(self) -> None:
        self._report = bytearray()
        self._part_at_ns = 0
        self._dialogue = Dialogue()
        self._vigil = Vigil()
        self._steady = Steady()
        self._known = False
        self._has_board = False
        self._started = False
        self._shown: ClockReading | None = None
        self._clock_at_ns: int | None = None
        self._had_time: frozenset[Side] = frozenset()

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        if self._report and at_ns - self._part_at_ns > PARTED_NS:
            events.append(Fault(at_ns, Noise.CUT_OFF, bytes(self._report)))
            self._report.clear()
        self._part_at_ns = at_ns
        for byte in data:
            self._report.append(byte)
            if len(self._report) == REPORT:
                report = bytes(self._report)
                self._report.clear()
                events += self._message(report, at_ns)
        return events

    def send(self, command: DeviceCommand, _at_ns: int) -> bytes:
        match command:
            case AskBoard():
                self._steady.tell_again()
            case AskClock():
                self._shown = None
            case SetClock():
                self._set(command)
            case _:
                pass
        return b""

    @property
    def due_at_ns(self) -> int | None:
        if not self._started:
            return 0
        times = (self._vigil.due_at_ns, self._dialogue.due_at_ns)
        return min((at_ns for at_ns in times if at_ns is not None), default=None)

    def due(self, at_ns: int) -> tuple[bytes, list[DeviceEvent]]:
        if not self._started:
            self._started = True
            self._vigil.begin(at_ns)
        events = self._vigil.silence(at_ns) or []
        request, _ = self._dialogue.turn(at_ns)
        return (request.data if request else b""), events

    def _message(self, report: bytes, at_ns: int) -> list[DeviceEvent]:
        if report[0] == CLOCK[0]:
            return self._clock(report, at_ns)
        return self._board(report, at_ns)

    def _board(self, report: bytes, at_ns: int) -> list[DeviceEvent]:
        codes = [code for byte in report for code in (byte & 0x0F, byte >> 4)]
        if max(codes) >= len(PIECES):
            return [Fault(at_ns, Noise.RANGE, report, "no such piece")]
        if not self._known and not any(codes):
            # Thousands of other devices of this vendor number report nothing but zeros.
            self._vigil.heard(at_ns)
            return []
        events = self._hello(at_ns)
        if not self._has_board:
            self._has_board = True
            if self._started:
                self._vigil.begin(at_ns)
        # Rank 1 comes first, each rank from its a file on.
        placement = tuple(PIECES[codes[square ^ 56]] for square in range(64))
        return events + self._steady.sees(placement, at_ns)

    def _hello(self, at_ns: int) -> list[DeviceEvent]:
        """It has no name of its own: the first report that can be read is all it says."""
        if self._vigil.lost:
            self._steady.forget()
            self._shown = self._clock_at_ns = None
            self._known = False
        self._vigil.heard(at_ns)
        if self._known:
            return []
        self._known = True
        return [Identity(at_ns, self.driver)]

    def _clock(self, report: bytes, at_ns: int) -> list[DeviceEvent]:
        left, right = (_milliseconds(report[begin : begin + 3]) for begin in (2, 5))
        if report[:2] != CLOCK or left is None or right is None:
            return [Fault(at_ns, Noise.RANGE, report)]
        events = self._hello(at_ns)
        if not self._has_board:
            # A clock alone says nothing while it stands.
            self._vigil.rest()
        running = None
        if report[7] & 0x80:
            running = Side.RIGHT if report[7] & 0x40 else Side.LEFT
        times = {Side.LEFT: left, Side.RIGHT: right}
        self._had_time |= {side for side, ms in times.items() if ms}
        last_ns, self._clock_at_ns = self._clock_at_ns, at_ns
        late_ns = LATE_MAX_NS if last_ns is None else min(at_ns - last_ns, LATE_MAX_NS)
        reading = ClockReading(
            at_ns,
            left,
            right,
            running,
            running,
            left_flag=not left and Side.LEFT in self._had_time,
            right_flag=not right and Side.RIGHT in self._had_time,
            late_ns=late_ns,
        )
        shown, self._shown = self._shown, reading
        if shown is not None and replace(shown, at_ns=at_ns, late_ns=late_ns) == reading:
            return events
        return [*events, reading]

    def _set(self, command: SetClock) -> None:
        """Byte by byte, each a report of its own."""
        times = (*_digits(command.left_ms), *_digits(command.right_ms))
        run = {Side.LEFT: RUN_LEFT, Side.RIGHT: RUN_RIGHT, None: STOP}[command.running]
        self._dialogue.start_over()
        increment = min(command.increment_ms // 1000, INCREMENT_MAX)
        self._dialogue.ask(*_bytes((SET, *times, increment, run)))


def _bytes(values: Iterable[int]) -> list[Request]:
    """Numbered by name, for equal bytes are different requests here."""
    return [
        Request(bytes((0, value)), gap_ns=BYTE_GAP_NS, name=str(place))
        for place, value in enumerate(values)
    ]


def _milliseconds(face: bytes) -> int | None:
    """Hours, minutes, seconds; None for what no face shows."""
    hours, minutes, seconds = (value & 0x3F for value in face)
    if max(minutes, seconds) > 59:
        return None
    return (hours * 3600 + minutes * 60 + seconds) * 1000


def _digits(milliseconds: int) -> tuple[int, int, int]:
    seconds = min(milliseconds, HOURS_MAX_MS - 1) // 1000
    return seconds // 3600, seconds // 60 % 60, seconds % 60
