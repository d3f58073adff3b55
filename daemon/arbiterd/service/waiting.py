"""The page while the disk does not let the service have its journal: one sentence, everywhere."""

from __future__ import annotations

import html
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import web

from arbiterd.config.model import Http
from arbiterd.service.certificate import Certificate
from arbiterd.service.web import Addresses, served

PAGE = """<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="5">
<meta name="viewport" content="width=device-width"><title>arbiterd waits</title>
<body style="font:1.2em sans-serif;margin:2em;max-width:40em"><h1>arbiterd waits</h1>
<p>{sentence}.</p><p>Nothing is read from the boards until then. This page looks again by itself.
"""


@asynccontextmanager
async def waiting_page(http: Http, folder: Path, sentence: str) -> AsyncIterator[Addresses]:
    """Serves for as long as the block runs. Raises ListenError."""
    if http.listen is None:
        yield Addresses()
        return

    async def answer(request: web.Request) -> web.Response:
        if request.path == "/healthz":
            return web.Response(status=503, text=f"{sentence}\n")
        body = PAGE.format(sentence=html.escape(sentence))
        return web.Response(status=503, text=body, content_type="text/html")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    tls = Certificate(folder, http.tls_cert, http.tls_key).context
    async with served(app, http.listen, tls) as address:
        yield Addresses(address)
