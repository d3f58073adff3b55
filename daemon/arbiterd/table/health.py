"""What a board's coils do wrong, learnt from the games that are played on it.

    a piece leaves its square and is back within 0.8 s, lost     its coil, or the piece's chip
    while no other square changes: nobody was near
    the same, but another piece showed meanwhile        misread
    a piece shows only after its clock was pressed      late     badly centred, or a weak coil
    the square was taken for another than it showed     wrong

A hand that lifts a piece and puts it back at once looks the same as a coil that loses it. So they
are told apart by how often it happens: on this coil, with what is known of the board around it.
Squares here are the device's own, so that a board may be turned. Boards that only count pieces
learn nothing of what is lost: a capture looks the same there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from eboards.events import EMPTY, Piece, SensingClass, Square

MS: Final = 1_000_000
HOUR_NS: Final = 3_600_000_000_000
LOST_NS: Final = 800 * MS
"""A piece that is back on its square within this was lost to the sensor, or hardly lifted."""
NEAR_NS: Final = 1000 * MS
"""What changes on other squares so shortly before, or meanwhile, is a hand."""
IDLE_NS: Final = 60_000 * MS
"""Of a longer time in which nothing changes, so much counts as watched."""
PIECES: Final = 32
HANDS: Final = 0.05
"""So often an hour hands lift a piece and put it back as quickly, with nothing else done: of three
adjustments a game one is as short, on 32 pieces."""
BOARD_HOURS: Final = 8.0
"""Piece-hours of this are what is believed of a board before anything was seen of it."""
COIL_HOURS: Final = 8.0
"""The same of one coil, by its board."""
SURE: Final = 4.0
"""A coil that loses pieces so many times as often as hands do is believed less."""
SPOKEN_OF: Final = 3
"""From so many errors on, people are told."""


class Counts(Struct, kw_only=True):
    """How often a coil, or a kind of piece, was read wrongly."""

    lost: int = 0
    misread: int = 0
    late: int = 0
    wrong: int = 0

    @property
    def all(self) -> int:
        return self.lost + self.misread + self.late + self.wrong


class Away(Struct):
    """What stood on a square that shows otherwise now, since when, and whether nobody was near."""

    piece: Piece
    since_ns: int
    alone: bool
    misread: bool


class Health(Struct, kw_only=True):
    """A value that can be written and read back; it goes with its board from round to round."""

    watched_ns: int = 0
    coils: dict[Square, Counts] = {}
    pieces: dict[Piece, Counts] = {}
    pieces_on: dict[Piece, list[Square]] = {}
    """Where each kind of piece was lost or misread."""
    weak: dict[Square, int] = {}
    """Coils that are believed less, and since when: what made them so is believed."""
    last_ns: int = 0
    away: dict[Square, Away] = {}

    def changed(
        self, at_ns: int, changes: Sequence[tuple[Square, Piece, Piece]], sensing: SensingClass
    ) -> bool:
        """Squares that changed at once: which, from what, to what. True if there is news
        for people, or other coils are weak."""
        if not changes:
            return False
        quiet = at_ns - self.last_ns > NEAR_NS
        self._watch(at_ns)
        self._forget(at_ns)
        found = told = False
        for square, before, after in changes:
            gone = self.away.pop(square, None)
            if gone is not None and after == gone.piece:
                alone = gone.alone and len(changes) == 1 and not self.away
                if alone and at_ns - gone.since_ns <= LOST_NS:
                    self._err("misread" if gone.misread else "lost", square, gone.piece)
                    found, told = True, told or self.coils[square].all >= SPOKEN_OF
            elif gone is not None and after != EMPTY and at_ns - gone.since_ns <= LOST_NS:
                self.away[square] = Away(gone.piece, gone.since_ns, gone.alone, True)
            elif before != EMPTY and sensing is not SensingClass.OCCUPANCY:
                alone = quiet and len(changes) == 1
                self.away[square] = Away(before, at_ns, alone, after != EMPTY)
        if len(self.away) > 1 or len(changes) > 1:
            for away in self.away.values():
                away.alone = False
        return found and (self._judge(at_ns) or told)

    def came_late(self, square: Square) -> None:
        """A half-move was pressed for, and its piece showed here only after that."""
        self._coil(square).late += 1

    def was_wrong(self, square: Square) -> None:
        """The square was taken for another than it showed."""
        self._coil(square).wrong += 1

    def _watch(self, at_ns: int) -> None:
        self.watched_ns += min(at_ns - self.last_ns, IDLE_NS) if self.last_ns else 0
        self.last_ns = at_ns

    def _forget(self, at_ns: int) -> None:
        for square in [s for s, away in self.away.items() if at_ns - away.since_ns > LOST_NS]:
            del self.away[square]

    def _coil(self, square: Square) -> Counts:
        return self.coils.setdefault(square, Counts())

    def _err(self, what: str, square: Square, piece: Piece) -> None:
        for counts in (self._coil(square), self.pieces.setdefault(piece, Counts())):
            setattr(counts, what, getattr(counts, what) + 1)
        places = self.pieces_on.setdefault(piece, [])
        if square not in places:
            places.append(square)

    # What follows from it.

    @property
    def hours(self) -> float:
        return self.watched_ns / HOUR_NS

    def lost_an_hour(self, square: Square) -> float:
        """How often this coil loses a piece that stands on it, by its and its board's record."""
        of_board = sum(counts.lost + counts.misread for counts in self.coils.values())
        board = (of_board + HANDS * BOARD_HOURS) / (PIECES * self.hours + BOARD_HOURS)
        counts = self.coils.get(square, Counts())
        own = counts.lost + counts.misread
        return (own + board * COIL_HOURS) / (self.hours + COIL_HOURS)

    def _judge(self, at_ns: int) -> bool:
        before = self.weak
        weak = [square for square in range(81) if self.lost_an_hour(square) >= SURE * HANDS]
        self.weak = {square: before.get(square, at_ns) for square in weak}
        return self.weak != before

    def worst(self) -> list[tuple[Square, Counts]]:
        """Coils that people are told of, the worst first."""
        told = [(s, counts) for s, counts in self.coils.items() if counts.all >= SPOKEN_OF]
        return sorted(told, key=lambda pair: (-pair[1].all, pair[0]))

    def odd_pieces(self) -> list[tuple[Piece, Counts]]:
        """Kinds of piece that are read wrongly on several squares whose coils read others right."""
        return sorted(
            (
                (piece, counts)
                for piece, counts in self.pieces.items()
                if counts.all >= SPOKEN_OF
                and sum(self.coils[square].all <= 1 for square in self.pieces_on[piece])
                >= SPOKEN_OF
            ),
            key=lambda pair: (-pair[1].all, pair[0]),
        )


def differences(
    before: Sequence[Piece], after: Sequence[Piece]
) -> Iterable[tuple[Square, Piece, Piece]]:
    """The squares of two pictures that differ."""
    return (
        (square, was, now)
        for square, (was, now) in enumerate(zip(before, after, strict=True))
        if was != now
    )


def words(counts: Counts) -> str:
    """For people: `lost its piece 5 times, showed it late once`."""
    lost, misread, late, wrong = counts.lost, counts.misread, counts.late, counts.wrong
    said = (
        (lost, "lost its piece once", f"lost its piece {lost} times"),
        (misread, "read another piece once", f"read another piece {misread} times"),
        (late, "showed its piece late once", f"showed its piece late {late} times"),
        (
            wrong,
            "showed what did not stand there once",
            f"showed what did not stand there {wrong} times",
        ),
    )
    return ", ".join(once if times == 1 else often for times, once, often in said if times)
