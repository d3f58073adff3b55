"""A table folded again from its rows, beside what its outputs were."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arbiterd.journal.reader import JournalReader
from arbiterd.journal.rows import InputRow, Unread
from arbiterd.messages.step import Output, Step
from arbiterd.messages.topics import DEVICE
from arbiterd.table.inputs import Input
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table


class Again:
    """One table folded again, beside what its outputs were."""

    def __init__(self, reader: JournalReader, name: str) -> None:
        self._table: Table | None = None
        self._recorded = (
            (row.topic, row.payload) for row in reader.outputs(name) if row.topic != DEVICE
        )
        self.differences: list[tuple[Output | None, bytes | None]] = []

    @property
    def table(self) -> Table | None:
        return self._table

    @property
    def hall(self) -> str:
        return "" if self._table is None else self._table.setup.hall

    def take(self, number: int, item: Input | TableSetup) -> Step:
        if isinstance(item, TableSetup):
            self._table = Table(item) if self._table is None else self._table.reseated(item)
            return Step()
        assert self._table is not None, "a set-up comes first"
        return self._checked(self._table.take(number, item))

    def until(self, at_ns: int) -> Step:
        """What was due by the time of the last output the journal has."""
        return Step() if self._table is None else self._checked(self._table.due(at_ns))

    def end(self) -> None:
        """All is folded: what the record has beyond it, nothing here led to."""
        self.differences += [(None, payload) for _, payload in self._recorded]

    def _checked(self, step: Step) -> Step:
        for output in step.outputs:
            if output.topic == DEVICE:
                continue
            before = next(self._recorded, None)
            if before != (output.topic, output.payload):
                self.differences.append((output, before[1] if before else None))
        return step


def folded(reader: JournalReader, name: str) -> Iterator[InputRow]:
    """The rows that the table took in: what it was told to go on without is left out."""
    missed = reader.missed(name, 0)
    for row in reader.inputs(name):
        if row.number not in missed:
            yield row


def stored(rows: Iterable[InputRow]) -> Iterator[tuple[int, Input | TableSetup]]:
    """What they say, as it was understood then."""
    for row in rows:
        if not isinstance(row.item, Unread | None):
            yield row.number, row.item
