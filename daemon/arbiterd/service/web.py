"""The listeners for people: the arbiter's side on `[http]`, the public's on `[public]`.

Two applications on two sockets. The public's is built from the delay gate alone.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from ssl import SSLContext
from urllib.parse import urlsplit

from aiohttp import web

from arbiterd.access.admission import Admission
from arbiterd.access.login import login_wall
from arbiterd.config import Config
from arbiterd.config.values import Listen
from arbiterd.edges import ServiceClock
from arbiterd.journal.delays import Delays
from arbiterd.journal.journal import Journal
from arbiterd.journal.live import LiveMessages
from arbiterd.outlets.http.apart import Settings
from arbiterd.outlets.http.evidence import JournalEvidence
from arbiterd.outlets.http.live import Live, live_app
from arbiterd.outlets.http.public import Public, public_app
from arbiterd.outlets.http.server import ListenError, listening, serving
from arbiterd.outlets.http.source import BoardSeen
from arbiterd.outlets.livechess.server import LiveChess
from arbiterd.outlets.mqtt.neighbours import Neighbours
from arbiterd.outlets.pgn.book import ScoreBook
from arbiterd.outlets.pgn.files import PgnFiles
from arbiterd.outlets.pgn.full import games_pgn
from arbiterd.outlets.pgn.safe import safe_pgn
from arbiterd.outlets.public.clocks import PublicTime
from arbiterd.outlets.public.gate import DelayGate
from arbiterd.service.certificate import Certificate
from arbiterd.service.duties import Duty
from arbiterd.service.metrics import Queues, ServiceMetrics, registry
from arbiterd.service.public_side import PublicSide

log = logging.getLogger(__name__)

PORTS_TRIED = 20


@dataclass(frozen=True, slots=True)
class ServiceShown:
    """What the web side shows of the service."""

    config: Config
    folder: Path
    journal: Journal
    gate: DelayGate
    delays: Delays
    clock: ServiceClock
    tables: tuple[str, ...]
    ill: Callable[[], str]
    """What keeps the service from its work, a sentence a line; empty when all is well."""
    queues: Queues
    admission: Admission
    boards: Callable[[], Awaitable[Sequence[BoardSeen]]]
    zone: Callable[[], str]
    """Of the clock on the hall's wall; empty: nobody says."""
    others: Neighbours | None = None
    apart: bool = False
    """The public's side is a process of its own."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where people find this service; empty where nothing listens."""

    page: str = ""
    """Of the arbiters' side."""
    public: str = ""


LOOK_S = 5.0
"""How often it is looked whether the listeners answer."""
ANSWER_S = 5.0
PUBLIC_S = 20.0
"""So long the public's process may say nothing."""


