"""`arbiterd laws`: what the service does under an article, and what shows that it does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from arbiterd.cli import FailedError, WrongError
from arbiterd.cli.laws.coverage import coverage_of, judged, named
from arbiterd.cli.laws.pages import PAGES, explain
from arbiterd.cli.laws.situations import (
    Situation,
    SituationError,
    packaged,
    read_situations,
)
from arbiterd.cli.laws.texts import page as texts_page
from arbiterd.cli.laws.texts import said
from arbiterd.laws.catalogue import ROWS
from arbiterd.laws.languages import LANGUAGES


@click.group()
def laws() -> None:
    """What the service does under an article or a row of the catalogue."""


@laws.command()
@click.argument("article_or_row")
def show(article_or_row: str) -> None:
    """Print what is done under ARTICLE_OR_ROW: 7.5.5, A.5.2, touch-own-then-other."""
    text = explain(article_or_row)
    if text is None:
        raise WrongError(
            f"nothing is done under {article_or_row!r}; write an article such as 7.5.5 or a row"
            " such as illegal-first (all of them: docs/catalogue.md)"
        )
    click.echo(text)


@laws.command()
@click.argument("rows", nargs=-1)
@click.option(
    "--situations",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder of situation files instead of those that come with the service.",
)
def coverage(rows: tuple[str, ...], situations: Path | None) -> None:
    """Play every situation and count which rows fired in it, and which did not.

    Of ROWS the situations are named in which they fired, by their files and numbers.
    """
    _known(rows)
    try:
        told = coverage_of(packaged() if situations is None else _from(situations))
    except SituationError as wrong:
        raise WrongError(str(wrong)) from None
    for row in rows:
        click.echo("\n".join(named(row, told[row])))
    if rows:
        return
    lines, missing = judged(told)
    click.echo("\n".join(lines))
    if missing:
        raise FailedError(f"{missing} rows are not covered; add situations for them")


@laws.command()
@click.argument("rows", nargs=-1)
@click.option("--language", "-l", type=click.Choice(tuple(LANGUAGES)), help="One language alone.")
@click.option("--every", is_flag=True, help="Each different sentence that the situations led to.")
def texts(rows: tuple[str, ...], language: str | None, every: bool) -> None:
    """Print what is said under ROWS (left out: every row), with the facts of real situations."""
    _known(rows)
    for spoken in (language,) if language else LANGUAGES:
        click.echo(f"\n{LANGUAGES[spoken]}")
        click.echo("\n".join(texts_page(said(packaged(), spoken), rows, every=every)))


def _known(rows: tuple[str, ...]) -> None:
    """Raises WrongError."""
    unknown = [row for row in rows if row not in ROWS]
    if unknown:
        raise WrongError(f"{unknown[0]!r} is no row of the catalogue; see docs/catalogue.md")


def _from(folder: Path) -> Iterator[Situation]:
    for file in sorted(folder.glob("*.txt")):
        yield from read_situations(file.stem, file.read_text(encoding="utf-8"))


@laws.command(hidden=True)
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
def pages(folder: Path) -> None:
    """Write the pages that are made from the Laws' own data into FOLDER."""
    for name, page in PAGES.items():
        (folder / name).write_text(page(), encoding="utf-8")
