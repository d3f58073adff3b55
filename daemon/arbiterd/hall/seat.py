"""One table at run time: its inputs into the journal, what they lead to behind them.

The fold is done at once, in memory; nothing of it leaves before `journal.write` is done.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

import msgspec

from arbiterd.journal.journal import Journal
from arbiterd.journal.reader import Reader
from arbiterd.journal.rows import Checkpoint, InputRow, Item, OutputRow
from arbiterd.messages.step import Output, Step
from arbiterd.table import Table, TableSetup
from eboards.codec import Command

log = logging.getLogger(__name__)

CHECKPOINT_INPUTS = 1000
"""A start never has more than so many inputs to fold again."""


@dataclass(frozen=True, slots=True)
class Folded:
    """What a fold led to, in the order in which it may leave."""

    outputs: tuple[OutputRow, ...]
    commands: tuple[Command, ...]


class Seat:
    """A table, its place in the journal, and whether it still does its work."""

    def __init__(self, name: str, table: Table, place: int, input_number: int) -> None:
        self.name = name
        self.table = table
        self.failing: str | None = None
        """Why it does nothing any more, in a sentence."""
        self._place = place
        self._input = input_number
        self._checkpoint_input = input_number

    @property
    def at_ns(self) -> int:
        """Nothing may be stamped before this."""
        return self.table.at_ns

    @property
    def due_at_ns(self) -> int | None:
        return None if self.failing else self.table.due_at_ns

    def fold(self, journal: Journal, row: InputRow) -> Folded:
        """An input that is on its way into the journal."""
        self._input = row.number
        return self._folded(journal, self._take(row.number, row.item), row.at_ns)

    def fold_due(self, journal: Journal) -> Folded:
        """What is due first, at exactly its own time."""
        due_ns = self.due_at_ns
        assert due_ns is not None, "called when something is due"
        step = self.table.due(due_ns)
        assert step.due_at_ns is None or step.due_at_ns > due_ns, "what was due is done"
        return self._folded(journal, step, due_ns)

    def _take(self, number: int, item: Item | None) -> Step:
        if item is None:
            return Step()
        if isinstance(item, TableSetup):
            self.table = self.table.reseated(item)
            return Step()
        return self.table.take(number, item)

    def _folded(self, journal: Journal, step: Step, at_ns: int) -> Folded:
        return Folded(
            tuple(self._row(journal, output, at_ns) for output in step.outputs), step.commands
        )

    def _row(self, journal: Journal, output: Output, at_ns: int) -> OutputRow:
        self._place += 1
        return OutputRow(
            number=journal.next_output(),
            at_ns=at_ns,
            table=self.name,
            place=self._place,
            topic=output.topic,
            seq=output.seq,
            retained=output.retained,
            input=self._input,
            payload=output.payload,
        )

    # Checkpoints and recovery.

    @property
    def wants_checkpoint(self) -> bool:
        return not self.failing and self._input - self._checkpoint_input >= CHECKPOINT_INPUTS

    def checkpoint(self) -> Checkpoint:
        """The table as it stands now."""
        self._checkpoint_input = self._input
        return Checkpoint(self.name, self._input, self._place, self.table.checkpoint())

    @classmethod
    def restored(cls, read: Reader, name: str) -> Seat | None:
        """The table as it was when the service stopped or was killed; None: it is new.

        An input and what it led to are committed together, so all that comes out of folding again
        is in the journal already, and leaves no second time.
        """
        seat = cls._from_checkpoint(read, name) or cls._from_first(read, name)
        if seat is not None:
            seat.fold_again(read)
        return seat

    def fold_again(self, read: Reader) -> None:
        """All that the journal has beyond where this seat stands."""
        for row in read.inputs(self.name, after=self._input):
            self._input = row.number
            self._take(row.number, row.item)
        # What was due after the last input, and has left, is done as well.
        last = read.last_output(self.name)
        if last is not None:
            self._place = last.place
            self.table.due(last.at_ns)

    @classmethod
    def _from_checkpoint(cls, read: Reader, name: str) -> Seat | None:
        kept = read.checkpoint(name)
        if kept is None:
            return None
        try:
            table = Table.restored(kept.body)
        except msgspec.DecodeError as error:
            log.warning("table %s: an older checkpoint (%s); folding from the start", name, error)
            return None
        return cls(name, table, kept.place, kept.input)

    @classmethod
    def _from_first(cls, read: Reader, name: str) -> Seat | None:
        for row in read.inputs(name):
            if isinstance(row.item, TableSetup):
                return cls(name, Table(row.item), 0, row.number)
        return None
