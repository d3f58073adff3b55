"""Time that jumps from one appointment to the next: hours of a whole hall in seconds.

A party says when it wants to be called (`due_at_ns`, None: not by itself) and is called then,
with exactly that time. Parties that fall due together come in the order in which they were
given. A party whose appointment another one has changed is told to `wake`.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from typing import Protocol


class Party(Protocol):
    """Anything that acts by itself: hands at a table, a board, a driver."""

    @property
    def due_at_ns(self) -> int | None: ...

    def due(self, at_ns: int) -> None: ...


class VirtualTime:
    """A queue of appointments. It never goes back, and nobody waits."""

    def __init__(self, parties: Iterable[Party]) -> None:
        self.at_ns = 0
        self._parties = list(parties)
        self._queue: list[tuple[int, int]] = []
        for number in range(len(self._parties)):
            self._appoint(number)

    def join(self, party: Party) -> None:
        """One more party, from now on."""
        self._parties.append(party)
        self._appoint(len(self._parties) - 1)

    def wake(self, party: Party) -> None:
        """Its appointment is another now."""
        self._appoint(self._parties.index(party))

    def run(self, until_ns: int | None = None) -> int:
        """Keep appointments until there are none, or none before this time. Returns how many."""
        kept = 0
        while self._queue and (until_ns is None or self._queue[0][0] <= until_ns):
            at_ns, number = heappop(self._queue)
            if self._parties[number].due_at_ns == at_ns:
                self.at_ns = max(self.at_ns, at_ns)
                self._parties[number].due(self.at_ns)
                self._appoint(number)
                kept += 1
        if until_ns is not None:
            self.at_ns = max(self.at_ns, until_ns)
        return kept

    def _appoint(self, number: int) -> None:
        due_ns = self._parties[number].due_at_ns
        if due_ns is not None:
            heappush(self._queue, (due_ns, number))
