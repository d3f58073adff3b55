"""Clock times on their way to the public: kept as long as the delay, then let through.

A half-move carries the clock at its end. That a clock was stopped meanwhile, or set, stands in no
half-move: without it the public's clocks would run through every pause. What waits here is lost
with the process; after a start each table tells what its clock's model has kept of this game.
"""

from __future__ import annotations

from dataclasses import dataclass

from arbiterd.edges import ServiceClock
from arbiterd.journal.delays import Delays
from arbiterd.messages.payloads import Clock
from arbiterd.messages.ticking import only_ticked
from arbiterd.outlets.public.waiting import DelayQueue, Due

WAITING_MAX = 50_000
"""Of all tables; beyond it the oldest goes, and its table's clocks are those of its half-moves."""


@dataclass(frozen=True, slots=True)
class ClockSeen:
    """What a table's clock showed, and who was playing."""

    table: str
    game: str
    at_ns: int
    clock: Clock | None
    names: tuple[str, str] = ("", "")
    """Who plays, White first: a name may be put right between two half-moves."""

    def follows(self, before: ClockSeen) -> bool:
        """True where it has only ticked since."""
        if (before.names, before.game) != (self.names, self.game):
            return False
        return only_ticked(before.clock, self.clock, self.at_ns - before.at_ns)


class ClocksWaiting:
    """In the order in which they become public."""

    def __init__(self, delays: Delays) -> None:
        self._waiting: DelayQueue[ClockSeen] = DelayQueue(delays, WAITING_MAX)
        self._newest: dict[str, ClockSeen] = {}
        self.passed = 0
        """How many were let through."""

    def first(self) -> Due[ClockSeen] | None:
        """The next one that becomes public."""
        return self._waiting.first()

    def put(self, seen: ClockSeen) -> None:
        """In the order in which they were seen; what is told again is not taken again."""
        before = self._newest.get(seen.table)
        if before is not None and seen.at_ns < before.at_ns:
            return
        if before is None or not seen.follows(before):
            self._newest[seen.table] = seen
            self._waiting.put(seen.table, seen.at_ns, seen)

    async def next(self, clock: ServiceClock) -> ClockSeen:
        """The first, as soon as its time has come."""
        await self._waiting.next(clock)
        self.passed += 1
        return self._waiting.take().item


@dataclass(frozen=True, slots=True)
class PublicTime:
    """The service's clock as far behind as the public is: what is shown at a time was so then.

    Where tables differ, it is the longest delay; a state says its own.
    """

    live: ServiceClock
    delays: Delays

    @property
    def speed(self) -> float:
        return self.live.speed

    def now_ns(self) -> int:
        now_ns = self.live.now_ns()
        return now_ns - self.delays.longest_ns(now_ns)

    async def rest(self, seconds: float) -> None:
        await self.live.rest(seconds)
