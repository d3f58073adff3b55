"""Certabo (tags), Tabutronic Cerno (tags), Sentio and Tactum (occupancy): frame.py.

Nothing is ever written: the board speaks by itself, and the only thing it would take are lights.

A set of tagged pieces is learnt when it stands in the start array for seven frames, White on the
first two ranks as the board counts, spare queens on d3 and d6 if there are any; or it is handed in
(tags.py). Until then every piece is an unknown one. Occupancy needs three equal frames.

How long a frame takes is not documented anywhere and is measured: the sensing is told with the
second whole frame of the same kind. The first alone tells none: a port that is opened in the middle
of a frame of tags may show no more of it than eight numbers. Sources: firmware_notes/certabo.md
"""

from __future__ import annotations

from collections import deque
from typing import Final

from eboards.certabo.frame import OCCUPANCY, CertaboFramer
from eboards.certabo.reader import TagReader, steady
from eboards.certabo.tags import (
    FRAMES,
    SPARE_QUEENS,
    START_ARRAY,
    Tag,
    TagTable,
    calibrate,
    steady_tag,
)
from eboards.codec import Standing
from eboards.events import (
    EMPTY,
    UNKNOWN,
    DeviceEvent,
    Fault,
    Noise,
    Placement,
    Sensing,
    SensingClass,
)
from eboards.polled import PolledBoard
from eboards.vigil import LOST_NS, Steady

MS: Final = 1_000_000
FRAME_MIN_NS: Final = 50 * MS
FRAME_MAX_NS: Final = 2_000 * MS
OCCUPANCY_FRAMES: Final = 3
SPEAKS_NS: Final = 2 * LOST_NS
"""The slowest board known speaks once a second, and frames may be lost."""


class CertaboCodec(PolledBoard):
    """One board of either kind; the first two frames tell which."""

    driver = "certabo"
    standing = Standing.WRITTEN
    patience_ns = SPEAKS_NS

    def __init__(self, tags: TagTable | None = None) -> None:
        super().__init__()
        self._framer = CertaboFramer()
        self._reader = TagReader(tags or TagTable())
        self._frames: deque[tuple[Tag, ...]] = deque(maxlen=FRAMES)
        self._sensing = Sensing(SensingClass.IDENTITY_NOISY, FRAME_MAX_NS)
        self._numbers = 0
        """In each of its frames; 0: none was seen yet."""
        self._first_at_ns = 0

    @property
    def sensing(self) -> Sensing:
        return self._sensing

    @property
    def tags(self) -> TagTable:
        """The pieces known by now, to be kept for the next time."""
        return self._reader.table

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        for found in self._framer.feed(data, at_ns):
            if isinstance(found, Fault):
                events.append(found)
                continue
            if self._is_strange(found):
                what = f"{len(found)} numbers from a board that has {self._numbers}"
                events.append(Fault(at_ns, Noise.LENGTH, note=what))
                continue
            self._alive(found, at_ns)
            events += self._frame(found, at_ns)
        return events

    def _forget(self) -> None:
        """The sets it knows stay known."""
        super()._forget()
        self._reader = TagReader(self._reader.table)
        self._frames.clear()
        self._numbers = 0

    def _is_strange(self, frame: bytes) -> bool:
        """Of the other kind than the board is. After a silence it may be another one."""
        known = self._identity is not None and not self._vigil.lost
        return known and len(frame) != self._numbers

    def _frame(self, frame: bytes, at_ns: int) -> list[DeviceEvent]:
        if len(frame) != self._numbers:
            self._numbers, self._first_at_ns = len(frame), at_ns
            kind = SensingClass.OCCUPANCY if len(frame) == OCCUPANCY else None
            self._steady = Steady(OCCUPANCY_FRAMES if kind else 1)
            self._sensing = Sensing(kind or SensingClass.IDENTITY_NOISY, FRAME_MAX_NS)
            self._tags_or_bits(frame)
            return []
        events: list[DeviceEvent] = []
        if self._identity is None:
            self._measure(at_ns - self._first_at_ns)
            events += self._introduced("", at_ns)
        placement = self._tags_or_bits(frame)
        if self._sensing.kind is SensingClass.IDENTITY_NOISY and self._still_learning:
            return events
        return events + self._sees(placement, at_ns)

    def _measure(self, gap_ns: int) -> None:
        frame_ns = min(max(gap_ns, FRAME_MIN_NS), FRAME_MAX_NS)
        kind = self._sensing.kind
        frames = OCCUPANCY_FRAMES if kind is SensingClass.OCCUPANCY else 1
        self._sensing = Sensing(kind, frames * frame_ns)

    def _tags_or_bits(self, frame: bytes) -> Placement:
        if len(frame) == OCCUPANCY:
            return tuple(
                UNKNOWN if rank >> (7 - file) & 1 else EMPTY for rank in frame for file in range(8)
            )
        tags = tuple(frame[begin : begin + 5] for begin in range(0, len(frame), 5))
        self._frames.append(tags)
        self._learn()
        if not self._reader.table.pieces:
            return steady(self._frames[-2] if len(self._frames) > 1 else tags, tags)
        return self._reader.read(tags)

    def _learn(self) -> None:
        """A set that stands in the start array and is not known yet is known from now on."""
        known = self._reader.table.pieces
        frames = self._frames
        if len(frames) < FRAMES or not all(steady_tag(frames, square) for square in START_ARRAY):
            return
        tags = {square: steady_tag(frames, square) for square in range(64)}
        shown = {square for square, tag in tags.items() if tag}
        strangers = shown - START_ARRAY.keys() - SPARE_QUEENS.keys()
        if strangers or all(tags[square] in known for square in shown):
            return
        standing = {
            square: piece
            for square, piece in (START_ARRAY | SPARE_QUEENS).items()
            if square in shown
        }
        learnt = calibrate(list(self._frames), standing)
        if isinstance(learnt, TagTable) and all(
            known.get(tag, piece) == piece for tag, piece in learnt.pieces.items()
        ):
            self._reader = TagReader(self._reader.table.with_set(learnt))
            for frame in list(self._frames)[:-1]:
                self._reader.read(frame)

    @property
    def _still_learning(self) -> bool:
        """Pieces whose names will be known in a moment are not shown as strangers before."""
        return not self._reader.table.pieces and len(self._frames) < FRAMES
