"""An emulated House of Staunton board with its clock, or a Tap'n Set clock alone, written from
their reports of 32 bytes: the board on every change and each quarter of a second, the clock twice a
second while it runs, and once more when it has stopped or was set.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

BOARD_NS: Final = 250_000_000
CLOCK_NS: Final = 500_000_000
MS: Final = 1_000_000
START: Final = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
_CODES: Final = {
    ".": 0, "K": 1, "Q": 2, "R": 3, "N": 4, "B": 5, "P": 6,
    "k": 7, "q": 8, "r": 9, "n": 10, "b": 11, "p": 12,
}  # fmt: skip
_SET: Final = 174
_RUN: Final = {180: "left", 181: "right", 175: None}
_RESET: Final = 179
_LIGHT, _DARK = range(100, 164), 186


class StauntonEmulator:
    """One wire: a board, a clock, or both. Times are those on the face, in milliseconds."""

    def __init__(
        self,
        pieces: Sequence[str] = START,
        *,
        board: bool = True,
        clock: bool = True,
        left_ms: int = 5_400_000,
        right_ms: int = 5_400_000,
        increment_ms: int = 0,
    ) -> None:
        self.pieces = list(pieces)
        self.lit: int | None = None
        self.running: str | None = None
        self._left_ns = {"left": left_ms * MS, "right": right_ms * MS}
        self._increment_ns = increment_ms * MS
        self._has_board, self._has_clock = board, clock
        self._ran_at_ns = 0
        self._board_at_ns: int | None = 0 if board else None
        self._clock_at_ns: int | None = None
        self._command: list[int] = []
        self._half: list[int] = []
        self._out = b""
        self._now_ns = 0

    def set_square(self, square: int, piece: str, at_ns: int) -> None:
        """A hand changed what stands there."""
        self._run(at_ns)
        self.pieces[square] = piece
        self._out += self._board()

    def press(self, side: str, at_ns: int) -> None:
        """This side's lever goes down: the other side's time runs from now on."""
        self._run(at_ns)
        if self.running in (side, None):
            if self.running is not None:
                self._left_ns[side] += self._increment_ns
            self.start("right" if side == "left" else "left", at_ns)

    def start(self, side: str | None, at_ns: int) -> None:
        """This side's time runs; None: both stand."""
        self._run(at_ns)
        self.running, self._ran_at_ns = side, at_ns
        if self._clock_at_ns is None:
            self._clock_at_ns = at_ns

    def set_times(self, left_ms: int, right_ms: int, at_ns: int) -> None:
        """As an arbiter sets them on the clock itself."""
        self._run(at_ns)
        self._left_ns = {"left": left_ms * MS, "right": right_ms * MS}
        self._clock_at_ns = at_ns

    @property
    def due_at_ns(self) -> int | None:
        if self._out:
            return self._now_ns
        times = (self._board_at_ns, self._clock_at_ns if self._has_clock else None)
        return min((at_ns for at_ns in times if at_ns is not None), default=None)

    def receive(self, data: bytes, at_ns: int) -> None:
        """Reports of two bytes: a zero, and one byte of a command."""
        self._run(at_ns)
        self._half += data
        while len(self._half) >= 2:
            self._byte(self._half[1], at_ns)
            del self._half[:2]

    def advance(self, at_ns: int) -> bytes:
        self._run(at_ns)
        out, self._out = self._out, b""
        return out

    def _run(self, at_ns: int) -> None:
        self._now_ns = max(self._now_ns, at_ns)
        while self._board_at_ns is not None and self._board_at_ns <= at_ns:
            if self._board_at_ns + 2 * BOARD_NS > at_ns:
                self._out += self._board()
            self._board_at_ns += BOARD_NS
        while self._has_clock and self._clock_at_ns is not None and self._clock_at_ns <= at_ns:
            self._spend(self._clock_at_ns)
            if self._clock_at_ns + 2 * CLOCK_NS > at_ns:
                self._out += self._clock()
            self._clock_at_ns = self._clock_at_ns + CLOCK_NS if self.running else None
        self._spend(at_ns)

    def _spend(self, at_ns: int) -> None:
        if self.running is not None and at_ns > self._ran_at_ns:
            left_ns = self._left_ns[self.running] - (at_ns - self._ran_at_ns)
            self._left_ns[self.running] = max(left_ns, 0)
            self._ran_at_ns = at_ns

    def _board(self) -> bytes:
        if not self._has_board:
            return b""
        ranks = [self.pieces[begin : begin + 8] for begin in range(56, -1, -8)]
        codes = [_CODES[piece] for rank in ranks for piece in rank]
        return bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2], strict=True))

    def _clock(self) -> bytes:
        face: list[int] = []
        for side in ("left", "right"):
            # A face shows a second until it is used up.
            seconds = -(-self._left_ns[side] // (1000 * MS))
            face += [seconds // 3600 & 0x3F, seconds // 60 % 60, seconds % 60]
        if self.running is not None:
            face[5] |= 0x80 | (0x40 if self.running == "right" else 0)
        return b"\xff\xca" + bytes(face).ljust(30, b"\0")

    def _byte(self, value: int, at_ns: int) -> None:
        if self._command or value == _SET:
            self._command.append(value)
            if len(self._command) == 8:
                _, lh, lm, ls, rh, rm, rs, increment = self._command
                self._command = []
                self._increment_ns = increment * 1000 * MS
                left_s, right_s = lh * 3600 + lm * 60 + ls, rh * 3600 + rm * 60 + rs
                self.set_times(left_s * 1000, right_s * 1000, at_ns)
        elif value in _RUN:
            self.start(_RUN[value], at_ns)
        elif value == _RESET:
            self.start(None, at_ns)
            self.set_times(0, 0, at_ns)
        elif value in _LIGHT:
            self.lit = (value - 100) ^ 56
        elif value == _DARK:
            self.lit = None
