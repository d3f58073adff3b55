"""Pairings as pairing programs export them in CSV: comma, semicolon or tab, heads in any language.

The head may stand below lines of titles. Columns are found by their heads, a player's title, rating
and the like by standing beside the name. Where a head is in no language known here, the columns
are found by what is in them, and it is said what was taken for what.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from arbiterd.table.player import Player

TABLE_HEADS = frozenset(
    "table board bo bo. br br. brett tisch mesa tabla tablero tavolo échiquier ech ech. table.no"
    " bord stol deska".split(" ")
)
WHITE_HEADS = frozenset(
    "white weiss weiß blancas blanco blancs bianco wit białe bílý hvid".split(" ")
)
BLACK_HEADS = frozenset("black schwarz negras negro noirs nero zwart czarne černý sort".split(" "))
NAME_WORDS = ("name", "nombre", "nom", "player", "spieler", "jugador")
FIELDS: Mapping[str, frozenset[str]] = {
    "title": frozenset(("title", "titel", "título", "titulo", "titre", "tit", "tit.")),
    "rating": frozenset(("rtg", "elo", "rating", "rtgi", "elofide", "rating.int")),
    "fide_id": frozenset(("fideid", "fide-id", "fide_id", "id_fide", "fide-nr", "fide")),
    "federation": frozenset(("fed", "fed.", "federation", "land", "pais", "país")),
    "team": frozenset(
        ("team", "club", "club/city", "verein", "verein/ort", "equipo", "equipe", "mannschaft")
    ),
}
TITLES = frozenset("GM IM FM CM WGM WIM WFM WCM".split(" "))
BYES = frozenset(
    ("bye", "spielfrei", "freilos", "descansa", "exempt", "exento", "libre", "not paired")
)
DIGITS_MAX = 11
"""As many as a FIDE number may have."""
LINES_MAX = 20_000
BYES_NAMED = 8
SHOWN = 40
"""So much of a head is shown."""
HEAD_WITHIN = 20
"""The head stands in one of the first so many lines."""


Rows = Sequence[tuple[int, Sequence[str]]]
"""Each with the number of its line."""


class CsvError(Exception):
    """The line's number, and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class PairingRow:
    """One game."""

    table: str
    white: str
    black: str
    white_player: Player
    black_player: Player


@dataclass(slots=True)
class Columns:
    """Which column is what, from 0."""

    table: int
    white: int
    black: int
    beside: dict[tuple[str, str], int] = field(default_factory=dict)
    """By side and field of the player."""
    said: str = ""
    """What was taken for what, where the heads did not tell."""


def number_in(text: str, otherwise: int = 0) -> int:
    """A rating, a FIDE number, a round; `otherwise` where it is none."""
    known = text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX
    return int(text) if known else otherwise


def read_csv(text: str) -> tuple[list[PairingRow], list[str]]:
    """The games, and what is to be said of the reading. Raises CsvError."""
    first = text.splitlines()[0] if text.strip() else ""
    sample = text[:4000] if max(map(first.count, ",;\t")) == 0 else first
    delimiter = max(",;\t", key=sample.count)
    rows = _rows(text, delimiter)
    head, columns = _columns(rows)
    notes = [columns.said] if columns.said else []
    games, byes = [], []
    for number, cells in rows[head + 1 :]:
        if not any(cells):
            continue
        row = _row(number, cells, columns)
        if row is None:
            byes.append(number)
        else:
            games.append(row)
    notes += [f"line {number}: a bye, which takes no table" for number in byes[:BYES_NAMED]]
    if byes[BYES_NAMED:]:
        notes.append(f"{len(byes) - BYES_NAMED} more lines are byes")
    return games, notes


def _rows(text: str, delimiter: str) -> Rows:
    """Raises CsvError."""
    read = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        rows = [
            (number, [cell.strip() for cell in row])
            for number, row in enumerate(islice(read, LINES_MAX + 1), 1)
        ]
    except csv.Error as error:
        raise CsvError(f"{read.line_num}: this is no line of a table ({error})") from None
    if len(rows) > LINES_MAX:
        raise CsvError(f"{LINES_MAX + 1}: too many lines; name the pairings of one round")
    return rows


