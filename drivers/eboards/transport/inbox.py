"""What a wire has heard and nobody has read yet."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

from eboards.transport import Chunk, WireError

UNREAD_MAX: Final = 1024
"""Reads kept for a reader that does not come; beyond this the oldest go."""
ENOUGH: Final = 16
"""With so many unread a wire that can wait is left alone: what it still has waits at its end."""


class Inbox:
    """Of one wire, in its loop."""

    def __init__(self) -> None:
        self._unread: deque[Chunk] = deque(maxlen=UNREAD_MAX)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiter: asyncio.Future[None] | None = None
        """Of whoever waits for the next bytes; an event costs each read three times as much."""
        self._broken: WireError | None = None

    @property
    def broken(self) -> bool:
        """True once the device is gone."""
        return self._broken is not None

    @property
    def enough(self) -> bool:
        """True while more would only wait here."""
        return len(self._unread) >= ENOUGH

    def check(self) -> None:
        """Raises `WireError` once the device is gone."""
        if self._broken is not None:
            raise self._broken

    async def read(self) -> Chunk:
        """The next bytes; what came before the device went is still given."""
        while not self._unread:
            self.check()
            if self._waiter is None or self._waiter.done():
                # Asked each time, which loop runs would be a call of the kernel a read.
                self._loop = self._loop or asyncio.get_running_loop()
                self._waiter = self._loop.create_future()
            await self._waiter
        return self._unread.popleft()

    def hear(self, chunk: Chunk) -> None:
        self._unread.append(chunk)
        self._wake()

    def close(self, error: WireError) -> None:
        """The device is gone; the first reason stands."""
        self._broken = self._broken or error
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
