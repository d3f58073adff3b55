"""Where a message of a DGT board begins and ends.

From the board:  1iiiiiii 0hhhhhhh 0lllllll 0ddddddd ...

- i     message id. The top bit is set on the first byte of a message and nowhere else, so a set
        top bit always begins a message, even inside another one.
- h, l  length in two 7 bit halves; it counts these three bytes too
- d     data

There is no checksum. What protects a message is its length, which is known for nearly every id,
and the top bit: a lost byte costs one message, whichever byte it is.
One that comes twice moves the rest of its message one place on, which only what is left over shows.
"""

from __future__ import annotations

from typing import Final

from eboards.events import Fault, Noise

LONGEST: Final = 7939
"""A whole log memory with its header; no message is longer."""
STRAYS_MAX: Final = 256
"""Bytes outside any message are reported together, at most so many at a time."""

_HEADER = 3
_SHOWN = 16
"""So many bytes of a message of an unknown kind are told."""
_NONE = 0x80
"""The id that means nothing. Some boards send it alone, as an answer to a byte they do not know."""
_LENGTHS: Final[dict[int, frozenset[int]]] = {
    0x80: frozenset({3}),
    0x86: frozenset({67, 103}),
    0x8D: frozenset({10}),
    0x8E: frozenset({5}),
    0x90: frozenset({5}),
    0x93: frozenset({5}),
    0x94: frozenset({53}),
    0x95: frozenset({53}),
    0x96: frozenset({5}),
    0xA0: frozenset(range(4, 13)),
    0xA2: frozenset({13}),
}
_KNOWN: Final = frozenset(_LENGTHS) | {0x8F, 0x91, 0x92}
"""And those of any length: the memory, a serial number, and a text."""


class DgtFramer:
    """Cuts a stream into whole messages. What does not belong to one comes out as a `Fault`."""

    def __init__(self) -> None:
        self._frame = bytearray()
        self._strays = bytearray()

    @property
    def half(self) -> bytes:
        """The message that has begun and not ended."""
        return bytes(self._frame)

    @property
    def coming(self) -> bool:
        """True while a message of a known kind is on its way: its head alone proves a board, where
        a lone byte with its top bit set is anybody's."""
        return len(self._frame) >= _HEADER and self._frame[0] in _KNOWN

    def feed(self, data: bytes, at_ns: int) -> list[bytes | Fault]:
        """Whole messages and faults, in their order on the wire."""
        found: list[bytes | Fault] = []
        at, frame = 0, self._frame
        while at < len(data):
            # Of a message whose length is known, all that has come of it in one step.
            missing = (frame[1] << 7 | frame[2]) - len(frame) if len(frame) >= _HEADER else 0
            rest = data[at : at + missing]
            if rest and rest.isascii():
                frame += rest
                found += self._checked(at_ns)
                at += len(rest)
            else:
                found += self._fed(data[at], at_ns)
                at += 1
        return found

    def _fed(self, byte: int, at_ns: int) -> list[bytes | Fault]:
        if byte >= 0x80:
            found = self._interrupted(at_ns)
            self._frame.append(byte)
            return found
        if self._frame:
            self._frame.append(byte)
            return self._checked(at_ns)
        self._strays.append(byte)
        return self._stray(at_ns) if len(self._strays) == STRAYS_MAX else []

    def give_up(self, at_ns: int) -> list[Fault]:
        """Drop what has begun: the rest of it is not coming."""
        faults = self._interrupted(at_ns)
        return [fault for fault in faults if isinstance(fault, Fault)]

    def _interrupted(self, at_ns: int) -> list[bytes | Fault]:
        """A new message begins: what of the old is there, is all there will be."""
        faults = self._stray(at_ns)
        if self._frame and self._frame[0] != _NONE:
            faults.append(Fault(at_ns, Noise.CUT_OFF, bytes(self._frame)))
        self._frame.clear()
        return faults

    def _stray(self, at_ns: int) -> list[bytes | Fault]:
        if not self._strays:
            return []
        fault = Fault(at_ns, Noise.STRAY, bytes(self._strays))
        self._strays.clear()
        return [fault]

    def _checked(self, at_ns: int) -> list[bytes | Fault]:
        frame = self._frame
        if len(frame) < _HEADER:
            return []
        length = frame[1] << 7 | frame[2]
        if len(frame) == _HEADER and not _fits(frame[0], length):
            fault = Fault(at_ns, Noise.LENGTH, bytes(frame), f"{length} bytes cannot be")
            frame.clear()
            return [fault]
        if len(frame) < length:
            return []
        message = bytes(frame)
        frame.clear()
        if message[0] == _NONE:
            return []
        if message[0] not in _KNOWN:
            return [Fault(at_ns, Noise.UNKNOWN_MESSAGE, message[:_SHOWN])]
        return [message]


def ends_another(strays: bytes) -> bool:
    """Whether bytes outside any message are the rest of one that lost its first byte. Others came
    twice, and what the message before them says stands in the wrong places."""
    length = strays[0] << 7 | strays[1] if len(strays) > 1 else 0
    return length - 1 == len(strays) and any(length in lengths for lengths in _LENGTHS.values())


def _fits(message_id: int, length: int) -> bool:
    known = _LENGTHS.get(message_id)
    return length in known if known else _HEADER <= length <= LONGEST
