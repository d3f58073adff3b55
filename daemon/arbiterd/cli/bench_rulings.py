"""`arbiterd bench rulings`: incidents in real games; which are found, and who is called in vain."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from arbiterd.cli.bench_tracking import games_from
from arbiterd.simulation.incidents import OWED
from arbiterd.simulation.recall import Found, recall
from arbiterd.simulation.score import interval


@click.command("rulings")
@click.option(
    "--each", type=click.IntRange(1), default=200, show_default=True, help="Incidents of each kind."
)
@click.option("--kinds", default=",".join(OWED), show_default=True, help="Which incidents.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option(
    "--pgn",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="PGN files or folders to play.",
)
def rulings(each: int, kinds: str, seed: int, jobs: int, pgn: tuple[Path, ...]) -> None:
    """Put incidents into real games on a hall's day, and count the rulings they lead to.

    Recall: incidents whose ruling came. Precision: of the rulings that call an arbiter, those
    that something in the story justifies.
    """
    names = _kinds(kinds)
    games = games_from(pgn)
    click.echo(f"{len(games)} games, seed {seed}, {each} incidents a kind as far as games go")
    click.echo(
        f"{'incident':24} {'games':>6} {'found':>12} {'95 % interval':>16} {'calls':>7} false"
    )
    total, false = 0, Counter[str]()
    work = partial(recall, games, seed=seed, each=each)
    with (
        ProcessPoolExecutor(jobs) as pool,
        Progress(console=Console(stderr=True), transient=True) as progress,
    ):
        task = progress.add_task("playing", total=len(names))
        for found in pool.map(work, names):
            _print(found)
            total, false = total + found.rulings, false + found.false
            progress.advance(task)
    wrong = sum(false.values())
    click.echo(f"precision {100 * (1 - wrong / max(1, total)):.2f} % ({wrong} of {total} in vain)")
    for kind, number in false.most_common():
        click.echo(f"  {number:5} {kind}")


def _kinds(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in OWED:
            raise click.BadParameter(f"{name!r} is no incident; choose from {', '.join(OWED)}")
    return names


def _print(found: Found) -> None:
    low, high = interval(found.found, max(1, found.owed))
    click.echo(
        f"{found.name:24} {found.games:6} {found.found:5} of {found.owed:3} "
        f"{100 * low:6.2f} - {100 * high:6.2f} {found.rulings:7} {sum(found.false.values())}"
    )
    for seed in found.missed[:5]:
        click.echo(f"    missed: {seed}")
