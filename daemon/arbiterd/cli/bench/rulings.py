"""`arbiterd bench rulings`: incidents in real games; which are found, and who is called in vain."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from arbiterd.cli.bench.measured.rulings_case import printed
from arbiterd.cli.bench.tracking import RULES, games_of
from arbiterd.laws.catalogue import ROWS
from arbiterd.rules.registry import ruleset
from arbiterd.simulation.benchmarks.recall import Called, Judged, Owed
from arbiterd.simulation.benchmarks.score import interval
from arbiterd.simulation.benchmarks.seeding import seeded
from arbiterd.simulation.game import StagedGame
from arbiterd.simulation.hands.incidents import OWED_IN


@click.command("rulings")
@RULES
@click.option(
    "--each", type=click.IntRange(1), default=200, show_default=True, help="Incidents of each kind."
)
@click.option("--kinds", help="Which incidents, as KIND,KIND. Left out: all of the game.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option(
    "--pgn",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="PGN files or folders to play.",
)
@click.option("--case", "case", help="Only this seed, as misses are listed: its whole story.")
def rulings(
    rules: str,
    each: int,
    kinds: str | None,
    seed: int,
    jobs: int,
    pgn: tuple[Path, ...],
    case: str | None,
) -> None:
    """Put incidents into real games on a hall's day, and count the rulings they lead to.

    Recall: incidents whose ruling came. Precision: of the rulings that call an arbiter, those
    that something in the story justifies.
    """
    names = _kinds(kinds, rules)
    games = games_of(rules, pgn)
    if case is not None:
        _print_case(games, case)
        return
    click.echo(f"{len(games)} games, seed {seed}, {each} incidents of a kind or a little more")
    results: list[Judged] = []
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("playing", total=each * len(names))
        had = Counter[str]()
        for result in seeded(games, names, seed, each, jobs):
            results.append(result)
            had.update(owed.name for owed in result.owed)
            progress.update(task, completed=sum(min(each, had[name]) for name in names))
    _print_recall(names, results)
    _print_precision(results)
    _print_blind(rules)


def _print_case(games: list[StagedGame], case: str) -> None:
    try:
        for text in printed(games, case):
            click.echo(text)
    except ValueError as wrong:
        raise click.BadParameter(str(wrong), param_hint="--case") from None


def _kinds(text: str | None, rules: str) -> list[str]:
    known = OWED_IN[rules]
    names = list(known) if text is None else text.split(",")
    for name in names:
        if name not in known:
            raise click.BadParameter(f"{name!r} is no incident; choose from {', '.join(known)}")
    return names


def _print_recall(names: Sequence[str], results: Sequence[Judged]) -> None:
    owed: dict[str, list[tuple[str, Owed]]] = defaultdict(list)
    for result in results:
        for one in result.owed:
            owed[one.name].append((result.seed, one))
    click.echo(f"{'incident':26} {'games':>6} {'found':>12} {'recall':>8} {'95 % interval':>16}")
    besides = [name for name in owed if name not in names]
    for name in (*names, *besides):
        came = owed[name]
        found = sum(one.found for _, one in came)
        low, high = interval(found, len(came))
        share = f"{100 * found / len(came):6.2f} %" if came else "-"
        games = len({seed for seed, _ in came})
        click.echo(
            f"{name:26} {games:6} {found:5} of {len(came):3} {share:>8}"
            f" {100 * low:6.2f} - {100 * high:6.2f}"
        )
        for seed, one in came:
            if not one.found:
                said = ", ".join(one.instead) or "nothing"
                click.echo(f"    missed: {seed}, half-move {one.ply}; said instead: {said}")


def _print_precision(results: Sequence[Judged]) -> None:
    calls = sum(result.calls for result in results)
    vain = [(result.seed, call) for result in results for call in result.vain]
    click.echo(
        f"precision {100 * (1 - len(vain) / max(1, calls)):.2f} %"
        f" ({len(vain)} of {calls} calls in vain, {len(results)} games played)"
    )
    by_kind: dict[str, list[tuple[str, Called]]] = defaultdict(list)
    for seed, call in vain:
        by_kind[call.kind].append((seed, call))
    for kind in sorted(by_kind, key=lambda kind: (-len(by_kind[kind]), kind)):
        click.echo(f"  {len(by_kind[kind]):5} {kind}")
        for seed, call in by_kind[kind]:
            click.echo(f"        {seed}, half-move {call.ply}")


def _print_blind(rules: str) -> None:
    """What is not measured because there is nothing to measure it with."""
    blind = [row for row in ROWS.values() if row.blind and row.holds(ruleset(rules).customs)]
    click.echo(f"{len(blind)} rows that no sensor shows; people enter them:")
    reasons: dict[str, list[str]] = defaultdict(list)
    for row in blind:
        reasons[row.blind].append(row.id)
    for reason, rows in reasons.items():
        click.echo(f"  {reason} {', '.join(rows)}")
