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

from eboards.codec import Standing
from eboards.dialogue import Request
from eboards.events import DeviceEvent, Fault, Noise, Sensing, SensingClass
from eboards.polled import Poll, PolledBoard

MS: Final = 1_000_000
SENSING: Final = Sensing(SensingClass.IDENTITY, 100 * MS)
POLL_NS: Final = 1_000 * MS
ON_CHANGE_NS: Final = 3_000 * MS
"""A board that lost its power for a moment answers still, and reports nothing by itself."""
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


class IChessOneCodec(PolledBoard):
    """One board on a line."""

    driver = "ichessone"
    standing = Standing.WRITTEN
    sensing = SENSING
    opening = (HARDWARE, ON_CHANGE, POSITION)
    polls = (
        Poll(POSITION, POLL_NS),
        Poll(ON_CHANGE, ON_CHANGE_NS),
        Poll(BATTERY, BATTERY_NS, POLL_NS),
    )
    position = POSITION

    def __init__(self) -> None:
        super().__init__()
        self._message = bytearray()
        self._part_at_ns = 0

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
        self._alive(message, at_ns)
        match chr(message[1]):
            case "p":
                return self._sees(tuple(PIECES[code] for code in codes), at_ns)
            case "b":
                return self._charge(message[2], message[3], at_ns)
        return self._introduced(message[2:].decode("ascii", "replace").strip(), at_ns)

    def _charge(self, charging: int, percent: int, at_ns: int) -> list[DeviceEvent]:
        if charging > 1 or percent > 100:
            return [Fault(at_ns, Noise.RANGE, bytes((charging, percent)))]
        return self._charged(percent, bool(charging), at_ns)

    @property
    def due_at_ns(self) -> int | None:
        """A text has no end: it is whole when nothing follows."""
        due_ns = super().due_at_ns
        if due_ns is None or not self._message:
            return due_ns
        return min(due_ns, self._part_at_ns + PARTED_NS + 1)

    def due(self, at_ns: int) -> tuple[bytes, list[DeviceEvent]]:
        parted = self._message and at_ns - self._part_at_ns > PARTED_NS
        events = self._cut_off(at_ns) if parted else []
        data, others = super().due(at_ns)
        return data, events + others
