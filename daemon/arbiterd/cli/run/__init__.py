"""`arbiterd run`: the service in the foreground, until it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import logging
import resource
import secrets
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from arbiterd.access.admission import Admission
from arbiterd.access.client_id import client_id
from arbiterd.access.people import People, SecretError, read_people, read_secret
from arbiterd.cli import FailedError, WrongError, called
from arbiterd.cli.check import checked
from arbiterd.cli.holding import Held, broker_folder, held
from arbiterd.cli.run.logs import set_up
from arbiterd.cli.run.systemd import notify, watchdog_s
from arbiterd.cli.run.wall_zone import wall_zone
from arbiterd.cli.stopping import when_told
from arbiterd.config import Config
from arbiterd.config.values import BrokerUrl, Listen
from arbiterd.edges import BrokerError, Clock, Edges, ForeignError, StoreError
from arbiterd.edges.awake import Inhibitor
from arbiterd.edges.real import Threads, WallClock
from arbiterd.hall.devices import Devices
from arbiterd.hall.pairings import PairingsError
from arbiterd.hall.tags import FOLDER as TAGS
from arbiterd.hall.tags import TagShelf
from arbiterd.outlets.http.server import ListenError
from arbiterd.outlets.mqtt.client import Login, MqttBroker
from arbiterd.outlets.mqtt.embedded import EmbeddedBroker
from arbiterd.outlets.mqtt.embedded_config import SERVICE, Wanted
from arbiterd.service import Service, build

log = logging.getLogger(__name__)

DESCRIPTORS = 16_384
"""As the unit asks for."""


STOP_AGAIN_S = 2.0
"""So long the service may take to begin its end before it is told once more."""
STATUS_S = 5.0
"""How often `systemctl status` learns how the service does."""


@click.command()
@click.option("--config", "file", type=click.Path(path_type=Path), help="A TOML file.")
@click.option("--speed", type=click.FloatRange(0.01, 1000), help="How fast time passes.")
@click.pass_obj
def run(debug: bool, file: Path | None, speed: float | None) -> None:
    """Run the service in the foreground.

    Without a configuration it takes every board that is plugged in; where there is none at all,
    it plays a simulated hall, and says so.
    """
    set_up(debug)
    if file is None:
        from arbiterd.cli.defaults import run_defaults

        asyncio.run(run_defaults(speed))
        return
    config = checked(file)
    with held(config, file.parent) as ours:
        asyncio.run(serve(config, file.parent, ours, speed, file=file))


async def serve(
    config: Config,
    folder: Path,
    ours: Held,
    speed: float | None = None,
    *,
    clock: Clock | None = None,
    told: Callable[[str], None] = click.echo,
    file: Path | None = None,
) -> None:
    """One hall that is ours, until it is told to stop. `told` gets lines for whoever started it.

    `file` is read again at a SIGHUP.
    """
    _open_many()
    clock = clock or _clock_of(config, speed)
    config = replace(config, settings={"time_zone": wall_zone(), **config.settings})
    workers = Threads()
    devices = Devices(clock, TagShelf(ours.store.path.parent / TAGS))
    try:
        async with _broker(config, folder, clock, told) as broker:
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
        for sentence in service.reload(checked(file)):
            log.warning("%s", sentence)
        log.warning("%s was read again", file)
    except (WrongError, PairingsError) as error:
        log.error("%s is not taken over: %s", file, error)


async def _until_stopped(
    service: Service, ours: Held, told: Callable[[str], None], file: Path | None
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


@asynccontextmanager
async def _broker(
    config: Config, folder: Path, clock: Clock, told: Callable[[str], None]
) -> AsyncIterator[MqttBroker]:
    """The broker of the configuration, else one of our own beside the journal."""
    mqtt = config.mqtt
    identifier = client_id(config.hall.name, broker_folder(config, folder).parent)
    if mqtt.url is not None:
        secret = read_secret(folder / mqtt.password_file) if mqtt.password_file else ""
        login = Login(identifier, mqtt.username, secret, _tls(mqtt.url, folder, mqtt.ca_file))
        told(f"broker    {mqtt.url}")
        yield MqttBroker(mqtt.url, login)
        return
    people = read_people(config, folder)
    embedded = EmbeddedBroker(_wanted(config, folder, people), clock)
    async with embedded.running(), _minding(Admission.of(config, people, folder), embedded, clock):
        told(f"broker    {embedded.url}")
        secret = embedded.wanted.own_secret
        login = Login(identifier, SERVICE if secret else "", secret)
        login = replace(login, tls=_own_tls(embedded.url))
        yield MqttBroker(embedded.url, login, newest=embedded.newest)


@asynccontextmanager
async def _minding(
    admission: Admission, embedded: EmbeddedBroker, clock: Clock
) -> AsyncIterator[None]:
    """Who loses a password loses the connection to our broker too."""
    minding = asyncio.create_task(admission.keep(clock, embedded.let_in))
    try:
        yield
    finally:
        minding.cancel()


def _wanted(config: Config, folder: Path, people: People) -> Wanted:
    mqtt = config.mqtt
    return Wanted(
        hall=config.hall.name,
        listen=mqtt.listen or Listen("127.0.0.1", 0),
        websocket=mqtt.websocket,
        origins=mqtt.origins,
        folder=broker_folder(config, folder),
        people=people,
        own_secret=secrets.token_hex(16) if people.accounts else "",
        tls_cert=str((folder / mqtt.tls_cert).absolute()) if mqtt.tls_cert else "",
        tls_key=str((folder / mqtt.tls_key).absolute()) if mqtt.tls_key else "",
    )


def _tls(url: BrokerUrl, folder: Path, ca_file: str) -> ssl.SSLContext | None:
    if not url.tls:
        return None
    return ssl.create_default_context(cafile=folder / ca_file if ca_file else None)


def _own_tls(url: BrokerUrl) -> ssl.SSLContext | None:
    """Our own broker on this machine: its certificate names the address others use."""
    if not url.tls:
        return None
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
