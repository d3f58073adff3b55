"""Which tag is which piece. A table is learnt from a position that is known, once for each set.

3 0 84 252 153 P        one line a tag: five bytes in decimal, the piece
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from eboards.events import EMPTY, Piece, Square
from eboards.memory import START

Tag: TypeAlias = bytes
"""Five bytes that mean nothing by themselves."""

NO_TAG: Final[Tag] = bytes(5)
NEAR: Final = 3
"""A piece read badly still has so many of its five bytes."""
FRAMES: Final = 7
"""So many frames of a standing board are enough to learn from."""

START_ARRAY: Final[dict[Square, Piece]] = {
    square: piece for square, piece in enumerate(START) if piece != EMPTY
}
SPARE_QUEENS: Final[dict[Square, Piece]] = {43: "Q", 19: "q"}
"""d3 and d6, where the maker lets them be put while a set is learnt."""


@dataclass(frozen=True, slots=True)
class TagTable:
    """The pieces of one or more sets. Counters of other games are pieces here like any others."""

    pieces: Mapping[Tag, Piece] = field(default_factory=dict)

    def near(self, tag: Tag) -> bool:
        """True for what may be one of these pieces, read badly."""
        return any(is_near(tag, known) for known in self.pieces)

    def with_set(self, other: TagTable) -> TagTable:
        """Both sets; where they differ the other one is right."""
        return TagTable({**self.pieces, **other.pieces})


@dataclass(frozen=True, slots=True)
class Unclear:
    """A position cannot be learnt from; in words for people, with the mend."""

    sentence: str


def is_near(tag: Tag, known: Tag) -> bool:
    """Most bytes agree. Nothing is near no tag, though an adapter's own have four zeros of five."""
    return tag != NO_TAG and sum(a == b for a, b in zip(tag, known, strict=True)) >= NEAR


def steady_tag(frames: Sequence[Sequence[Tag]], square: Square) -> Tag | None:
    """The one that most frames show there: noise never repeats itself. None: there is none."""
    tags = [frame[square] for frame in frames]
    most = max(tags, key=tags.count, default=NO_TAG)
    return most if most != NO_TAG and 2 * tags.count(most) > len(tags) else None


def calibrate(
    frames: Sequence[Sequence[Tag]], standing: Mapping[Square, Piece] = START_ARRAY
) -> TagTable | Unclear:
    """The pieces of a board that stands still, from several frames of it.

    Each square named in `standing` gives the tag it showed in more than half of the frames.
    Empty squares may show anything: they are not looked at.
    """
    pieces: dict[Tag, Piece] = {}
    for square, piece in sorted(standing.items()):
        tag = steady_tag(frames, square)
        if tag is None:
            return Unclear(
                f"no steady tag on {_name(square)}: centre the piece there and try again"
            )
        if pieces.get(tag, piece) != piece:
            return Unclear(
                f"the tag on {_name(square)} is that of a {pieces[tag]} too: put up the start array"
            )
        pieces[tag] = piece
    return TagTable(pieces)


def write_table(table: TagTable) -> str:
    """As a file keeps it."""
    return "".join(
        f"{' '.join(map(str, tag))} {piece}\n" for tag, piece in sorted(table.pieces.items())
    )


def read_table(text: str) -> TagTable | Unclear:
    """What `write_table` wrote; lines that begin with # are passed over."""
    pieces: dict[Tag, Piece] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 6 or not all(word.isdecimal() for word in words[:5]):
            return Unclear(f"line {number}: write five numbers and the piece, as 3 0 84 252 153 P")
        values = [int(word) for word in words[:5]]
        if max(values) > 255:
            return Unclear(f"line {number}: {max(values)} is no byte; write 0 to 255")
        pieces[bytes(values)] = words[5]
    return TagTable(pieces)


def _name(square: Square) -> str:
    return f"{'abcdefgh'[square % 8]}{8 - square // 8}"
