"""`arbiterd bench tracking`: are the moves exact, are the alarms true, and what does it cost."""

from __future__ import annotations

import random
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from arbiterd.cli.bench.measured import probabilities
from arbiterd.rules.registry import RULESETS
from arbiterd.simulation.benchmarks.calibration import Calibration
from arbiterd.simulation.benchmarks.score import interval
from arbiterd.simulation.benchmarks.tracking import (
    Tally,
    all_exactness,
    quantile,
    side_by_side,
    use,
)
from arbiterd.simulation.drawn_games import made_games
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import StagedGame, read_games
from arbiterd.simulation.profiles import PROFILES

SEEDS = 5
GAMES_BESIDE = Path(__file__).parents[4] / "../shared/games"
"""Real games beside a checkout; where there are none, the famous games of the demo hall play."""


def games_from(paths: tuple[Path, ...]) -> list[StagedGame]:
    """The games of these PGN files or folders, else those beside the checkout, else our own."""
    found = paths or ((GAMES_BESIDE,) if GAMES_BESIDE.is_dir() else ())
    files = [
        file for path in found for file in (sorted(path.glob("*.pgn")) if path.is_dir() else [path])
    ]
    games = [game for file in files for game in read_games(file.read_text("utf-8"))]
    return games or list(FAMOUS)


RULES = click.option(
    "--rules",
    type=click.Choice(RULESETS),
    default="chess",
    show_default=True,
    help="Without --pgn: games of another rule set by dice. A PGN says its own (Variant).",
)
"""Which games a benchmark plays that is given none."""


def games_of(rules: str, paths: tuple[Path, ...]) -> list[StagedGame]:
    """As `games_from`; of another rule set than chess, where no file is given, games by dice."""
    return games_from(paths) if paths or rules == "chess" else made_games(rules)


@click.command("tracking")
@RULES
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
    help="List so many games that were not exact or not quiet, false reports by half-move.",
)
def tracking(
    rules: str,
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
    chosen = games_of(rules, pgn)[:games]
    drawn = [*range(1, SEEDS + 1), random.SystemRandom().randrange(10**9)]
    numbers = _seeds(seeds) if seeds else drawn
    click.echo(f"{len(chosen)} games, profiles {', '.join(names)}, seeds {numbers}")
    tallies = _exactness(chosen, names, numbers, jobs)
    _print_exactness(tallies)
    _print_misses(tallies, misses)
    _print_probabilities(tallies)
    if sample:
        _print_side_by_side(chosen, names, numbers[0], sample)


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
    games: list[StagedGame], names: list[str], seeds: list[int], jobs: int
) -> list[Tally]:
    tallies = {name: Tally(name) for name in names}
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("playing", total=len(games) * len(names) * len(seeds))
        for tally in all_exactness(games, names, seeds, jobs):
            tallies[tally.profile].add(tally)
            progress.advance(task, tally.games)
    return list(tallies.values())


def _print_exactness(tallies: list[Tally]) -> None:
    click.echo(f"\n{'':15} {'games':>6} {'exact':>9}  {_HEADS} {'silent':>6}")
    for tally in tallies:
        click.echo(f"{tally.profile:15} {_row(tally)} {tally.silent:6}")


def _print_probabilities(tallies: list[Tally]) -> None:
    """Over all profiles together, then how much was wrong of what was certain in each."""
    told = Calibration()
    for tally in tallies:
        told.add(tally.told)
    for line in probabilities.lines(told):
        click.echo(line)
    click.echo("wrong of the certain:")
    for tally in tallies:
        wrong, certain = tally.told.certain()
        click.echo(f"  {tally.profile:15} {wrong:6} of {certain}")


def _print_side_by_side(games: list[StagedGame], names: list[str], seed: int, sample: int) -> None:
    use(games)
    costs: dict[str, Tally] = {}
    for name in names:
        click.echo(f"\n{name}, seed {seed}, one process")
        click.echo(f"{'':15} {'games':>6} {'exact':>9}  {_HEADS}")
        for matcher, tally in side_by_side(games, name, seed, sample):
            click.echo(f"  {matcher:13} {_row(tally)}")
            tally.profile = matcher
            costs.setdefault(matcher, Tally(matcher)).add(tally)
    ours, theirs = costs["tracking"], costs["look-up"]
    half = quantile(theirs.costs_ns, 0.5) / quantile(ours.costs_ns, 0.5)
    click.echo(
        f"\nCPU per placement, look-up to tracking: mean {_mean(theirs) / _mean(ours):.1f} to 1, "
        f"median {half:.1f} to 1.\nTracking: everything, over {len(ours.costs_ns)} placements; "
        f"look-up: over its {len(theirs.costs_ns)} settled ones."
    )


def _print_misses(tallies: list[Tally], most: int) -> None:
    found = [miss for tally in tallies for miss in tally.misses]
    for miss in found[:most]:
        false = ", ".join(f"{alarm.kind} at {alarm.ply}" for alarm in miss.alarms)
        wrong = "exact" if miss.first_wrong is None else f"wrong from half-move {miss.first_wrong}"
        said = "" if miss.said_so else ", in silence"
        click.echo(
            f"  {miss.profile} seed {miss.seed} game {miss.game}: {wrong}{said}"
            + (f"; false: {false}" if false else "")
            + (f"; missed: {', '.join(miss.missed)}" if miss.missed else "")
        )
    if len(found) > most:
        click.echo(f"  ... and {len(found) - most} more")


_HEADS = (
    f"{'95 % interval':>16} {'false':>6} {'missed':>10} "
    f"{'mean µs':>8} {'median':>8} {'99.9 %':>8} {'worst':>8}"
)


def _row(tally: Tally) -> str:
    low, high = interval(tally.exact, tally.games)
    span, missed = f"{100 * low:.2f} - {100 * high:.2f}", f"{tally.missed} of {tally.owed}"
    costs = tally.costs_ns
    spent = (_mean(tally), *(quantile(costs, share) for share in (0.5, 0.999, 1.0)))
    figures = " ".join(f"{cost / 1000:8.0f}" for cost in spent)
    share = 100 * tally.exact / tally.games
    return (
        f"{tally.games:6} {share:7.2f} %  {span:>16} {tally.false_alarms:6} {missed:>10} {figures}"
    )


def _mean(tally: Tally) -> float:
    return sum(tally.costs_ns) / max(1, len(tally.costs_ns))
