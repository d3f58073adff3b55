"""A toy board of contacts: it knows where something stands, and not what.

Asked with `?` it answers with sixty-four digits from a8 on, 1 where something stands, and a line
end. Nothing protects them: a picture counts once it was seen twice.
"""

from __future__ import annotations

from eboards.codec import Standing
from eboards.dialogue import Request
from eboards.events import (
    EMPTY,
    UNKNOWN,
    DeviceEvent,
    Fault,
    Noise,
    Sensing,
    SensingClass,
)
from eboards.family import Family, SerialLine
from eboards.polled import Poll, PolledBoard

SECOND = 1_000_000_000
SQUARES = 64
BACK_RANKS = (0, 1, 6, 7)


# The codec.


ASK = Request(b"?", lambda line: len(line) == SQUARES, wait_ns=SECOND // 2)


class ContactsCodec(PolledBoard):
    """One toy on a line."""

    driver = "toy-contacts"
    standing = Standing.WRITTEN
    sensing = Sensing(SensingClass.OCCUPANCY, scan_ns=SECOND // 10)
    opening, polls, position = (ASK,), (Poll(ASK, SECOND // 10),), ASK

    def __init__(self) -> None:
        super().__init__()
        self._line = b""

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        *lines, self._line = (self._line + data).split(b"\n")
        return [event for line in lines for event in self._heard(line, at_ns)]

    def _heard(self, line: bytes, at_ns: int) -> list[DeviceEvent]:
        if len(line) != SQUARES or set(line) - set(b"01"):
            return [Fault(at_ns, Noise.UNKNOWN_MESSAGE, line[:SQUARES])]
        self._alive(line, at_ns)
        return self._sees(tuple(UNKNOWN if digit == 0x31 else EMPTY for digit in line), at_ns)


# The emulator.


class ContactsEmulator:
    """One toy, with the pieces of a start upon it."""

    def __init__(self) -> None:
        self._closed = [square // 8 in BACK_RANKS for square in range(SQUARES)]
        self._out = b""
        self._now_ns = 0

    def set_square(self, square: int, piece: str, at_ns: int) -> None:
        self._now_ns = at_ns
        self._closed[square] = piece != "."

    @property
    def due_at_ns(self) -> int | None:
        return self._now_ns if self._out else None

    def receive(self, data: bytes, at_ns: int) -> None:
        self._now_ns = at_ns
        for _ in range(data.count(b"?")):
            self._out += "".join(str(int(closed)) for closed in self._closed).encode() + b"\n"

    def advance(self, at_ns: int) -> bytes:
        self._now_ns = at_ns
        out, self._out = self._out, b""
        return out


CONTACTS = Family(
    "toy-contacts",
    "Toy of contacts",
    ContactsCodec,
    ContactsEmulator,
    usb_ids=(),
    line=SerialLine(baud=19_200),
)