class WebSide:
    """All listeners. One that does not answer any more is closed and opened again."""

    def __init__(self, shown: ServiceShown) -> None:
        self._shown = shown
        self._open = AsyncExitStack()
        self._served: tuple[str, ...] | None = None
        """The addresses that this process answers at; None: nothing is open."""
        self._public_address = ""
        self._certificate: Certificate | None = None
        self.looks = 0
        """How often it was looked whether they answer."""
        self.public: PublicSide | None = None
        """Where it is a process of its own; its socket stays open until the service ends."""

    def renew(self) -> None:
        """Reads the certificate's files again. Raises ListenError; the old one is shown on."""
        if self._certificate is not None:
            self._certificate.renew()
        if self.public is not None:
            self.public.renew()

    def look_at_certificate(self) -> None:
        """Whoever connects from now on is shown what its files hold, if they are others."""
        if self._certificate is None:
            return
        before = self._certificate.ending_at
        self._certificate.look()
        if self.public is not None and self._certificate.ending_at != before:
            self.public.renew()

    def notes(self, now_ns: int) -> list[str]:
        """What is to be mended in time, a sentence each."""
        now = datetime.fromtimestamp(now_ns // 1_000_000_000, UTC)
        soon = "" if self._certificate is None else self._certificate.ending(now)
        return [soon] if soon else []

    async def open(self) -> Addresses:
        """Serves until `close`. Raises ListenError."""
        shown = self._shown
        http, public = shown.config.http, shown.config.public
        self._certificate = Certificate(shown.folder, http.tls_cert, http.tls_key)
        live = _live(shown, self._certificate, lambda: self._public_address)
        delayed = _public(shown, self._certificate)
        page = "" if http.listen is None else await self._serve(live, http.listen)
        served = [page] if page else []
        if public.listen is not None and not shown.apart:
            self._public_address = await self._serve(delayed, public.listen)
            served.append(self._public_address)
        await self._open.enter_async_context(_livechess(shown))
        self._served = tuple(served)
        if public.listen is not None and shown.apart:
            self.public = self.public or _apart(shown, public.listen, self._certificate)
            self._public_address = self.public.address
        return Addresses(page, self._public_address)

    async def _serve(self, app: web.Application, listen: Listen) -> str:
        assert self._certificate is not None, "it is read first"
        serve = served(app, listen, self._certificate.context)
        return await self._open.enter_async_context(serve)

    async def close(self) -> None:
        await self._open.aclose()
        self._open = AsyncExitStack()
        self._served = None

    def public_duties(self) -> Iterator[Duty]:
        """The public's process, where there is one; the hall goes on without it."""
        public = self.public
        if public is not None:
            yield Duty(
                "the public's side",
                public.run,
                waiting=lambda: True,
                progress=lambda: public.beats,
                patience_s=PUBLIC_S,
                vital=False,
            )

    async def keep(self) -> None:
        """Looks whether the listeners answer, until one does not. Raises ListenError then."""
        if self._served is None:
            await self.open()
        served = self._served or ()
        while True:
            for address in served:
                if not await _answers(address):
                    await self.close()
                    raise ListenError(f"{address} does not answer any more")
            self.look_at_certificate()
            self.looks += 1
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
async def _livechess(shown: ServiceShown) -> AsyncIterator[None]:
    """The LiveChess-compatible server, where it is wanted: live, and it says so."""
    wanted = shown.config.livechess
    if not wanted.enabled or wanted.listen is None:
        yield
        return
    hall = LiveMessages(shown.journal, shown.tables)
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
    async with serving(app, listen.host, _port(listen), tls) as address:
        yield address


def _port(listen: Listen) -> int:
    """The one that is asked for, or the next that is not taken."""
    last = listen.port + (PORTS_TRIED if listen.on_loopback and listen.port else 0)
    for port in range(listen.port, last):
        if not _taken(listen.host, port):
            return port
        log.warning("%s:%d is taken: trying the next port", listen.host, port)
    return last


def _taken(host: str, port: int) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return True
    return False


def _names() -> frozenset[str]:
    name = socket.gethostname().lower()
    return frozenset({name, f"{name}.local"})


def _live(
    shown: ServiceShown, certificate: Certificate, public: Callable[[], str]
) -> web.Application:
    journal, clock, tables = shown.journal, shown.clock, shown.tables
    app = live_app(
        Live(
            reader=LiveMessages(journal, tables),
            desk=journal,
            evidence=JournalEvidence(journal.read, clock),
            scores=PgnFiles(journal.read, tables, clock),
            games=PgnFiles(journal.read, tables, clock, form=games_pgn),
            delayed=PgnFiles(journal.read, tables, clock, shown.delays, safe_pgn),
            clock=clock,
            metrics=registry(ServiceMetrics(journal, len(tables), shown.ill, shown.queues)),
            ill=shown.ill,
            names=_names() | certificate.names,
            origins=frozenset(shown.config.http.origins),
            authority=lambda: certificate.authority,
            boards=shown.boards,
            others=shown.others,
            public=public,
            zone=shown.zone,
            design=log.isEnabledFor(logging.DEBUG),
        )
    )
    app.middlewares.append(login_wall(shown.admission, shown.clock, shown.config.http.session))
    return app


def _public(shown: ServiceShown, certificate: Certificate) -> web.Application:
    files = PgnFiles(shown.journal.read, shown.tables, shown.clock, shown.delays, safe_pgn)
    time = PublicTime(shown.clock, shown.delays)
    names, origins = _names() | certificate.names, frozenset(shown.config.public.origins)
    return public_app(Public(shown.gate, files, time, shown.ill, names, origins))


def _apart(shown: ServiceShown, listen: Listen, certificate: Certificate) -> PublicSide:
    """Raises ListenError."""
    http = shown.config.http
    return PublicSide(
        listening(listen.host, _port(listen)),
        shown.gate,
        ScoreBook(shown.journal.read, shown.clock, shown.delays, safe_pgn),
        PublicTime(shown.clock, shown.delays),
        shown.ill,
        Settings(
            names=tuple(_names() | certificate.names),
            tls_cert=str(shown.folder / http.tls_cert) if http.tls_cert else "",
            tls_key=str(shown.folder / http.tls_key) if http.tls_cert else "",
            origins=shown.config.public.origins,
        ),
    )
