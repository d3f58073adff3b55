"""`arbiterd bench ledger`: what is exact, open and wrong, as a text to be read as a diff."""

from __future__ import annotations

import sys
from difflib import unified_diff
from pathlib import Path

import click

from arbiterd.simulation.benchmarks.ledger import entries
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.profiles import PROFILES

SEEDS = range(1, 9)


@click.command("ledger")
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A ledger: print what differs from it, and exit 1 if anything does.",
)
def bench_ledger(against: Path | None) -> None:
    """Print the ledger of exactness: every profile, eight seeds, the famous games.

    Write tests/simulation/exactness.expected again with: arbiterd bench ledger > that file.
    """
    now = list(entries(FAMOUS, PROFILES, SEEDS))
    if against is None:
        click.echo("\n".join(now))
        return
    before = against.read_text("utf-8").splitlines()
    differs = list(unified_diff(before, now, str(against), "now", lineterm="", n=0))
    click.echo("\n".join(differs) if differs else f"{len(now)} lines, all as in {against}")
    sys.exit(1 if differs else 0)
