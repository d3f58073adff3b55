"""`arbiterd round`: a round's check list, its start and end, its results, without a restart.

`check`, `begin` and `end` speak to the running service, as a tablet does; `results` reads its
journal.
"""

from __future__ import annotations

import base64
import json
import ssl
import uuid
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import click
import msgspec

from arbiterd.cli import FailedError, WrongError
from arbiterd.cli.check import checked
from arbiterd.cli.journal import opened, which_journal
from arbiterd.config import Config
from arbiterd.hall.pairings import Pairing, PairingsError, read_noted, seated, text_of
from arbiterd.hall.results import GameResult, as_csv, into_trf
from arbiterd.hall.trf import TrfError, is_trf, read_trf
from arbiterd.journal.reader import Reader
from arbiterd.journal.roster import Roster
from arbiterd.outlets.pgn.book import in_round, place_of
from arbiterd.outlets.pgn.games import scores

ANSWERED_S = 20.0
CONFIG = click.option("--config", "file", type=click.Path(path_type=Path), required=True)
NUMBER = click.option("--round", "number", type=click.IntRange(min=1), help="Which round.")
PAIRINGS = click.option(
    "--pairings", type=click.Path(path_type=Path), help="The organiser's file: TRF, CSV or PGN."
)
BY = click.option("--by", default="organiser", help="Who asks: the login, where there are any.")
PASSWORD = click.option("--password-file", type=click.Path(path_type=Path), help="Their password.")
ANYWAY = click.option("--reason", default="", help="Why it is done although something is open.")


@click.group()
def round() -> None:  # noqa: A001 – the command's name
    """Before a round, its start and end without a restart, and its results."""


@round.command()
@CONFIG
@NUMBER
@PAIRINGS
@BY
@PASSWORD
def check(
    file: Path, number: int | None, pairings: Path | None, by: str, password_file: Path | None
) -> None:
    """What is to be looked at before a round; without pairings, what is missing after it."""
    config = checked(file)
    said: dict[str, Any] = {"op": "check", "round": number}
    if pairings is not None:
        said["games"] = _games(config, pairings, number)
    _show(_asked(config, file.parent, said, by, password_file))


@round.command()
@CONFIG
@NUMBER
@PAIRINGS
@BY
@PASSWORD
@ANYWAY
@click.option("--rate", default="", help="A name under [rates]; the configured one without it.")
def begin(
    file: Path,
    number: int | None,
    pairings: Path | None,
    by: str,
    password_file: Path | None,
    reason: str,
    rate: str,
) -> None:
    """Seat the pairings of a round and begin it."""
    if number is None:
        raise WrongError("say which round begins, with --round")
    config = checked(file)
    said: dict[str, Any] = {"op": "begin", "round": number, "reason": reason, "rate": rate}
    if pairings is not None:
        said["games"] = _games(config, pairings, number)
    _show(_asked(config, file.parent, said, by, password_file))


@round.command()
@CONFIG
@NUMBER
@BY
@PASSWORD
@ANYWAY
def end(file: Path, number: int | None, by: str, password_file: Path | None, reason: str) -> None:
    """End a round; refused while a result is missing, unless a reason is given."""
    said = {"op": "end", "round": number, "reason": reason}
    _show(_asked(checked(file), file.parent, said, by, password_file))


@round.command()
@click.option("--config", "file", type=click.Path(path_type=Path), help="Whose journal.")
@click.option("--round", "number", type=click.IntRange(min=1), required=True)
@click.option("--csv", "form", flag_value="csv", default=True, help="As CSV (the usual form).")
@click.option("--trf", "form", flag_value="trf", help="Into the organiser's TRF, see --pairings.")
@PAIRINGS
@click.argument("journal_file", required=False, type=click.Path(path_type=Path), metavar="JOURNAL")
def results(
    file: Path | None, number: int, form: str, pairings: Path | None, journal_file: Path | None
) -> None:
    """Print the results of a round."""
    with opened(which_journal(journal_file, file)) as read:
        found = _results(read, number)
    if form == "csv":
        click.echo(as_csv(found), nl=False)
        return
    if pairings is None:
        raise WrongError("name the report to fill, with --pairings FILE")
    try:
        text = text_of(pairings)
        if not is_trf(text):
            raise WrongError(f"{pairings} is no TRF file; take --csv, or name the report")
        report, notes = into_trf(read_trf(text), number, found)
    except (PairingsError, TrfError) as error:
        raise FailedError(f"{pairings}:{error}") from None
    for note in notes:
        click.echo(note, err=True)
    click.echo(report.text, nl=False)


def _results(read: Reader, number: int) -> list[GameResult]:
    """Every game of a round, begun or not, in the order of the tables."""
    found = []
    for table in sorted(read.tables(), key=place_of):
        match = Roster(read, table).of_rounds().get(number)
        played = in_round(scores(read, table), number)
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


def _game(table: str, pairing: Pairing) -> dict[str, Any]:
    said: dict[str, Any] = {"table": table, "white": pairing.white, "black": pairing.black}
    for side, player in (("white", pairing.white_player), ("black", pairing.black_player)):
        known = {name: value for name, value in msgspec.to_builtins(player).items() if value}
        if known:
            said[f"{side}_player"] = known
    return said


def _asked(
    config: Config, folder: Path, said: dict[str, Any], by: str, password_file: Path | None
) -> dict[str, Any]:
    """The service's answer. Raises FailedError where it refuses or is not there."""
    listen = config.http.listen
    if listen is None:
        raise WrongError("[http] listen is off: a round is commanded over HTTP; switch it on")
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(listen.host, listen.host)  # noqa: S104
    secure = bool(config.http.tls_cert)
    url = f"http{'s' * secure}://{host}:{listen.port}/api/v1/commands"
    command = {"action": "round", "by": by, "id": uuid.uuid4().hex}
    command |= {key: value for key, value in said.items() if value not in (None, "")}
    request = Request(url, json.dumps(command).encode(), {"Content-Type": "application/json"})  # noqa: S310
    if password_file is not None:
        login = f"{by}:{password_file.read_text('utf-8').strip()}".encode()
        request.add_header("Authorization", f"Basic {base64.b64encode(login).decode()}")
    trust = (
        ssl.create_default_context(cafile=str(folder / config.http.tls_cert)) if secure else None
    )
    try:
        with urlopen(request, timeout=ANSWERED_S, context=trust) as answer:  # noqa: S310
            found: dict[str, Any] = json.loads(answer.read())
    except HTTPError as refused:
        raise FailedError(_refusal(refused)) from None
    except (URLError, OSError) as error:
        raise FailedError(
            f"the service does not answer at {url} ({error}); start it with arbiterd run --config"
        ) from None
    return found


def _refusal(refused: HTTPError) -> str:
    body = refused.read().decode("utf-8", errors="replace").strip()
    try:
        return str(json.loads(body)["error"])
    except (ValueError, KeyError, TypeError):
        return f"the service refuses ({refused.code}): {body or refused.reason}"


def _show(answer: dict[str, Any]) -> None:
    for finding in answer["findings"]:
        click.echo(finding)
    if not answer["findings"]:
        click.echo("all is well")
