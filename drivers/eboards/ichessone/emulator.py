"""An emulated iChessOne board, written from its commands: RP, RB, RH are answered at once, CPIRQ
reports every change, CPM and a number reports by a timer, EL and 14 bytes are lights."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

START: Final = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
SCAN_NS: Final = 50_000_000
MS: Final = 1_000_000
_ORDER: Final = ".PNBRQKpnbrqk"
_WORDS: Final = (b"CPIRQ", b"CPOFF", b"CSOFF", b"RP", b"RB", b"RH")
_LIGHTS: Final = 16
_BEEP: Final = 5
_TIMER: Final = re.compile(rb"CPM(\d{0,6})")


class IChessOneEmulator:
    """One board. Its sensors look twenty times a second."""

    def __init__(
        self, pieces: Sequence[str] = START, *, hardware: str = "iChessOne 2.0", percent: int = 61
    ) -> None:
        self.pieces = list(pieces)
        self.lights = b""
        """The last lights message: 16 bytes."""
        self._hardware, self._percent = hardware, percent
        self._on_change = False
        self._every_ns: int | None = None
        self._next_ns: int | None = None
        self._shown: list[str] | None = None
        self._heard = b""
        self._out = b""
        self._now_ns = 0

    def set_square(self, square: int, piece: str, at_ns: int) -> None:
        """A hand changed what stands there. The sensors see it at their next look."""
        self._run(at_ns)
        self.pieces[square] = piece
        if self._on_change and self._next_ns is None:
            self._next_ns = at_ns + SCAN_NS

    @property
    def lit(self) -> list[int]:
        """Rank 8 first, bit 0 is file a; the rows before and after are the board's edges."""
        return [n for n in range(64) if self.lights and self.lights[5 + n // 8] >> n % 8 & 1]

    @property
    def due_at_ns(self) -> int | None:
        return self._now_ns if self._out else self._next_ns

    def receive(self, data: bytes, at_ns: int) -> None:
        self._run(at_ns)
        self._heard += data
        while self._heard and self._command(at_ns):
            pass

    def advance(self, at_ns: int) -> bytes:
        self._run(at_ns)
        out, self._out = self._out, b""
        return out

    def _run(self, at_ns: int) -> None:
        self._now_ns = max(self._now_ns, at_ns)
        while self._next_ns is not None and self._next_ns <= at_ns:
            if self._every_ns is not None:
                self._out += self._position()
                self._next_ns += self._every_ns
                continue
            if self.pieces != self._shown:
                self._out += self._position()
            self._next_ns = None

    def _command(self, at_ns: int) -> bool:
        """Takes one command from what was heard; False where more of it must come."""
        if self._heard.startswith((b"EL", b"ES")):
            length = _LIGHTS if self._heard[1:2] == b"L" else _BEEP
            if len(self._heard) < length:
                return False
            if length == _LIGHTS:
                self.lights = self._heard[:length]
            self._heard = self._heard[length:]
            return True
        if timer := _TIMER.match(self._heard):
            return self._time(timer, at_ns)
        for word in _WORDS:
            if self._heard.startswith(word):
                self._heard = self._heard[len(word) :]
                self._obey(word)
                return True
        if any(word.startswith(self._heard) for word in (*_WORDS, b"EL", b"ES", b"CPM")):
            return False
        self._heard = self._heard[1:]
        return True

    def _time(self, timer: re.Match[bytes], at_ns: int) -> bool:
        """A number has no end: it holds as far as it has come, and waits for more of it. One of
        nothing names no time."""
        every_ns, rest = int(timer[1] or 0) * MS, self._heard[timer.end() :]
        if every_ns not in (0, self._every_ns):
            self._every_ns, self._next_ns = every_ns, at_ns + every_ns
        self._heard = rest or self._heard
        return bool(rest)

    def _obey(self, word: bytes) -> None:
        match word:
            case b"CPIRQ":
                self._on_change, self._every_ns = True, None
            case b"CPOFF":
                self._on_change, self._every_ns, self._next_ns = False, None, None
            case b"RP":
                self._out += self._position()
            case b"RB":
                self._out += bytes((0x3D, 0x62, 0, self._percent))
            case b"RH":
                self._out += b"\x3dh" + self._hardware.encode()

    def _position(self) -> bytes:
        self._shown = list(self.pieces)
        codes = [_ORDER.index(piece) for piece in self.pieces]
        pairs = zip(codes[::2], codes[1::2], strict=True)
        return b"\x3dp" + bytes(high << 4 | low for high, low in pairs)
