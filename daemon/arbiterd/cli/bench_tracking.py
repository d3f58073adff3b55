"""`arbiterd bench tracking`: are the moves exact, are the alarms true, and what does it cost."""

from __future__ import annotations

import random
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from arbiterd.simulation.bench import Tally, all_exactness, quantile, side_by_side, use
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import Game, read_games
from arbiterd.simulation.profiles import PROFILES
from arbiterd.simulation.score import interval

SEEDS = 5
GAMES_BESIDE = Path(__file__).parents[3] / "../shared/games"
"""Real games beside a checkout; where there are none, the famous games of the demo hall play."""


def games_from(paths: tuple[Path, ...]) -> list[Game]:
    """The games of these PGN files or folders, else those beside the checkout, else our own."""
    found = paths or ((GAMES_BESIDE,) if GAMES_BESIDE.is_dir() else ())
    files = [
        file for path in found for file in (sorted(path.glob("*.pgn")) if path.is_dir() else [path])
    ]
    games = [game for file in files for game in read_games(file.read_text("utf-8"))]
    return games or list(FAMOUS)


@click.command("tracking")
@click.option("--games", type=click.IntRange(1), help="Only so many games.")
@click.option("--profiles", default=",".join(PROFILES), show_default=True, help="Which days.")
@click.option("--seeds", default="", help="Seeds, as 1,2,3. Left out: 1 to 5 and one drawn now.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option(
    "--sample",
    type=click.IntRange(0),
    default=30,
    show_default=True,
    help="Games a profile for the baselines; 0: none.",
)
@click.option(
    "--pgn",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="PGN files or folders to play.",
)
@click.option(
    "--misses",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="List so many games that were not exact or not quiet.",
)
def tracking(
    games: int | None,
    profiles: str,
    seeds: str,
    jobs: int,
    sample: int,
    pgn: tuple[Path, ...],
    misses: int,
) -> None:
    """Play real games under every noise profile and hold tracking against the truth.

    Beside it, in the same run, three published ways of matching placements.
    """
    names = _profiles(profiles)
    chosen = games_from(pgn)[:games]
    drawn = [*range(1, SEEDS + 1), random.SystemRandom().randrange(10**9)]
    numbers = _seeds(seeds) if seeds else drawn
    console = Console()
    console.print(f"{len(chosen)} games, profiles {', '.join(names)}, seeds {numbers}")
    tallies = _exactness(console, chosen, names, numbers, jobs)
    _print_exactness(console, tallies)
    _print_misses(console, tallies, misses)
    if sample:
        _print_side_by_side(console, chosen, names, numbers[0], sample)


def _profiles(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in PROFILES:
            raise click.BadParameter(f"{name!r} is no profile; choose from {', '.join(PROFILES)}")
    return names


def _seeds(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise click.BadParameter(f"{text!r} are no seeds; write numbers as 1,2,3") from None


def _exactness(
    console: Console, games: list[Game], names: list[str], seeds: list[int], jobs: int
) -> list[Tally]:
    tallies = {name: Tally(name) for name in names}
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("playing", total=len(games) * len(names) * len(seeds))
        for tally in all_exactness(games, names, seeds, jobs):
            tallies[tally.profile].add(tally)
            progress.advance(task, tally.games)
    return list(tallies.values())


def _print_exactness(console: Console, tallies: list[Tally]) -> None:
    table = Table(title="Exactness")
    for column in (
        "profile",
        "games",
        "exact",
        "95 %",
        "silent",
        "false alarms",
        "missed",
        "mean µs",
        "median µs",
        "99.9 % µs",
        "worst ms",
    ):
        table.add_column(column, justify="left" if column == "profile" else "right")
    for tally in tallies:
        table.add_row(
            tally.profile,
            str(tally.games),
            _share(tally),
            _range(tally),
            str(tally.silent),
            str(tally.false_alarms),
            f"{tally.missed} of {tally.owed}",
            *_costs(tally),
        )
    console.print(table)


def _print_side_by_side(
    console: Console, games: list[Game], names: list[str], seed: int, sample: int
) -> None:
    use(games)
    table = Table(title=f"Beside the baselines: seed {seed}, one process")
    for column in (
        "profile",
        "matcher",
        "games",
        "exact",
        "95 %",
        "false alarms",
        "missed",
        "mean µs",
        "median µs",
        "99.9 % µs",
        "worst ms",
    ):
        table.add_column(column, justify="left" if column in ("profile", "matcher") else "right")
    costs: dict[str, Tally] = {}
    for name in names:
        for matcher, tally in side_by_side(games, name, seed, sample):
            table.add_row(
                name,
                matcher,
                str(tally.games),
                _share(tally),
                _range(tally),
                str(tally.false_alarms),
                f"{tally.missed} of {tally.owed}",
                *_costs(tally),
            )
            tally.profile = matcher
            costs.setdefault(matcher, Tally(matcher)).add(tally)
    console.print(table)
    ours, theirs = costs["tracking"], costs["look-up"]
    console.print(
        "CPU per placement, look-up to tracking: "
        f"mean {_mean(theirs) / _mean(ours):.1f} to 1, "
        f"median {quantile(theirs.costs_ns, 0.5) / quantile(ours.costs_ns, 0.5):.1f} to 1 "
        f"({len(ours.costs_ns)} placements; look-up costs are those of its "
        f"{len(theirs.costs_ns)} settled ones)"
    )


def _print_misses(console: Console, tallies: list[Tally], most: int) -> None:
    found = [miss for tally in tallies for miss in tally.misses]
    for miss in found[:most]:
        console.print(
            f"{miss.profile} seed {miss.seed} game {miss.game}: first wrong half-move "
            f"{miss.first_wrong}, said so {miss.said_so}, "
            f"false {', '.join(miss.alarms) or '-'}, missed {', '.join(miss.missed) or '-'}"
        )
    if len(found) > most:
        console.print(f"... and {len(found) - most} more")


def _share(tally: Tally) -> str:
    return f"{100 * tally.exact / tally.games:.2f} %"


def _range(tally: Tally) -> str:
    low, high = interval(tally.exact, tally.games)
    return f"{100 * low:.2f} – {100 * high:.2f}"


def _mean(tally: Tally) -> float:
    return sum(tally.costs_ns) / len(tally.costs_ns)


def _costs(tally: Tally) -> tuple[str, ...]:
    if not tally.costs_ns:
        return ("-",) * 4
    return (
        f"{_mean(tally) / 1e3:.0f}",
        f"{quantile(tally.costs_ns, 0.5) / 1e3:.0f}",
        f"{quantile(tally.costs_ns, 0.999) / 1e3:.0f}",
        f"{max(tally.costs_ns) / 1e6:.1f}",
    )
