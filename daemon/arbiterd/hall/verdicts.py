"""What a check of a board says of each coil, each chip and the clock.

Each man has stood on two coils. Read wrongly on one of them, that coil is at fault; on both, his
chip. Where only one was tried it stays open which.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from arbiterd.hall.inspection import HOME, MEN, SPARE, Inspection, Noticed, Stage, forward
from eboards.events import BLACK_MAN, CHESS_BOARD, EMPTY, UNKNOWN, WHITE_MAN, Piece, Side, Square

FLICKERS_FROM: Final = 3
"""A hand that puts a man right loses a square once or twice."""

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
class Verdict:
    """One coil, one chip, or the clock."""

    name: str
    mark: Mark
    words: str = ""
    """What was seen, and the mend; empty where it is good."""


@dataclass(frozen=True, slots=True)
class Report:
    """The whole board."""

    coils: tuple[Verdict, ...]
    """In reading order, as White sees them."""
    chips: tuple[Verdict, ...]
    wire: Verdict
    clock: Verdict

    @property
    def good(self) -> bool:
        """A board without a clock may be just that."""
        return all(verdict.mark is Mark.GOOD for verdict in (*self.coils, *self.chips, self.wire))


def man(piece: Piece) -> str:
    """For people: `white knight`."""
    if piece in (UNKNOWN, WHITE_MAN, BLACK_MAN):
        return {UNKNOWN: "unknown man", WHITE_MAN: "white man", BLACK_MAN: "black man"}[piece]
    return f"{'white' if piece.isupper() else 'black'} {_KINDS.get(piece.lower(), piece)}"


def verdicts(seen: Inspection) -> Report:
    """Of everything that was noticed so far."""
    wrong = {
        (stage, square): said
        for stage, noticed in seen.noticed.items()
        for square, piece in MEN[stage].items()
        if (said := _wrong(noticed, square, seen.sensed(piece)))
    }
    coils = tuple(_coil(seen, wrong, square) for square in range(len(CHESS_BOARD)))
    men = [_chip(seen, wrong, home, piece) for home, piece in HOME.items()]
    return Report(coils, (*men, *_spare(seen)), _wire(seen), _clock(seen))


_Wrong = Mapping[tuple[Stage, Square], str]
"""What was wrong with the man on this square, for each stage in which something was."""


def _wrong(noticed: Noticed, square: Square, expected: Piece) -> str:
    """What a coil made of the man on it; empty: it read him right."""
    lost, shown = noticed.flickers.get(square, 0), noticed.shown[square]
    if lost >= FLICKERS_FROM:
        return f"flickers (lost {lost} times)"
    if shown == expected:
        return ""
    return "is not read" if shown == EMPTY else f"is read as a {man(shown)}"


def _name(square: Square) -> str:
    return CHESS_BOARD.names[square]


def _home_of(stage: Stage, square: Square) -> Square:
    """Whose turn it was to stand here."""
    return square if stage is Stage.HOME else _forward_from[square]


_forward_from: Final = {forward(home): home for home in HOME}


def _coil(seen: Inspection, wrong: _Wrong, square: Square) -> Verdict:
    """Under a man in one stage, under none in the other."""
    stage = Stage.HOME if square in HOME else Stage.FORWARD
    bare = Stage.FORWARD if square in HOME else Stage.HOME
    name = _name(square)
    stranger = _stranger(seen, bare, square)
    if stranger:
        return Verdict(name, Mark.BAD, stranger)
    if stage not in seen.noticed:
        return Verdict(name, Mark.OPEN, "no man was tried on it")
    said = wrong.get((stage, square))
    if said is None:
        if bare not in seen.noticed:
            return Verdict(name, Mark.OPEN, "never seen without a man")
        return Verdict(name, Mark.GOOD)
    who = man(MEN[stage][square])
    home = _home_of(stage, square)
    if (bare, _place(home, bare)) in wrong:
        return Verdict(name, Mark.OPEN, f"try another man: the {who}'s own chip is at fault")
    if bare in seen.noticed:
        return Verdict(name, Mark.BAD, f"the {who} {said} here, and well elsewhere: the coil")
    return Verdict(name, Mark.OPEN, f"the {who} {said}: the coil or the chip, try another man")


def _place(home: Square, stage: Stage) -> Square:
    return home if stage is Stage.HOME else forward(home)


def _stranger(seen: Inspection, bare: Stage, square: Square) -> str:
    """What a coil reads without a man on it; empty: nothing, as it should."""
    noticed = seen.noticed.get(bare)
    if noticed is None:
        return ""
    lost, shown = noticed.flickers.get(square, 0), noticed.shown[square]
    allowed = SPARE.get(square, EMPTY) if bare is Stage.HOME else EMPTY
    if shown not in (EMPTY, seen.sensed(allowed)):
        return f"reads a {man(shown)} where none stands: the coil, or a magnet near it"
    if lost >= FLICKERS_FROM:
        return f"reads something {lost} times where nothing stands: the coil, or a magnet near it"
    return ""


def _chip(seen: Inspection, wrong: _Wrong, home: Square, piece: Piece) -> Verdict:
    name = f"{man(piece)} {_name(home)}"
    tried = [stage for stage in MEN if stage in seen.noticed]
    if any((stage, _place(home, stage)) not in wrong for stage in tried):
        return Verdict(name, Mark.GOOD)
    if not tried:
        return Verdict(name, Mark.OPEN, "not tried")
    where = " and ".join(
        f"{said} on {' and '.join(squares)}" for said, squares in _told(wrong, home).items()
    )
    if len(tried) == 1:
        return Verdict(name, Mark.OPEN, f"{where}: the coil or the chip, try him elsewhere")
    return Verdict(name, Mark.BAD, f"{where}: his chip, take another man")


def _told(wrong: _Wrong, home: Square) -> Mapping[str, list[str]]:
    """What was wrong with a man, and on which squares."""
    told: dict[str, list[str]] = {}
    for stage in MEN:
        square = _place(home, stage)
        if said := wrong.get((stage, square)):
            told.setdefault(said, []).append(_name(square))
    return told


def _spare(seen: Inspection) -> Iterator[Verdict]:
    """Spare queens that stood where they may."""
    noticed = seen.noticed.get(Stage.HOME)
    for square, piece in SPARE.items():
        if noticed is not None and noticed.shown[square] == seen.sensed(piece):
            yield Verdict(f"spare {man(piece)} {_name(square)}", Mark.GOOD)


def _wire(seen: Inspection) -> Verdict:
    if seen.damaged:
        return Verdict("cable", Mark.BAD, f"{seen.damaged} messages arrived damaged: try another")
    return Verdict("cable", Mark.GOOD)


def _clock(seen: Inspection) -> Verdict:
    if seen.clock is None:
        return Verdict("clock", Mark.OPEN, "none answers; plug it in, or play without")
    if seen.clock.battery_low:
        return Verdict("clock", Mark.BAD, "its battery is low: change it before the round")
    if len(seen.levers) < len(Side):
        return Verdict("clock", Mark.OPEN, "answers; its lever was not seen both ways")
    return Verdict("clock", Mark.GOOD)
