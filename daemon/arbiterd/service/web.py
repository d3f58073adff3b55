"""The listeners for people: the arbiter's side on `[http]`, the public's on `[public]`.

Two applications on two sockets. The public's is built from the delay gate alone.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext
from urllib.parse import urlsplit

from aiohttp import web
from prometheus_client import CollectorRegistry, Gauge

from arbiterd.access.login import login_wall
from arbiterd.access.people import People
from arbiterd.config import Config
from arbiterd.config.values import Listen
from arbiterd.edges import Clock
from arbiterd.journal.journal import Journal
from arbiterd.journal.live import LiveMessages
from arbiterd.outlets.http.evidence import JournalEvidence
from arbiterd.outlets.http.live import Live, live_app
from arbiterd.outlets.http.public import Public, public_app
from arbiterd.outlets.http.server import ListenError, serving
from arbiterd.outlets.livechess.server import LiveChess
from arbiterd.outlets.pgn.files import PgnFiles
from arbiterd.outlets.pgn.safe import safe_pgn
from arbiterd.outlets.public.clocks import PublicTime
from arbiterd.outlets.public.gate import DelayGate

log = logging.getLogger(__name__)

PORTS_TRIED = 20


@dataclass(frozen=True, slots=True)
class Shown:
    """What the web side shows of the service."""

    config: Config
    folder: Path
    journal: Journal
    gate: DelayGate
    clock: Clock
    tables: tuple[str, ...]
    ill: Callable[[], str]
    people: People


LOOK_S = 5.0
"""How often it is looked whether the listeners answer."""
ANSWER_S = 5.0


class WebSide:
    """All listeners. One that does not answer any more is closed and opened again."""

    def __init__(self, shown: Shown) -> None:
        self._shown = shown
        self._open = AsyncExitStack()
        self._addresses: tuple[str, ...] = ()

    async def open(self) -> tuple[str, ...]:
        """Serves until `close`; gives the addresses. Raises ListenError."""
        shown = self._shown
        http, public = shown.config.http, shown.config.public
        tls = tls_of(shown.folder, http.tls_cert, http.tls_key)
        addresses = []
        for app, listen in ((_live(shown), http.listen), (_public(shown), public.listen)):
            if listen is not None:
                serve = served(app, listen, tls)
                addresses.append(await self._open.enter_async_context(serve))
        await self._open.enter_async_context(_livechess(shown))
        self._addresses = tuple(addresses)
        return self._addresses

    async def close(self) -> None:
        await self._open.aclose()
        self._open = AsyncExitStack()
        self._addresses = ()

    async def keep(self) -> None:
        """Looks whether the listeners answer, until one does not. Raises ListenError then."""
        if not self._addresses:
            await self.open()
        while True:
            for address in self._addresses:
                if not await _answers(address):
                    await self.close()
                    raise ListenError(f"{address} does not answer any more")
            await self._shown.clock.rest(LOOK_S)


async def _answers(address: str) -> bool:
    url = urlsplit(address)
    try:
        async with asyncio.timeout(ANSWER_S):
            _, writer = await asyncio.open_connection(url.hostname, url.port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


@asynccontextmanager
async def _livechess(shown: Shown) -> AsyncIterator[None]:
    """The LiveChess-compatible server, where it is wanted: live, and it says so."""
    wanted = shown.config.livechess
    if not wanted.enabled or wanted.listen is None:
        yield
        return
    hall = LiveMessages(shown.journal)
    server = LiveChess(
        hall, shown.clock, shown.config.hall.name, frozenset(wanted.origins), _names()
    )
    async with served(server.app(), wanted.listen, None) as address:
        log.warning("the LiveChess server at %s serves live, without the public's delay", address)
        yield


@asynccontextmanager
async def served(
    app: web.Application, listen: Listen, tls: SSLContext | None
) -> AsyncIterator[str]:
    """On loopback another program may have the port: then the next free one, and it is said."""
    last = listen.port + (PORTS_TRIED if listen.on_loopback and listen.port else 0)
    for port in range(listen.port, last + 1):
        if port < last and _taken(listen.host, port):
            log.warning("%s:%d is taken: trying the next port", listen.host, port)
            continue
        async with serving(app, listen.host, port, tls) as address:
            yield address
        return


def _taken(host: str, port: int) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return True
    return False


def tls_of(folder: Path, certificate: str, key: str) -> SSLContext | None:
    if not certificate:
        return None
    context = SSLContext(PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(folder / certificate, folder / key)
    except OSError as error:
        raise ListenError(f"{certificate} and {key} are no certificate and key: {error}") from None
    return context


def _names() -> frozenset[str]:
    name = socket.gethostname().lower()
    return frozenset({name, f"{name}.local"})


def _live(shown: Shown) -> web.Application:
    journal, clock, tables = shown.journal, shown.clock, shown.tables
    delay_ns = shown.config.broadcast.delay
    app = live_app(
        Live(
            reader=LiveMessages(journal),
            desk=journal,
            evidence=JournalEvidence(journal.read),
            scores=PgnFiles(journal.read, tables, clock),
            delayed=PgnFiles(journal.read, tables, clock, delay_ns, safe_pgn),
            clock=clock,
            metrics=_metrics(shown),
            ill=shown.ill,
            names=_names(),
        )
    )
    app.middlewares.append(login_wall(shown.people, shown.clock))
    return app


def _public(shown: Shown) -> web.Application:
    delay_ns = shown.config.broadcast.delay
    files = PgnFiles(shown.journal.read, shown.tables, shown.clock, delay_ns, safe_pgn)
    time = PublicTime(shown.clock, delay_ns)
    return public_app(Public(shown.gate, files, time, shown.ill, _names()))


def _metrics(shown: Shown) -> CollectorRegistry:
    registry = CollectorRegistry()
    journal, read = shown.journal, shown.journal.read

    def gauge(name: str, words: str, value: Callable[[], int]) -> None:
        Gauge(f"arbiterd_{name}", words, registry=registry).set_function(value)

    gauge("tables", "Tables of the hall", lambda: len(shown.tables))
    gauge("inputs", "Newest input of the journal", lambda: read.last("input"))
    gauge("outputs", "Newest output of the journal", lambda: journal.committed_outputs)
    gauge(
        "mqtt_undelivered",
        "Outputs the broker has not confirmed",
        lambda: journal.committed_outputs - read.cursor("mqtt"),
    )
    gauge("ill", "1 while something keeps the service from its work", lambda: bool(shown.ill()))
    return registry
