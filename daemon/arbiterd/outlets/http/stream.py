"""Server-sent events: all that is retained, then everything as it comes.

    event: hello     data: {"at","speed"}          first; how fast the service's clock runs
    event: missed    data: {"after","until"}       events between are not told again: too many
    event: <kind>    data: the payload             as its topic ends: state, moves, ruling …
    event: cleared   data: {"topic"}               a retained topic is no more (a ruling closed)
    event: ready     data: {}                      what is retained has been sent
    event: time      data: {"at"}                  when nothing else was sent for a while

Events (`moves`, `rulings`) carry an `id`. A client that comes back with `Last-Event-ID` first gets
those it missed, unless they are more than a window holds: then `missed` says which, the timeline
has them, and what is retained is the truth in any case. So it is for a client that reads slowly.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

from aiohttp import web

from arbiterd.messages.limits import Limit
from arbiterd.messages.times import rfc3339
from arbiterd.outlets.http.fan import MISSED_MAX, WINDOW_BYTES, WINDOW_FRAMES, Fan, frame
from arbiterd.outlets.http.source import Clock, Reader

QUIET_S = 5.0
"""After so long a silence the time is told, so that a client notices a dead connection."""
STREAMS_MAX = 200
DIGITS_MAX = 18

LIMITS = (
    Limit("HTTP streams", "open at once, each side", "streams", f"{STREAMS_MAX}",
          "503 with a sentence"),
    Limit("HTTP streams", "events told again after Last-Event-ID", "events", f"{MISSED_MAX}",
          "what is retained, and which numbers are left out"),
    Limit("HTTP streams", "how far a slow reader may be behind", "frames, bytes",
          f"{WINDOW_FRAMES}, {WINDOW_BYTES}", "what is retained, and which numbers are left out"),
)  # fmt: skip

STREAMS = web.AppKey("streams", set[asyncio.Task[None]])


def keep_streams(app: web.Application) -> None:
    """Have the application know its open streams, and end them when it stops."""
    app[STREAMS] = set()
    app.on_shutdown.append(_end_streams)


async def _end_streams(app: web.Application) -> None:
    streams = app[STREAMS]
    for task in tuple(streams):
        task.cancel()


class Streams:
    """All streams of one side. `gap_s`: a client is told at most so often what is new."""

    def __init__(self, reader: Reader, clock: Clock, gap_s: float = 0.0) -> None:
        self._reader, self._clock, self._gap_s = reader, clock, gap_s
        self._fan = Fan(reader)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """One client, until it goes away."""
        streams = request.app[STREAMS]
        if len(streams) >= STREAMS_MAX:
            raise web.HTTPServiceUnavailable(
                text="Too many streams are open; come back in a minute.\n",
                headers={"Retry-After": "60"},
            )
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
        )
        task = asyncio.ensure_future(self._feed(response, request))
        streams.add(task)
        try:
            await asyncio.wait([task])
            if not task.cancelled():
                task.result()  # Whatever went wrong is the server's to log.
        finally:
            task.cancel()
            streams.discard(task)
        return response

    async def _feed(self, response: web.StreamResponse, request: web.Request) -> None:
        await response.prepare(request)
        with suppress(ConnectionResetError), self._fan.joined() as listener:
            greeting = await listener.greeting(_last_of(request))
            await response.write(_hello(self._clock) + greeting + frame("ready", b"{}"))
            while True:
                mark = self._reader.mark
                news = await listener.news()
                if news:
                    await response.write(news)
                    if self._gap_s:
                        await self._clock.rest(self._gap_s)
                    continue
                try:
                    async with asyncio.timeout(QUIET_S):
                        await self._reader.changed(mark)
                except TimeoutError:
                    await response.write(_time(self._clock))


def _last_of(request: web.Request) -> int | None:
    text = request.headers.get("Last-Event-ID", "")
    known = text.isascii() and text.isdigit() and len(text) <= DIGITS_MAX
    return int(text) if known else None


def _hello(clock: Clock) -> bytes:
    said = {"at": rfc3339(clock.now_ns()), "speed": clock.speed}
    return b"retry: 1000\n" + frame("hello", json.dumps(said).encode())


def _time(clock: Clock) -> bytes:
    return frame("time", json.dumps({"at": rfc3339(clock.now_ns())}).encode())
