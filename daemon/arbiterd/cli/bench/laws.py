"""`arbiterd bench laws`: what all rulings of a half-move cost, beside tracking it."""

from __future__ import annotations

import gc
from pathlib import Path

import click

from arbiterd.cli.bench.tracking import games_from
from arbiterd.simulation.benchmarks.ruling_costs import Costs, costs_of
from arbiterd.simulation.dice import dice
from arbiterd.simulation.game import follow

SHARES = ((0.5, "median"), (0.9, "90 %"), (0.99, "99 %"), (1.0, "worst"))


@click.command("laws")
@click.option("--games", type=click.IntRange(1), default=12, show_default=True, help="So many.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "--pgn",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="PGN files or folders to play.",
)
def laws(games: int, seed: int, pgn: tuple[Path, ...]) -> None:
    """Play a hall's day through whole tables; time the rulings of each half-move.

    The clock speaks once a second, so a half-move has many messages at which the Laws look.
    """
    found = games_from(pgn)
    chosen = dice(f"laws/{seed}").sample(range(len(found)), min(games, len(found)))
    costs = Costs()
    gc.freeze()  # The games themselves are none of a table's garbage.
    for number in chosen:
        costs.add(costs_of(follow(found[number]), f"laws/{seed}/{number}"))
    click.echo(f"{len(chosen)} games, {len(costs.rulings)} half-moves, seed {seed}; ms a half-move")
    click.echo(f"{'':24}" + "".join(f"{name:>10}" for _, name in SHARES))
    _print("tracking", costs.tracking)
    _print("all rulings", costs.rulings)
    _print("  of that: the scene", costs.scenes)


def _print(name: str, costs_ns: list[int]) -> None:
    ordered = sorted(costs_ns)
    shown = [ordered[min(len(ordered) - 1, int(len(ordered) * share))] for share, _ in SHARES]
    click.echo(f"{name:24}" + "".join(f"{ns / 1e6:10.2f}" for ns in shown))