def _row(number: int, cells: Sequence[str], columns: Columns) -> PairingRow | None:
    def cell(place: int | None) -> str:
        return cells[place] if place is not None and place < len(cells) else ""

    def player(side: str) -> Player:
        said = {name: cell(columns.beside.get((side, name))) for name in FIELDS}
        return Player(
            title=said["title"],
            rating=number_in(said["rating"]),
            fide_id=number_in(said["fide_id"]),
            federation=said["federation"],
            team=said["team"],
        )

    table, white, black = cell(columns.table), cell(columns.white), cell(columns.black)
    if white.lower() in BYES or black.lower() in BYES:
        return None
    if not (table and white and black):
        raise CsvError(f"{number}: a cell is empty; write table,white,black")
    return PairingRow(table, white, black, player("white"), player("black"))


def _columns(rows: Rows) -> tuple[int, Columns]:
    """The place of the head among the rows, and the columns."""
    for at, (_, cells) in enumerate(rows[:HEAD_WITHIN]):
        heads = [_plain(cell) for cell in cells]
        places = [_place(heads, names) for names in (TABLE_HEADS, WHITE_HEADS, BLACK_HEADS)]
        if places[1:] == [None, None]:
            places[1:] = _two_names(cells)
        if None not in places:
            table, white, black = (place for place in places if place is not None)
            columns = Columns(table, white, black)
            columns.beside = dict(_beside(heads, columns, [cells for _, cells in rows[at + 1 :]]))
            return at, columns
    found = _guessed(rows)
    if found is None:
        raise CsvError("1: the first line is no head; write table,white,black")
    return 0, found


def _two_names(cells: Sequence[str]) -> tuple[int | None, int | None]:
    """`Bo. … Name … Result … Name`: two heads that say no more are White's and Black's."""
    names = [place for place, cell in enumerate(cells) if cell.lower() in NAME_WORDS]
    return (names[0], names[1]) if len(names) == 2 else (None, None)


def _plain(head: str) -> str:
    """`Name(White)` and `White name` are `white`."""
    words = head.lower().replace("(", " ").replace(")", " ").split()
    return " ".join(word for word in words if word not in NAME_WORDS)


def _place(heads: Sequence[str], names: frozenset[str]) -> int | None:
    return next((place for place, head in enumerate(heads) if head in names), None)


def _beside(
    heads: Sequence[str], columns: Columns, rows: Sequence[Sequence[str]]
) -> Iterator[tuple[tuple[str, str], int]]:
    """Of two equal heads the first is White's: programs write White, then Black."""
    for name, known in FIELDS.items():
        places = [place for place, head in enumerate(heads) if head in known]
        if len(places) > 1:
            yield ("white", name), places[0]
            yield ("black", name), places[1]
        elif places:
            yield ("black" if places[0] > columns.black else "white", name), places[0]
        for side in ("white", "black"):
            for place, head in enumerate(heads):
                if head.startswith(side) and head.removeprefix(side).strip() in known:
                    yield (side, name), place
    for side, place in (("white", columns.white - 1), ("black", columns.black - 1)):
        titles = {row[place] for row in rows if 0 <= place < len(row)} - {""}
        if titles and titles <= TITLES:
            yield (side, "title"), place


def _guessed(rows: Rows) -> Columns | None:
    """By what is in them: numbers that never repeat, and two columns of words."""
    body = [cells for _, cells in rows[1:] if any(cells)]
    if len(body) < 2 or any(cell.isdecimal() for cell in rows[0][1]):
        return None
    width = min(map(len, body))
    numbers = [p for p in range(width) if len({row[p] for row in body if row[p].isdecimal()})
               == len(body)]  # fmt: skip
    words = [p for p in range(width) if all(_like_a_name(row[p]) for row in body)]
    if not numbers or len(words) < 2:
        return None
    heads = rows[0][1]
    # A club beside each name has a head of its own; the second name has that of the first.
    white = words[0]
    black = next((p for p in words[1:] if heads[p] == heads[white]), words[1])
    said = (
        f"the heads are not known here: {heads[numbers[0]][:SHOWN]!r} was taken for the table,"
        f" {heads[white][:SHOWN]!r} for White, {heads[black][:SHOWN]!r} for Black"
    )
    return Columns(numbers[0], white, black, said=said)


def _like_a_name(cell: str) -> bool:
    return sum(map(str.isalpha, cell)) > 3 and cell not in TITLES
