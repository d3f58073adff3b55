"""Tournament report files (TRF16, and TRF26 as far as its player lines are the same).

    001 player   5-8 number, 10 sex, 11-13 title, 15-47 name, 49-52 rating, 54-56 federation,
                 58-68 FIDE id, 70-79 birth, 81-84 points, 86-89 rank; then ten columns a round,
                 from 92: 92-95 opponent, 97 colour w b -, 99 result
    013 team     5-36 name, from 37 the numbers of its players
    1 0 =        played; W L D the same, not rated
    + -          won, lost by forfeit; h f u z half, full, pairing bye, absent

Every other record is kept as it came. What is not changed is written as it was read, byte for
byte, its line ends too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import isfinite, nan

PLAYER = "001"
TEAM = "013"
TEAM_NAME = slice(4, 36)
MEMBER_DIGITS = 4
FIRST_ROUND = 91
"""Where the first round begins, counted from 0."""
ROUND_WIDTH = 10
POINTS = slice(80, 84)
WORTH = {"1": 2, "W": 2, "+": 2, "F": 2, "U": 2, "=": 1, "D": 1, "H": 1}
"""In half points; what is not here is worth none."""
LETTERS = frozenset("10=+-WLDHFUZ ")
UNPLAYED = frozenset("+-HFUZ")
SCORES: Mapping[str, tuple[str, str]] = {
    "1-0": ("1", "0"),
    "0-1": ("0", "1"),
    "1/2-1/2": ("=", "="),
    "0-0": ("0", "0"),
    "1/2-0": ("=", "0"),
    "0-1/2": ("0", "="),
    "1-0F": ("+", "-"),
    "0-1F": ("-", "+"),
    "0-0F": ("-", "-"),
}
"""White's and Black's letter for a result."""
_NO_LETTER = re.compile("[\udc80-\udcff]")


class TrfError(Exception):
    """The line's number, and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Bout:
    """What a player's line says of one round."""

    opponent: int
    """Their number; 0: nobody."""
    colour: str
    result: str

    @property
    def takes_table(self) -> bool:
        """Not where it is decided without play: by a forfeit that is known beforehand, a bye."""
        return self.result not in UNPLAYED


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player's line."""

    number: int
    name: str
    title: str
    rating: int
    federation: str
    fide_id: int
    points: float
    bouts: tuple[Bout, ...]
    team: str = ""

    def points_before(self, number: int) -> float:
        """Without what the games of this round and later ones gave. A bye that is asked for
        beforehand stands in the rounds to come, and gave nothing yet."""
        games = (bout for bout in self.bouts[number - 1 :] if bout.opponent)
        return self.points - sum(WORTH.get(bout.result, 0) for bout in games) / 2


@dataclass(frozen=True, slots=True)
class TrfReport:
    """A file: its lines, each with its own end, and what the players' lines say."""

    lines: tuple[str, ...]
    entrants: Mapping[int, Entrant]
    rows: Mapping[int, int]
    """By player's number, the place of their line."""

    @property
    def text(self) -> str:
        return "".join(self.lines)

    def pairs(self, number: int) -> Iterator[tuple[Entrant, Entrant]]:
        """White and Black of every game of a round, the higher score before it first, then the
        number: so they keep their places while its results come in."""
        pairs = [
            (entrant, self.entrants[bout.opponent])
            for entrant in self.entrants.values()
            for bout in entrant.bouts[number - 1 : number]
            if bout.colour == "w" and bout.opponent in self.entrants
        ]
        yield from sorted(
            pairs,
            key=lambda pair: (
                -max(entrant.points_before(number) for entrant in pair),
                min(entrant.number for entrant in pair),
            ),
        )

    def with_result(self, number: int, white: int, black: int, result: str) -> TrfReport:
        """The report with a game of a round decided, and both players' points with it."""
        letters = SCORES[result]
        lines = list(self.lines)
        entrants = dict(self.entrants)
        for player, letter in zip((white, black), letters, strict=True):
            row = self.rows[player]
            entrant = entrants[player]
            lines[row], entrants[player] = _decided(lines[row], entrant, number, letter)
        return replace(self, lines=tuple(lines), entrants=entrants)


def legible(text: str) -> str:
    """Bytes that were no letter of their encoding are kept as lone surrogates: shown as unknown."""
    return _NO_LETTER.sub("\N{REPLACEMENT CHARACTER}", text)


def is_trf(text: str) -> bool:
    return any(line.startswith(f"{PLAYER} ") for line in text.splitlines())


