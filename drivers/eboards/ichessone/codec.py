"""iChessOne over serial, 115200 8N1: letters without an end to the board, binary back.

    > RH  hardware text         < 3D 68 text         up to the next 3D, or to a silence
    > RB  battery               < 3D 62 cc pp        charging, percent
    > RP  position              < 3D 70 32 bytes     a8 ... h8, a7 ... h1; high nibble first
    > CPIRQ  a position on every change

    0 empty, 1 P N B R Q K, 7 p n b r q k; D, E, F never

There is no length and no checksum. No nibble is ever D, so a 3D inside a position means that bytes
were lost and another message begins; a message that stops for 20 ms is dropped. A position counts
once it was seen twice: after a new one `RP` asks at once. Sources: firmware_notes/ichessone.md
"""

from __future__ import annotations

from typing import Final

from eboards.codec import AskBoard, DeviceCommand, Standing
from eboards.dialogue import Dialogue, Request
from eboards.events import (
    Battery,
    DeviceEvent,
    Fault,
    Identity,
    Noise,
    Sensing,
    SensingClass,
)
from eboards.vigil import Steady, Vigil

MS: Final = 1_000_000
SENSING: Final = Sensing(SensingClass.IDENTITY, 100 * MS)
POLL_NS: Final = 1_000 * MS
BATTERY_NS: Final = 300_000 * MS
GAP_NS: Final = 50 * MS
PARTED_NS: Final = 20 * MS
TEXT_MAX: Final = 64
MARK: Final = 0x3D
PIECES: Final = ".PNBRQKpnbrqk"
_LENGTHS: Final = {ord("p"): 34, ord("b"): 4}


def _request(text: str, answer: str) -> Request:
    def answered_by(message: bytes) -> bool:
        return message[1:2] == answer.encode()

    return Request(text.encode(), answered_by, wait_ns=10 * GAP_NS, gap_ns=GAP_NS)


HARDWARE: Final = _request("RH", "h")
POSITION: Final = _request("RP", "p")
BATTERY: Final = _request("RB", "b")
ON_CHANGE: Final = Request(b"CPIRQ", gap_ns=GAP_NS)


class IChessOneCodec:
    """One board on a line."""

    driver = "ichessone"
    standing = Standing.WRITTEN
    sensing = SENSING

    def __init__(self) -> None:
        self._message = bytearray()
        self._part_at_ns = 0
        self._dialogue = Dialogue()
        self._vigil = Vigil()
        self._steady = Steady()
        self._identity: Identity | None = None
        self._battery: Battery | None = None
        self._started = False
        self._poll_at_ns = 0
        self._battery_at_ns = 0

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        if self._message and at_ns - self._part_at_ns > PARTED_NS:
            events += self._cut_off(at_ns)
        self._part_at_ns = at_ns
        for byte in data:
            events += self._byte(byte, at_ns)
        return events

    def _byte(self, byte: int, at_ns: int) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        if byte == MARK and not self._in_battery:
            events += self._cut_off(at_ns)
        elif not self._message:
            return [Fault(at_ns, Noise.STRAY, bytes([byte]))]
        self._message.append(byte)
        if len(self._message) < 2 or self._message[1] == ord("h"):
            if len(self._message) > TEXT_MAX:
                events += self._cut_off(at_ns)
            return events
        length = _LENGTHS.get(self._message[1])
        if length is None:
            events.append(Fault(at_ns, Noise.UNKNOWN_MESSAGE, bytes(self._message)))
            self._message.clear()
        elif len(self._message) == length:
            message = bytes(self._message)
            self._message.clear()
            events += self._heard(message, at_ns)
        return events

    @property
    def _in_battery(self) -> bool:
        """Its percent may be 61, which is the mark."""
        return len(self._message) > 1 and self._message[1] == ord("b")

    def _cut_off(self, at_ns: int) -> list[DeviceEvent]:
        """The message that stands here ends: a text rightly so, another one too early."""
        message = bytes(self._message)
        self._message.clear()
        if message[1:2] == b"h" and len(message) <= TEXT_MAX:
            return self._heard(message, at_ns)
        return [Fault(at_ns, Noise.CUT_OFF, message)] if message else []

    def _heard(self, message: bytes, at_ns: int) -> list[DeviceEvent]:
        if message[1] == ord("p"):
            codes = [code for byte in message[2:] for code in (byte >> 4, byte & 0x0F)]
            if max(codes) >= len(PIECES):
                return [Fault(at_ns, Noise.RANGE, message, "no such piece")]
        if self._vigil.lost:
            self._steady.forget()
            self._identity = self._battery = None
            self._started = False
        self._vigil.heard(at_ns)
        self._dialogue.heard(message)
        match chr(message[1]):
            case "p":
                return self._board(codes, at_ns)
            case "b":
                return self._charge(message[2], message[3], at_ns)
        return self._introduced(message[2:].decode("ascii", "replace").strip(), at_ns)

    def _board(self, codes: list[int], at_ns: int) -> list[DeviceEvent]:
        events = self._steady.sees(tuple(PIECES[code] for code in codes), at_ns)
        if self._steady.waits:
            self._dialogue.ask(POSITION)
        return events

    def _introduced(self, hardware: str, at_ns: int) -> list[DeviceEvent]:
        if self._identity is not None and self._identity.firmware == hardware:
            return []
        self._identity = Identity(at_ns, self.driver, firmware=hardware)
        return [self._identity]

    def _charge(self, charging: int, percent: int, at_ns: int) -> list[DeviceEvent]:
        if charging > 1 or percent > 100:
            return [Fault(at_ns, Noise.RANGE, bytes((charging, percent)))]
        known = self._battery
        if known and (known.percent, known.charging) == (percent, bool(charging)):
            return []
        self._battery = Battery(at_ns, percent, bool(charging))
        return [self._battery]

    def send(self, command: DeviceCommand, _at_ns: int) -> bytes:
        if isinstance(command, AskBoard):
            self._steady.tell_again()
            self._dialogue.ask(POSITION)
        return b""

    @property
    def due_at_ns(self) -> int | None:
        if not self._started:
            return 0
        times = [self._vigil.due_at_ns, self._dialogue.due_at_ns, self._poll_at_ns]
        if self._message:
            times.append(self._part_at_ns + PARTED_NS + 1)
        return min(at_ns for at_ns in times if at_ns is not None)

    def due(self, at_ns: int) -> tuple[bytes, list[DeviceEvent]]:
        events: list[DeviceEvent] = []
        if self._message and at_ns - self._part_at_ns > PARTED_NS:
            events += self._cut_off(at_ns)
        silence = self._vigil.silence(at_ns)
        if not self._started or silence is not None:
            events += silence or []
            self._start(at_ns)
        if at_ns >= self._poll_at_ns:
            self._poll_at_ns = at_ns + POLL_NS
            self._dialogue.ask(POSITION)
        if at_ns >= self._battery_at_ns:
            self._battery_at_ns = at_ns + BATTERY_NS
            self._dialogue.ask(BATTERY)
        request, _ = self._dialogue.turn(at_ns)
        return (request.data if request else b""), events

    def _start(self, at_ns: int) -> None:
        self._started = True
        self._vigil.begin(at_ns)
        self._poll_at_ns = at_ns + POLL_NS
        self._battery_at_ns = at_ns + POLL_NS
        self._dialogue.start_over()
        self._dialogue.ask(HARDWARE, ON_CHANGE, POSITION)
