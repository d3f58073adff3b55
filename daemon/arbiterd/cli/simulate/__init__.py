"""`arbiterd simulate`: emulated boards on pseudo-terminals, playing real games."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from arbiterd.cli import WrongError, called
from arbiterd.cli.boards import configuration, on_line, plug_in, plug_in_line, rate_name
from arbiterd.cli.simulate.mixed_hall import PLACES, mixed_hall, plug_in_mixed
from arbiterd.cli.simulate.place import FILE, held
from arbiterd.cli.stopping import when_told
from arbiterd.edges import ServiceClock
from arbiterd.edges.real import WallClock
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import StagedGame, read_games
from arbiterd.simulation.hall import SimulatedSeat, hall
from arbiterd.simulation.profiles import DEMO, PROFILES
from eboards.transport.pty import PtyServer

PlugIn = Callable[[ServiceClock, Path], tuple[list[PtyServer], list[str], list[str]]]
"""Makes the boards: their terminals, their names in a configuration, their drivers."""

NOISES = {**PROFILES, DEMO.name: DEMO}


@click.command()
@click.option("--boards", type=click.IntRange(1, 500), default=8, show_default=True)
@click.option("--speed", type=click.FloatRange(0.01, 1000), default=1.0, show_default=True)
@click.option("--noise", type=click.Choice(sorted(NOISES)), default="club", show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "--pgn",
    type=click.Path(path_type=Path),
    help="Games to play, in their order, each as far as its moves can be read.",
)
@click.option("--pty-dir", type=click.Path(path_type=Path, file_okay=False))
@click.option("--bus", is_flag=True, help="All boards on one bus line at 9600 baud.")
@click.option("--mixed", is_flag=True, help="One board of every family instead.")
@click.option(
    *("--line-errors", "damaged"),
    type=click.FloatRange(0, 1),
    default=0.0,
    help="With --bus: share of answers that arrive damaged.",
)
def simulate(
    boards: int,
    speed: float,
    noise: str,
    seed: int,
    pgn: Path | None,
    pty_dir: Path | None,
    bus: bool,
    mixed: bool,
    damaged: float,
) -> None:
    """Play games on emulated boards, and write the configuration to run beside them.

    The boards are links board-1, board-2 … in the folder, or one link bus; each begins to play
    when the service first asks it. With --mixed the folder is laid out as a machine:
    `arbiterd devices --root FOLDER` lists what is plugged into it; play begins a minute later.
    """
    if damaged and not bus:
        raise WrongError("--line-errors are those of a bus line; add --bus")
    games = FAMOUS if pgn is None else games_of(pgn)
    if bus and mixed:
        raise WrongError("--bus and --mixed are two halls; choose one")
    seats = (
        mixed_hall(NOISES[noise], seed, speed, games)
        if mixed
        else hall(boards, NOISES[noise], seed, games=games)
    )

    def plugged(clock: ServiceClock, folder: Path) -> tuple[list[PtyServer], list[str], list[str]]:
        if mixed:
            return (*plug_in_mixed(seats, clock, folder), [place.driver for place in PLACES])
        if bus:
            line = plug_in_line(seats, clock, folder, damaged)
            return [line], on_line(seats, line.port), ["dgt-bus"] * len(seats)
        servers = plug_in(seats, clock, folder)
        return servers, [f"serial:{server.port}" for server in servers], ["dgt"] * len(seats)

    if pty_dir is None:
        with tempfile.TemporaryDirectory(prefix="arbiterd-") as made:
            asyncio.run(_play(seats, speed, seed, Path(made), plugged))
    else:
        with held(pty_dir.absolute()):
            asyncio.run(_play(seats, speed, seed, pty_dir.absolute(), plugged))


def games_of(file: Path) -> Sequence[StagedGame]:
    """The games of a PGN file. Raises WrongError where there are none."""
    try:
        games = list(read_games(file.read_text(encoding="utf-8", errors="replace")))
    except OSError as error:
        raise WrongError(f"{file} cannot be read ({error.strerror}); name a PGN file") from None
    except ValueError as error:
        raise WrongError(f"{file}: {error}") from None
    if not games:
        raise WrongError(f"{file} has no games with moves; name a PGN file that has")
    return games


async def _play(
    seats: Sequence[SimulatedSeat], speed: float, seed: int, folder: Path, plugged: PlugIn
) -> None:
    stop = asyncio.Event()
    when_told(stop.set)
    began_ns = WallClock().now_ns() // 1_000_000 * 1_000_000  # As the file can say it.
    servers, devices, drivers = plugged(WallClock(speed, began_ns), folder)
    file = folder / FILE
    file.write_text(configuration(seats, devices, speed, seed, drivers, began_ns), encoding="utf-8")
    for seat, device, driver in zip(seats, devices, drivers, strict=True):
        where = f"{driver}  {device.removeprefix('serial:')}"
        click.echo(f"table {seat.table}  {where}  {seat.game.name}  {rate_name(seat.rate)}")
    click.echo(f"now run: {called()} run --config {file}")
    await stop.wait()
    for server in servers:
        server.close()
