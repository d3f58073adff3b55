"""What is new, as frames that are made once and sent to all who listen.

reader ─▶ look ─▶ window of the newest frames ─▶ listener, each at its own place
                  what is retained now        ─▶ listener that fell out of the window
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from arbiterd.journal.live import NumberedEvent
from arbiterd.messages import topics
from arbiterd.outlets.http.source import MessageReader

PAGE = 500
MISSED_MAX = 1000
WINDOW_FRAMES = 1000
WINDOW_BYTES = 4 * 1024**2


class Fan:
    """Of one reader."""

    def __init__(self, reader: MessageReader) -> None:
        self._reader = reader
        self._number = 0
        """Of the newest event that is in a frame."""
        self._sent: Mapping[str, bytes] = {}
        """What is retained, as the frames have told it."""
        self._frames: deque[bytes] = deque()
        self._first = 0
        """Place of the oldest frame there is."""
        self._bytes = 0
        self._listeners = 0
        self._looking = asyncio.Lock()

    @contextmanager
    def joined(self) -> Iterator[Listener]:
        """One who listens. While nobody does, nothing is looked at."""
        if not self._listeners:
            self._number, self._sent = self._reader.last, dict(self._reader.retained())
            self._first += len(self._frames)
            self._frames.clear()
            self._bytes = 0
        self._listeners += 1
        try:
            yield Listener(self)
        finally:
            self._listeners -= 1

    @property
    def end(self) -> int:
        """The place of the next frame."""
        return self._first + len(self._frames)

    async def look(self) -> None:
        """Frames for what is new: events first, then the snapshots that include them."""
        async with self._looking:
            told: dict[str, bytes] = {}
            while events := await self._reader.after(self._number, PAGE):
                for event in events:
                    self._add(event_frame(event))
                    told[event.topic] = event.payload
                    self._number = event.number
            retained = self._reader.retained()
            if retained is not self._sent:
                self._add_changes(dict(retained), told)

    def _add_changes(self, retained: Mapping[str, bytes], told: Mapping[str, bytes]) -> None:
        """What has changed, but for a `result`, which has just been told as an event."""
        for topic, payload in retained.items():
            if payload not in (self._sent.get(topic), told.get(topic)):
                self._add(frame(kind_of(topic), payload))
        for topic in self._sent:
            if topic not in retained:
                self._add(frame("cleared", json.dumps({"topic": topic}).encode()))
        self._sent = retained

    def _add(self, data: bytes) -> None:
        self._frames.append(data)
        self._bytes += len(data)
        while len(self._frames) > WINDOW_FRAMES or self._bytes > WINDOW_BYTES:
            self._bytes -= len(self._frames.popleft())
            self._first += 1

    def since(self, place: int) -> bytes | None:
        """Frames from this place on; None: it is no more in the window."""
        if place < self._first:
            return None
        return b"".join(list(self._frames)[place - self._first :])

    async def missed(self, number: int) -> tuple[list[bytes], dict[str, bytes]]:
        """Events after this one, as frames, and the newest payload of each of their topics."""
        last = self._number
        if not 0 <= number <= last:
            return [], {}
        found = await self._reader.after(number, MISSED_MAX + 1)
        events = [each for each in found if each.number <= last]
        if len(events) > MISSED_MAX:
            return [left_out(number, last)], {}
        return [*map(event_frame, events)], {each.topic: each.payload for each in events}

    def snapshot(self, told: Mapping[str, bytes]) -> list[bytes]:
        """All that is retained, but for what has just been told."""
        return [
            frame(kind_of(topic), payload)
            for topic, payload in self._sent.items()
            if told.get(topic) != payload
        ]

    @property
    def number(self) -> int:
        return self._number


class Listener:
    """How far one client has come."""

    def __init__(self, fan: Fan) -> None:
        self._fan = fan
        self._place = fan.end
        self._number = fan.number

    async def greeting(self, last: int | None) -> bytes:
        """What it missed since event `last`, and all that is retained."""
        await self._fan.look()
        missed, told = ([], {}) if last is None else await self._fan.missed(last)
        return b"".join([*missed, *self._all_that_is(told)])

    async def news(self) -> bytes | None:
        """What is new since the last call; None: this one was too slow, and is to begin anew."""
        await self._fan.look()
        news = self._fan.since(self._place)
        if news is not None:
            self._place, self._number = self._fan.end, self._fan.number
        return news

    def anew(self) -> bytes:
        """What is left out, and all that is retained."""
        before = self._number
        return left_out(before, self._fan.number) + b"".join(self._all_that_is({}))

    def _all_that_is(self, told: Mapping[str, bytes]) -> list[bytes]:
        self._place, self._number = self._fan.end, self._fan.number
        return self._fan.snapshot(told)


def kind_of(topic: str) -> str:
    """The last word of a topic that says what it is: `ruling` for `tables/12/rulings/12-0812`."""
    *before, last = topic.split("/")
    return "ruling" if before and before[-1] == topics.RULINGS else last


def left_out(after: int, until: int) -> bytes:
    return frame("missed", json.dumps({"after": after, "until": until}).encode())


def event_frame(event: NumberedEvent) -> bytes:
    return b"id: %d\n" % event.number + frame(kind_of(event.topic), event.payload)


def frame(kind: str, payload: bytes) -> bytes:
    assert b"\n" not in payload, "a payload is one line"
    return b"event: " + kind.encode() + b"\ndata: " + payload + b"\n\n"
