"""Which descriptors of a loop have something to read: looked at together, so many times a second.

    something comes ─▶ look: each that has something is read ─▶ rest ─▶ look … ─▶ nothing: wait

In a large hall some line says something every few milliseconds. To wake up for each of them costs
as much as to hear it, and most of what they say (a clock that ticks, a piece that is lifted) waits
for what comes next anyway. After a silence the first to speak is heard at once.
"""

from __future__ import annotations

import asyncio
import select
from collections.abc import Callable
from typing import Final

REST_EACH_S: Final = 0.00015
"""From one look to the next for each line: few lines are heard as soon as they speak."""
REST_MAX_S: Final = 0.030
"""Boards scan their squares every 0.2 s, and clocks speak each second: nobody is heard late."""

_OF_LOOPS: dict[asyncio.AbstractEventLoop, Readiness] = {}
"""While a loop has any line."""


class Readiness:
    """Of all descriptors of one loop; `Readiness.here()` is that of the loop that runs."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._epoll = select.epoll()
        self._readable: dict[int, Callable[[], None]] = {}
        self._waits = False
        """The loop is to say when something comes."""
        self._wait()

    @classmethod
    def here(cls) -> Readiness:
        loop = asyncio.get_running_loop()
        found = _OF_LOOPS.get(loop)
        if found is None:
            found = _OF_LOOPS[loop] = cls(loop)
        return found

    def add(self, descriptor: int, readable: Callable[[], None]) -> None:
        """`readable` is called, and reads, when there is something or the device is gone."""
        self._epoll.register(descriptor, select.EPOLLIN)
        self._readable[descriptor] = readable

    def remove(self, descriptor: int) -> None:
        """Before it is closed. One that is not there is none to remove."""
        if self._readable.pop(descriptor, None) is None:
            return
        self._epoll.unregister(descriptor)
        if not self._readable:
            self._stop_waiting()
            self._epoll.close()
            del _OF_LOOPS[self._loop]

    def _wait(self) -> None:
        if not self._waits:
            self._loop.add_reader(self._epoll.fileno(), self._look)
        self._waits = True

    def _stop_waiting(self) -> None:
        if self._waits:
            self._loop.remove_reader(self._epoll.fileno())
        self._waits = False

    def _look(self) -> None:
        if self._epoll.closed:
            return
        ready = self._epoll.poll(0)
        if not ready:
            self._wait()
            return
        # What comes meanwhile is seen at the next look: the loop need not be asked to say so.
        self._stop_waiting()
        rest_s = min(REST_MAX_S, REST_EACH_S * len(self._readable))
        self._loop.call_at(self._loop.time() + rest_s, self._look)
        for descriptor, _ in ready:
            readable = self._readable.get(descriptor)
            # One that was read before it may have had this one closed.
            if readable is not None:
                readable()
