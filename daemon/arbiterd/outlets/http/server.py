"""A listener for an application: one socket, TLS where it is given, closed with the service."""

from __future__ import annotations

import asyncio
import logging
import resource
import socket
from asyncio.sslproto import SSLProtocol
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from ssl import SSLContext
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler
from aiohttp.web_protocol import RequestPayloadError

from arbiterd.config.values import Listen
from arbiterd.messages.limits import Limit

GRACE_S = 1.0
"""How long open streams may take to end when the service stops."""
BACKLOG = 512
"""So many may wait in a socket's line."""
AT_ONCE = 128
"""So many are taken from the line before the first of them is looked at."""
CONNECTIONS_MAX = 800
CONNECTIONS_OF_ONE = 600
"""Others have the rest."""
IDLE_S = 75.0
"""Whoever asks nothing whole for so long is let go: a telephone that has gone does not say so."""
SHARE = 4
"""At most one in so many of the process's descriptors is a listener's: boards and journal have
theirs."""

LIMITS = (
    Limit("HTTP, LiveChess", "connections open at once, each listener", "sockets",
          f"{CONNECTIONS_MAX}, {CONNECTIONS_OF_ONE} of one address, and no more than 1 in {SHARE}"
          " of the descriptors", "closed at once"),
    Limit("HTTP, LiveChess", "a connection without a whole request", "seconds", f"{IDLE_S:.0f}",
          "the connection is closed"),
)  # fmt: skip


class _Unreadable(logging.Filter):
    """Any stranger can send what is no HTTP: that is told as seldom as it is still news."""

    def __init__(self) -> None:
        super().__init__()
        self._times = 0

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, HttpProcessingError | RequestPayloadError):
            return True
        self._times += 1
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.msg, record.args = "%d requests that cannot be read were refused", (self._times,)
        record.exc_info = None
        return self._times.bit_count() == 1


log = logging.getLogger(__name__)
log.addFilter(_Unreadable())


class ListenError(Exception):
    """The address cannot be had; the message names it and the mend."""


@asynccontextmanager
async def serving(
    app: web.Application, host: str, port: int, tls: SSLContext | None = None
) -> AsyncIterator[str]:
    """Serve for as long as the block runs; gives the address. Port 0 takes any free one.

    Raises ListenError.
    """
    runner = runner_of(app)
    await runner.setup()
    try:
        try:
            server = await met(runner, tls, host=host, port=port)
        except OSError as wrong:
            raise _refused(host, port, wrong) from None
        try:
            yield address_of(server.sockets[0].getsockname(), tls=tls is not None)
        finally:
            server.close()
    finally:
        await runner.cleanup()


def runner_of(app: web.Application) -> web.AppRunner:
    """As every listener of ours runs its application."""
    app.middlewares.insert(0, _whole_in_time)
    return web.AppRunner(
        app,
        access_log=None,
        logger=log,
        keepalive_timeout=IDLE_S,
        shutdown_timeout=GRACE_S,
        handler_cancellation=True,
    )


@web.middleware
async def _whole_in_time(request: web.Request, handler: Handler) -> web.StreamResponse:
    """The library bounds how long a request's head may take, and not its body."""
    if not request.can_read_body:
        return await handler(request)
    ending = asyncio.get_running_loop().call_later(IDLE_S, _let_go, request)
    try:
        return await handler(request)
    finally:
        ending.cancel()


def _let_go(request: web.Request) -> None:
    """Whoever has not sent all of it by now; what came whole may be worked on for longer."""
    if not request.content.is_eof() and request.transport is not None:
        request.transport.abort()


async def met(runner: web.AppRunner, tls: SSLContext | None, **where: Any) -> asyncio.Server:
    """Whoever comes is handed to the application, within the bounds. `where` is as for asyncio.

    Raises OSError.
    """
    app = runner.server
    assert app is not None, "the runner is set up"
    entering: set[asyncio.Transport] = set()
    return await asyncio.get_running_loop().create_server(
        partial(_Door, app, tls, entering), backlog=AT_ONCE, **where
    )


class _Door(asyncio.Protocol):
    """Of one connection. Silent ones count too: a client's mere sockets take nobody's place.

    With TLS a connection is the application's only after the handshake, which a silent one never
    makes; so the door stands before it, and counts who is `entering`.
    """

    def __init__(
        self, app: web.Server, tls: SSLContext | None, entering: set[asyncio.Transport]
    ) -> None:
        self._app, self._tls, self._entering = app, tls, entering

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport), "sockets stream"
        if not self._room_for(transport):
            transport.abort()
            return
        handler = self._app()
        protocol = handler if self._tls is None else self._secured(handler, self._tls, transport)
        transport.set_protocol(protocol)
        protocol.connection_made(transport)

    def _secured(
        self, handler: asyncio.BaseProtocol, tls: SSLContext, transport: asyncio.Transport
    ) -> SSLProtocol:
        """The application's protocol behind TLS."""
        loop = asyncio.get_running_loop()
        entered = loop.create_future()

        def no_more(entered: asyncio.Future[None]) -> None:
            entered.exception()  # A handshake that failed is its client's affair.
            self._entering.discard(transport)

        entered.add_done_callback(no_more)
        self._entering.add(transport)
        return SSLProtocol(loop, handler, tls, entered, server_side=True)

    def _room_for(self, transport: asyncio.Transport) -> bool:
        there = [*(each.transport for each in self._app.connections), *self._entering]
        descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        room = min(CONNECTIONS_MAX, descriptors // SHARE)
        of_one = room * CONNECTIONS_OF_ONE // CONNECTIONS_MAX
        if len(there) < of_one:
            return True
        address = _address(transport)
        own = sum(_address(each) == address for each in there)
        return len(there) < room and own < of_one


def _address(transport: asyncio.BaseTransport | None) -> object:
    name = None if transport is None else transport.get_extra_info("peername")
    return name and name[0]


def listening(host: str, port: int) -> socket.socket:
    """A socket that others may serve. Raises ListenError."""
    opened = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.setblocking(False)
        opened.bind((host, port))
        opened.listen(BACKLOG)
    except OSError as wrong:
        opened.close()
        raise _refused(host, port, wrong) from None
    return opened


def address_of(bound: Sequence[Any], *, tls: bool) -> str:
    """Of the name of a socket."""
    return f"{'https' if tls else 'http'}://{Listen(*bound[:2])}/"


def _refused(host: str, port: int, wrong: OSError) -> ListenError:
    return ListenError(
        f"http: cannot listen on {Listen(host, port)} ({wrong.strerror}); "
        "free it, or set another 'listen' in the configuration"
    )
