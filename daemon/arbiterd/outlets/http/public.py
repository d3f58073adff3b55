"""The public's application: what the delay gate has let through, and nothing else.

It is built from the gate's reader alone. There is no desk, no evidence, no live reader here, so
no route can reach what the gate still holds back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from aiohttp import web

from arbiterd.outlets.http.doors import add_headers, doorkeeper
from arbiterd.outlets.http.pages import Pages
from arbiterd.outlets.http.reading import ReadApi
from arbiterd.outlets.http.scores import score_routes
from arbiterd.outlets.http.source import MessageReader, PageClock, Scores
from arbiterd.outlets.http.stream import keep_streams
from arbiterd.outlets.http.turns import in_turn

STREAM_GAP_S = 2.0
"""What is minutes old may be told two seconds later."""

FILES = frozenset(
    {
        "overlay.html",
        "overlay.css",
        "overlay.js",
        "overlays.html",
        "overlays.css",
        "overlays.js",
        "colours.css",
        "hall.js",
        "language.js",
        "settings.js",
        "ticking.js",
        "words.js",
        "notation.js",
        "player.js",
        "clocks.js",
        "diagram.js",
        "vendor/htm-preact.js",
        "vendor/cburnett.svg",
        "vendor/koma.woff2",
    }
)
"""What the overlay is made of. Beside its languages no other file of `web/` is served here."""


@dataclass(frozen=True, slots=True)
class Public:
    """All that the public side rests on."""

    gate: MessageReader
    """Topics under `public/` only."""
    scores: Scores
    """After the delay."""
    clock: PageClock
    """Behind by the delay."""
    ill: Callable[[], str]
    names: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    """Of pages of others that may read it from a browser."""


def public_app(public: Public) -> web.Application:
    """The application of `[public]`."""
    app = web.Application(
        middlewares=[in_turn(public.clock), doorkeeper(public.names, public.origins)]
    )
    app.on_response_prepare.append(add_headers)
    keep_streams(app)
    pages = Pages.read(lambda name: name in FILES or name.startswith("languages/"))

    async def overlay(request: web.Request) -> web.Response:
        return pages.page("overlay.html", request)

    async def overlays(request: web.Request) -> web.Response:
        return pages.page("overlays.html", request)

    async def healthz(_request: web.Request) -> web.Response:
        return web.Response(
            text="ill\n" if public.ill() else "ok\n", status=503 if public.ill() else 200
        )

    app.add_routes(
        [
            web.get("/", overlays),
            web.get("/overlay/{table}", overlay),
            web.get("/overlays", overlays),
            web.get("/api/v1/languages", pages.spoken),
            web.get("/web/{path:.+}", pages.asset),
            web.get("/healthz", healthz),
            *ReadApi(public.gate, public.clock, "public/", STREAM_GAP_S).routes(),
            *score_routes("/pgn", public.scores),
        ]
    )
    return app
