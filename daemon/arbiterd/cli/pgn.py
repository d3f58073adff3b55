"""`arbiterd pgn`: the games so far as PGN."""

from __future__ import annotations

from pathlib import Path

import click

from arbiterd.cli import CONFIG_OF, FailedError
from arbiterd.cli.journal import opened, which_journal
from arbiterd.outlets.pgn.book import Form
from arbiterd.outlets.pgn.files import of_round
from arbiterd.outlets.pgn.full import full_pgn
from arbiterd.outlets.pgn.safe import safe_pgn
from arbiterd.outlets.pgn.shogi_records import csa, kif


@click.command()
@click.option("--round", "number", type=click.IntRange(min=1), required=True)
@click.option(
    "--safe",
    is_flag=True,
    help="Legal moves alone, as broadcasts take them; without it the full record with comments.",
)
@click.option("--kif", "shogi", flag_value="kif", help="Games of shogi as KIF.")
@click.option("--csa", "shogi", flag_value="csa", help="Games of shogi as CSA.")
@click.option(
    "--config", "file", type=click.Path(path_type=Path), envvar=CONFIG_OF, help="Whose journal."
)
@click.argument(
    "journal_file", required=False, type=click.Path(path_type=Path), metavar="[JOURNAL]"
)
def pgn(
    number: int, safe: bool, shogi: str | None, file: Path | None, journal_file: Path | None
) -> None:
    """Print the games of a round, with the clock after each move.

    Games played without a round in the configuration are round 1.
    """
    with opened(which_journal(journal_file, file)) as read:
        text = of_round(read, number, form=_form(shogi, safe=safe))
    if text is None:
        raise FailedError(f"the journal has no games of round {number}; name another --round")
    click.echo(text, nl=False)


def _form(shogi: str | None, *, safe: bool) -> Form:
    if shogi is not None:
        return kif if shogi == "kif" else csa
    return safe_pgn if safe else full_pgn
