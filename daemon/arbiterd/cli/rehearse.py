"""`arbiterd rehearse`: the whole service under virtual time, with everything around it failing."""

from __future__ import annotations

import os
import tempfile
from functools import partial
from pathlib import Path
from time import perf_counter

import click

from arbiterd.cli import FailedError, called
from arbiterd.config import Config
from arbiterd.edges import Edges
from arbiterd.service import Service, build
from arbiterd.simulation.rehearsal.findings import RehearsalReport
from arbiterd.simulation.rehearsal.rehearsal import Rehearsal
from arbiterd.simulation.rehearsal.script import BOARDS_MAX, Script, draw
from arbiterd.simulation.rehearsal.shorten import shortest

MEMORY = Path("/dev", "shm")
"""A disk whose syncs cost nothing, where there is one."""


def played(script: Script, *, by_hour: bool = False) -> RehearsalReport:
    """The day of a script, on files that are gone afterwards."""
    memory = MEMORY if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="arbiterd-", dir=memory) as folder:
        rehearsal = Rehearsal(script, _service, Path(folder))
        if by_hour:
            rehearsal.each_hour(partial(_use, Path(folder)))
        return rehearsal.run()


def _use(folder: Path, hour: int) -> None:
    """What this process holds by now; all that the rehearsal itself remembers is in it."""
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    descriptors = sum(1 for _ in Path("/proc/self/fd").iterdir())
    journal = sum(file.stat().st_size for file in folder.iterdir())
    click.echo(
        f"  hour {hour:3}: {resident / 1e6:6.1f} MB resident, {descriptors} descriptors,"
        f" {journal / 1e6:.1f} MB journal"
    )


def _service(config: Config, edges: Edges) -> Service:
    return build(config, edges)


@click.command()
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--hours", type=click.FloatRange(0.1, 240), default=0.5, show_default=True)
@click.option("--boards", type=click.IntRange(1, BOARDS_MAX), default=4, show_default=True)
@click.option("--seeds", type=click.IntRange(1), default=1, help="So many seeds, from this one on.")
@click.option(
    "--only", default="", help="Troubles by their number: 3,17,18; 0: none. The rest is left out."
)
@click.option("--by-hour", is_flag=True, help="Print memory, descriptors and journal each hour.")
@click.option("--tries", type=click.IntRange(0), default=60, show_default=True,
              help="Runs to spend on a shorter script where one fails.")  # fmt: skip
def rehearse(
    seed: int, hours: float, boards: int, seeds: int, only: str, by_hour: bool, tries: int
) -> None:
    """The whole service under virtual time, with boards, lines, disk and broker that fail.

    The same seed is the same run, byte for byte. Where something is wrong it prints what, and the
    fewest troubles it can find that lead to it.
    """
    failed = 0
    for number in range(seed, seed + seeds):
        script = draw(number, hours, boards)
        if only:
            script = script.only(_numbers(only))
        began = perf_counter()
        report = played(script, by_hour=by_hour)
        click.echo(_line(script, report, perf_counter() - began))
        if report.findings:
            failed += 1
            _explain(script, report, tries)
    if failed:
        raise FailedError(f"{failed} of {seeds} seeds failed")


def _numbers(only: str) -> frozenset[int]:
    try:
        return frozenset(int(word) for word in only.split(","))
    except ValueError:
        raise click.BadParameter("write numbers with commas between them: 3,17,18") from None


def _line(script: Script, report: RehearsalReport, took_s: float) -> str:
    tables = f"{report.exact} records exact, {report.doubted} doubted, {report.accused} accused"
    return (
        f"seed {script.seed}: {script.boards} boards, {report.seconds / 3600:.2f} h,"
        f" {len(script.troubles)} troubles, {report.lives} lives, {report.messages} messages,"
        f" {report.half_moves} half-moves, {tables}, {len(report.findings)} findings,"
        f" {took_s:.1f} s, run {report.digest[:16]}"
    )


def _explain(script: Script, report: RehearsalReport, tries: int) -> None:
    for finding in report.findings:
        click.echo(f"  {finding}")
    short, last = shortest(script, report, played, tries)
    click.echo("the shortest script found:")
    for trouble in short.troubles:
        click.echo(f"  {trouble}")
    for finding in last.findings[:3]:
        click.echo(f"  → {finding}")
    numbers = ",".join(str(trouble.number) for trouble in short.troubles) or "0"
    click.echo(
        f"again: {called()} rehearse --seed {short.seed} --hours {short.hours:g}"
        f" --boards {short.boards} --only {numbers}"
    )
