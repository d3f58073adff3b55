"""The pieces on an emulated DGT board and the coils under them.

The coils are read one after another, a8 first, 3.5 ms each. What stands on a square is noticed
when its turn comes: two things done within one round are noticed in the order of their squares,
and a piece that comes and goes between two turns is never seen. That a new square is reported
before the old one is cleared follows from this by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SQUARES: Final = 64
COIL_NS: Final = 3_500_000
SCAN_NS: Final = SQUARES * COIL_NS

CODES: Final = {
    ".": 0x00,
    "P": 0x01,
    "R": 0x02,
    "N": 0x03,
    "B": 0x04,
    "K": 0x05,
    "Q": 0x06,
    "p": 0x07,
    "r": 0x08,
    "n": 0x09,
    "b": 0x0A,
    "k": 0x0B,
    "q": 0x0C,
}
START: Final = "rnbqkbnr" + "p" * 8 + "." * 32 + "P" * 8 + "RNBQKBNR"


@dataclass(frozen=True, slots=True)
class CoilChange:
    """A square was found to hold something else than at its turn before."""

    at_ns: int
    square: int
    code: int


class EmulatedBoard:
    """Pieces that its owner lifts and places, and what the coils have noticed of them.

    Squares are numbered as the board itself does: 0 is a8 with White at the connector's left.
    """

    def __init__(self, placement: str = START, *, phase_ns: int = 0) -> None:
        assert len(placement) == SQUARES, "a piece or a point for every square"
        self._pieces = [CODES[piece] for piece in placement]
        self._seen = list(self._pieces)
        self._turns: dict[int, int] = {}
        self._phase_ns = phase_ns
        self._dead: set[int] = set()

    @property
    def image(self) -> bytes:
        """What the coils have noticed so far: the 64 codes of a dump."""
        return bytes(self._seen)

    @property
    def due_at_ns(self) -> int | None:
        """When the next difference will be noticed."""
        return min(self._turns.values()) if self._turns else None

    def put(self, square: int, piece: str, at_ns: int) -> None:
        """From now on this stands there; `.` for nothing. First call `advance` up to this time."""
        assert 0 <= square < SQUARES, "squares are 0..63"
        self._pieces[square] = CODES[piece]
        if self._pieces[square] == self._seen[square] or square in self._dead:
            self._turns.pop(square, None)
        else:
            self._turns.setdefault(square, self._turn(square, at_ns))

    def piece(self, square: int) -> str:
        """What stands there, seen or not."""
        return next(piece for piece, code in CODES.items() if code == self._pieces[square])

    def kill(self, square: int) -> None:
        """This coil is dead from now on: its square reads as empty."""
        self._dead.add(square)
        self._seen[square] = CODES["."]
        self._turns.pop(square, None)

    def find_all(self) -> None:
        """Begin anew with what stands on the board."""
        self._turns.clear()
        for square, code in enumerate(self._pieces):
            self._seen[square] = CODES["."] if square in self._dead else code

    def advance(self, at_ns: int) -> list[CoilChange]:
        """What the coils notice up to this time, in their order."""
        noticed = sorted((turn, square) for square, turn in self._turns.items() if turn <= at_ns)
        for _, square in noticed:
            self._seen[square] = self._pieces[square]
            del self._turns[square]
        return [CoilChange(turn, square, self._seen[square]) for turn, square in noticed]

    def _turn(self, square: int, at_ns: int) -> int:
        """When the coil of a square is read next."""
        first = self._phase_ns + square * COIL_NS
        return at_ns + (first - at_ns) % SCAN_NS
