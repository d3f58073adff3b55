"""Who plays whom: CSV, the headers of a PGN file, TRF16 or TRF26.

    CSV    table,white,black          a head line, in any order of columns
    PGN    [Round "3.12"] or [Board "12"] names the table
    TRF    one line 001 a player; a round takes ten columns, the first from column 92:
           92-95 opponent, 97 colour w or b, 99 result

A TRF file has no tables. Its pairings are seated by the higher score of the two players, then by
the better starting rank, at the tables in the order of the configuration.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arbiterd.config.values import TEXT_MAX, unprintable


class PairingsError(Exception):
    """The reader can put this right: the message names file and line."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of a round."""

    table: str
    """Empty: the next one in order."""
    white: str
    black: str


def read_pairings(file: Path, number: int | None) -> tuple[Pairing, ...]:
    """The pairings of a round. Raises PairingsError."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        text = file.read_text(encoding="latin-1")
    except OSError as error:
        raise PairingsError(
            f"{file} cannot be read ({error.strerror}); name a file the service may read"
        ) from None
    lines = text.splitlines()
    if any(line.startswith("001 ") for line in lines):
        pairings = _trf(file, lines, number)
    elif any(line.startswith("[White ") for line in lines):
        pairings = _pgn(text, number)
    else:
        pairings = _csv(file, text)
    if not pairings:
        where = "" if number is None else f" of round {number}"
        raise PairingsError(f"{file} has no pairings{where}; check [round] number and the file")
    for pairing in pairings:
        _check_names(file, pairing)
    return pairings


def _check_names(file: Path, pairing: Pairing) -> None:
    """They go on the record, and into PGN. Raises PairingsError."""
    for name in (pairing.white, pairing.black):
        if len(name) > TEXT_MAX:
            raise PairingsError(f"{file}: a name has {len(name)} characters; mend the file")
        if bad := unprintable(name):
            raise PairingsError(f"{file}: the name {name!r} holds the character {bad}; take it out")


def seated(pairings: Sequence[Pairing], tables: Sequence[str]) -> Mapping[str, Pairing]:
    """Pairings by table. Raises PairingsError where one names a table that is not there."""
    free = list(tables)
    found: dict[str, Pairing] = {}
    for pairing in pairings:
        if pairing.table and pairing.table not in tables:
            raise PairingsError(
                f"the pairings name table {pairing.table!r}; add it to [[tables]], or mend the file"
            )
        name = pairing.table or (free[0] if free else "")
        if name in found:
            raise PairingsError(f"the pairings name table {name!r} twice; mend the file")
        if name:
            found[name] = pairing
            free = [table for table in free if table != name]
    return found


def _csv(file: Path, text: str) -> tuple[Pairing, ...]:
    head = text.splitlines()[0] if text.strip() else ""
    delimiter = max(",;\t", key=head.count)
    rows = csv.DictReader(io.StringIO(text), delimiter=delimiter)
    names = {name.strip().lower(): name for name in rows.fieldnames or ()}
    table = names.get("table") or names.get("board")
    if table is None or "white" not in names or "black" not in names:
        raise PairingsError(f"{file}:1: the first line is no head; write table,white,black")
    pairings = []
    for row in rows:
        cells = [(row[name] or "").strip() for name in (table, names["white"], names["black"])]
        if not all(cells):
            raise PairingsError(f"{file}:{rows.line_num}: a cell is empty; write table,white,black")
        pairings.append(Pairing(*cells))
    return tuple(pairings)


_TAG = re.compile(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]\s*$', re.MULTILINE)


def _pgn(text: str, number: int | None) -> tuple[Pairing, ...]:
    games: list[dict[str, str]] = []
    end = -2
    for tag in _TAG.finditer(text):
        # Tags that follow each other directly are one game's.
        if not games or text[end : tag.start()].strip() or tag[1] in games[-1]:
            games.append({})
        games[-1][tag[1]] = tag[2].replace('\\"', '"')
        end = tag.end()
    pairings = []
    for game in games:
        round_name, _, board = game.get("Round", "").partition(".")
        if number is not None and round_name.isdigit() and int(round_name) != number:
            continue
        table = game.get("Board", board)
        pairings.append(Pairing(table, game.get("White", ""), game.get("Black", "")))
    return tuple(pairings)


@dataclass(frozen=True, slots=True)
class _Player:
    rank: int
    name: str
    points: float
    opponent: int
    colour: str


def _trf(file: Path, lines: Sequence[str], number: int | None) -> tuple[Pairing, ...]:
    if number is None:
        raise PairingsError(f"{file} holds all rounds; add number = … to [round]")
    players: dict[int, _Player] = {}
    for at, line in enumerate(lines, start=1):
        if not line.startswith("001 "):
            continue
        try:
            player = _trf_player(line, number)
        except ValueError:
            raise PairingsError(f"{file}:{at}: this is no player line of a TRF file") from None
        players[player.rank] = player
    pairs = []
    for player in players.values():
        other = players.get(player.opponent)
        if player.colour == "w" and other is not None:
            order = (-max(player.points, other.points), min(player.rank, other.rank))
            pairs.append((order, Pairing("", player.name, other.name)))
    return tuple(pairing for _, pairing in sorted(pairs, key=lambda pair: pair[0]))


def _trf_player(line: str, number: int) -> _Player:
    begin = 91 + (number - 1) * 10
    return _Player(
        rank=int(line[4:8]),
        name=line[14:47].strip(),
        points=float(line[80:84].strip() or 0),
        opponent=int(line[begin : begin + 4].strip() or 0),
        colour=line[begin + 5 : begin + 6],
    )
