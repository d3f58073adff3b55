"""ChessLink on the wire: printable characters of 7 bits, each with odd parity in its top bit.

    letter  data ...  checksum

- checksum  XOR of all 7 bit values before it, as two upper case hex digits

There is neither start, end nor length: the letter tells how long the message is. From the board:

    v hh ll         7   version          s 64 pieces     67   position
    l  x            3   lights done      r aa dd       7   register read
    w aa dd         7   register written i 00 text LF      model; ends two characters after LF

Small `r` is a black rook too: out of step it begins nothing unless a register was asked for.
"""

from __future__ import annotations

from typing import Final

from eboards.events import Fault, Noise

_LENGTHS: Final = {"v": 7, "s": 67, "l": 3, "x": 3, "r": 7, "w": 7}
_MODEL_MAX: Final = 100
PIECES: Final = frozenset("KQRBNPkqrbnp.?oO")


def with_parity(text: str) -> bytes:
    """Odd parity in the top bit."""
    return bytes(code | (0x80 if code.bit_count() % 2 == 0 else 0) for code in text.encode())


def checksum(text: str) -> str:
    """Two hex digits; the first never exceeds 7."""
    value = 0
    for code in text.encode():
        value ^= code
    return f"{value:02X}"


def message(text: str) -> bytes:
    """A whole message as it goes over the wire."""
    return with_parity(text + checksum(text))


class ChessLinkFramer:
    """Finds the messages in what a board sends."""

    def __init__(self) -> None:
        self._text = ""
        self._in_step = True
        self.register_asked = False
        """An `R` is out: `r` may be its answer."""

    def feed(self, data: bytes, at_ns: int) -> list[str | Fault]:
        """Whole messages without their checksum, and what was wrong between them."""
        found: list[str | Fault] = []
        for byte in data:
            if byte.bit_count() % 2 == 0:
                found.append(Fault(at_ns, Noise.CHECKSUM, self._half(byte), "wrong parity"))
                self._text, self._in_step = "", False
                continue
            self._text += chr(byte & 0x7F)
            while self._text and (one := self._first(at_ns)) is not None:
                found += one
        return found

    def _half(self, byte: int) -> bytes:
        return with_parity(self._text) + bytes([byte])

    def _first(self, at_ns: int) -> list[str | Fault] | None:
        """What the first characters are; None where more of them are needed."""
        letter = self._text[0]
        if letter == "r" and not (self._in_step or self.register_asked):
            return self._skip(at_ns)
        if letter == "i":
            end = self._text.find("\n") + 3
            if end == 2 and len(self._text) < _MODEL_MAX:
                return None
            length = end if end > 2 else 1
        elif letter in _LENGTHS:
            length = _LENGTHS[letter]
        else:
            return self._skip(at_ns)
        if letter == "s" and not PIECES.issuperset(self._text[1:65]):
            return self._refuse(Noise.RANGE, at_ns)
        if len(self._text) < length:
            return None
        whole = self._text[:length]
        if checksum(whole[:-2]) != whole[-2:]:
            return self._refuse(Noise.CHECKSUM, at_ns)
        self._text, self._in_step = self._text[length:], True
        return [whole[:-2]]

    def _refuse(self, noise: Noise, at_ns: int) -> list[str | Fault]:
        """No message begins here after all; one may begin inside it."""
        fault = Fault(at_ns, noise, with_parity(self._text))
        self._text, self._in_step = self._text[1:], False
        return [fault]

    def _skip(self, at_ns: int) -> list[str | Fault]:
        """Told once, until in step again."""
        said: list[str | Fault] = []
        if self._in_step:
            said.append(Fault(at_ns, Noise.STRAY, with_parity(self._text[:1])))
        self._text, self._in_step = self._text[1:], False
        return said
