"""The delay gate: journal outputs by their time, let through once they are old enough.

It stands beside the live side and knows nothing of it: it reads rows, remembers what it has let
through, and numbers its own events from 1. What is not through is nowhere in it, but for clock
times, which no row tells and which wait in `clocks`.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from arbiterd.edges import Clock
from arbiterd.journal.journal import Journal
from arbiterd.journal.live import Event
from arbiterd.journal.pulse import Pulse
from arbiterd.journal.roster import Roster
from arbiterd.journal.rows import OutputRow
from arbiterd.messages import topics
from arbiterd.messages.payloads import Move, Result
from arbiterd.messages.times import rfc3339
from arbiterd.outlets.public.clocks import ClockSeen, ClocksWaiting
from arbiterd.outlets.public.game import PublicTable, Told

PAGE = 500
LATE_NS = 1_000_000_000
STEP = 1000
"""An event's number is its row's, times this: the same after every start."""


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
        self._events: list[Event] = []
        self._timelines: dict[str, list[Event]] = {name: [] for name in tables}
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
        if row.table not in self._tables or row.topic not in (topics.MOVES, topics.RESULT):
            return
        told = list(self._told(row))
        assert len(told) < STEP, "a row lets a few events through"
        for place, message in enumerate(told):
            topic = topics.public(row.table, message.leaf)
            event = Event(row.number * STEP + place, topic, message.payload)
            self._events.append(event)
            self._timelines[row.table].append(event)
            if message.leaf == topics.RESULT:
                self._retained[topic] = message.payload
                self._shown = None
        if told:
            self._put_state(row.table, row.input, row.at_ns)
            self._pulse.beat()

    def _told(self, row: OutputRow) -> Iterator[Told]:
        table = self._tables[row.table]
        if row.topic == topics.MOVES:
            return table.move(msgspec.json.decode(row.payload, type=Move))
        return table.ended(msgspec.json.decode(row.payload, type=Result))

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
        return self._events[-1].number if self._events else 0

    async def after(self, number: int, limit: int) -> Sequence[Event]:
        """Events after `number`, in order, `limit` at most."""
        begin = bisect_right(self._events, number, key=lambda event: event.number)
        return self._events[begin : begin + limit]

    async def timeline(self, table: str, after_seq: int, limit: int) -> Sequence[Event]:
        """Events of one table whose `seq` is greater, in order, `limit` at most."""
        return self._timelines.get(table, [])[after_seq : after_seq + limit]

    @property
    def mark(self) -> int:
        """Changes with every event and every retained message."""
        return self._pulse.mark

    async def changed(self, mark: int) -> None:
        """Returns as soon as `mark` is another one."""
        await self._pulse.changed(mark)
