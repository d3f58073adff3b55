"""`arbiterd rehearse`: the whole service under virtual time, with everything around it failing."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from itertools import islice
from pathlib import Path
from time import perf_counter

import click
from click.core import ParameterSource

from arbiterd.cli import FailedError, WrongError, called
from arbiterd.config import Config
from arbiterd.edges import Edges
from arbiterd.service import Service, build
from arbiterd.simulation.rehearsal.findings import RehearsalReport
from arbiterd.simulation.rehearsal.log import RehearsalLog, drawn_day, told
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
@click.option("--log", "file", type=click.Path(dir_okay=False, path_type=Path),
              help="Go on with this log: seeds that it does not have, each with a hall of its own "
              "of 2 to 64 boards.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option("--tries", type=click.IntRange(0), default=60, show_default=True,
              help="Runs to spend on a shorter script where one fails.")  # fmt: skip
@click.pass_context
def rehearse(
    ctx: click.Context,
    seed: int,
    hours: float,
    boards: int,
    seeds: int,
    only: str,
    by_hour: bool,
    file: Path | None,
    jobs: int,
    tries: int,
) -> None:
    """The whole service under virtual time, with boards, lines, disk and broker that fail.

    The same seed is the same run, byte for byte. Where something is wrong it prints what, and the
    fewest troubles it can find that lead to it.
    """
    if file is None:
        scripts = [draw(number, hours, boards) for number in range(seed, seed + seeds)]
    else:
        _refuse(ctx, ("seed", "hours", "boards"), "--log draws them")
        scripts = [drawn_day(number) for number in islice(_log(file).missing(), seeds)]
    if only:
        scripts = _with_only(scripts, _numbers(only))
    failed = []
    for script, report, took_s in _all_played(scripts, jobs, by_hour=by_hour):
        line = told(script, report, took_s)
        click.echo(line)
        if file is not None:
            _add(file, line)
        if report.findings:
            failed.append((script, report))
    for script, report in failed:
        _explain(script, report, tries)
    if file is not None:
        click.echo(f"{file}: {_log(file)}")
    if failed:
        raise FailedError(f"{len(failed)} of {seeds} seeds failed")


def _refuse(ctx: click.Context, names: Iterable[str], why: str) -> None:
    for name in names:
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"leave --{name} out: {why}")


def _log(file: Path) -> RehearsalLog:
    """A log that can be written on: that is found out before hours are spent. Raises WrongError."""
    try:
        file.open("a").close()
        return RehearsalLog.read(file.read_text().splitlines())
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise WrongError(f"{file} cannot be gone on with ({why}); name another --log") from None


def _add(file: Path, line: str) -> None:
    with file.open("a") as log:
        log.write(f"{line}\n")


def _all_played(
    scripts: list[Script], jobs: int, *, by_hour: bool
) -> Iterator[tuple[Script, RehearsalReport, float]]:
    """Each day as it ends, with the seconds it took."""
    if jobs == 1:
        for script in scripts:
            yield script, *_timed(script, by_hour=by_hour)
        return
    with ProcessPoolExecutor(jobs) as pool:
        days = {pool.submit(_timed, script, by_hour=by_hour): script for script in scripts}
        for day in as_completed(days):
            yield days.pop(day), *day.result()


def _timed(script: Script, *, by_hour: bool) -> tuple[RehearsalReport, float]:
    began = perf_counter()
    return played(script, by_hour=by_hour), perf_counter() - began


def _numbers(only: str) -> frozenset[int]:
    try:
        return frozenset(int(word) for word in only.split(","))
    except ValueError:
        raise click.BadParameter("write numbers with commas between them: 3,17,18") from None


def _with_only(scripts: list[Script], numbers: frozenset[int]) -> list[Script]:
    """The days with these troubles alone. Raises click.BadParameter where none of them has one."""
    known = {trouble.number for script in scripts for trouble in script.troubles}
    if absent := numbers - known - {0}:
        has = f"1 to {max(known)}" if known else "none"
        raise click.BadParameter(f"there is no trouble {min(absent)}; there are {has}")
    return [script.only(numbers) for script in scripts]


def _explain(script: Script, report: RehearsalReport, tries: int) -> None:
    for finding in report.findings:
        click.echo(f"  {finding}")
    short, last = shortest(script, report, played, tries)
    click.echo(f"seed {script.seed}, the shortest script found:")
    for trouble in short.troubles:
        click.echo(f"  {trouble}")
    for finding in last.findings[:3]:
        click.echo(f"  → {finding}")
    numbers = ",".join(str(trouble.number) for trouble in short.troubles) or "0"
    click.echo(
        f"again: {called()} rehearse --seed {short.seed} --hours {short.hours:g}"
        f" --boards {short.boards} --only {numbers}"
    )
