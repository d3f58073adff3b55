"""What is not public yet, in the order in which its time comes; each table has its own delay."""

from __future__ import annotations

import asyncio
import heapq
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from arbiterd.edges import ServiceClock
from arbiterd.journal.delays import Delays
from arbiterd.journal.pulse import Pulse

ItemT = TypeVar("ItemT")


@dataclass(order=True, slots=True)
class Due(Generic[ItemT]):
    """Something that waits, and until when."""

    due_ns: int
    place: int
    """In the order in which it came."""
    told_ns: int = field(compare=False)
    table: str = field(compare=False)
    item: ItemT = field(compare=False)


class DelayQueue(Generic[ItemT]):
    """At most `most`: beyond it goes what would be public first."""

    def __init__(self, delays: Delays, most: int | None = None) -> None:
        self._delays, self._most = delays, most
        self._heap: list[Due[ItemT]] = []
        self._place = 0
        self._mark = delays.pulse.mark
        self._pulse = Pulse()

    def put(self, table: str, told_ns: int, item: ItemT) -> None:
        """To wait as long as its table's messages do."""
        self._place += 1
        due_ns = self._delays.of(table).due_ns(told_ns)
        heapq.heappush(self._heap, Due(due_ns, self._place, told_ns, table, item))
        if self._most is not None and len(self._heap) > self._most:
            heapq.heappop(self._heap)
        if self._heap[0].place == self._place:
            self._pulse.beat()

    def first(self) -> Due[ItemT] | None:
        """Whose time comes first."""
        if self._mark != self._delays.pulse.mark:
            self._mark = self._delays.pulse.mark
            for each in self._heap:
                each.due_ns = self._delays.of(each.table).due_ns(each.told_ns)
            heapq.heapify(self._heap)
        return self._heap[0] if self._heap else None

    def take(self) -> Due[ItemT]:
        """The first is let through."""
        return heapq.heappop(self._heap)

    async def next(self, clock: ServiceClock) -> Due[ItemT]:
        """The first, as soon as its time has come; it stays until it is taken."""
        while True:
            first, mark, delays = self.first(), self._pulse.mark, self._delays.pulse
            if first is not None and first.due_ns <= clock.now_ns():
                return first
            waits = [self._pulse.changed(mark), delays.changed(delays.mark)]
            if first is not None:
                waits.append(clock.until(first.due_ns))
            await _any(*map(asyncio.ensure_future, waits))


async def _any(*waits: asyncio.Future[None]) -> None:
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
