"""A board watched while somebody checks it before the round: each coil, each chip, the clock.

    events ──▶ hear            what the board says; the clock of the watcher is the events' own
               look            what is not yet as it should be, for whoever puts the pieces up
               due(at_ns)      the pieces have stood long enough: the next stage
               go_on()         somebody says that it gets no better
               noticed         what was seen in each stage, for the verdicts (verdicts.py)

The pieces stand as for a game, then every one of them two ranks further on. So each coil has been
under a piece and under none, and each piece has stood on two coils.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from arbiterd.table.orientation import turned
from eboards.certabo.tags import SPARE_QUEENS
from eboards.events import (
    BLACK_PIECE,
    CHESS_BOARD,
    EMPTY,
    UNKNOWN,
    WHITE_PIECE,
    ClockGone,
    ClockReading,
    DeviceEvent,
    Fault,
    Lever,
    Noise,
    Piece,
    Placement,
    Scan,
    Sensing,
    SensingClass,
    Side,
    Square,
    SquareChange,
)
from eboards.memory import START

HOLD_NS: Final = 3_000_000_000
"""So long all pieces have to stand as they should."""
NEARLY: Final = 4
"""With so few pieces wrong nobody puts pieces up any more: what comes and goes now, flickers."""
HALF: Final = 16
"""With so many pieces wrong the stage was left out, and says nothing of any coil."""
DAMAGED: Final = frozenset({Noise.CUT_OFF, Noise.STRAY, Noise.LENGTH, Noise.CHECKSUM})
"""What a bad cable does to messages."""

HOME: Final[Mapping[Square, Piece]] = {
    square: piece for square, piece in enumerate(START) if piece != EMPTY
}
SPARE: Final[Mapping[Square, Piece]] = SPARE_QUEENS
"""They may stand on d3 and d6 in the first stage, and are checked there."""


def forward(home: Square) -> Square:
    """Two ranks further on."""
    return home + 16 if home < len(START) // 2 else home - 16


class InspectionStage(IntEnum):
    """What whoever checks the board is asked for."""

    HOME = 0
    FORWARD = 1
    CLOCK = 2
    DONE = 3


PIECES: Final[Mapping[InspectionStage, Mapping[Square, Piece]]] = {
    InspectionStage.HOME: HOME,
    InspectionStage.FORWARD: {forward(square): piece for square, piece in HOME.items()},
}


@dataclass(frozen=True, slots=True)
class Look:
    """How far a stage is. Squares are named as White sees them."""

    shown: Placement
    missing: tuple[Square, ...]
    """A piece should be read here, and is not, or as another."""
    strangers: tuple[Square, ...]
    """Nothing should be read here."""

    @property
    def wrong(self) -> tuple[Square, ...]:
        return (*self.missing, *self.strangers)


@dataclass(frozen=True, slots=True)
class Noticed:
    """A stage as it ended."""

    shown: Placement
    flickers: Mapping[Square, int] = field(default_factory=dict)
    """How often each square was lost while no pieces were put up any more."""


class Inspection:
    """One board from its first whole picture to the end of the check."""

    def __init__(self, sensing: Sensing) -> None:
        assert sensing.geometry == CHESS_BOARD, "the pieces of chess are put up"
        self.stage = InspectionStage.HOME
        self.noticed: dict[InspectionStage, Noticed] = {}
        self.levers: set[Side] = set()
        """The ways in which the lever has lain since it was asked for."""
        self.clock: ClockReading | None = None
        """The newest reading; None: there is no clock."""
        self.damaged = 0
        """Messages that arrived damaged."""
        self.silent = False
        self._sensing = sensing.kind
        self._raw: list[Piece] | None = None
        self._degrees = 0
        self._before: frozenset[Square] | None = None
        self._flickers: Counter[Square] = Counter()
        self._hold_until_ns: int | None = None

    def sensed(self, piece: Piece) -> Piece:
        """What this board can tell of a piece."""
        if piece == EMPTY or self._sensing is SensingClass.OCCUPANCY:
            return piece if piece == EMPTY else UNKNOWN
        if self._sensing is SensingClass.COLOUR:
            return WHITE_PIECE if piece.isupper() else BLACK_PIECE
        return piece

    def hear(self, event: DeviceEvent) -> None:
        """Takes in what the device says."""
        match event:
            case Scan():
                self._raw = list(event.placement)
                self._seen(event.at_ns)
            case SquareChange() if self._raw is not None:
                self._raw[event.square] = event.piece
                self._seen(event.at_ns)
            case ClockReading():
                self.clock = event
                self._lever(event.lever)
            case Lever():
                self._lever(event.runs)
            case ClockGone():
                self.clock = None
            case Fault():
                self.damaged += event.noise in DAMAGED
            case _:
                pass
        self.silent = isinstance(event, Fault) and event.noise is Noise.SILENT
        if self.stage is InspectionStage.CLOCK and (
            self.clock is None or len(self.levers) == len(Side)
        ):
            self.stage = InspectionStage.DONE

    def _lever(self, runs: Side | None) -> None:
        if self.stage is InspectionStage.CLOCK and runs is not None:
            self.levers.add(runs)

    def _seen(self, at_ns: int) -> None:
        look = self.look()
        if look is None or self.stage not in PIECES:
            return
        wrong = frozenset(look.wrong)
        if self._before is not None and len(wrong) <= NEARLY:
            self._flickers.update(wrong - self._before)
        self._before = wrong
        if wrong:
            self._hold_until_ns = None
        elif self._hold_until_ns is None:
            self._hold_until_ns = at_ns + HOLD_NS

    def look(self) -> Look | None:
        """The present stage; None: the board has not shown itself, or no pieces are asked for."""
        if self._raw is None or self.stage not in PIECES:
            return None
        if self.stage is InspectionStage.HOME:
            self._degrees = min((0, 180, 90, 270), key=lambda lies: len(self._as_lying(lies).wrong))
        return self._as_lying(self._degrees)

    def _as_lying(self, degrees: int) -> Look:
        assert self._raw is not None, "only what was seen can be turned"
        shown = turned(CHESS_BOARD, degrees, tuple(self._raw))
        wanted = PIECES[self.stage]
        spare = SPARE if self.stage is InspectionStage.HOME else {}
        missing = [s for s, piece in wanted.items() if shown[s] != self.sensed(piece)]
        strangers = [
            square
            for square, piece in enumerate(shown)
            if square not in wanted and piece not in (EMPTY, self.sensed(spare.get(square, EMPTY)))
        ]
        return Look(shown, tuple(missing), tuple(strangers))

    @property
    def due_at_ns(self) -> int | None:
        """When the stage is over if nothing changes before."""
        return self._hold_until_ns

    def due(self, at_ns: int) -> None:
        """The pieces have stood for long enough."""
        if self._hold_until_ns is not None and at_ns >= self._hold_until_ns:
            self._end_stage()

    def go_on(self) -> None:
        """It gets no better: the stage is taken as it stands. Left out where hardly begun."""
        if self.stage is not InspectionStage.DONE and self._raw is not None:
            self._end_stage()

    def _end_stage(self) -> None:
        look = self.look()
        if look is not None and len(look.missing) < HALF:
            self.noticed[self.stage] = Noticed(look.shown, dict(self._flickers))
        self._flickers.clear()
        self._before = self._hold_until_ns = None
        self.stage = InspectionStage(self.stage + 1)
        if self.stage is InspectionStage.CLOCK and self.clock is None:
            self.stage = InspectionStage.DONE
