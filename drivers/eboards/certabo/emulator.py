"""Emulated Certabo and Tabutronic boards, written from what goes over the wire: they speak by
themselves, once a period, and answer lights with a letter on a line of its own.

    > 8 bytes                        rank 8 first, bit 0 is file a         < L
    > FF 55, 81 x R G B, 0D 0A       Spectrum: a light at each corner,     < D
                                     from h1's outer one, along the ranks

Pieces carry tags of their own; a piece that is lifted keeps its own in the hand. What coils do
wrong is drawn from the dice: none, and they do nothing wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from random import Random

PERIOD_NS: Final = 500_000_000
START: Final = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
SQUARES: Final = 64
_SET: Final = (3, 0, 84)
"""The leading bytes that the tags of one set share."""
_RGB_BYTES: Final = 247
_RGB_HEAD: Final = b"\xff\x55"


@dataclass(frozen=True, slots=True)
class CoilNoise:
    """How often a coil errs in a frame, from 0 to 1."""

    noise: float = 0.3
    """An empty square returns some number."""
    missed: float = 0.0
    """A piece is not seen."""
    altered: float = 0.0
    """A piece's number comes with its last byte wrong."""


class CertaboEmulator:
    """One board: tags, or with `occupancy` only which squares are occupied."""

    def __init__(
        self,
        pieces: Sequence[str] = START,
        *,
        occupancy: bool = False,
        spectrum: bool = False,
        period_ns: int = PERIOD_NS,
        coils: CoilNoise | None = None,
        dice: Random | None = None,
    ) -> None:
        self.pieces = ["."] * SQUARES
        self._lights = bytes(8)
        self._occupancy, self._spectrum = occupancy, spectrum
        self._period_ns = period_ns
        self._coils, self._dice = coils or CoilNoise(), dice
        self._tags: list[bytes] = [bytes(5)] * SQUARES
        self._hand: dict[str, list[bytes]] = {}
        self._made: dict[bytes, str] = {}
        self._frame_at_ns: int | None = None
        self._heard = b""
        self._out = b""
        self._now_ns = 0
        for square, piece in enumerate(pieces):
            self._put(square, piece)

    @property
    def made(self) -> Mapping[bytes, str]:
        """Every tag there is by now, and on which piece."""
        return self._made

    @property
    def lit(self) -> list[int]:
        """The squares that are lit, all four corners of them where each corner has its light."""
        if not self._spectrum or len(self._lights) != _RGB_BYTES:
            return [n for n in range(SQUARES) if self._lights[n // 8] >> n % 8 & 1]
        corners = [any(self._lights[n : n + 3]) for n in range(2, 245, 3)]
        firsts = {square: 9 * (7 - square // 8) + 7 - square % 8 for square in range(SQUARES)}
        return [
            square
            for square, first in firsts.items()
            if all(corners[first + step] for step in (0, 1, 9, 10))
        ]

    def holds(self, piece: str) -> bool:
        """Whether such a piece was taken off and is in a hand, or beside the board."""
        return piece == "." or bool(self._hand.get(piece))

    def set_square(self, square: int, piece: str, at_ns: int) -> None:
        """A hand changed what stands there. The next frame shows it."""
        self._run(at_ns)
        self._put(square, piece)

    @property
    def due_at_ns(self) -> int | None:
        return self._now_ns if self._out or self._frame_at_ns is None else self._frame_at_ns

    def receive(self, data: bytes, at_ns: int) -> None:
        self._run(at_ns)
        self._heard += data
        length = _RGB_BYTES if self._spectrum else 8
        while len(self._from_head()) >= length:
            self._lights, self._heard = self._heard[:length], self._heard[length:]
            self._out += b"D\r\n" if self._spectrum else b"L\r\n"

    def _from_head(self) -> bytes:
        """What was heard; of coloured lights from where they begin. The plain ones, by which a
        computer asks which kind a board has, mean nothing here."""
        if self._spectrum and not self._heard.startswith(_RGB_HEAD):
            place = self._heard.find(_RGB_HEAD)
            half = self._heard[-1:] if self._heard.endswith(_RGB_HEAD[:1]) else b""
            self._heard = self._heard[place:] if place >= 0 else half
        return self._heard

    def advance(self, at_ns: int) -> bytes:
        self._run(at_ns)
        out, self._out = self._out, b""
        return out

    def _run(self, at_ns: int) -> None:
        self._now_ns = max(self._now_ns, at_ns)
        if self._frame_at_ns is None:
            self._frame_at_ns = at_ns
        while self._frame_at_ns <= at_ns:
            # Frames that nobody took in time are lost, as on a cable without a listener.
            if self._frame_at_ns + 2 * self._period_ns > at_ns:
                self._out += self._frame()
            self._frame_at_ns += self._period_ns

    def _put(self, square: int, piece: str) -> None:
        gone, tag = self.pieces[square], self._tags[square]
        if gone != ".":
            self._hand.setdefault(gone, []).append(tag)
        self.pieces[square] = piece
        self._tags[square] = self._tag_of(piece) if piece != "." else bytes(5)

    def _tag_of(self, piece: str) -> bytes:
        """That of the piece in the hand; otherwise one that comes out of the box."""
        if self._hand.get(piece):
            return self._hand[piece].pop()
        number = len(self._made)
        tag = bytes((*_SET, (number * 37 + 252) % 256, (number * 101 + 153) % 256))
        self._made[tag] = piece
        return tag

    def _frame(self) -> bytes:
        if self._occupancy:
            ranks = (self.pieces[begin : begin + 8] for begin in range(0, SQUARES, 8))
            bits = ("".join("0" if piece == "." else "1" for piece in rank) for rank in ranks)
            numbers = [int(rank, 2) for rank in bits]
        else:
            numbers = [value for tag in self._tags for value in self._coil(tag)]
        return (":" + "".join(f"{number} " for number in numbers)).encode() + b"\r\n"

    def _coil(self, tag: bytes) -> bytes:
        dice, coils = self._dice, self._coils
        if dice is None:
            return tag
        if tag == bytes(5):
            return dice.randbytes(5) if dice.random() < coils.noise else tag
        if dice.random() < coils.missed:
            return bytes(5)
        if dice.random() < coils.altered:
            return tag[:4] + bytes([tag[4] ^ (1 + dice.randrange(255))])
        return tag
