"""Says that there is something new, to any number of readers, each at its own pace."""

from __future__ import annotations

import asyncio


class Pulse:
    """A reader remembers `mark`, looks, and waits until it is another one."""

    def __init__(self) -> None:
        self.mark = 0
        self._next = asyncio.Event()

    def beat(self) -> None:
        self.mark += 1
        beaten, self._next = self._next, asyncio.Event()
        beaten.set()

    async def changed(self, mark: int) -> None:
        """Returns once `mark` is past."""
        while self.mark == mark:
            await self._next.wait()
