"""Server-sent events: all that is retained, then everything as it comes.

    event: hello     data: {"at","speed","zone"}   first; how fast the service's clock runs, and of
                                                   which zone the one on the wall is, where known
    event: missed    data: {"after","until"}       events between are not told again: too many
    event: <kind>    data: the payload             as its topic ends: state, moves, ruling …
    event: cleared   data: {"topic"}               a retained topic is no more (a ruling closed)
    event: ready     data: {}                      what is retained has been sent
    event: time      data: {"at"}                  when nothing else was sent for a while

Events (`moves`, `rulings`) carry an `id`. A client that comes back with `Last-Event-ID` first gets
those it missed, unless they are more than a window holds: then `missed` says which, the timeline
has them, and what is retained is the truth in any case. For a client that reads slowly the stream
begins anew, from `hello` to `ready`: what was cleared meanwhile is told by not being there.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

from aiohttp import web

from arbiterd.access.login import login_of
from arbiterd.messages.limits import Limit
from arbiterd.messages.times import rfc3339
from arbiterd.outlets.http.fan import MISSED_MAX, WINDOW_BYTES, WINDOW_FRAMES, Fan, frame
from arbiterd.outlets.http.source import MessageReader, PageClock

QUIET_S = 5.0
"""After so long a silence the time is told, so that a client notices a dead connection."""
STREAMS_MAX = 200
STREAMS_OF_ONE = 60
"""Of one login on the arbiters' side; without logins, of one address."""
STALLED_S = 30.0
"""Who takes nothing for so long is let go."""
DIGITS_MAX = 18
ACKED_AT = 120
"""Where `tcpi_bytes_acked`, of 8 bytes, begins in Linux's `struct tcp_info` (linux/tcp.h)."""

LIMITS = (
    Limit("HTTP streams", "open at once, each side", "streams", f"{STREAMS_MAX}",
          "503 with a sentence"),
    Limit("HTTP streams", "open at once, a login or address on the arbiters' side", "streams",
          f"{STREAMS_OF_ONE}", "503 with a sentence"),
    Limit("HTTP streams", "how long a reader may take nothing", "seconds", f"{STALLED_S:.0f}",
          "the connection is closed"),
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
    """All streams of one side."""

    def __init__(
        self,
        reader: MessageReader,
        clock: PageClock,
        gap_s: float = 0.0,
        of_one: int = STREAMS_MAX,
        zone: Callable[[], str] = lambda: "",
    ) -> None:
        """`gap_s`: a client is told at most so often what is new. `of_one`: so many may be open of
        one login, or of one address where nobody logs in. `zone`: of the clock on the wall; ""."""
        self._zone = zone
        self._reader, self._clock, self._gap_s, self._of_one = reader, clock, gap_s, of_one
        self._owners: Counter[str] = Counter()
        self._fan = Fan(reader)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """One client, until it goes away."""
        streams, owner = request.app[STREAMS], login_of(request)
        if len(streams) >= STREAMS_MAX or self._owners[owner] >= self._of_one:
            raise web.HTTPServiceUnavailable(
                text="Too many streams are open; come back in a minute.\n",
                headers={"Retry-After": "60"},
            )
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
        )
        task = asyncio.ensure_future(self._feed(response, request))
        streams.add(task)
        self._owners[owner] += 1
        try:
            await asyncio.wait([task])
            if not task.cancelled():
                task.result()  # Whatever went wrong is the server's to log.
        finally:
            task.cancel()
            streams.discard(task)
            self._owners[owner] -= 1
            self._owners += Counter()  # Those who have none open are forgotten.
        return response

    async def _feed(self, response: web.StreamResponse, request: web.Request) -> None:
        await response.prepare(request)

        async def write(data: bytes) -> None:
            await _written(response, request, data)

        with suppress(ConnectionResetError), self._fan.joined() as listener:
            greeting = await listener.greeting(_last_of(request))
            await write(_whole(self._clock, greeting, self._zone()))
            while True:
                mark = self._reader.mark
                news = await listener.news()
                if news is None:
                    news = _whole(self._clock, listener.anew(), self._zone())
                if news:
                    await write(news)
                    if self._gap_s:
                        await self._clock.rest(self._gap_s)
                    continue
                try:
                    async with asyncio.timeout(QUIET_S):
                        await self._reader.changed(mark)
                except TimeoutError:
                    await write(_time(self._clock))


async def _written(response: web.StreamResponse, request: web.Request, data: bytes) -> None:
    """However long it takes, as long as some of it arrives. Raises ConnectionResetError."""
    taken = _arrived(request)
    writing = asyncio.ensure_future(response.write(data))
    try:
        while not (await asyncio.wait([writing], timeout=STALLED_S))[0]:
            before, taken = taken, _arrived(request)
            if taken == before:
                if request.transport is not None:
                    request.transport.abort()
                raise ConnectionResetError
        await writing
    finally:
        writing.cancel()


def _arrived(request: web.Request) -> int:
    """How many bytes the client's computer has confirmed so far.

    What our buffers hold tells less: the kernel takes megabytes at once, then nothing for minutes.
    """
    wire = request.get_extra_info("socket")
    if wire is None:
        return 0
    said = wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, ACKED_AT + 8)
    return int.from_bytes(said[ACKED_AT:], sys.byteorder)


def _last_of(request: web.Request) -> int | None:
    text = request.headers.get("Last-Event-ID", "")
    known = text.isascii() and text.isdigit() and len(text) <= DIGITS_MAX
    return int(text) if known else None


def _whole(clock: PageClock, told: bytes, zone: str) -> bytes:
    """All that is, from `hello` to `ready`."""
    said = {"at": rfc3339(clock.now_ns()), "speed": clock.speed, **({"zone": zone} if zone else {})}
    hello = b"retry: 1000\n" + frame("hello", json.dumps(said).encode())
    return hello + told + frame("ready", b"{}")


def _time(clock: PageClock) -> bytes:
    return frame("time", json.dumps({"at": rfc3339(clock.now_ns())}).encode())
