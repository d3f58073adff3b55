"""A listener for an application: one socket, TLS where it is given, closed with the service."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from ssl import SSLContext
from typing import Any

from aiohttp import web

GRACE_S = 1.0
"""How long open streams may take to end when the service stops."""
BACKLOG = 512
"""So many may wait in a socket's line."""


class ListenError(Exception):
    """The address cannot be had; the message names it and the mend."""


@asynccontextmanager
async def serving(
    app: web.Application, host: str, port: int, tls: SSLContext | None = None
) -> AsyncIterator[str]:
    """Serve for as long as the block runs; gives the address. Port 0 takes any free one.

    Raises ListenError.
    """
    runner = web.AppRunner(
        app, access_log=None, shutdown_timeout=GRACE_S, handler_cancellation=True
    )
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port, ssl_context=tls)
        try:
            await site.start()
        except OSError as wrong:
            raise _refused(host, port, wrong) from None
        yield address_of(runner.addresses[0], tls=tls is not None)
    finally:
        await runner.cleanup()


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
    host, port = bound[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"{'https' if tls else 'http'}://{shown}:{port}/"


def _refused(host: str, port: int, wrong: OSError) -> ListenError:
    return ListenError(
        f"http: cannot listen on {host}:{port} ({wrong.strerror}); "
        "free it, or set another 'listen' in the configuration"
    )
