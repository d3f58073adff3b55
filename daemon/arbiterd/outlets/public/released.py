"""What the gate has let through: the newest in memory, the rest made again from the journal.

every event   ─▶ the newest EVENTS_KEPT     for whoever listens, or was away for a while
              ─▶ each table's present game  for whoever comes to look
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence

import msgspec

from arbiterd.edges import Clock
from arbiterd.journal.live import Event
from arbiterd.journal.reader import Reader
from arbiterd.journal.rows import OutputRow
from arbiterd.messages import topics
from arbiterd.messages.payloads import Move, Result
from arbiterd.outlets.public.game import PublicTable, Told

EVENTS_KEPT = 5000
"""About 4 MB; a hall of 64 boards tells so many in an hour and a half."""
GAME_KEPT = 2000
"""Of one game; none has so many half-moves, corrections and results."""
PAGE = 500
STEP = 1000
"""An event's number is its row's, times this: the same after every start."""


def events_of(row: OutputRow, table: PublicTable) -> Iterator[Event]:
    """What the public is told for a row, numbered; nothing for one that cannot be read."""
    try:
        told = list(_told(row, table))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return
    assert len(told) < STEP, "a row lets a few events through"
    for place, message in enumerate(told):
        topic = topics.public(row.table, message.leaf)
        yield Event(row.number * STEP + place, topic, message.payload)


def _told(row: OutputRow, table: PublicTable) -> Iterator[Told]:
    if row.topic == topics.MOVES:
        return table.move(msgspec.json.decode(row.payload, type=Move))
    if row.topic == topics.RESULT:
        return table.ended(msgspec.json.decode(row.payload, type=Result))
    return iter(())


class Released:
    """Bounded, however long the journal is."""

    def __init__(self) -> None:
        self._newest: deque[Event] = deque(maxlen=EVENTS_KEPT)
        self._games: dict[str, deque[Event]] = {}
        self._before: dict[str, int] = {}
        """How many events of a table came before those of its present game."""
        self.forgotten = 0
        """The newest event that is not kept any more."""

    def put(self, table: str, event: Event, game: bool) -> None:
        """`game`: it is the first of a new one."""
        if len(self._newest) == EVENTS_KEPT:
            self.forgotten = self._newest[0].number
        self._newest.append(event)
        kept = self._games.setdefault(table, deque(maxlen=GAME_KEPT))
        if game or len(kept) == GAME_KEPT:
            gone = len(kept) if game else 1
            self._before[table] = self._before.get(table, 0) + gone
        if game:
            kept.clear()
        kept.append(event)

    @property
    def last(self) -> int:
        """The number of the newest event, 0 before the first."""
        return self._newest[-1].number if self._newest else 0

    def after(self, number: int, limit: int) -> Sequence[Event]:
        """Events after `number`, which is not before what is forgotten."""
        kept = list(self._newest)
        begin = bisect_right(kept, number, key=lambda event: event.number)
        return kept[begin : begin + limit]

    def timeline(self, table: str, after_seq: int, limit: int) -> Sequence[Event]:
        """Events of the table's present game whose `seq` is greater."""
        begin = max(0, after_seq - self._before.get(table, 0))
        return list(self._games.get(table, ()))[begin : begin + limit]


class Past:
    """Events from the beginning of the journal on, made once more for one reader."""

    def __init__(self, read: Reader, tables: Sequence[str], clock: Clock) -> None:
        self._read, self._clock = read, clock
        self._tables = {name: PublicTable() for name in tables}
        self._row = 0
        self._made: deque[Event] = deque()

    async def after(self, number: int, limit: int, up_to: int) -> Sequence[Event]:
        """Events after `number`, of rows up to `up_to`; may be asked again for what follows."""
        while len(self._made) < limit and self._row < up_to:
            await self._clock.rest(0)  # There may be a whole week to go through.
            rows = list(self._read.outputs(after=self._row, limit=PAGE))
            for row in rows:
                if row.number <= up_to and row.table in self._tables:
                    made = events_of(row, self._tables[row.table])
                    self._made.extend(event for event in made if event.number > number)
            self._row = min(rows[-1].number, up_to) if len(rows) == PAGE else up_to
        return [self._made.popleft() for _ in range(min(limit, len(self._made)))]
