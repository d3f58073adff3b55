"""`arbiterd bench fit`: how often what each weight speaks of happens, on one half and the other."""

from __future__ import annotations

from collections.abc import Iterable
from math import exp
from pathlib import Path

import click

from arbiterd.cli.bench.tracking import games_from
from arbiterd.simulation.benchmarks import tracking as bench
from arbiterd.simulation.benchmarks.counting import LISTED, OF, MatcherCounts, counted
from arbiterd.simulation.benchmarks.trial import make_trial
from arbiterd.simulation.profiles import PROFILES

FIT = ("club", "blitz-scramble", "rfid", "broken-coil")
"""Counted on these days, odd seeds, even games; shown on the others, even seeds, odd games."""
APART = 1.0
"""Counts that differ by more nats say that the day decides, and no one number."""


@click.command("fit")
@click.option("--games", type=click.IntRange(2), default=60, show_default=True, help="So many.")
@click.option("--seeds", type=click.IntRange(2), default=2, show_default=True, help="1 to so many.")
@click.option(
    "--pgn",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="PGN files or folders to play.",
)
def bench_fit(games: int, seeds: int, pgn: tuple[Path, ...]) -> None:
    """Count what the weights of tracking speak of, with n of N, on two halves kept apart.

    Fitted on four days, odd seeds and every second game; shown on the other days, even seeds and
    the other games.
    """
    chosen = games_from(pgn)[:games]
    bench.use(chosen)
    shown = [name for name in PROFILES if name not in FIT]
    click.echo(f"fitted on {', '.join(FIT)}: odd seeds, games 0, 2, 4 …")
    click.echo(f"shown on {', '.join(shown)}: even seeds, games 1, 3, 5 …")
    fit = _count(FIT, range(1, seeds + 1, 2), range(0, len(chosen), 2))
    test = _count(shown, range(2, seeds + 1, 2), range(1, len(chosen), 2))
    click.echo(
        f"\n{'weight':12} {'stands at':>9} {'fitted':>7} {'n of N':>16}"
        f" {'shown':>7} {'n of N':>16}  of"
    )
    for name, now in LISTED.items():
        click.echo(_row(name, now, fit, test))


def _count(profiles: Iterable[str], seeds: Iterable[int], games: Iterable[int]) -> MatcherCounts:
    counts, games, seeds = MatcherCounts(), list(games), list(seeds)
    for profile in profiles:
        for seed in seeds:
            for game in games:
                text = bench.seed_of(profile, seed, game)
                counts.add(counted(make_trial(bench.line(game), PROFILES[profile], text)))
    return counts


def _row(name: str, now: float, fit: MatcherCounts, test: MatcherCounts) -> str:
    fitted, shown = fit.nats(name), test.nats(name)
    apart = fitted is None or shown is None or abs(fitted - shown) > APART
    return (
        f"{name:12} {now:9.1f} {_nats(fitted)} {_share(fit.of(name))}"
        f" {_nats(shown)} {_share(test.of(name))}  {OF.get(name, 'half-moves')}"
        + ("  differs by the day" if apart else "")
        + (f"  (stands for 1 in {exp(now):.0f})" if fitted and abs(fitted - now) > 1 else "")
    )


def _nats(nats: float | None) -> str:
    return f"{'prior':>7}" if nats is None else f"{nats:7.2f}"


def _share(hits: tuple[int, int]) -> str:
    return f"{f'{hits[0]} of {hits[1]}':>16}"
