"""The real clock and threads; the disk is `store`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TypeVar

from arbiterd.edges.store import FileStore

__all__ = ["FileStore", "Threads", "WallClock"]

ResultT = TypeVar("ResultT")

SLICE_S = 5.0
"""A timer stands still while the machine is suspended, so none is longer than this."""


class WallClock:
    """Wall time for people, time since boot for order: anchored once and never set again.

    A correction of the machine's clock during a game so moves no stamp, and time in which the
    machine was suspended has passed. `speed` scales what passes: at 20, a minute of the game
    takes three seconds.
    """

    def __init__(self, speed: float = 1.0, since_ns: int | None = None) -> None:
        """`since_ns`: when time began to pass at this speed; None: now.

        Processes that share it share their time, and one that starts again finds it moved on.
        """
        assert speed > 0, "time passes forwards"
        self.speed = speed
        now_ns = time.time_ns()
        begun_ns = now_ns if since_ns is None else min(since_ns, now_ns)
        self._start_ns = begun_ns + int((now_ns - begun_ns) * speed)
        self._anchor_ns = _since_boot_ns()

    def now_ns(self) -> int:
        passed_ns = _since_boot_ns() - self._anchor_ns
        return self._start_ns + int(passed_ns * self.speed)

    def now(self) -> datetime:
        """The same for people and certificates: UTC, to the second."""
        return datetime.fromtimestamp(self.now_ns() // 1_000_000_000, UTC)

    def not_before(self, at_ns: int) -> None:
        self._start_ns += max(0, at_ns - self.now_ns())

    def not_after(self, at_ns: int) -> None:
        self._start_ns -= max(0, self.now_ns() - at_ns)

    async def until(self, at_ns: int) -> None:
        # The loop's timer may be early by its own resolution.
        while (missing_ns := at_ns - self.now_ns()) > 0:
            await self.rest(min(missing_ns / 1e9 / self.speed, SLICE_S))

    def wake_at(self, at_ns: int, wake: Callable[[], None]) -> asyncio.TimerHandle:
        wait_s = (at_ns - self.now_ns()) / 1e9 / self.speed
        return asyncio.get_running_loop().call_later(min(wait_s, SLICE_S), wake)

    async def rest(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def asleep_ns(self) -> int:
        return _since_boot_ns() - time.monotonic_ns()

    def ahead_ns(self) -> int:
        return self.now_ns() - time.time_ns() if self.speed == 1.0 else 0


def _since_boot_ns() -> int:
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


class Threads:
    """One thread a lane."""

    def __init__(self) -> None:
        self._lanes: dict[str, ThreadPoolExecutor] = {}

    async def run(self, lane: str, work: Callable[[], ResultT]) -> ResultT:
        if lane not in self._lanes:
            self._lanes[lane] = ThreadPoolExecutor(1, thread_name_prefix=lane)
        return await asyncio.get_running_loop().run_in_executor(self._lanes[lane], work)

    def close(self) -> None:
        """Wait for what is running and end the threads."""
        for lane in self._lanes.values():
            lane.shutdown()
