"""The delay gate: journal outputs by their time, let through once they are old enough.

It stands beside the live side and knows nothing of it: it reads rows, remembers what it has let
through, and numbers its own events from 1. What is not through is nowhere in it, but for clock
times, which no row tells and which wait in `clocks`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from arbiterd.edges import Clock
from arbiterd.journal.journal import Journal
from arbiterd.journal.live import Event
from arbiterd.journal.pulse import Pulse
from arbiterd.journal.roster import Roster
from arbiterd.journal.rows import OutputRow
from arbiterd.messages import topics
from arbiterd.messages.times import rfc3339
from arbiterd.outlets.public.clocks import ClockSeen, ClocksWaiting
from arbiterd.outlets.public.game import PublicTable
from arbiterd.outlets.public.released import Past, Released, events_of

PAGE = 500
LATE_NS = 1_000_000_000
PASTS_MAX = 4
"""So many readers that were away for long are served side by side without beginning again."""


class DelayGate:
    """What the public may know. Topics are relative to the hall and begin with `public/`."""

    def __init__(
        self, journal: Journal, tables: Sequence[str], clock: Clock, delay_ns: int
    ) -> None:
        self._journal, self._clock, self._delay_ns = journal, clock, delay_ns
        self._tables = {name: PublicTable() for name in tables}
        self._rosters = {name: Roster(journal.read, name) for name in tables}
        self.number = 0
        """The last row that was let through."""
        self._waits_ns: int | None = None
        """When the next row was due."""
        self._released = Released()
        self._pasts: dict[int, Past] = {}
        """Readers that are behind what is kept, by the last event they have."""
        self._retained: dict[str, bytes] = {}
        self._shown: Mapping[str, bytes] | None = None
        self._pulse = Pulse()
        self._clocks = ClocksWaiting()
        self._told_to: dict[str, int] = {}
        """By table, up to which input the public knows who plays."""
        for name in tables:
            self._put_state(name, journal.read.last("input"), clock.now_ns())

    def saw(self, seen: ClockSeen) -> None:
        """A clock of the live side, to be let through in its turn."""
        self._clocks.put(seen)

    async def run(self) -> None:
        """Lets all through as its time comes, for as long as the service runs."""
        async with asyncio.TaskGroup() as both:
            both.create_task(self._run_rows())
            both.create_task(self._run_clocks())

    async def _run_clocks(self) -> None:
        while True:
            seen = await self._clocks.next()
            await self._clock.until(seen.at_ns + self._delay_ns)
            self._clocks.take(seen)
            table = self._tables[seen.table]
            table.seen = seen
            if table.record:
                self._put_state(seen.table, self._told_to[seen.table], seen.at_ns)
                self._pulse.beat()

    async def _run_rows(self) -> None:
        """Lets rows through as their time comes."""
        while True:
            await self._clock.rest(0)  # After a start there may be a whole day to go through.
            committed = self._journal.committed_outputs
            rows = list(self._journal.read.outputs(after=self.number, limit=PAGE))
            for row in rows:
                self._waits_ns = row.at_ns + self._delay_ns
                await self._clock.until(self._waits_ns)
                self.number = row.number
                self._let_through(row)
            self._waits_ns = None
            if len(rows) < PAGE:
                self.number = max(
                    self.number, committed
                )  # Rows of a damaged journal may be missing.
            if self.number >= self._journal.committed_outputs:
                await self._journal.grown(self.number)

    @property
    def behind(self) -> bool:
        """The next row should have been let through some time ago."""
        return self._waits_ns is not None and self._waits_ns < self._clock.now_ns() - LATE_NS

    def _let_through(self, row: OutputRow) -> None:
        table = self._tables.get(row.table)
        if table is None:
            return
        game, told = table.game, False
        for event in events_of(row, table):
            self._released.put(row.table, event, table.game != game)
            game, told = table.game, True
            if row.topic == topics.RESULT:
                self._retained[event.topic] = event.payload
                self._shown = None
        if told:
            self._put_state(row.table, row.input, row.at_ns)
            self._pulse.beat()

    def _put_state(self, name: str, number: int, at_ns: int) -> None:
        self._told_to[name] = number
        match = self._rosters[name].at(number)
        if match is not None:
            state = self._tables[name].state(match, rfc3339(at_ns))
            self._retained[topics.public(name, topics.STATE)] = state
            self._shown = None

    # What the public's outlets ask.

    def retained(self) -> Mapping[str, bytes]:
        """The newest payload of each retained topic; the same mapping until one changes."""
        if self._shown is None:
            self._shown = dict(self._retained)
        return self._shown

    @property
    def last(self) -> int:
        """The number of the newest event, 0 before the first."""
        return self._released.last

    async def after(self, number: int, limit: int) -> Sequence[Event]:
        """Events after `number`, in order, `limit` at most."""
        if number >= self._released.forgotten:
            return self._released.after(number, limit)
        past = self._pasts.pop(number, None) or Past(
            self._journal.read, tuple(self._tables), self._clock
        )
        found = await past.after(number, limit, self.number)
        if found:
            self._pasts[found[-1].number] = past
            while len(self._pasts) > PASTS_MAX:
                del self._pasts[next(iter(self._pasts))]
        return found

    async def timeline(self, table: str, after_seq: int, limit: int) -> Sequence[Event]:
        """Events of a table's present game whose `seq` is greater, in order, `limit` at most."""
        return self._released.timeline(table, after_seq, limit)

    @property
    def mark(self) -> int:
        """Changes with every event and every retained message."""
        return self._pulse.mark

    async def changed(self, mark: int) -> None:
        """Returns as soon as `mark` is another one."""
        await self._pulse.changed(mark)
