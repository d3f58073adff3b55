"""What a check of a board says of each coil, each chip and the clock.

Each piece has stood on two coils. Read wrongly on one of them, that coil is at fault; on both, its
chip. Where only one was tried it stays open which.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from arbiterd.hall.links.inspection import (
    HOME,
    PIECES,
    SPARE,
    Inspection,
    InspectionStage,
    Noticed,
    forward,
)
from eboards.events import (
    BLACK_PIECE,
    CHESS_BOARD,
    EMPTY,
    UNKNOWN,
    WHITE_PIECE,
    Piece,
    Side,
    Square,
)

FLICKERS_FROM: Final = 3
"""A hand that puts a piece right loses a square once or twice."""

_KINDS: Final = {
    "p": "pawn",
    "n": "knight",
    "b": "bishop",
    "r": "rook",
    "q": "queen",
    "k": "king",
}


class Mark(Enum):
    """How a verdict reads at a glance."""

    GOOD = "good"
    BAD = "at fault"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """One coil, one chip, or the clock."""

    name: str
    mark: Mark
    words: str = ""
    """What was seen, and the mend; empty where it is good."""


@dataclass(frozen=True, slots=True)
class BoardReport:
    """The whole board."""

    coils: tuple[PartVerdict, ...]
    """In reading order, as White sees them."""
    chips: tuple[PartVerdict, ...]
    wire: PartVerdict
    clock: PartVerdict

    @property
    def good(self) -> bool:
        """A board without a clock may be just that."""
        return all(verdict.mark is Mark.GOOD for verdict in (*self.coils, *self.chips, self.wire))


def piece_name(piece: Piece) -> str:
    """For people: `white knight`."""
    if piece in (UNKNOWN, WHITE_PIECE, BLACK_PIECE):
        sort = {UNKNOWN: "unknown", WHITE_PIECE: "white", BLACK_PIECE: "black"}[piece]
        return f"{sort} piece"
    return f"{'white' if piece.isupper() else 'black'} {_KINDS.get(piece.lower(), piece)}"


def verdicts(seen: Inspection) -> BoardReport:
    """Of everything that was noticed so far."""
    wrong = {
        (stage, square): said
        for stage, noticed in seen.noticed.items()
        for square, piece in PIECES[stage].items()
        if (said := _wrong(noticed, square, seen.sensed(piece)))
    }
    coils = tuple(_coil(seen, wrong, square) for square in range(len(CHESS_BOARD)))
    pieces = [_chip(seen, wrong, home, piece) for home, piece in HOME.items()]
    return BoardReport(coils, (*pieces, *_spare(seen)), _wire(seen), _clock(seen))


_Wrong = Mapping[tuple[InspectionStage, Square], str]
"""What was wrong with the piece on this square, for each stage in which something was."""


def _wrong(noticed: Noticed, square: Square, expected: Piece) -> str:
    """What a coil made of the piece on it; empty: it read it right."""
    lost, shown = noticed.flickers.get(square, 0), noticed.shown[square]
    if lost >= FLICKERS_FROM:
        return f"flickers (lost {lost} times)"
    if shown == expected:
        return ""
    return "is not read" if shown == EMPTY else f"is read as a {piece_name(shown)}"


def _name(square: Square) -> str:
    return CHESS_BOARD.names[square]


def _home_of(stage: InspectionStage, square: Square) -> Square:
    """Whose turn it was to stand here."""
    return square if stage is InspectionStage.HOME else _forward_from[square]


_forward_from: Final = {forward(home): home for home in HOME}


def _coil(seen: Inspection, wrong: _Wrong, square: Square) -> PartVerdict:
    """Under a piece in one stage, under none in the other."""
    stage = InspectionStage.HOME if square in HOME else InspectionStage.FORWARD
    bare = InspectionStage.FORWARD if square in HOME else InspectionStage.HOME
    name = _name(square)
    stranger = _stranger(seen, bare, square)
    if stranger:
        return PartVerdict(name, Mark.BAD, stranger)
    if stage not in seen.noticed:
        return PartVerdict(name, Mark.OPEN, "no piece was tried on it")
    said = wrong.get((stage, square))
    if said is None:
        if bare not in seen.noticed:
            return PartVerdict(name, Mark.OPEN, "never seen without a piece")
        return PartVerdict(name, Mark.GOOD)
    who = piece_name(PIECES[stage][square])
    home = _home_of(stage, square)
    if (bare, _place(home, bare)) in wrong:
        return PartVerdict(name, Mark.OPEN, f"try another piece: the {who}'s own chip is at fault")
    if bare in seen.noticed:
        return PartVerdict(name, Mark.BAD, f"the {who} {said} here, and well elsewhere: the coil")
    return PartVerdict(
        name, Mark.OPEN, f"the {who} {said}: the coil or the chip, try another piece"
    )


def _place(home: Square, stage: InspectionStage) -> Square:
    return home if stage is InspectionStage.HOME else forward(home)


def _stranger(seen: Inspection, bare: InspectionStage, square: Square) -> str:
    """What a coil reads without a piece on it; empty: nothing, as it should."""
    noticed = seen.noticed.get(bare)
    if noticed is None:
        return ""
    lost, shown = noticed.flickers.get(square, 0), noticed.shown[square]
    allowed = SPARE.get(square, EMPTY) if bare is InspectionStage.HOME else EMPTY
    if shown not in (EMPTY, seen.sensed(allowed)):
        return f"reads a {piece_name(shown)} where none stands: the coil, or a magnet near it"
    if lost >= FLICKERS_FROM:
        return f"reads something {lost} times where nothing stands: the coil, or a magnet near it"
    return ""


def _chip(seen: Inspection, wrong: _Wrong, home: Square, piece: Piece) -> PartVerdict:
    name = f"{piece_name(piece)} {_name(home)}"
    tried = [stage for stage in PIECES if stage in seen.noticed]
    if any((stage, _place(home, stage)) not in wrong for stage in tried):
        return PartVerdict(name, Mark.GOOD)
    if not tried:
        return PartVerdict(name, Mark.OPEN, "not tried")
    where = " and ".join(
        f"{said} on {' and '.join(squares)}" for said, squares in _told(wrong, home).items()
    )
    if len(tried) == 1:
        return PartVerdict(name, Mark.OPEN, f"{where}: the coil or the chip, try it elsewhere")
    return PartVerdict(name, Mark.BAD, f"{where}: its chip, take another piece")


def _told(wrong: _Wrong, home: Square) -> Mapping[str, list[str]]:
    """What was wrong with a piece, and on which squares."""
    told: dict[str, list[str]] = {}
    for stage in PIECES:
        square = _place(home, stage)
        if said := wrong.get((stage, square)):
            told.setdefault(said, []).append(_name(square))
    return told


def _spare(seen: Inspection) -> Iterator[PartVerdict]:
    """Spare queens that stood where they may."""
    noticed = seen.noticed.get(InspectionStage.HOME)
    for square, piece in SPARE.items():
        if noticed is not None and noticed.shown[square] == seen.sensed(piece):
            yield PartVerdict(f"spare {piece_name(piece)} {_name(square)}", Mark.GOOD)


def _wire(seen: Inspection) -> PartVerdict:
    if seen.damaged:
        return PartVerdict(
            "cable", Mark.BAD, f"{seen.damaged} messages arrived damaged: try another"
        )
    return PartVerdict("cable", Mark.GOOD)


def _clock(seen: Inspection) -> PartVerdict:
    if seen.clock is None:
        return PartVerdict("clock", Mark.OPEN, "none answers; plug it in, or play without")
    if seen.clock.battery_low:
        return PartVerdict("clock", Mark.BAD, "its battery is low: change it before the round")
    if len(seen.levers) < len(Side):
        return PartVerdict("clock", Mark.OPEN, "answers; its lever was not seen both ways")
    return PartVerdict("clock", Mark.GOOD)
