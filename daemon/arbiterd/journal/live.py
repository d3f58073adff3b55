"""The live messages of the hall, for an outlet that asks: what is retained, and events by number.

Topics are relative to `arbiterd/<hall>/`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import OutputRow
from arbiterd.messages import topics

PAGE = 500


@dataclass(frozen=True, slots=True)
class NumberedEvent:
    """A message that is not retained: `moves`, `rulings`, `result`."""

    number: int
    """Its row in the journal."""
    topic: str
    payload: bytes


class LiveMessages:
    """What has been committed, as it stands now.

    Of a table that is not among `tables` nothing stands: nobody could decide its open rulings.
    """

    def __init__(self, journal: Journal, tables: Collection[str]) -> None:
        self._journal, self._tables = journal, tables
        self._number = journal.committed_outputs
        self._retained: dict[str, bytes] = {}
        self._shown: Mapping[str, bytes] | None = None
        self._count = 0
        for row in journal.read.retained(self._number):
            self._retain(row)

    def retained(self) -> Mapping[str, bytes]:
        """The newest payload of each retained topic; cleared topics are not in it.

        The same mapping as long as nothing has changed.
        """
        seen = self._number
        while self._number < self._journal.committed_outputs:
            committed = self._journal.committed_outputs
            rows = self._journal.outputs(self._number, PAGE)
            if len(rows) < PAGE:
                self._number = committed  # Rows may be missing from a damaged journal.
            for row in rows:
                self._number = max(self._number, row.number)
                if row.retained:
                    self._retain(row)
        count, snapshots = self._journal.snapshots.after(0)
        if count != self._count or seen != self._number or self._shown is None:
            self._count, self._shown = count, {**self._retained, **snapshots}
        return self._shown

    def _retain(self, row: OutputRow) -> None:
        if row.table not in self._tables:
            return
        topic = topics.table(row.table, row.topic)
        if row.payload:
            self._retained[topic] = row.payload
        else:
            self._retained.pop(topic, None)

    @property
    def last(self) -> int:
        """The number of the newest output, 0 before the first."""
        return self._journal.committed_outputs

    async def after(self, number: int, limit: int) -> list[NumberedEvent]:
        """Events after `number`, in order, `limit` at most."""
        return self._events(self._journal.read.events(topics.EVENTS, number, limit))

    async def timeline(self, table: str, after_seq: int, limit: int) -> list[NumberedEvent]:
        """Events of one table whose `seq` is greater, in order, `limit` at most."""
        return self._events(self._journal.read.timeline(table, after_seq, limit))

    def _events(self, rows: Sequence[OutputRow]) -> list[NumberedEvent]:
        return [
            NumberedEvent(row.number, topics.table(row.table, row.topic), row.payload)
            for row in rows
            if row.number <= self._journal.committed_outputs
        ]

    @property
    def mark(self) -> int:
        """Changes with every event and every retained message."""
        return self._journal.pulse.mark

    async def changed(self, mark: int) -> None:
        """Returns as soon as `mark` is another one."""
        await self._journal.pulse.changed(mark)