def read_trf(text: str) -> TrfReport:
    """The file. Raises TrfError, which names the first bad line."""
    lines = tuple(text.splitlines(keepends=True))
    entrants: dict[int, Entrant] = {}
    rows: dict[int, int] = {}
    for at, line in enumerate(lines):
        if line[:3] != PLAYER:
            continue
        entrant = _entrant(at + 1, line.rstrip("\r\n"))
        if entrant.number in entrants:
            raise TrfError(
                f"{at + 1}: player {entrant.number} stands on line {rows[entrant.number] + 1} too"
            )
        entrants[entrant.number], rows[entrant.number] = entrant, at
    _check_pairs(entrants, rows)
    for line in lines:
        if line[:3] == TEAM:
            for number in _members(line):
                if number in entrants:
                    entrants[number] = replace(entrants[number], team=line[TEAM_NAME].strip())
    return TrfReport(lines, entrants, rows)


def _members(line: str) -> Iterator[int]:
    return (
        int(text)
        for text in line[TEAM_NAME.stop :].split()
        if text.isascii() and text.isdigit() and len(text) <= MEMBER_DIGITS
    )


def _entrant(at: int, line: str) -> Entrant:
    number = _number(at, line, slice(4, 8), "the player's number", needed=True)
    try:
        points = float(line[POINTS].strip() or 0)
    except ValueError:
        points = nan
    if not isfinite(points):
        raise TrfError(f"{at}: columns 81-84 hold no points: {line[POINTS]!r}")
    return Entrant(
        number=number,
        name=legible(line[14:47].strip()),
        title=line[10:13].strip(),
        rating=_number(at, line, slice(48, 52), "the rating"),
        federation=line[53:56].strip(),
        fide_id=_number(at, line, slice(57, 68), "the FIDE id"),
        points=points,
        bouts=tuple(_bouts(at, line)),
    )


def _bouts(at: int, line: str) -> Iterator[Bout]:
    for begin in range(FIRST_ROUND, len(line), ROUND_WIDTH):
        said = line[begin : begin + 8]
        if not said.strip():
            yield Bout(0, "-", " ")
            continue
        opponent = _number(at, line, slice(begin, begin + 4), "an opponent")
        colour, result = said[5:6] or " ", (said[7:8] or " ").upper()
        if colour not in "wb- ":
            raise TrfError(f"{at}: column {begin + 6} holds {colour!r}; write w, b or -")
        if result not in LETTERS:
            raise TrfError(f"{at}: column {begin + 8} holds {result!r}, which is no result")
        yield Bout(opponent, colour, result)


def _number(at: int, line: str, columns: slice, what: str, *, needed: bool = False) -> int:
    said = line[columns].strip()
    if not said and not needed:
        return 0
    if not said.isascii() or not said.isdigit():
        raise TrfError(
            f"{at}: this is no player line of a TRF file:"
            f" columns {columns.start + 1}-{columns.stop} hold {said!r} for {what}"
        )
    return int(said)


def _check_pairs(entrants: Mapping[int, Entrant], rows: Mapping[int, int]) -> None:
    """Who plays somebody is played by them, with the other colour."""
    for entrant in entrants.values():
        at = rows[entrant.number] + 1
        for number, bout in enumerate(entrant.bouts, 1):
            if not bout.opponent:
                continue
            other = entrants.get(bout.opponent)
            if other is None:
                raise TrfError(f"{at}: round {number} is against {bout.opponent}, who is not there")
            back = other.bouts[number - 1] if number <= len(other.bouts) else Bout(0, "-", " ")
            if back.opponent != entrant.number:
                raise TrfError(
                    f"{at}: round {number} is against {other.number}, whose line"
                    f" {rows[other.number] + 1} says {back.opponent or 'nobody'}"
                )
            if {bout.colour, back.colour} not in ({"w", "b"}, {"-"}, {" "}):
                raise TrfError(f"{at}: both players of round {number} have the same colour")


def _decided(line: str, entrant: Entrant, number: int, letter: str) -> tuple[str, Entrant]:
    body = line.rstrip("\r\n")
    end = line[len(body) :]
    at = FIRST_ROUND + (number - 1) * ROUND_WIDTH + 7
    before = entrant.bouts[number - 1]
    gained = WORTH.get(letter, 0) - WORTH.get(before.result, 0)
    points = entrant.points + gained / 2
    body = body.ljust(at + 1)
    body = body[:at] + letter + body[at + 1 :]
    if gained:
        body = f"{body[: POINTS.start]}{points:>4.1f}{body[POINTS.stop :]}"
    bouts = list(entrant.bouts)
    bouts[number - 1] = replace(before, result=letter)
    return body + end, replace(entrant, points=points, bouts=tuple(bouts))
