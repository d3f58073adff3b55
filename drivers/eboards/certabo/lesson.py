"""A set of tags taught by people: what stands where is agreed on, and the tags follow from it.

    frames ──▶ Lesson.receive ──▶ Progress, again and again, until everything wanted is read
                                  └──▶ table: the set, or why it cannot be one

Noise on empty squares never repeats itself, and a piece read badly is read well most of the time: a
tag counts once most of the last frames show it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from eboards.certabo.frame import TAGS, CertaboFramer
from eboards.certabo.tags import (
    FRAMES,
    SPARE_QUEENS,
    START_ARRAY,
    Tag,
    TagTable,
    Unclear,
    calibrate,
    steady_tag,
)
from eboards.events import COUNTER, Fault, Piece, Square

COUNTERS: Final[dict[Square, Piece]] = dict.fromkeys(range(24, 40), COUNTER)
"""Ranks 5 and 4: where sixteen loose counters lie while they are taught."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a lesson is."""

    read: int
    wanted: int
    missing: tuple[Square, ...]
    """Squares that ought to show a piece and show no steady tag yet."""
    strangers: tuple[Square, ...]
    """Squares that ought to be empty and show one."""


class Lesson:
    """One set on one board. Spare queens are taught if they are there, counters if wanted."""

    def __init__(self, *, counters: bool = False) -> None:
        self.wanted: Mapping[Square, Piece] = START_ARRAY | (COUNTERS if counters else {})
        self.faults = 0
        self._without_tags = 0
        """So many frames in a row had none. One may be the end of a frame that began before."""
        self._framer = CertaboFramer()
        self._frames: deque[tuple[Tag, ...]] = deque(maxlen=FRAMES)

    def receive(self, data: bytes, at_ns: int) -> Progress | None:
        """How far it is after these bytes; None: no whole frame yet."""
        heard = False
        for found in self._framer.feed(data, at_ns):
            if isinstance(found, Fault):
                self.faults += 1
            elif len(found) < TAGS:
                self._without_tags += 1
            else:
                self._without_tags = 0
                self._frames.append(tuple(found[begin : begin + 5] for begin in range(0, TAGS, 5)))
                heard = True
        return self._progress() if heard else None

    @property
    def occupancy(self) -> bool:
        """True: the board tells what is occupied and reads no tags; there is nothing to teach."""
        return self._without_tags > 1

    @property
    def table(self) -> TagTable | Unclear | None:
        """What was learnt, or why not; None: it is still being read."""
        progress = self._progress()
        if len(self._frames) < FRAMES or progress.missing or progress.strangers:
            return None
        return calibrate(list(self._frames), self._standing)

    @property
    def _standing(self) -> dict[Square, Piece]:
        """What is wanted, and the spare queens that are there beside it."""
        spare = {s: piece for s, piece in SPARE_QUEENS.items() if steady_tag(self._frames, s)}
        return {**self.wanted, **spare}

    def _progress(self) -> Progress:
        standing = self._standing
        shown = {square for square in range(64) if steady_tag(self._frames, square)}
        return Progress(
            read=len(shown & standing.keys()),
            wanted=len(standing),
            missing=tuple(sorted(standing.keys() - shown)),
            strangers=tuple(sorted(shown - standing.keys())),
        )
