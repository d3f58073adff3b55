"""A listener for an application: one socket, TLS where it is given, closed with the service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ssl import SSLContext

from aiohttp import web

GRACE_S = 1.0
"""How long open streams may take to end when the service stops."""


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
            raise ListenError(
                f"http: cannot listen on {host}:{port} ({wrong.strerror}); "
                "free it, or set another 'listen' in the configuration"
            ) from None
        bound_host, bound_port = runner.addresses[0][:2]
        shown = f"[{bound_host}]" if ":" in bound_host else bound_host
        yield f"{'https' if tls else 'http'}://{shown}:{bound_port}/"
    finally:
        await runner.cleanup()
