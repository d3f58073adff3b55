"""What the gate has let through: the newest in memory, the rest made again from the journal.

every event   ─▶ the newest EVENTS_KEPT     for whoever listens, or was away for a while
              ─▶ each table's present game  for whoever comes to look, and the one before it,
                                            which comes back where the act that ended it is undone
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from arbiterd.edges import ServiceClock
from arbiterd.journal.delays import Delays
from arbiterd.journal.live import NumberedEvent
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.rows import OutputRow
from arbiterd.messages import topics
from arbiterd.messages.payloads import Move, Result
from arbiterd.outlets.public.game import PublicMessage, PublicTable
from arbiterd.outlets.public.waiting import DelayQueue, Due

EVENTS_KEPT = 5000
"""About 4 MB; a hall of 64 boards tells so many in an hour and a half."""
GAMES_KEPT = 2
GAME_KEPT = 2000
"""Of one game; none has so many half-moves, corrections and results."""
PAGE = 500


class Passage:
    """Rows in the order in which they become public, and the events that the public is told.

    An event's number is when it became public, in microseconds, or one more than the event before:
    the same after every start, however the delays have been changed. A row counts as told no
    earlier than any before it in the journal.
    """

    def __init__(self, delays: Delays, tables: Mapping[str, PublicTable]) -> None:
        self._tables = tables
        self.waiting: DelayQueue[OutputRow] = DelayQueue(delays)
        self.read = 0
        """The last row that was read."""
        self._told_ns = 0
        self._number = 0

    def put(self, row: OutputRow) -> None:
        """The next row of the journal."""
        self.read, self._told_ns = row.number, max(self._told_ns, row.at_ns)
        if row.table in self._tables and row.topic in (topics.MOVES, topics.RESULT):
            self.waiting.put(row.table, self._told_ns, row)

    @property
    def last(self) -> int:
        """The number of the newest event."""
        return self._number

    def settled(self, now_ns: int) -> Iterator[Due[OutputRow]]:
        """What is public by now and comes before whatever will be read."""
        return self.public(min(now_ns, self._told_ns - 1))

    def public(self, now_ns: int) -> Iterator[Due[OutputRow]]:
        """What is public by now; it waits no more."""
        while (first := self.waiting.first()) is not None and first.due_ns <= now_ns:
            yield self.waiting.take()

    def events(self, due: Due[OutputRow]) -> Iterator[NumberedEvent]:
        """What the public is told for a row; nothing for one that cannot be read."""
        row = due.item
        try:
            told = list(_told(row, self._tables[row.table]))
        except (msgspec.DecodeError, UnicodeDecodeError):
            return
        for message in told:
            self._number = max(self._number + 1, due.due_ns // 1000)
            yield NumberedEvent(
                self._number, topics.public(row.table, message.leaf), message.payload
            )


def _told(row: OutputRow, table: PublicTable) -> Iterator[PublicMessage]:
    if row.topic == topics.MOVES:
        return table.move(msgspec.json.decode(row.payload, type=Move))
    if row.topic == topics.RESULT:
        return table.ended(msgspec.json.decode(row.payload, type=Result))
    return iter(())


def table_of(event: NumberedEvent) -> str:
    """Of `public/tables/<t>/moves` and its like."""
    return event.topic.split("/")[2]


class _Numbered(msgspec.Struct):
    """The little of a payload that is looked at here."""

    seq: int
    game: str


class GamesOfTable:
    """The events of a table's newest games, each by its `seq`; the last one is the present game."""

    def __init__(self) -> None:
        self._games: dict[str, deque[tuple[int, NumberedEvent]]] = {}

    def put(self, event: NumberedEvent) -> None:
        said = msgspec.json.decode(event.payload, type=_Numbered)
        kept = self._games.pop(said.game, None) or deque(maxlen=GAME_KEPT)
        kept.append((said.seq, event))
        self._games[said.game] = kept
        while len(self._games) > GAMES_KEPT:
            del self._games[next(iter(self._games))]

    def every(self) -> Iterator[NumberedEvent]:
        return (event for kept in self._games.values() for _, event in kept)

    def present(self, after_seq: int, limit: int) -> Sequence[NumberedEvent]:
        """Events of the present game whose `seq` is greater, in order, `limit` at most."""
        numbered = list(next(reversed(self._games.values()), ()))
        begin = bisect_right(numbered, after_seq, key=lambda each: each[0])
        return [event for _, event in numbered[begin : begin + limit]]


class Released:
    """Bounded, however long the journal is."""

    def __init__(self) -> None:
        self._newest: deque[NumberedEvent] = deque(maxlen=EVENTS_KEPT)
        self._games: defaultdict[str, GamesOfTable] = defaultdict(GamesOfTable)
        self.forgotten = 0
        """The newest event that is not kept any more."""

    def put(self, table: str, event: NumberedEvent) -> None:
        if len(self._newest) == EVENTS_KEPT:
            self.forgotten = self._newest[0].number
        self._newest.append(event)
        self._games[table].put(event)

    @property
    def last(self) -> int:
        """The number of the newest event, 0 before the first."""
        return self._newest[-1].number if self._newest else 0

    def after(self, number: int, limit: int) -> Sequence[NumberedEvent]:
        """Events after `number`; from the oldest that is kept where that is forgotten."""
        kept = list(self._newest)
        begin = bisect_right(kept, number, key=lambda event: event.number)
        return kept[begin : begin + limit]

    def kept(self, number: int | None) -> Sequence[tuple[str, NumberedEvent]]:
        """Events after `number` with their tables; None: all that is here."""
        if number is not None:
            return [(table_of(event), event) for event in self.after(number, EVENTS_KEPT)]
        games = (event for games in self._games.values() for event in games.every())
        every = {event.number: event for event in (*self._newest, *games)}
        return [(table_of(every[each]), every[each]) for each in sorted(every)]

    def timeline(self, table: str, after_seq: int, limit: int) -> Sequence[NumberedEvent]:
        """Events of the table's present game whose `seq` is greater."""
        return self._games[table].present(after_seq, limit)


class Past:
    """Events from the beginning of the journal on, made once more for one reader."""

    def __init__(
        self, read: JournalReader, tables: Sequence[str], clock: ServiceClock, delays: Delays
    ) -> None:
        self._read, self._clock = read, clock
        self._passage = Passage(delays, {name: PublicTable() for name in tables})
        self._made: deque[NumberedEvent] = deque()

    async def after(self, number: int, limit: int, up_to: int) -> Sequence[NumberedEvent]:
        """Events after `number`, up to event `up_to`; may be asked again for what follows."""
        while len(self._made) < limit and self._passage.last < up_to:
            await self._clock.rest(0)  # There may be a whole week to go through.
            rows = list(self._read.outputs(after=self._passage.read, limit=PAGE))
            for row in rows:
                self._passage.put(row)
            now_ns = self._clock.now_ns()
            public = self._passage.settled(now_ns) if rows else self._passage.public(now_ns)
            made = [event for due in public for event in self._passage.events(due)]
            self._made.extend(event for event in made if event.number > number)
            if not rows and not made:
                break
        found: list[NumberedEvent] = []
        while self._made and len(found) < limit and self._made[0].number <= up_to:
            found.append(self._made.popleft())
        return found
