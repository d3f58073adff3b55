"""A table taken up from the journal: all at once at a start, or a few rows at a time.

    newest checkpoint, or first row ─▶ fold ─▶ fold ─▶ … ─▶ done: the table as it stood

An input and what it led to are committed together, so all that comes out of folding again is in
the journal already, and leaves no second time. What comes out of rows behind the last output that
left was recorded while the table stood still: it is `late`, and leaves now.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

import msgspec

from arbiterd.hall.tables.seat import Seat
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.rows import InputRow, Unread
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table

log = logging.getLogger(__name__)

SLICE_ROWS = 16
"""So many rows are folded before others have their turn: about 10 ms of a noisy board."""
NO_ROWS: Mapping[int, str] = {}
FOR_EVER = 1 << 63


class TakingUp:
    """One table on its way back, from its newest checkpoint or its first row."""

    def __init__(
        self,
        read: JournalReader,
        name: str,
        aside: Mapping[int, str] = NO_ROWS,
        until_ns: int = FOR_EVER,
        otherwise: TableSetup | None = None,
    ) -> None:
        """Rows in `aside`, and those that cannot be read, are passed over.

        `until_ns`: no time beyond it is believed. `otherwise`: the set-up it is begun with where
        the one in the journal is not as it was written.
        """
        self._read, self._aside, self._until_ns = read, aside, until_ns
        found = _from_checkpoint(read, name) or _from_first(read, name, aside, otherwise)
        self.new = found is None
        """The journal knows nothing of it."""
        self.seat = found or Seat(name, Table(otherwise or TableSetup(table=name)), 0, 0)
        self._known = read.missed(name, self.seat.input)
        self._last = read.last_output(name)
        self._told = 0 if self._last is None else self._last.input

    def left(self, at_most: int) -> int:
        """How many rows are still to be folded, counted no further than `at_most`."""
        return self._read.count(self.seat.name, self.seat.input, at_most)

    def fold(self, rows: int) -> int:
        """Folds the next rows, as many at most; how many there were. Raises StumbledError."""
        # All at once: a query that is left open would hold back what this reader sees.
        found = list(self._read.inputs(self.seat.name, self.seat.input, rows))
        for row in found:
            self._fold(row)
        return len(found)

    def _fold(self, row: InputRow) -> None:
        seat = self.seat
        seat.input = row.number
        why = row.item.why if isinstance(row.item, Unread) else self._aside.get(row.number)
        if row.number in self._known:
            return
        if why is not None:
            seat.passed_over[row.number] = why
            return
        if row.number > self._told:
            self._due_and_told(row.at_ns)
        step = seat.stepped(row)
        if row.number > self._told and step.outputs:
            seat.late.append((row, step))

    def _due_and_told(self, before_ns: int) -> None:
        """What was due after the last input that led to something, and has left, is done."""
        if self._last is not None and not self.seat.late:
            self.seat.table.due(min(self._last.at_ns, self._until_ns, before_ns))

    @property
    def may_be_put_down(self) -> bool:
        """A checkpoint of it as it stands now would leave nothing untold."""
        return self.seat.wants_checkpoint and not (self.seat.passed_over or self.seat.late)

    def done(self) -> Seat:
        """The table as it stood after the last row."""
        if self._last is not None:
            self._due_and_told(FOR_EVER)
            self.seat.place = self._last.place
        return self.seat


def restored(read: JournalReader, name: str) -> Seat | None:
    """A table as it was when the service stopped or was killed, at once; None: it is new.

    Raises StumbledError at a row that cannot be folded.
    """
    taking = TakingUp(read, name)
    if taking.new:
        return None
    while taking.fold(SLICE_ROWS):
        pass
    return taking.done()


def _from_checkpoint(read: JournalReader, name: str) -> Seat | None:
    kept = read.checkpoint(name)
    if kept is None:
        return None
    try:
        table = Table.restored(kept.body)
    except (msgspec.DecodeError, ValueError, TypeError, AssertionError, LookupError) as error:
        log.warning("table %s: an older checkpoint (%s); folding from the start", name, error)
        return None
    return Seat(name, table, kept.place, kept.input)


def _from_first(
    read: JournalReader, name: str, aside: Mapping[int, str], otherwise: TableSetup | None
) -> Seat | None:
    for row in read.inputs(name, limit=1):
        if isinstance(row.item, TableSetup) and row.number not in aside:
            return Seat(name, Table(row.item), 0, row.number)
        if otherwise is not None:
            seat = Seat(name, Table(otherwise), 0, row.number - 1)
            if not isinstance(row.item, TableSetup | Unread):
                seat.passed_over[seat.input] = "what was before is not there any more"
            return seat
    return None
