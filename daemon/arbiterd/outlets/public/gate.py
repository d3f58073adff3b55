"""The delay gate: journal outputs by their time, let through once they are old enough.

    rows ─▶ waiting, in the order in which their time comes ─▶ numbered anew ─▶ the public

It stands beside the live side and knows nothing of it: it reads rows, holds what waits, remembers
what it has let through, and numbers its own events. Each table has its own delay, which may change.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from arbiterd.edges import ServiceClock
from arbiterd.journal.delays import Delays
from arbiterd.journal.journal import Journal
from arbiterd.journal.live import NumberedEvent
from arbiterd.journal.pulse import Pulse
from arbiterd.journal.roster import Roster
from arbiterd.journal.rows import OutputRow
from arbiterd.messages import topics
from arbiterd.messages.times import rfc3339
from arbiterd.outlets.public.clocks import ClockSeen, ClocksWaiting
from arbiterd.outlets.public.game import PublicTable
from arbiterd.outlets.public.released import Passage, Past, Released
from arbiterd.outlets.public.waiting import Due

PAGE = 500
LATE_NS = 1_000_000_000
AGAIN_US = 2_000_000
NOTHING: Mapping[str, bytes] = {}
PASTS_MAX = 4
"""So many readers that were away for long are served side by side without beginning again."""


class DelayGate:
    """What the public may know. Topics are relative to the hall and begin with `public/`."""

    def __init__(
        self, journal: Journal, tables: Sequence[str], clock: ServiceClock, delays: Delays
    ) -> None:
        self._journal, self._clock, self._delays = journal, clock, delays
        self._tables = {name: PublicTable() for name in tables}
        self._rosters = {name: Roster(journal.read, name) for name in tables}
        self._passage = Passage(delays, self._tables)
        self._begun = clock.now_ns() // 1000
        """When this run began, as events are numbered."""
        self.passed = 0
        """How many rows were let through, or read."""
        self._released = Released()
        self._pasts: dict[int, Past] = {}
        """Readers that are behind what is kept, by the last event they have."""
        self._retained: dict[str, bytes] = {}
        self._shown: Mapping[str, bytes] | None = NOTHING
        """None: to be made anew."""
        self._pulse = Pulse()
        self._settled = asyncio.Event()
        """All that was public when this run began has been let through."""
        self._clocks = ClocksWaiting(delays)
        self._told_to: dict[str, tuple[int, int]] = {}
        """By table, up to which input the public knows who plays, and when that was told."""
        for name in tables:
            self._put_state(name, journal.read.last("input"), clock.now_ns())

    def saw(self, seen: ClockSeen) -> None:
        """A clock of the live side, to be let through in its turn."""
        self._clocks.put(seen)

    async def run(self) -> None:
        """Lets all through as its time comes, for as long as the service runs."""
        async with asyncio.TaskGroup() as all_of_them:
            all_of_them.create_task(self._run_rows())
            all_of_them.create_task(self._run_clocks())
            all_of_them.create_task(self._run_delays())

    async def _run_clocks(self) -> None:
        await self._settled.wait()  # Until then nobody knows which game is public.
        while True:
            seen = await self._clocks.next(self._clock)
            table = self._tables[seen.table]
            table.see(seen)
            if table.game:
                self._put_state(seen.table, self._told_to[seen.table][0], seen.at_ns)
                self._pulse.beat()

    async def _run_delays(self) -> None:
        """Says at once how far the public is behind from now on."""
        while True:
            await self._delays.pulse.changed(self._delays.pulse.mark)
            for name in self._tables:
                self._put_state(name, *self._told_to[name])
            self._pulse.beat()

    async def _run_rows(self) -> None:
        """Reads rows as they come, and lets them through as their time comes."""
        async with asyncio.TaskGroup() as both:
            all_read = asyncio.Event()
            both.create_task(self._read_rows(all_read))
            await all_read.wait()  # What comes first is known once all of the past is.
            self._catch_up()
            while True:
                due = await self._passage.waiting.next(self._clock)
                self._passage.waiting.take()
                self.passed += 1
                self._let_through(due)

    def _catch_up(self) -> None:
        for due in self._passage.public(self._clock.now_ns()):
            self.passed += 1
            self._let_through(due)
        self._shown = None
        self._settled.set()
        self._pulse.beat()

    async def _read_rows(self, all_read: asyncio.Event) -> None:
        while True:
            await self._clock.rest(0)  # After a start there may be a whole day to go through.
            committed = self._journal.committed_outputs
            rows = self._journal.outputs(self._passage.read, PAGE)
            for row in rows:
                self._passage.put(row)
            self.passed += len(rows)
            if not all_read.is_set():
                for due in self._passage.settled(self._clock.now_ns()):
                    self._let_through(due)
            if len(rows) < PAGE:
                # Rows of a damaged journal may be missing.
                self._passage.read = max(self._passage.read, committed)
            if self._passage.read >= self._journal.committed_outputs:
                all_read.set()
                await self._journal.grown(self._passage.read)

    @property
    def behind(self) -> bool:
        """The next row, or the next clock, should have been let through some time ago."""
        late_ns = self._clock.now_ns() - LATE_NS
        firsts = (self._passage.waiting.first(), self._clocks.first())
        return self._passage.read < self._journal.committed_outputs or any(
            first is not None and first.due_ns < late_ns for first in firsts
        )

    @property
    def progress(self) -> object:
        """Changes with whatever is read or let through."""
        return self.passed, self._passage.read, self._clocks.passed

    def _let_through(self, due: Due[OutputRow]) -> None:
        row, table = due.item, self._tables[due.table]
        before, told = table.game, False
        for event in self._passage.events(due):
            self._released.put(row.table, event)
            told = True
            if row.topic == topics.RESULT:
                self._retained[event.topic] = event.payload
                self._shown = None
        # A game may begin with a half-move that waits for its press: its players sit there now.
        if told or table.game != before:
            self._put_state(row.table, row.input, row.at_ns)
            self._pulse.beat()

    def _put_state(self, name: str, number: int, at_ns: int) -> None:
        self._told_to[name] = number, at_ns
        now_ns = self._clock.now_ns()
        until_ns = self._delays.until_ns(name, now_ns)
        match = self._rosters[name].of_game(number, until_ns)
        if match is not None:
            delay_ns = self._delays.of(name).in_force_ns(now_ns)
            state = self._tables[name].state(match, rfc3339(at_ns), delay_ns)
            self._retained[topics.public(name, topics.STATE)] = state
            self._shown = None

    # What the public's outlets ask.

    async def settled(self) -> None:
        """Waits until all that was public at the start is let through again."""
        await self._settled.wait()

    def retained(self) -> Mapping[str, bytes]:
        """The newest payload of each retained topic; the same mapping until one changes.

        Nothing until this run is up to date: on the way there it is of rounds that are long over.
        """
        if self._shown is None and self._settled.is_set():
            self._shown = dict(self._retained)
        return self._shown or NOTHING

    @property
    def last(self) -> int:
        """The number of the newest event, 0 before the first."""
        return self._released.last

    async def after(self, number: int, limit: int) -> Sequence[NumberedEvent]:
        """Events after `number`, in order, `limit` at most."""
        if number >= self._released.forgotten:
            return self._released.after(number, limit)
        past = self._pasts.pop(number, None) or Past(
            self._journal.read, tuple(self._tables), self._clock, self._delays
        )
        found = await past.after(number, limit, self.last)
        if found:
            self._pasts[found[-1].number] = past
            while len(self._pasts) > PASTS_MAX:
                del self._pasts[next(iter(self._pasts))]
        return found

    def kept(self, number: int | None) -> Sequence[tuple[str, NumberedEvent]]:
        """Events after `number` with their tables, in order; None: all that is in memory."""
        return self._released.kept(number)

    async def timeline(self, table: str, after_seq: int, limit: int) -> Sequence[NumberedEvent]:
        """Events of a table's present game whose `seq` is greater, in order, `limit` at most."""
        return self._released.timeline(table, after_seq, limit)

    def numbered(self, number: int) -> int:
        """Where a reader goes on that had event `number` before this run of the service.

        Some may come twice: where delays differ, the order of the last moments may have been
        another. From the beginning, where no event can have that number.
        """
        if number > self._clock.now_ns() // 1000:
            return 0
        return number if number >= self._begun or self._delays.alike else max(0, number - AGAIN_US)

    @property
    def mark(self) -> int:
        """Changes with every event and every retained message."""
        return self._pulse.mark

    async def changed(self, mark: int) -> None:
        """Returns as soon as `mark` is another one."""
        await self._pulse.changed(mark)
