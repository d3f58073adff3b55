"""How many requests a second the public may have of this service; others' time is not theirs.

request ─▶ its place in the line, so many a second after a burst ─▶ handler
           too long a line ─▶ 503, come back later
"""

from __future__ import annotations

import asyncio

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from arbiterd.access.login import READING
from arbiterd.messages.limits import Limit
from arbiterd.outlets.http.source import PageClock

REQUESTS_PER_S, REQUESTS_AT_ONCE = 50, 100
WAIT_MAX_S = 10.0

LIMITS = (
    Limit("HTTP, the arbiters' side", "requests that read", "at a time", "1, streams beside",
          "they wait for each other; acts wait for nobody"),
    Limit("the public side", "requests of all", "a second",
          f"{REQUESTS_PER_S}, {REQUESTS_AT_ONCE} at once",
          f"they wait for their turn, {WAIT_MAX_S:.0f} s at most, then 503 with Retry-After"),
)  # fmt: skip


def acts_first(beside: frozenset[str]) -> Middleware:
    """Whoever reads waits for the reader before; acts, and the paths `beside`, wait for nobody.

    However many read at once, between two steps of an act one of them is served at most.
    """
    turn = asyncio.Lock()

    @web.middleware
    async def wait(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.method not in READING or request.path in beside:
            return await handler(request)
        async with turn:
            return await handler(request)

    return wait


def in_turn(clock: PageClock) -> Middleware:
    """One line for all requests of an application."""
    free_s = 0.0

    @web.middleware
    async def wait(request: web.Request, handler: Handler) -> web.StreamResponse:
        nonlocal free_s
        now_s = asyncio.get_running_loop().time()
        free_s = max(free_s, now_s - REQUESTS_AT_ONCE / REQUESTS_PER_S)
        if free_s - now_s > WAIT_MAX_S:
            raise web.HTTPServiceUnavailable(
                text="Too many ask at once; come back in a few seconds.\n",
                headers={"Retry-After": "10"},
            )
        free_s += 1 / REQUESTS_PER_S
        if free_s > now_s:
            await clock.rest(free_s - now_s)
        return await handler(request)

    return wait
