"""`arbiterd run` without a configuration: every board that is plugged in, else a simulated hall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from arbiterd.cli.boards import plug_in
from arbiterd.cli.holding import OwnedState, held, state_folder
from arbiterd.cli.run.serving import serve
from arbiterd.config import Config
from arbiterd.config.model import HallConfig, RateOfPlay, Round, Simulation, TableEntry
from arbiterd.edges.real import WallClock
from arbiterd.simulation.hall import SimulatedSeat, hall
from arbiterd.simulation.profiles import DEMO
from eboards.discovery.survey import Survey, survey

BOARDS = 8
SEED = 1
HALL = "demo"


async def run_defaults(speed: float | None) -> None:
    """The hall `main` of real boards, or the hall `demo` of emulated ones."""
    clock = WallClock(speed or 1.0)
    found = await survey(clock.now_ns, speed=clock.speed)
    if found.boards or found.hindered:
        config = _plugged(found)
        with held(config, Path()) as ours:
            await serve(config, Path(), ours, speed, clock=clock)
    else:
        await _demo(speed or 1.0)


def _plugged(found: Survey) -> Config:
    """A table for each board that answers, and one for each that is there and cannot be used."""
    tables = [TableEntry(table=str(n)) for n, _ in enumerate(found.boards, start=1)]
    for board in found.hindered:
        click.echo(f"board     {board.note}")
        tables.append(TableEntry(table=str(len(tables) + 1), device=board.address))
    return Config(tables=tuple(tables))


async def _demo(speed: float) -> None:
    with held(Config(hall=HallConfig(name=HALL)), Path()) as ours:
        # A simulated game is nothing to keep: each demonstration begins anew.
        for left in state_folder(HALL).glob("journal.db*"):
            if left != ours.store.claim.file:
                left.unlink()
        await _play(speed, ours)


async def _play(speed: float, ours: OwnedState) -> None:
    clock = WallClock(speed)
    seats = hall(BOARDS, DEMO, SEED)
    fast = "" if speed == 1 else f" at {speed:g} times their speed"
    servers = plug_in(seats, clock, None)
    click.echo(
        f"No board is plugged in: this is a SIMULATED hall of {len(seats)} boards playing famous"
        f" games{fast}. Plug a board in and start again for real ones."
    )
    try:
        config = _demo_config(seats, [server.port for server in servers], speed)
        await serve(config, Path(), ours, speed, clock=clock)
    finally:
        for server in servers:
            server.close()


def _demo_config(seats: Sequence[SimulatedSeat], ports: Sequence[str], speed: float) -> Config:
    rate = seats[0].rate
    return Config(
        hall=HallConfig(name=HALL),
        rates={"played": RateOfPlay(rate.kind.value, rate.periods, rate.supervised)},
        round=replace(Round(), number=1),
        simulation=Simulation(speed=speed),
        tables=tuple(
            TableEntry(
                table=seat.table,
                device=f"serial:{port}",
                driver="dgt",
                white=seat.game.white,
                black=seat.game.black,
                ruleset=seat.game.ruleset,
                start=seat.game.start,
            )
            for seat, port in zip(seats, ports, strict=True)
        ),
    )
