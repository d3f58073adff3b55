"""`arbiterd shogi`: a record in KIF or CSA, checked, written in the other form, entered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import click

from arbiterd.cli import FailedError, WrongError
from arbiterd.cli.asking import Asker
from arbiterd.cli.check import checked
from arbiterd.rules.registry import choices_of, chosen
from arbiterd.rules.shogi import SHOGI, ShogiRules
from arbiterd.rules.shogi_choices import ShogiChoices
from arbiterd.rules.shogi_csa import RecordError, ShogiGame, read_csa, write_csa
from arbiterd.rules.shogi_kif import read_kif, write_kif
from arbiterd.rules.shogi_points import agreed
from arbiterd.rules.shogi_position import ShogiPosition

FILE_MAX = 1 << 20
ENCODINGS = ("utf-8-sig", "cp932")
"""`.kifu` and newer CSA are UTF-8, `.kif` and older CSA Shift-JIS."""
LOST = {
    "TORYO": "resigned",
    "TSUMI": "checkmate",
    "TIME_UP": "flag",
    "ILLEGAL_MOVE": "illegal move",
}
"""Ends by which the side that has the move has lost, and the reason as people say it."""
UNDECIDED = {"SENNICHITE": "sennichite", "JISHOGI": "impasse"}
"""Ends by which the event's rules decide what the game is worth."""


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--kif", "form", flag_value="kif", default=True, help="Print it as KIF (usual).")
@click.option("--csa", "form", flag_value="csa", help="Print it as CSA.")
@click.option("--table", default="", help="Enter it at this table of the running service.")
@click.option("--config", "file", type=click.Path(path_type=Path), help="Of that service.")
@click.option("--by", default="organiser", help="Who enters it: the login, where there are any.")
@click.option("--password-file", type=click.Path(path_type=Path), help="Their password.")
def shogi(
    record: Path, form: str, table: str, file: Path | None, by: str, password_file: Path | None
) -> None:
    """Read a record of a game of shogi (KIF or CSA); print it, or enter it at a table."""
    game = read_record(record)
    if not table:
        click.echo(write_csa(game) if form == "csa" else write_kif(game), nl=False)
        return
    if file is None:
        raise WrongError("name the service's configuration, with --config")
    enter(Asker(checked(file), file.parent, by, password_file), table, game)
    click.echo(f"table {table}: {len(game.moves)} half-moves entered")


def read_record(file: Path) -> ShogiGame:
    """A game in either form and either encoding. Raises FailedError, WrongError."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise WrongError(f"{file} cannot be read ({error.strerror}); name another file") from None
    if len(data) > FILE_MAX:
        raise FailedError(f"{file} is larger than 1 MB: that is no record of one game")
    text = _text(file, data)
    try:
        return read_csa(text) if _is_csa(text) else read_kif(text)
    except RecordError as error:
        raise FailedError(f"{file}: {error}") from None


def _text(file: Path, data: bytes) -> str:
    for encoding in ENCODINGS:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise FailedError(f"{file} is neither UTF-8 nor Shift-JIS; save it as one of them")


def _is_csa(text: str) -> bool:
    """A line of CSA begins with a sign of its own; KIF has full-width signs and numbers."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("'")]
    return bool(lines) and (lines[0][:2] in ("V1", "V2", "V3", "N+", "N-", "PI", "P1")
                            or lines[0][0] in "$%")  # fmt: skip


def enter(asker: Asker, table: str, game: ShogiGame) -> None:
    """As an arbiter would, half-move by half-move. Raises FailedError where one is refused."""
    asker.act(
        table, action="start-game", ruleset="shogi", fen=SHOGI.fen(game.start),
        white=game.white, black=game.black,
    )  # fmt: skip
    position = game.start
    for move in game.moves:
        asker.act(table, action="set-move", op="insert", move=SHOGI.wire(position, move))
        position = SHOGI.play(position, move)
    if game.end in LOST:
        result = "0-1" if not position.black else "1-0"
        asker.act(table, action="set-result", result=result, reason=LOST[game.end])
    elif game.end in UNDECIDED:
        result = worth(game.end, position, game.start, asker.config.settings)
        asker.act(table, action="set-result", result=result, reason=UNDECIDED[game.end])
    elif game.end == "HIKIWAKE":
        asker.act(table, action="set-result", result="1/2-1/2", reason="agreed")
    elif game.end.endswith("ILLEGAL_ACTION"):
        result = "1-0" if game.end[0] == "+" else "0-1"
        asker.act(table, action="set-result", result=result, reason=LOST["ILLEGAL_MOVE"])
    elif game.end == "KACHI":
        result = "0-1" if position.black else "1-0"
        asker.act(table, action="set-result", result=result, reason="nyugyoku")


def worth(
    end: str, position: ShogiPosition, start: ShogiPosition, settings: Mapping[str, Any]
) -> str:
    """The result of a repetition or an impasse: the game is played again, or the points decide."""
    own = {key: value for key, value in settings.items() if key in choices_of("shogi")}
    choices: ShogiChoices = cast("ShogiRules", chosen("shogi", own)).choices
    again = choices.sennichite if end == "SENNICHITE" else choices.both_reach_24
    if again == "replay":
        return "replay"
    return agreed(position, start, replace(choices, impasse="none_entered")) or "1/2-1/2"
