"""`arbiterd round`: a round's check list, its start, changes and end, its results; no restart.

`results` reads the journal; all else asks the running service, as a tablet does.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from arbiterd.cli import CONFIG_OF, FailedError, WrongError
from arbiterd.cli.asking import Asker, asks
from arbiterd.cli.journal import opened, which_journal
from arbiterd.config import Config
from arbiterd.config.values import duration_ns
from arbiterd.hall.round.pairings import (
    Pairing,
    PairingsError,
    as_bytes,
    as_it_is,
    read_noted,
    seated,
)
from arbiterd.hall.round.results import GameResult, as_csv, into_trf
from arbiterd.hall.round.trf import TrfError, is_trf, read_trf
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.roster import Roster
from arbiterd.messages.topics import place_of
from arbiterd.outlets.pgn.book import in_round
from arbiterd.outlets.pgn.games import scores
from arbiterd.outlets.pgn.safe import is_game

NUMBER = click.option("--round", "number", type=click.IntRange(min=1), help="Which round.")
PAIRINGS = click.option(
    "--pairings", type=click.Path(path_type=Path), help="The organiser's file: TRF, CSV or PGN."
)
ANYWAY = click.option("--reason", default="", help="Why it is done although something is open.")
DELAY = click.option("--delay", default="", help="How far the public is behind: 15m, 0s.")


@click.group("round")
def group() -> None:
    """Before a round, its start, late changes and end without a restart, and its results."""


@group.command()
@asks
@NUMBER
@PAIRINGS
def check(asker: Asker, number: int | None, pairings: Path | None) -> None:
    """What is to be looked at before a round; without pairings, what is missing after it."""
    _show(asker.ask(_said(asker, "check", number, pairings)))


@group.command()
@asks
@NUMBER
@PAIRINGS
@ANYWAY
@DELAY
@click.option("--rate", default="", help="A name under [rates]; the configured one without it.")
def begin(
    asker: Asker, number: int | None, pairings: Path | None, reason: str, delay: str, rate: str
) -> None:
    """Seat the pairings of a round and begin it."""
    if number is None:
        raise WrongError("say which round begins, with --round")
    said = _said(asker, "begin", number, pairings) | {"reason": reason, "rate": rate}
    _show(asker.ask(said | ({"delay_s": _seconds(delay)} if delay else {})))


@group.command()
@asks
@NUMBER
@ANYWAY
def end(asker: Asker, number: int | None, reason: str) -> None:
    """End a round; refused while a result is missing, unless a reason is given."""
    _show(asker.ask({"op": "end", "round": number, "reason": reason}))


@group.command()
@asks
@click.argument("tables", nargs=2)
def swap(asker: Asker, tables: tuple[str, str]) -> None:
    """Two pairings change tables; half-moves stay at the boards where they were made."""
    _show(asker.ask({"op": "swap", "tables": list(tables)}))


@group.command()
@asks
@click.argument("tables", nargs=2)
def move(asker: Asker, tables: tuple[str, str]) -> None:
    """The games of two tables go on at each other's board, with all their half-moves."""
    _show(asker.ask({"op": "move", "tables": list(tables)}))


@group.command()
@asks
@click.argument("table")
@click.option("--white", default="")
@click.option("--black", default="")
def rename(asker: Asker, table: str, white: str, black: str) -> None:
    """Put a name right, before or in the game."""
    _show(asker.ask({"op": "rename", "tables": [table], "white": white, "black": black}))


@group.command()
@asks
@click.argument("table")
def bye(asker: Asker, table: str) -> None:
    """The game of a table is not played."""
    _show(asker.ask({"op": "bye", "tables": [table]}))


@group.command()
@asks
@click.argument("delay")
@click.option("--table", "tables", multiple=True, help="Of this table alone; may be repeated.")
def delay(asker: Asker, delay: str, tables: tuple[str, ...]) -> None:
    """How far the public is behind from now on (15m, 0s), at every table or at some."""
    _show(asker.ask({"op": "delay", "delay_s": _seconds(delay), "tables": list(tables) or None}))


