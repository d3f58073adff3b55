"""An emulated ChessLink board, written from what its maker says goes over the wire.

    to the board     V  S  X  T  R aa  W aa dd  L ss + 81 x 2 hex  I00
    from the board   v  s  x  -  r     w        l                  i

What comes with wrong parity or checksum is not answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

SCAN_NS: Final = 40_960_000
RESTART_NS: Final = 3_000_000_000
START: Final = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
CORNERS: Final = 81
_LENGTHS: Final = {"V": 3, "S": 3, "X": 3, "T": 3, "R": 5, "W": 7, "L": 167, "I": 5}
_EVERY_SCAN, _NEVER, _TIMER, _ON_CHANGE = range(4)


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
        self.registers = {0: 0, 1: 0x14, 2: mode, 3: 0, 4: 7}
        self._version, self._model = version, model
        self._turned, self._mute = turned, mute
        self._heard = ""
        self._out = b""
        self._now_ns = 0
        self._scan_at_ns = SCAN_NS
        self._quiet_until_ns = 0
        self._told = ""

    def set_square(self, square: int, piece: str, at_ns: int) -> None:
        """A hand changed what stands there. The next scan sees it."""
        self.advance_scans(at_ns)
        self.pieces[square] = piece

    @property
    def due_at_ns(self) -> int | None:
        if self._out:
            return self._now_ns
        silent = self.registers[2] & 7 == _NEVER
        unchanged = self.registers[2] & 7 >= _ON_CHANGE and self._shown() == self._told
        return None if silent or unchanged else self._scan_at_ns

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
                if _xor(said[:-2]) == said[-2:] and at_ns >= self._quiet_until_ns:
                    self._obey(said[:-2], at_ns)

    def advance(self, at_ns: int) -> bytes:
        self.advance_scans(at_ns)
        out, self._out = self._out, b""
        return out

    def advance_scans(self, at_ns: int) -> None:
        """The sensors look once a scan, and the board speaks as its register 02 says."""
        self._now_ns = max(self._now_ns, at_ns)
        if at_ns < self._scan_at_ns:
            return
        self._scan_at_ns += (1 + (at_ns - self._scan_at_ns) // SCAN_NS) * SCAN_NS
        shown, mode = self._shown(), self.registers[2] & 7
        changed = shown != self._told and mode >= _ON_CHANGE
        if at_ns >= self._quiet_until_ns and (changed or mode in (_EVERY_SCAN, _TIMER)):
            self._tell()

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
                self.registers[int(text[1:3], 16)] = int(text[3:5], 16)
                self._say("w" + text[1:])
            case "X" if not self._mute:
                self.lights = [0] * CORNERS
                self._say("x")
            case "L" if not self._mute:
                self.slot = int(text[1:3], 16)
                self.lights = [int(text[n : n + 2], 16) for n in range(3, 165, 2)]
                self._say("l")


def _xor(text: str) -> str:
    value = 0
    for char in text:
        value ^= ord(char)
    return f"{value:02X}"
