"""Server-sent events: all that is retained, then everything as it comes.

    event: hello     data: {"at","speed"}       first; how fast the service's clock runs
    event: <kind>    data: the payload          as its topic ends: state, moves, ruling …
    event: cleared   data: {"topic"}            a retained topic that is no more (a ruling closed)
    event: ready     data: {}                   what is retained has been sent
    event: time      data: {"at"}               when nothing else was sent for a while

Events (`moves`, `rulings`) carry an `id`. A client that comes back with `Last-Event-ID` first gets
those it missed; retained messages are the truth in any case. A slow client gets the newest
snapshot of each topic and every event.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress

from aiohttp import web

from arbiterd.journal.live import Event
from arbiterd.messages.times import rfc3339
from arbiterd.outlets.http.source import Clock, Reader

PAGE = 500
QUIET_S = 5.0
"""After so long a silence the time is told, so that a client notices a dead connection."""


STREAMS = web.AppKey("streams", set[asyncio.Task[None]])


def keep_streams(app: web.Application) -> None:
    """Have the application know its open streams, and end them when it stops."""
    app[STREAMS] = set()
    app.on_shutdown.append(_end_streams)


async def _end_streams(app: web.Application) -> None:
    streams = app[STREAMS]
    for task in tuple(streams):
        task.cancel()


async def stream(request: web.Request, reader: Reader, clock: Clock) -> web.StreamResponse:
    """Serve one client until it goes away."""
    response = web.StreamResponse(
        headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
    )
    await response.prepare(request)
    task = asyncio.ensure_future(_feed(response, request, reader, clock))
    request.app[STREAMS].add(task)
    try:
        await asyncio.wait([task])
        if not task.cancelled():
            task.result()  # Whatever went wrong is the server's to log.
    finally:
        task.cancel()
        request.app[STREAMS].discard(task)
    return response


async def _feed(
    response: web.StreamResponse, request: web.Request, reader: Reader, clock: Clock
) -> None:
    listener = _Listener(reader, _missed_from(request, reader))
    with suppress(ConnectionResetError):
        await response.write(_hello(clock) + await listener.news() + _frame("ready", b"{}"))
        while True:
            mark = reader.mark
            news = await listener.news()
            if news:
                await response.write(news)
                continue
            try:
                async with asyncio.timeout(QUIET_S):
                    await reader.changed(mark)
            except TimeoutError:
                await response.write(_time(clock))


class _Listener:
    """What one client has been sent."""

    def __init__(self, reader: Reader, number: int) -> None:
        self._reader = reader
        self._number = number
        self._sent: dict[str, bytes] = {}

    async def news(self) -> bytes:
        """Frames for what is new: events first, then the snapshots that include them."""
        frames: list[bytes] = []
        told: dict[str, bytes] = {}
        while events := await self._reader.after(self._number, PAGE):
            for event in events:
                frames.append(_event_frame(event))
                told[event.topic] = event.payload
                self._number = event.number
        frames += self._snapshots(dict(self._reader.retained()), told)
        return b"".join(frames)

    def _snapshots(self, retained: dict[str, bytes], told: Mapping[str, bytes]) -> Iterator[bytes]:
        """What has changed, but for a `result`, which has just been told as an event."""
        for topic, payload in retained.items():
            if payload not in (self._sent.get(topic), told.get(topic)):
                yield _frame(kind_of(topic), payload)
        for topic in self._sent:
            if topic not in retained:
                yield _frame("cleared", json.dumps({"topic": topic}).encode())
        self._sent = retained


def kind_of(topic: str) -> str:
    """The last word of a topic that says what it is: `ruling` for `tables/12/rulings/12-0812`."""
    *before, last = topic.split("/")
    return "ruling" if before and before[-1] == "rulings" else last


def _missed_from(request: web.Request, reader: Reader) -> int:
    text = request.headers.get("Last-Event-ID", "")
    if text.isascii() and text.isdigit() and int(text) <= reader.last:
        return int(text)
    return reader.last


def _event_frame(event: Event) -> bytes:
    return b"id: %d\n" % event.number + _frame(kind_of(event.topic), event.payload)


def _frame(kind: str, payload: bytes) -> bytes:
    assert b"\n" not in payload, "a payload is one line"
    return b"event: " + kind.encode() + b"\ndata: " + payload + b"\n\n"


def _hello(clock: Clock) -> bytes:
    said = {"at": rfc3339(clock.now_ns()), "speed": clock.speed}
    return b"retry: 1000\n" + _frame("hello", json.dumps(said).encode())


def _time(clock: Clock) -> bytes:
    return _frame("time", json.dumps({"at": rfc3339(clock.now_ns())}).encode())
