"""The service's own code under virtual time: an event loop that never waits, and its clock.

Where nothing is ready the loop's time jumps to the next timer, so hours of a hall pass in seconds
and a run is the same again. Work for workers is done at once, in the loop.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

ResultT = TypeVar("ResultT")
LEAST_S = 1e-6
"""Shorter waits are none."""


class StandstillError(RuntimeError):
    """Nothing is ready and nothing will be: somebody waits for ever."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is a number of seconds."""

    def __init__(self, begin_s: float = 0.0) -> None:
        self._jumping = _Jumping(begin_s)
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now_s


class _Jumping(selectors.DefaultSelector):
    """Looks whether anything is ready; if not, time goes on instead."""

    def __init__(self, begin_s: float) -> None:
        super().__init__()
        self.now_s = begin_s

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout == 0:
            return []  # Something is ready without it; what a file says is looked at after that.
        ready = super().select(0)
        if ready:
            return ready
        if timeout is None:
            raise StandstillError("nothing is ready, and no timer is set")
        self.now_s += timeout
        return []


def _time_of_running_loop() -> float:
    return asyncio.get_running_loop().time()


class VirtualClock:
    """`edges.ServiceClock` on a loop's time: of the loop that runs, or of the one it is given.

    To ask which loop runs is a call of the kernel each time, in Python before 3.12.
    """

    speed = 1.0

    def __init__(self, begin_ns: int = 0, time_s: Callable[[], float] | None = None) -> None:
        self._begin_ns = begin_ns
        self._time_s = time_s or _time_of_running_loop

    def now_ns(self) -> int:
        return self._begin_ns + int(self._time_s() * 1e9)

    def not_before(self, at_ns: int) -> None:
        self._begin_ns += max(0, at_ns - self.now_ns())

    def not_after(self, at_ns: int) -> None:
        self._begin_ns -= max(0, self.now_ns() - at_ns)

    async def until(self, at_ns: int) -> None:
        while (missing_ns := at_ns - self.now_ns()) > 0:
            await self.rest(max(missing_ns / 1e9, LEAST_S))

    def wake_at(self, at_ns: int, wake: Callable[[], None]) -> asyncio.TimerHandle:
        wait_s = max((at_ns - self.now_ns()) / 1e9, LEAST_S)
        return asyncio.get_running_loop().call_later(wait_s, wake)

    async def rest(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def asleep_ns(self) -> int:
        return 0

    def ahead_ns(self) -> int:
        return 0


class AtOnce:
    """`edges.Workers` without threads."""

    async def run(self, _lane: str, work: Callable[[], ResultT]) -> ResultT:
        return work()


def run_virtually(work: Coroutine[Any, Any, ResultT]) -> ResultT:
    """To its end, in no time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)
