"""From tags, frame by frame, to what stands on the board.

Coils lie. An empty square returns noise, never the same twice; a piece at the edge of its field
returns its number with a byte or two wrong, or nothing for a frame. So:

    a known tag            that piece, at once; unless it still shows on the square it stood on
    nearly that tag        it still stands there
    nearly some tag        a piece, but which is open; believed the second time
    anything else          nothing; believed the third time, or when the piece shows elsewhere
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from eboards.certabo.tags import NO_TAG, Tag, TagTable, is_near
from eboards.events import EMPTY, UNKNOWN, Piece, Placement

MISSED_MAX: Final = 3
"""So many frames without a trace of a piece, and it is gone. After two, a coil that misses one read
in five hundred would lift some piece in every fifth game."""


@dataclass(slots=True)
class _Place:
    """One square: the piece there by its tag, and for how many frames it was not seen."""

    piece: Piece = EMPTY
    tag: Tag = NO_TAG
    missed: int = 0
    doubts: int = 0
    """Frames in a row with a tag that is only nearly known."""


@dataclass(slots=True)
class TagReader:
    """What a board of tags shows, with the memory that its noise makes necessary."""

    table: TagTable
    _places: list[_Place] = field(default_factory=lambda: [_Place() for _ in range(64)])

    def read(self, frame: Sequence[Tag]) -> Placement:
        """The placement after this frame of 64 tags."""
        seen = frozenset(tag for tag in frame if tag in self.table.pieces)
        homes = {place.tag: number for number, place in enumerate(self._places)}
        for number, tag in enumerate(frame):
            place = self._places[number]
            home = homes.get(tag, number)
            if tag in seen and (home == number or frame[home] != tag):
                self._places[number] = _Place(self.table.pieces[tag], tag)
            elif place.tag != NO_TAG and is_near(tag, place.tag):
                place.missed = place.doubts = 0
            else:
                self._doubt(place, tag, gone=place.tag in seen)
        return tuple(place.piece for place in self._places)

    def _doubt(self, place: _Place, tag: Tag, *, gone: bool) -> None:
        """The square shows no piece we know, and not the one that stood there."""
        place.doubts = (
            place.doubts + 1 if tag not in self.table.pieces and self.table.near(tag) else 0
        )
        if place.piece == UNKNOWN and place.doubts:
            place.missed = 0
            return
        if place.piece != EMPTY:
            place.missed += 1
            if gone or place.missed >= MISSED_MAX:
                place.piece, place.tag, place.missed = EMPTY, NO_TAG, 0
        if place.piece == EMPTY and place.doubts >= 2:
            place.piece = UNKNOWN


def steady(before: Sequence[Tag], now: Sequence[Tag]) -> Placement:
    """Of tags that nobody has taught: where the same one shows twice there is something."""
    return tuple(
        UNKNOWN if is_near(tag, last) else EMPTY for last, tag in zip(before, now, strict=True)
    )
