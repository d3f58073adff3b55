"""One hall from its start to its end: limits, clock, broker, signals, and what systemd is told."""

from __future__ import annotations

import asyncio
import gc
import logging
import resource
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from arbiterd.access.people import SecretError
from arbiterd.cli import FailedError, WrongError, called
from arbiterd.cli.check import checked
from arbiterd.cli.holding import OwnedState
from arbiterd.cli.run.broker import broker_of
from arbiterd.cli.run.systemd import notify, watchdog_s
from arbiterd.cli.run.wall_zone import wall_zone
from arbiterd.cli.stopping import when_told
from arbiterd.config import Config
from arbiterd.edges import BrokerError, Edges, ForeignError, ServiceClock, StoreError
from arbiterd.edges.awake import Inhibitor
from arbiterd.edges.real import Threads, WallClock
from arbiterd.hall.links.devices import Devices
from arbiterd.hall.links.tags import FOLDER as TAGS
from arbiterd.hall.links.tags import TagShelf
from arbiterd.hall.round.pairings import PairingsError
from arbiterd.outlets.http.server import ListenError
from arbiterd.service import Service, build

log = logging.getLogger(__name__)

DESCRIPTORS = 16_384
"""As the unit asks for."""
SEARCHES = (10_000, 20, 100)
"""So many new objects before Python searches the young ones for garbage in circles, and so many
such searches before it takes the next age too. Its own are 700, 10 and 10; a search through all of
memory holds up 300 boards for a fifth of a second."""

STOP_AGAIN_S = 2.0
"""So long the service may take to begin its end before it is told once more."""
STATUS_S = 5.0
"""How often `systemctl status` learns how the service does."""


async def serve(
    config: Config,
    folder: Path,
    ours: OwnedState,
    speed: float | None = None,
    *,
    clock: ServiceClock | None = None,
    told: Callable[[str], None] = click.echo,
    file: Path | None = None,
) -> None:
    """One hall that is ours, until it is told to stop. `told` gets lines for whoever started it.

    `file` is read again at a SIGHUP.
    """
    _open_many()
    clock = clock or _clock_of(config, speed)
    config = _here(config)
    workers = Threads()
    devices = Devices(clock, TagShelf(ours.store.path.parent / TAGS))
    try:
        async with broker_of(config, folder, clock, told) as broker:
            edges = Edges(
                clock,
                devices,
                ours.store,
                broker,
                workers,
                Inhibitor(),
                processes=True,
                event=broker if config.halls else None,
            )
            await _until_stopped(build(config, edges, folder), ours, told, file)
    except* ForeignError as errors:
        raise WrongError(str(errors.exceptions[0])) from None
    except* (StoreError, BrokerError, ListenError) as errors:
        raise FailedError(str(errors.exceptions[0])) from None
    except* SecretError as errors:
        raise WrongError(str(errors.exceptions[0])) from None
    finally:
        workers.close()


def _here(config: Config) -> Config:
    """On this machine: times in texts are those of the clock on its wall, unless said otherwise."""
    return replace(config, settings={"time_zone": wall_zone(), **config.settings})


def _open_many() -> None:
    """As many descriptors as the system lets us have; a shell gives fewer at first."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _clock_of(config: Config, speed: float | None) -> WallClock:
    """A simulated hall shares its time with the boards, also after the next start."""
    simulated = config.simulation
    if simulated is None or speed not in (None, simulated.speed):
        return WallClock(speed or 1.0)
    return WallClock(simulated.speed, simulated.since)


def _reload(service: Service, file: Path) -> None:
    try:
        for sentence in service.reload(_here(checked(file))):
            log.warning("%s", sentence)
        log.warning("%s was read again", file)
    except (WrongError, PairingsError, ListenError) as error:
        log.error("%s is not taken over: %s", file, error)


async def _until_stopped(
    service: Service, ours: OwnedState, told: Callable[[str], None], file: Path | None
) -> None:
    def started() -> None:
        addresses = service.addresses
        ours.tell(addresses.page)
        if addresses.page:
            told(f"page      {addresses.page}")
        if addresses.public:
            told(f"public    {addresses.public}")
        told(f"tables    {len(service.config.tables)}")
        told(f"more      {called()} --help")
        # What stands now stays: no search for garbage need go through it while a board is read.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*SEARCHES)
        notify("READY=1")

    work = asyncio.create_task(service.run(started))
    alive = asyncio.create_task(_keep_alive(service))
    told_to = asyncio.Event()

    def stop() -> None:
        notify("STOPPING=1")
        told_to.set()

    when_told(stop, None if file is None else partial(_reload, service, file))
    stopping = asyncio.create_task(told_to.wait())
    try:
        await asyncio.wait({work, stopping}, return_when=asyncio.FIRST_COMPLETED)
        while not work.done():
            if not service.ending:
                work.cancel()  # A library that waits for an answer may take the word for its own.
            await asyncio.wait({work}, timeout=STOP_AGAIN_S)
        await work
    except asyncio.CancelledError:
        log.info("stopped")
    finally:
        alive.cancel()
        stopping.cancel()


async def _keep_alive(service: Service) -> None:
    """Tells systemd that the service does its work, and what keeps it from that."""
    every_s, told = watchdog_s(), ""
    while True:
        await service.edges.clock.rest(every_s or STATUS_S)
        ill = service.ill() if hasattr(service, "mqtt") else ""
        if service.stuck:
            log.critical("%s: not telling systemd that all is well", service.stuck)
        elif every_s is not None:
            notify("WATCHDOG=1")
        if ill != told:
            notify(f"STATUS={ill or 'all is well'}")
            told = ill
