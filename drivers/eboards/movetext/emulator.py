"""An emulated old computer: whoever plays on it plays legal moves, and each comes out as a line."""

from __future__ import annotations

from typing import Final

_BACK_RANKS: Final = {"e1g1": "O-O", "e8g8": "O-O", "e1c1": "O-O-O", "e8c8": "O-O-O"}


class MoveTextEmulator:
    """One computer. A `bare` one writes `Me2e4`; the others number their moves."""

    def __init__(self, *, bare: bool = False, name: str = "ID.UCBII V1.09") -> None:
        self.sends_moves = bare
        """The later computers send moves once they are told `X ON`."""
        self._bare, self._name = bare, name
        self._plies = 0
        self._heard = b""
        self._out = b""
        self._now_ns = 0

    def play(self, move: str, at_ns: int, *, takes: bool = False, castles: bool = False) -> None:
        """A move in coordinates, `e7e8q` where a pawn promotes."""
        text = self._written(move, takes=takes, castles=castles)
        self._plies += 1
        if self.sends_moves:
            self._say(text, at_ns)

    def take_back(self, move: str, at_ns: int) -> None:
        """The last move is undone on the computer."""
        self._plies -= 1
        self._say("T" + self._written(move)[1:], at_ns)

    @property
    def due_at_ns(self) -> int | None:
        return self._now_ns if self._out else None

    def receive(self, data: bytes, at_ns: int) -> None:
        self._now_ns = max(self._now_ns, at_ns)
        *lines, self._heard = (self._heard + data).split(b"\n")
        for line in lines:
            match line.strip().upper():
                case b"I" if not self._bare:
                    self._say(self._name, at_ns)
                case b"X ON":
                    self.sends_moves = True
                case b"N":
                    self._plies = 0
                    self._say("New Game", at_ns)

    def advance(self, at_ns: int) -> bytes:
        self._now_ns = max(self._now_ns, at_ns)
        out, self._out = self._out, b""
        return out

    def _written(self, move: str, *, takes: bool = False, castles: bool = False) -> str:
        promoted = f"/{move[4].upper()}" if len(move) > 4 else ""
        if self._bare:
            return f"M{move[:4]}{promoted}"
        number, black = divmod(self._plies, 2)
        counted = f"M{number + 1:4}{',' if black else ' '}  "
        if castles:
            return counted + _BACK_RANKS[move]
        return f"{counted}{move[:2]}{'x' if takes else '-'}{move[2:4]}{promoted}"

    def _say(self, text: str, at_ns: int) -> None:
        self._now_ns = max(self._now_ns, at_ns)
        self._out += text.encode() + b"\r\n"
