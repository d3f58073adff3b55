"""Who plays whom: CSV, the headers of a PGN file, TRF16 or TRF26.

    CSV    table,white,black in any order, as pairing programs write them   (see `pairings_csv`)
    PGN    [Round "3.12"] or [Board "12"] names the table
    TRF    one line 001 a player                                            (see `trf`)

A TRF file has no tables. Its pairings are seated by the higher score of the two players, then by
the better starting rank, at the tables in the order of the configuration; what is decided without
play (a forfeit that is known beforehand, a bye) takes none. A file may have more games than the
hall has electronic boards: what is beyond them is left out.
"""

from __future__ import annotations

import re
import stat
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arbiterd.config.files import PAIRINGS_MAX
from arbiterd.config.values import TEXT_MAX, unprintable
from arbiterd.hall.round.pairings_csv import CsvError, number_in, read_csv
from arbiterd.hall.round.trf import Entrant, TrfError, is_trf, legible, read_trf
from arbiterd.table.player import NOBODY, Player

GAMES_MAX = 20_000
"""A file of one event has fewer, all its rounds together."""


class PairingsError(Exception):
    """The reader can put this right: the message names file and line."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of a round."""

    table: str
    """Empty: the next one in order."""
    white: str
    black: str
    white_player: Player = NOBODY
    black_player: Player = NOBODY


def read_pairings(file: Path, number: int | None) -> tuple[Pairing, ...]:
    """The pairings of a round. Raises PairingsError."""
    return read_noted(file, number)[0]


def read_noted(file: Path, number: int | None) -> tuple[tuple[Pairing, ...], tuple[str, ...]]:
    """The pairings, and what is to be said of the reading. Raises PairingsError."""
    notes: list[str] = []
    text = text_of(file)
    if is_trf(text):
        pairings, notes = _trf(file, text, number)
    elif any(line.startswith("[White ") for line in text.splitlines()):
        pairings = _pgn(file, text, number)
    else:
        pairings, notes = _csv(file, text)
    if not pairings:
        where = "" if number is None else f" of round {number}"
        raise PairingsError(f"{file} has no pairings{where}; check [round] number and the file")
    for pairing in pairings:
        _check_names(file, pairing)
    return pairings, tuple(notes)


def text_of(file: Path) -> str:
    """A file in UTF-8, with or without a mark, or in Windows-1252. Raises PairingsError."""
    return legible(as_it_is(file)[0])


def as_it_is(file: Path) -> tuple[str, str]:
    """The text of a file and its encoding, by which `as_bytes` gives the same bytes again. Raises
    PairingsError.

    A pipe or a device is never opened, and what is no list of games by its size is not read.
    """
    try:
        found = file.stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > PAIRINGS_MAX:
            raise PairingsError(
                f"{file} is no file of at most {PAIRINGS_MAX // 1024**2} MiB; name the pairings of"
                " one event"
            )
        data = file.read_bytes()
    except OSError as error:
        raise PairingsError(
            f"{file} cannot be read ({error.strerror}); name a file the service may read"
        ) from None
    encoding = "utf-8-sig" if data.startswith(BOM_UTF8) else "utf-8"
    try:
        return data.decode(encoding), encoding
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="surrogateescape"), "cp1252"


def as_bytes(text: str, encoding: str) -> bytes:
    """For a file of this encoding."""
    return text.encode(encoding, errors="surrogateescape")


def _check_names(file: Path, pairing: Pairing) -> None:
    """They go on the record, and into PGN. Raises PairingsError."""
    said = [pairing.table, pairing.white, pairing.black]
    for player in (pairing.white_player, pairing.black_player):
        said += [player.title, player.federation, player.team]
    for name in said:
        if len(name) > TEXT_MAX:
            raise PairingsError(f"{file}: a name has {len(name)} characters; mend the file")
        if bad := unprintable(name):
            raise PairingsError(f"{file}: the name {name!r} holds the character {bad}; take it out")


def seated(pairings: Sequence[Pairing], tables: Sequence[str]) -> Mapping[str, Pairing]:
    """Pairings by table, in the hall's order; those of tables without a board are left out.

    Raises PairingsError where one table is named twice, or none of the hall's at all.
    """
    free = list(tables)
    found: dict[str, Pairing] = {}
    for pairing in pairings:
        name = pairing.table or (free[0] if free else "")
        if name in found:
            raise PairingsError(f"the pairings name table {name!r} twice; mend the file")
        if name in tables:
            found[name] = pairing
            free.remove(name)
    if pairings and not found:
        raise PairingsError(
            f"the pairings name table {pairings[0].table!r}; add it to [[tables]], or mend the file"
        )
    return {table: found[table] for table in tables if table in found}


def _csv(file: Path, text: str) -> tuple[tuple[Pairing, ...], list[str]]:
    try:
        rows, notes = read_csv(text)
    except CsvError as error:
        raise PairingsError(f"{file}:{error}") from None
    return tuple(
        Pairing(row.table, row.white, row.black, row.white_player, row.black_player) for row in rows
    ), notes


_TAG = re.compile(r'^\[(\w{1,40}) "((?:[^"\\\n]|\\.){0,1000})"\]\s*$', re.MULTILINE)


def _pgn(file: Path, text: str, number: int | None) -> tuple[Pairing, ...]:
    games: list[dict[str, str]] = []
    end = -2
    for tag in _TAG.finditer(text):
        # Tags that follow each other directly are one game's.
        if not games or text[end : tag.start()].strip() or tag[1] in games[-1]:
            games.append({})
            if len(games) > GAMES_MAX:
                raise PairingsError(
                    f"{file} has more than {GAMES_MAX} games; name the pairings of one event"
                )
        games[-1][tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
        end = tag.end()
    pairings = []
    for game in games:
        round_name, _, board = game.get("Round", "").partition(".")
        if number is not None and number_in(round_name, -1) not in (number, -1):
            continue
        players = (_of_tags(game, "White"), _of_tags(game, "Black"))
        table = game.get("Board", board)
        pairings.append(Pairing(table, game.get("White", ""), game.get("Black", ""), *players))
    return tuple(pairings)


def _of_tags(game: Mapping[str, str], side: str) -> Player:
    return Player(
        title=game.get(f"{side}Title", "").strip("-"),
        rating=number_in(game.get(f"{side}Elo", "")),
        fide_id=number_in(game.get(f"{side}FideId", "")),
        team=game.get(f"{side}Team", ""),
    )


TITLES = {"g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM",
          "wc": "WCM"}  # fmt: skip
"""How TRF shortens them, beside their usual names."""


def _trf(file: Path, text: str, number: int | None) -> tuple[tuple[Pairing, ...], list[str]]:
    if number is None:
        raise PairingsError(f"{file} holds all rounds; add number = … to [round]")
    try:
        report = read_trf(text)
    except TrfError as error:
        raise PairingsError(f"{file}:{error}") from None
    pairings, notes = [], []
    for white, black in report.pairs(number):
        if white.bouts[number - 1].takes_table:
            players = _of_trf(white), _of_trf(black)
            pairings.append(Pairing("", white.name, black.name, *players))
        else:
            at = report.rows[white.number] + 1
            notes.append(f"line {at}: decided without play, which takes no table")
    return tuple(pairings), notes


def _of_trf(entrant: Entrant) -> Player:
    title = TITLES.get(entrant.title.lower(), entrant.title)
    return Player(title, entrant.rating, entrant.fide_id, entrant.federation, entrant.team)
