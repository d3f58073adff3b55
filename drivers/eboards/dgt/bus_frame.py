"""The frames of DGT's bus mode: several boards on one line, each answering only when addressed.

    to a board     1ccccccc 0hhhhhhh 0lllllll 0sssssss                     always four bytes
    from a board   1iiiiiii 0hhhhhhh 0lllllll 0aaaaaaa 0aaaaaaa data ... 0sssssss

- c, i  command, message id
- h, l  to a board its address, from a board the length of all of it; two 7 bit halves
- a     the address of the board that answers
- s     sum of all bytes before it, seven bits

81 clock   82 board   83 changes   84 changes again   85 mark a start   86 log from that start
87 ping    8A ping, and no answer to the next ping of all   8B version

The ids are not those of single-board mode: 83 board, 84 clock, 85 or 8B changes, 86 log, 87 ping,
88 start marked, 89 version. Sources and doubts: firmware_notes/dgt-bus.md
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from eboards.dgt.frame import LONGEST
from eboards.events import Fault, Noise

ALL: Final = 0
"""The address that every board hears."""
ADDRESS_MAX: Final = 0x3FFF

CLOCK: Final = 0x81
BOARD: Final = 0x82
CHANGES: Final = 0x83
CHANGES_AGAIN: Final = 0x84
MARK_START: Final = 0x85
FROM_START: Final = 0x86
PING: Final = 0x87
PING_ONCE: Final = 0x8A
VERSION: Final = 0x8B

SHOWS_BOARD: Final = 0x83
SHOWS_CLOCK: Final = 0x84
CHANGED: Final = frozenset({0x85, 0x8B})
"""Two ids that newer boards use in turn."""
LOGGED: Final = 0x86
PINGED: Final = 0x87
START_MARKED: Final = 0x88
SAYS_VERSION: Final = 0x89

ANSWERS: Final = {
    CLOCK: frozenset({SHOWS_CLOCK}),
    BOARD: frozenset({SHOWS_BOARD}),
    CHANGES: CHANGED,
    CHANGES_AGAIN: CHANGED,
    MARK_START: frozenset({START_MARKED}),
    FROM_START: frozenset({LOGGED}),
    PING: frozenset({PINGED}),
    PING_ONCE: frozenset({PINGED}),
    VERSION: frozenset({SAYS_VERSION}),
}

_HEADER = 3
_SHORTEST = 6
_LENGTHS: Final = {
    SHOWS_BOARD: frozenset({70}),
    SHOWS_CLOCK: frozenset({13}),
    PINGED: frozenset({6}),
    START_MARKED: frozenset({6}),
    SAYS_VERSION: frozenset({6, 8}),
}


@dataclass(frozen=True, slots=True)
class BusReply:
    """What one board answered."""

    message_id: int
    address: int
    data: bytes


def command(number: int, address: int) -> bytes:
    """The four bytes that ask one board, or all of them, for something."""
    assert 0 <= address <= ADDRESS_MAX, "an address has 14 bits"
    head = bytes((number, address >> 7, address & 0x7F))
    return head + bytes((sum(head) & 0x7F,))


class BusFramer:
    """Cuts a stream into replies. What is none comes out as a `Fault`."""

    def __init__(self) -> None:
        self._frame = bytearray()

    @property
    def half(self) -> bool:
        """True while a reply has begun and not ended."""
        return bool(self._frame)

    def drop(self) -> None:
        """What has begun will not end any more."""
        self._frame.clear()

    def feed(self, data: bytes, at_ns: int) -> list[BusReply | Fault]:
        """Replies and faults, in their order on the wire."""
        found: list[BusReply | Fault] = []
        frame = self._frame
        for byte in data:
            if byte >= 0x80:
                if frame:
                    found.append(Fault(at_ns, Noise.CUT_OFF, bytes(frame)))
                frame[:] = bytes((byte,))
            elif frame:
                frame.append(byte)
                found += self._checked(at_ns)
            else:
                found.append(Fault(at_ns, Noise.STRAY, bytes((byte,))))
        return found

    def _checked(self, at_ns: int) -> list[BusReply | Fault]:
        frame = bytes(self._frame)
        if len(frame) < _HEADER:
            return []
        length = frame[1] << 7 | frame[2]
        if len(frame) == _HEADER and not _fits(frame[0], length):
            self._frame.clear()
            return [Fault(at_ns, Noise.LENGTH, frame, f"{length} bytes cannot be")]
        if len(frame) < length:
            return []
        self._frame.clear()
        if sum(frame[:-1]) & 0x7F != frame[-1]:
            return [Fault(at_ns, Noise.CHECKSUM, frame)]
        return [BusReply(frame[0], frame[3] << 7 | frame[4], frame[5:-1])]


def _fits(message_id: int, length: int) -> bool:
    known = _LENGTHS.get(message_id)
    return length in known if known else _SHORTEST <= length <= LONGEST
