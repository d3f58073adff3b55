"""The long tasks of the service, each watched: what ends or stands still is said, and begun again.

    work ──ends, fails, is cancelled──▶ said ─▶ a short rest ─▶ begun again ─▶ well after a while
      └──has something to do, and does not get on──▶ said ─▶ cancelled ─▶ begun again

A duty that cannot be brought back is `beyond_help`: the process is then better started anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from arbiterd.edges import ServiceClock, StoreError

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""How often it is looked whether each duty gets on."""
BACK_OFF_S = (0.1, 1.0, 5.0)
WELL_S = 10.0
"""A duty that gets on so long after it was begun again, or has nothing to do then, is well."""
HOPELESS_S = 30.0
"""A duty that has stood still for so long beyond its patience will not come back."""
END_S = 5.0
"""So long a duty may take to end before it is told again."""
ENDS_MAX = 3
FATAL = (StoreError,)
"""What only a new start of the whole service mends."""


@dataclass(frozen=True, slots=True)
class Duty:
    """A long task, by a name that people understand. It may be ended anywhere and begun again."""

    name: str
    work: Callable[[], Awaitable[None]]
    waiting: Callable[[], bool] = lambda: False
    """It has something to do."""
    progress: Callable[[], object] = lambda: None
    """Changes whenever it gets on."""
    patience_s: float = 10.0
    """So long it may stand still with something to do."""
    vital: bool = True
    """Where it cannot be brought back, the service is better started anew."""


@dataclass(slots=True)
class _Standing:
    """How a duty does."""

    duty: Duty
    task: asyncio.Task[None]
    since_s: float
    """When it was begun."""
    mark: object = None
    moved_s: float = 0.0
    """When it last got on, or had nothing to do."""
    failures: int = 0
    trouble: str = ""
    over: asyncio.Event = field(init=False)
    """It has ended, or stands still and is to be ended."""

    def __post_init__(self) -> None:
        self.begin(self.task, self.since_s)

    def begin(self, task: asyncio.Task[None], now_s: float) -> None:
        """From now on it is this task."""
        self.task, self.since_s, self.over = task, now_s, asyncio.Event()
        task.add_done_callback(partial(_set, self.over))


def _set(event: asyncio.Event, _: asyncio.Task[None]) -> None:
    event.set()


class Duties:
    """All of them. `troubles`: what is wrong now, a sentence each."""

    def __init__(self, clock: ServiceClock) -> None:
        self._clock = clock
        self._standing: dict[str, _Standing] = {}

    def _now_s(self) -> float:
        return asyncio.get_running_loop().time()

    def troubles(self) -> Iterator[str]:
        """Sentences for people."""
        for standing in self._standing.values():
            if standing.trouble:
                yield standing.trouble

    @property
    def beyond_help(self) -> str:
        """Which vital duty has stood still for too long though it was begun again; empty: none."""
        now_s = self._now_s()
        return next(
            (
                name
                for name, standing in self._standing.items()
                if standing.duty.vital
                and standing.trouble
                and now_s - standing.moved_s > standing.duty.patience_s + HOPELESS_S
            ),
            "",
        )

    async def keep(self, duties: Iterable[Duty]) -> None:
        """Until cancelled; all of them end with it. Raises what is FATAL."""
        works: list[Callable[[], Coroutine[Any, Any, None]]] = [self._keep_looking]
        works += [partial(self._keep, duty) for duty in duties]
        watched = {asyncio.create_task(work()): work for work in works}
        try:
            while True:
                done, _ = await asyncio.wait(watched, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    work = watched.pop(task)
                    if not task.cancelled():
                        task.result()
                    watched[asyncio.create_task(work())] = work
        finally:
            for task in watched:
                task.cancel()
            await asyncio.gather(*watched, return_exceptions=True)

    async def _keep(self, duty: Duty) -> None:
        standing = self._standing[duty.name] = self._begun(duty)
        try:
            while True:
                await standing.over.wait()
                if standing.task.done():
                    self._why(duty, standing)
                await _ended(standing.task)
                await self._clock.rest(BACK_OFF_S[min(standing.failures, len(BACK_OFF_S) - 1)])
                standing.failures += 1
                standing.begin(self._task(duty), self._now_s())
        finally:
            await _ended(standing.task)

    def _task(self, duty: Duty) -> asyncio.Task[None]:
        async def work() -> None:
            await duty.work()

        return asyncio.create_task(work(), name=duty.name)

    def _begun(self, duty: Duty) -> _Standing:
        now_s, task = self._now_s(), self._task(duty)
        return _Standing(duty, task, now_s, duty.progress(), now_s)

    async def _keep_looking(self) -> None:
        """One look for all of them: it costs the same however many there are."""
        while True:
            await self._clock.rest(LOOK_S)
            now_s = self._now_s()
            for standing in self._standing.values():
                if not standing.over.is_set():
                    self._look(standing, now_s)

    def _look(self, standing: _Standing, now_s: float) -> None:
        """Whether it gets on; where it does not, it is to be ended."""
        duty, mark = standing.duty, standing.duty.progress()
        if mark != standing.mark or not duty.waiting():
            standing.mark, standing.moved_s = mark, now_s
        still_s = now_s - max(standing.moved_s, standing.since_s)
        if still_s > duty.patience_s:
            self._say(standing, f"{duty.name} stands still; it is begun again")
            standing.over.set()
        elif standing.trouble and standing.moved_s - standing.since_s > WELL_S:
            log.warning("%s works again", duty.name)
            standing.trouble, standing.failures = "", 0

    def _why(self, duty: Duty, standing: _Standing) -> None:
        if standing.task.cancelled():
            self._say(standing, f"{duty.name} was ended; it is begun again")
            return
        error = standing.task.exception()
        if isinstance(error, FATAL):
            raise error
        if error is not None:
            log.error("%s failed", duty.name, exc_info=error)
            why = f"{type(error).__name__}: {error}"
            self._say(standing, f"{duty.name} failed ({why}); it is begun again")
            return
        self._say(standing, f"{duty.name} ended; it is begun again")

    def _say(self, standing: _Standing, sentence: str) -> None:
        if sentence != standing.trouble:
            log.error("%s", sentence)
        standing.trouble = sentence


async def _ended(task: asyncio.Task[None]) -> None:
    """Told to end until it has: a library may take one word for another's."""
    for _ in range(ENDS_MAX):
        if task.done():
            break
        task.cancel()
        await asyncio.wait({task}, timeout=END_S)
    if task.done() and not task.cancelled():
        task.exception()  # It was told to end; how it did so is no news.
