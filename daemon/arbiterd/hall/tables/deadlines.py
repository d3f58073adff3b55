"""When each table wants to be called; which one is next is known without asking all of them."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heappush

SLACK = 64
"""So many outdated entries are carried beside two for each table."""


class Deadlines:
    """One a table at most. What is asked is paid for once, however many tables there are."""

    def __init__(self) -> None:
        self._at_ns: dict[str, int] = {}
        self._queue: list[tuple[int, str]] = []
        """Every deadline there is, and some that stand no more."""

    def put(self, table: str, at_ns: int | None) -> None:
        """This is its deadline from now on; None: it has none."""
        if at_ns == self._at_ns.get(table):
            return
        if at_ns is None:
            del self._at_ns[table]
            return
        self._at_ns[table] = at_ns
        heappush(self._queue, (at_ns, table))
        if len(self._queue) > 2 * len(self._at_ns) + SLACK:
            self._queue = [(ns, name) for name, ns in self._at_ns.items()]
            heapify(self._queue)

    @property
    def next_ns(self) -> int | None:
        """The earliest of all."""
        queue = self._queue
        while queue and self._at_ns.get(queue[0][1]) != queue[0][0]:
            heappop(queue)
        return queue[0][0] if queue else None

    def due(self, now_ns: int) -> Iterator[str]:
        """Tables whose deadline has come, the earliest first; each is to get another one."""
        while (next_ns := self.next_ns) is not None and next_ns <= now_ns:
            yield self._queue[0][1]
