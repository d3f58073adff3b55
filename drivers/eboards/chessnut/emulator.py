"""An emulated Chessnut board, written from its reports: 64 bytes each on USB, 38 on Bluetooth.

Once `21 01 00` was written it reports every 200 ms, whether anything changed or not. A board that
moves pieces itself is silent while it does (`busy_until_ns`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

REPORT_NS: Final = 200_000_000
SECOND_NS: Final = 1_000_000_000
START: Final = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
_CODES: Final = {
    ".": 0, "q": 1, "k": 2, "b": 3, "p": 4, "n": 5, "R": 6,
    "P": 7, "r": 8, "B": 9, "N": 10, "Q": 11, "K": 12,
}  # fmt: skip
_NAMES: Final = {code: piece for piece, code in _CODES.items()}
_DONE: Final = bytes((0x23, 1, 0))
_REFUSED: Final = bytes((0x23, 1, 1))
_COMMANDS: Final = {0x0A: 10, 0x0B: 6, 0x1B: 3, 0x21: 3, 0x26: 3, 0x27: 3, 0x29: 3, 0x2B: 3,
                    0x31: 3, 0x33: 3, 0x34: 3, 0x39: 3, 0x41: 3, 0x42: 35, 0x43: 34}  # fmt: skip
"""How long each is. What the table does not know is swallowed."""


class ChessnutEmulator:
    """One board. `usb` chooses the long reports; a `strict` one ignores hasty writes.

    `counter`: so many bytes of it follow a board over the air. One text of the maker has two.
    """

    def __init__(
        self,
        pieces: Sequence[str] = START,
        *,
        usb: bool = True,
        strict: bool = True,
        firmware: str = "CN_AIR_1.27",
        percent: int = 80,
        moves_pieces: bool = False,
        counter: int = 4,
    ) -> None:
        self.pieces = list(pieces)
        self.lights = bytes(8)
        self.coloured = bytes(32)
        """Lights of a board that moves pieces: 1 red, 2 green, 3 blue, a nibble each."""
        self.beeps: list[tuple[int, int]] = []
        """Hertz and milliseconds."""
        self.ignored = 0
        """Commands that came too early after another."""
        self.busy_until_ns = 0
        self._usb, self._strict = usb, strict
        self._firmware, self._percent = firmware, percent
        self._moves_pieces = moves_pieces
        self._counter = 4 if usb else counter
        self._reports_at_ns: int | None = None
        self._heard = b""
        self._heard_at_ns = -SECOND_NS
        self._out = b""
        self._now_ns = 0

    def set_square(self, square: int, piece: str, at_ns: int) -> None:
        """A hand changed what stands there."""
        self._run(at_ns)
        self.pieces[square] = piece

    @property
    def lit(self) -> list[int]:
        """The squares that are lit: rank 8 first, bit 7 is file a."""
        return [n for n in range(64) if self.lights[n // 8] << n % 8 & 0x80]

    @property
    def due_at_ns(self) -> int | None:
        return self._now_ns if self._out else self._reports_at_ns

    def receive(self, data: bytes, at_ns: int) -> None:
        self._run(at_ns)
        self._heard += data
        while self._heard:
            length = _COMMANDS.get(self._heard[0], 1)
            if len(self._heard) < length:
                return
            command, self._heard = self._heard[:length], self._heard[length:]
            if self._strict and at_ns - self._heard_at_ns < REPORT_NS:
                self.ignored += 1
                continue
            self._heard_at_ns = at_ns
            self._obey(command, at_ns)

    def advance(self, at_ns: int) -> bytes:
        self._run(at_ns)
        out, self._out = self._out, b""
        return out

    def _run(self, at_ns: int) -> None:
        self._now_ns = max(self._now_ns, at_ns)
        while self._reports_at_ns is not None and self._reports_at_ns <= at_ns:
            late = at_ns - self._reports_at_ns
            if late < 2 * REPORT_NS and self._reports_at_ns >= self.busy_until_ns:
                self._report(self._position(self._reports_at_ns))
            self._reports_at_ns += REPORT_NS

    def _report(self, report: bytes) -> None:
        self._out += report.ljust(64, b"\0") if self._usb else report

    def _position(self, at_ns: int) -> bytes:
        counter = (at_ns // SECOND_NS & 0xFFFFFFFF).to_bytes(4, "little")
        head = bytes((1, 0x3D if self._usb else 0x24))
        return head + self._packed() + counter[: self._counter]

    def _packed(self) -> bytes:
        ranks = [self.pieces[begin : begin + 8][::-1] for begin in range(0, 64, 8)]
        codes = [_CODES[piece] for rank in ranks for piece in rank]
        return bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2], strict=True))

    def _obey(self, command: bytes, at_ns: int) -> None:
        match command[0]:
            case 0x21:
                self._reports_at_ns = at_ns + REPORT_NS if command[2] == 0 else None
                self._report(_DONE)
            case 0x0A:
                self.lights = command[2:]
                self._report(_DONE)
            case 0x0B:
                self.beeps.append((command[2] << 8 | command[3], command[4] << 8 | command[5]))
                self._report(_DONE)
            case 0x27:
                text = self._firmware.encode()
                self._report(bytes((0x28, len(text) + 1, 0)) + text)
            case 0x29:
                self._report(bytes((0x2A, 2, self._percent, 0)))
            case 0x31:
                self._report(bytes((0x32, 1, 0)))
            case 0x26:
                self._report(bytes((0x2D, 4)) + (at_ns // SECOND_NS).to_bytes(4, "little"))
            case 0x43 if self._moves_pieces:
                self.coloured = command[2:]
            case 0x42 if self._moves_pieces:
                self._drive(command[2:34], at_ns)

    def _drive(self, packed: bytes, at_ns: int) -> None:
        """All pieces go where they are told, and nothing is reported meanwhile. To an empty board
        means that they stop."""
        codes = [code for byte in packed for code in (byte & 15, byte >> 4)]
        if not any(codes):
            self.busy_until_ns = at_ns
            return
        if not all(code in _NAMES for code in codes):
            self._report(_REFUSED)
            return
        pieces = [_NAMES[code] for code in codes]
        self.pieces = [
            piece for begin in range(0, 64, 8) for piece in pieces[begin : begin + 8][::-1]
        ]
        self.busy_until_ns = at_ns + 5 * SECOND_NS
