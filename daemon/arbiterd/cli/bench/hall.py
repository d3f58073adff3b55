"""`arbiterd bench hall`: a running hall, from a board's last byte to the message at a subscriber.

    processes   emulated boards ─▶ pseudo-terminals     write down when each said something
    process     arbiterd run ─▶ broker                  its processor time and memory are read
    this one    a subscriber                            writes down when each message came

A half-move counts that was told because of a press: it follows from the last bytes that its board
had written by the time stamp of the message. One that was told because time had passed is left out.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import aiomqtt
import click

from arbiterd.cli import FailedError
from arbiterd.cli.bench.measured.hall_figures import HEAD
from arbiterd.cli.bench.measured.running_hall import MeasuredHall, measured
from arbiterd.config.values import broker_url


def _several(
    each: click.IntRange | click.FloatRange,
) -> Callable[[click.Context, click.Parameter, Sequence[str]], list[float]]:
    """Reads numbers with commas between them, each in its range."""

    def read(ctx: click.Context, param: click.Parameter, said: Sequence[str]) -> list[float]:
        words = (word for numbers in said for word in numbers.split(","))
        return [each(word, param, ctx) for word in words]

    return read


def _address(ctx: click.Context, param: click.Parameter, said: str | None) -> str | None:
    try:
        if said is not None:
            broker_url(said)
    except ValueError as wrong:
        raise click.BadParameter(str(wrong), ctx, param) from None
    return said


@click.command()
@click.option("--boards", default=["8"], multiple=True, callback=_several(click.IntRange(1, 1000)))
@click.option("--pace", default=["1"], multiple=True, callback=_several(click.FloatRange(0.1, 20)))
@click.option("--seconds", type=click.IntRange(5, 3600), default=60, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "--broker",
    callback=_address,
    help="A broker that runs, mqtt://…; left out: the embedded one.",
)
@click.option(
    "--flame",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write where the service's time went, as a picture (SVG); needs py-spy.",
)
def hall(
    boards: Sequence[int],
    pace: Sequence[float],
    seconds: int,
    seed: int,
    broker: str | None,
    flame: Path | None,
) -> None:
    """Measure a running hall at so many times blitz pace (a half-move each five seconds).

    8 boards at pace 1 unless said; several numbers and paces (1,8,64) are measured one after
    another and make one table.
    Lost: half-moves in the journal that no subscriber heard. Whatever else the machine does is in
    the figures too; compare two runs of one day.
    """
    numbers = product(boards, pace)
    cells = [MeasuredHall(int(n), times, seconds, seed, broker, flame) for n, times in numbers]
    if flame is not None and (len(cells) > 1 or shutil.which("py-spy") is None):
        raise click.UsageError(
            "a flame graph is of one number of boards at one pace, and made by py-spy:"
            " install it (pip install py-spy)"
        )
    alone = len(cells) == 1
    if not alone:
        click.echo(HEAD)
    try:
        wrong = [_shown(cell, alone=alone) for cell in cells]
    except asyncio.CancelledError:
        return
    except aiomqtt.MqttError as error:
        raise FailedError(f"the broker does not answer ({error}); name one that runs") from None
    if any(wrong):
        raise FailedError("; ".join(filter(None, wrong)))


def _shown(cell: MeasuredHall, *, alone: bool) -> str:
    """Measures a hall and prints its figures. What was wrong with it; empty: nothing."""
    try:
        with tempfile.TemporaryDirectory(prefix="arbiterd-hall-") as folder:
            figures = asyncio.run(measured(Path(folder), cell))
    except FailedError as failed:
        if alone:
            raise
        click.echo(f"{cell.boards:6} {cell.pace:5g}  {failed}")
        return str(failed)
    click.echo(figures.block if alone else figures.row)
    if not figures.lost and figures.whole:
        return ""
    return f"{figures.lost} half-moves were not heard; the journal is whole: {figures.whole}"
