"""The log memory of an emulated DGT board: a ring of 7,936 bytes, written by its own rules.

010rnnnn 00ssssss   a square; r within a quarter of a second of the tag before
0110hhhh MM SS      the right side of the clock stopped; 0111hhhh the left
6A power up  6B end of a download  6C outer rows  6D empty  6E downloaded  6F start array
7A start array turned  7B start marked  7F nothing
"""

from __future__ import annotations

from typing import Final

from eboards.dgt.emulated_board import CODES, START

SIZE: Final = 0x1F00
QUICK_NS: Final = 250_000_000

POWER_UP: Final = 0x6A
END: Final = 0x6B
OUTER_ROWS: Final = 0x6C
EMPTY: Final = 0x6D
DOWNLOADED: Final = 0x6E
ARRAY: Final = 0x6F
ARRAY_TURNED: Final = 0x7A
GAME_START: Final = 0x7B
NOTHING: Final = 0x7F

_ARRAY = bytes(CODES[piece] for piece in START)
_AWAY = 2
"""An array is written again only if more pieces than this have been away from it."""


class EmulatedMemory:
    """What the board saw. Places in it are counted from its first byte ever, so they never move."""

    def __init__(self, image: bytes, at_ns: int) -> None:
        self._ring = bytearray()
        self._dropped = 0
        self._last: tuple[int, int] | None = None
        """Square and place of the tag written last, while it is a square's."""
        self._last_at_ns = at_ns - QUICK_NS
        self._sealed = 0
        self._arrayed: bytes | None = None
        self._away = 0
        self.game_from = 0
        """Where the game that was marked last begins."""
        self.power_up(image)

    @property
    def end(self) -> int:
        """Where the next tag will stand."""
        return self._dropped + len(self._ring)

    def between(self, begin: int, end: int) -> bytes:
        """What stands from here to there, as far as it is still held."""
        return bytes(self._ring[max(0, begin - self._dropped) : max(0, end - self._dropped)])

    def seal(self) -> None:
        """What is written so far was sent: it is not written over any more."""
        self._sealed = self.end

    def power_up(self, image: bytes) -> None:
        """The board got power: all pieces found are written down."""
        self._write(bytes((NOTHING, NOTHING, NOTHING, POWER_UP)))
        self._pieces(image)

    def mark_start(self, image: bytes) -> None:
        """A computer says that a game begins: all pieces are written down."""
        self.game_from = self.end
        self._write(bytes((GAME_START,)))
        self._pieces(image)

    def square(self, square: int, code: int, image: bytes, at_ns: int) -> None:
        """A square shows something else; `image` is the board with it."""
        quick = at_ns - self._last_at_ns < QUICK_NS
        if self._last is not None and self._last[0] == square and self._last[1] >= self._sealed:
            # The same square again: a flicker, which takes one entry only.
            del self._ring[-2:]
        place = self.end
        self._write(bytes((0x40 | 0x10 * quick | code, square)))
        self._last = (square, place)
        self._last_at_ns = at_ns
        self._arrays(image)

    def stopped(self, *, left: bool, shown: bytes, at_ns: int) -> None:
        """The lever changed: this side stopped, and showed these three bytes."""
        self._write(bytes(((0x70 if left else 0x60) | shown[0] & 0x0F, shown[1], shown[2])))
        self._last_at_ns = at_ns

    def download(self) -> bytes:
        """The whole ring, oldest first, with an end. That it was read is written down."""
        self.seal()
        tags = bytes(self._ring[-(SIZE - 1) :])
        self._write(bytes((DOWNLOADED,)))
        return tags.rjust(SIZE - 1, bytes((NOTHING,))) + bytes((END,))

    def _pieces(self, image: bytes) -> None:
        for square, code in enumerate(image):
            if code:
                self._write(bytes((0x40 | code, square)))
        self._arrayed = None
        self._arrays(image)

    def _arrays(self, image: bytes) -> None:
        """Arrays that mean something are written once, until enough pieces have left them."""
        if self._arrayed is not None:
            away = sum(1 for here, there in zip(image, self._arrayed, strict=True) if here != there)
            self._away = max(self._away, away)
        tag = _array(image)
        if tag is not None and (self._arrayed != image or self._away > _AWAY):
            self._write(bytes((tag,)))
            self._arrayed, self._away = image, 0

    def _write(self, tag: bytes) -> None:
        self._ring += tag
        self._last = None
        if len(self._ring) > SIZE:
            surplus = len(self._ring) - SIZE
            del self._ring[:surplus]
            self._dropped += surplus


def _array(image: bytes) -> int | None:
    """The tag of an array that means something."""
    if image == _ARRAY:
        return ARRAY
    if image == _ARRAY[::-1]:
        return ARRAY_TURNED
    if not any(image):
        return EMPTY
    outer = image[:16] + image[48:]
    return OUTER_ROWS if all(outer) and not any(image[16:48]) else None