@group.command()
@click.option(
    "--config", "file", type=click.Path(path_type=Path), envvar=CONFIG_OF, help="Whose journal."
)
@click.option("--round", "number", type=click.IntRange(min=1), required=True)
@click.option("--csv", "form", flag_value="csv", default=True, help="As CSV (the usual form).")
@click.option("--trf", "form", flag_value="trf", help="Into the organiser's TRF, see --pairings.")
@PAIRINGS
@click.argument(
    "journal_file", required=False, type=click.Path(path_type=Path), metavar="[JOURNAL]"
)
def results(
    file: Path | None, number: int, form: str, pairings: Path | None, journal_file: Path | None
) -> None:
    """Print the results of a round."""
    with opened(which_journal(journal_file, file)) as read:
        found = _results(read, number)
    if form == "csv":
        _some(found, number)
        click.echo(as_csv(found), nl=False)
        return
    if pairings is None:
        raise WrongError("name the report to fill, with --pairings FILE")
    try:
        text, encoding = as_it_is(pairings)
        if not is_trf(text):
            raise WrongError(f"{pairings} is no TRF file; take --csv, or name the report")
        _some(found, number)
        report, notes = into_trf(read_trf(text), number, found)
    except PairingsError as error:
        raise FailedError(str(error)) from None
    except TrfError as error:
        raise FailedError(f"{pairings}:{error}") from None
    for note in notes:
        click.echo(note, err=True)
    click.echo(as_bytes(report.text, encoding), nl=False)


def _some(found: Sequence[GameResult], number: int) -> None:
    """A round that nobody was to play is a number mistyped. Raises FailedError."""
    if not found:
        raise FailedError(f"the journal has no games of round {number}; name another --round")


def _results(read: JournalReader, number: int) -> list[GameResult]:
    """Every game of a round, begun or not, in the order of the tables."""
    found = []
    for table in sorted(read.tables(), key=place_of):
        roster = Roster(read, table)
        match = roster.of_rounds().get(number)
        games = filter(is_game, in_round(scores(read, table), number))
        played = [score for score in games if not roster.gave_way(score.begins)]
        if played:
            score = played[-1]
            who = score.match.white, score.match.black
            found.append(GameResult(table, *who, score.result, score.reason))
        elif match is not None and (match.white or match.black):
            found.append(GameResult(table, match.white, match.black, None))
    return found


def _games(config: Config, file: Path, number: int | None) -> list[dict[str, Any]]:
    """The games of the file that have a table here, as a command says them."""
    try:
        pairings, notes = read_noted(file, number)
        found = seated(pairings, [entry.table for entry in config.tables])
    except PairingsError as error:
        raise WrongError(str(error)) from None
    beyond = len(pairings) - len(found)
    if beyond:
        notes = (*notes, f"{beyond} of {len(pairings)} games have no electronic board here")
    for note in notes:
        click.echo(note, err=True)
    return [_game(table, pairing) for table, pairing in found.items()]


def _said(asker: Asker, op: str, number: int | None, pairings: Path | None) -> dict[str, Any]:
    said: dict[str, Any] = {"op": op, "round": number}
    if pairings is not None:
        said["games"] = _games(asker.config, pairings, number)
    return said


def _seconds(said: str) -> int:
    try:
        return duration_ns(said) // 1_000_000_000
    except ValueError as wrong:
        raise WrongError(f"the delay {wrong}") from None


def _game(table: str, pairing: Pairing) -> dict[str, Any]:
    said: dict[str, Any] = {"table": table, "white": pairing.white, "black": pairing.black}
    for side, player in (("white", pairing.white_player), ("black", pairing.black_player)):
        known = {name: value for name, value in msgspec.to_builtins(player).items() if value}
        if known:
            said[f"{side}_player"] = known
    return said


def _show(answer: dict[str, Any]) -> None:
    for finding in answer["findings"]:
        click.echo(finding)
    if not answer["findings"]:
        click.echo("all is well")
