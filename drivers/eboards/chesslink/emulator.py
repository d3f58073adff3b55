"""An emulated ChessLink board, written from what its maker says goes over the wire.

    to the board     V  S  X  T  R aa  W aa dd  L ss + 81 x 2 hex  I00
    from the board   v  s  x  -  r     w        l                  i

What comes with wrong parity or checksum is not answered, nor are digits that are none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

SCAN_UNIT_NS: Final = 2_048_000
"""Of register 01. One pass over all coils takes as many."""
SCAN_LEAST: Final = 0x0F
SCAN_USUAL: Final = 0x14
"""What register 01 has at first, and acts as where it has less than the least."""
TIMER_UNIT_NS: Final = 4_096_000
"""Of register 03."""
RESTART_NS: Final = 3_000_000_000
START: Final = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
CORNERS: Final = 81
_LENGTHS: Final = {"V": 3, "S": 3, "X": 3, "T": 3, "R": 5, "W": 7, "L": 167, "I": 5}
_DIGITS: Final = re.compile(r"[0-9A-Fa-f]+")
_CHECKING, _SCAN, _MODE, _TIMER, _BRIGHTNESS = range(5)
"""The registers. The maker names no timer it is sold with."""
_EVERY_SCAN, _NEVER, _BY_TIMER, _ON_CHANGE = range(4)
"""The low three bits of register 02. From 4 on a change is told that stood for 2 to 5 scans."""


class ChessLinkEmulator:
    """One board. `turned` boards count from h1 on; a `mute` one answers no W, L or X."""

    def __init__(
        self,
        pieces: Sequence[str] = START,
        *,
        version: str = "0103",
        model: str = "",
        turned: bool = False,
        mute: bool = False,
        mode: int = _EVERY_SCAN,
    ) -> None:
        self.pieces = list(pieces)
        self.lights = [0] * CORNERS
        self.slot = 0
        self.registers = {_CHECKING: 0, _SCAN: SCAN_USUAL, _MODE: mode, _TIMER: 0, _BRIGHTNESS: 7}
        self._version, self._model = version, model
        self._turned, self._mute = turned, mute
        self._heard = ""
        self._out = b""
        self._now_ns = 0
        self._scanned_ns = 0
        self._timed_ns = 0
        self._quiet_until_ns = 0
        self._told = ""
        self._scanned = ""
        self._alike = 0
        """So many scans in a row saw the same."""

    def set_square(self, square: int, piece: str, at_ns: int) -> None:
        """A hand changed what stands there. The next scan sees it."""
        self.advance_scans(at_ns)
        self.pieces[square] = piece

    @property
    def due_at_ns(self) -> int | None:
        if self._out:
            return self._now_ns
        mode = self.registers[_MODE] & 7
        if mode == _NEVER or (mode >= _ON_CHANGE and self._shown() == self._told):
            return None
        if mode == _BY_TIMER:
            return self._timed_ns + self._timer_ns
        return self._scanned_ns + self._scan_ns

    @property
    def _scan_ns(self) -> int:
        period = self.registers[_SCAN]
        return (period if period >= SCAN_LEAST else SCAN_USUAL) * SCAN_UNIT_NS

    @property
    def _timer_ns(self) -> int:
        """A timer of nothing runs out with each scan."""
        return self.registers[_TIMER] * TIMER_UNIT_NS or self._scan_ns

    def receive(self, data: bytes, at_ns: int) -> None:
        self.advance_scans(at_ns)
        for byte in data:
            if byte.bit_count() % 2 == 0:
                self._heard = ""
                continue
            self._heard += chr(byte & 0x7F)
            length = _LENGTHS.get(self._heard[0])
            if length is None:
                self._heard = ""
            elif len(self._heard) == length:
                said, self._heard = self._heard, ""
                proven = _xor(said[:-2]) == said[-2:] or self.registers[_CHECKING] & 1
                if proven and at_ns >= self._quiet_until_ns:
                    self._obey(said[:-2], at_ns)

    def advance(self, at_ns: int) -> bytes:
        self.advance_scans(at_ns)
        out, self._out = self._out, b""
        return out

    def advance_scans(self, at_ns: int) -> None:
        """The sensors look once a scan, and the board speaks as its register 02 says."""
        self._now_ns = max(self._now_ns, at_ns)
        scanned, timed = self._scan(at_ns), self._time(at_ns)
        if at_ns >= self._quiet_until_ns and self._speaks(scanned, timed):
            self._tell()

    def _scan(self, at_ns: int) -> bool:
        """True if it was time for one. Of several each saw the same: no hand came between."""
        scans = (at_ns - self._scanned_ns) // self._scan_ns
        if scans <= 0:
            return False
        shown = self._shown()
        self._alike = scans + (self._alike if shown == self._scanned else 0)
        self._scanned, self._scanned_ns = shown, self._scanned_ns + scans * self._scan_ns
        return True

    def _time(self, at_ns: int) -> bool:
        """True if the timer of register 03 has run out."""
        times = (at_ns - self._timed_ns) // self._timer_ns
        self._timed_ns += max(0, times) * self._timer_ns
        return times > 0

    def _speaks(self, scanned: bool, timed: bool) -> bool:
        """Unasked."""
        mode = self.registers[_MODE] & 7
        if mode in (_NEVER, _BY_TIMER):
            return timed and mode == _BY_TIMER
        stood = mode == _EVERY_SCAN or (self._scanned != self._told and self._alike >= mode - 2)
        return scanned and stood

    def _tell(self) -> None:
        self._told = self._shown()
        self._say("s" + self._told)

    def _shown(self) -> str:
        return "".join(reversed(self.pieces) if self._turned else self.pieces)

    def _say(self, text: str) -> None:
        for char in text + _xor(text):
            ones = ord(char).bit_count()
            self._out += bytes([ord(char) + (128 if ones % 2 == 0 else 0)])

    def _obey(self, text: str, at_ns: int) -> None:
        if text[0] in "RWL" and not _DIGITS.fullmatch(text[1:]):
            return
        match text[0]:
            case "V":
                self._say("v" + self._version)
            case "S":
                self._tell()
            case "T":
                self._quiet_until_ns = at_ns + RESTART_NS
                self.lights = [0] * CORNERS
            case "R":
                self._say(f"r{text[1:3]}{self.registers.get(int(text[1:3], 16), 0):02X}")
            case "I" if self._model:
                self._say(f"i00{self._model}\n")
            case "W" if not self._mute:
                self._set(int(text[1:3], 16), int(text[3:5], 16), at_ns)
                self._say("w" + text[1:])
            case "X" if not self._mute:
                self.lights = [0] * CORNERS
                self._say("x")
            case "L" if not self._mute:
                self.slot = int(text[1:3], 16)
                self.lights = [int(text[n : n + 2], 16) for n in range(3, 165, 2)]
                self._say("l")

    def _set(self, register: int, value: int, at_ns: int) -> None:
        """A period counts from when it is set."""
        self.registers[register] = value
        if register == _SCAN:
            self._scanned_ns = at_ns
        if register in (_MODE, _TIMER):
            self._timed_ns = at_ns


def _xor(text: str) -> str:
    value = 0
    for char in text:
        value ^= ord(char)
    return f"{value:02X}"
