"""Who is next: each login has a line of its own, and the lines take turns.

ana    a1 a2 a3 a4 …(so many at most)   ┐
boris  b1                               ├─▶ a1 b1 a2 c1 a3 …
clara  c1                               ┘
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import Generic, TypeVar

import aiomqtt

log = logging.getLogger(__name__)

T = TypeVar("T")


class Turns(Generic[T]):
    """What waits, by login."""

    def __init__(self, waiting_max: int, lines_max: int) -> None:
        self._waiting_max, self._lines_max = waiting_max, lines_max
        self._lines: dict[str, deque[T]] = {}
        self._some = asyncio.Event()

    def put(self, name: str, item: T) -> bool:
        """At the end of this login's line; False: the line is full."""
        if name not in self._lines and len(self._lines) >= self._lines_max:
            return False
        line = self._lines.setdefault(name, deque())
        if len(line) >= self._waiting_max:
            return False
        line.append(item)
        self._some.set()
        return True

    async def next(self) -> T:
        """The first of the line whose turn it is; that line then comes last."""
        while not self._lines:
            self._some.clear()
            await self._some.wait()
        return _taken(self._lines)


def _taken(lines: dict[str, deque[T]]) -> T:
    """From the line that comes first, which then comes last."""
    name = next(iter(lines))
    line = lines.pop(name)
    item = line.popleft()
    if line:
        lines[name] = line
    return item


UNREAD_MAX, SENDERS_MAX = 200, 2000
"""Messages of one sender that nobody has looked at yet, and senders that have some."""
TOPICS_MAX = 20_000
"""Topics of which something is unread at once."""


class UnreadMessages(asyncio.Queue[aiomqtt.Message]):
    """What has come over a connection: a line for each login's commands, the last word of their
    topic, and behind them one for all that the broker has kept and hands out at once."""

    def _init(self, _maxsize: int) -> None:
        self._lines: dict[str, deque[aiomqtt.Message]] = {}
        self._kept: deque[aiomqtt.Message] = deque()
        self.dropped = 0
        """What came too fast to be looked at."""

    def qsize(self) -> int:
        return sum(map(len, self._lines.values())) + len(self._kept)

    def empty(self) -> bool:
        return not self._lines and not self._kept

    def put_nowait(self, item: aiomqtt.Message) -> None:
        """Beyond its line's bound a message is dropped; others' lines never notice."""
        name = item.topic.value.rpartition("/")[2]
        if self._is_full(item):
            self.dropped += 1
            if self.dropped.bit_count() == 1:
                log.warning("mqtt: %d messages came too fast to be read, by %r", self.dropped, name)
            return
        super().put_nowait(item)

    def _is_full(self, item: aiomqtt.Message) -> bool:
        if not _is_command(item):
            return len(self._kept) >= TOPICS_MAX
        line = self._lines.get(item.topic.value.rpartition("/")[2], ())
        return len(line) >= UNREAD_MAX or (not line and len(self._lines) >= SENDERS_MAX)

    def _put(self, item: aiomqtt.Message) -> None:
        if _is_command(item):
            self._lines.setdefault(item.topic.value.rpartition("/")[2], deque()).append(item)
        else:
            self._kept.append(item)

    def _get(self) -> aiomqtt.Message:
        return _taken(self._lines) if self._lines else self._kept.popleft()


def _is_command(item: aiomqtt.Message) -> bool:
    """`…/command/<user>`, or without a login `…/command`."""
    return "command" in item.topic.value.split("/")[-2:]


class Newest(asyncio.Queue[aiomqtt.Message]):
    """What has come over a connection that is only looked at: of each topic the newest."""

    def _init(self, _maxsize: int) -> None:
        self._topics: dict[str, aiomqtt.Message] = {}

    def qsize(self) -> int:
        return len(self._topics)

    def empty(self) -> bool:
        return not self._topics

    def put_nowait(self, item: aiomqtt.Message) -> None:
        """Beyond the bound a topic that is new is left out."""
        if item.topic.value in self._topics or len(self._topics) < TOPICS_MAX:
            super().put_nowait(item)

    def _put(self, item: aiomqtt.Message) -> None:
        self._topics[item.topic.value] = item

    def _get(self) -> aiomqtt.Message:
        return self._topics.pop(next(iter(self._topics)))
