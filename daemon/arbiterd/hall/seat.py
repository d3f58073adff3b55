"""One table at run time: its inputs into the journal, what they lead to behind them.

The fold is done at once, in memory; nothing of it leaves before `journal.write` is done.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from arbiterd.journal.journal import Journal
from arbiterd.journal.reader import Reader
from arbiterd.journal.rows import Checkpoint, InputRow, Item, OutputRow, Unread
from arbiterd.messages.step import Output, Step
from arbiterd.table import Table, TableSetup
from eboards.codec import Command

log = logging.getLogger(__name__)

CHECKPOINT_INPUTS = 1000
"""A start never has more than so many inputs to fold again."""


NO_ROWS: Mapping[int, str] = {}
FOR_EVER = 1 << 63
SAID_MAX = 160


class StumbledError(Exception):
    """An input of the journal cannot be folded into its table; `number` is its row."""

    def __init__(self, number: int, error: Exception) -> None:
        said = str(error).partition("\n")[0][:SAID_MAX]
        super().__init__(f"{type(error).__name__}: {said}")
        self.number = number


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
        self.passed_over: dict[int, str] = {}
        """Rows of the journal that were not folded again, and why: the table is to be told."""
        self.late: list[tuple[InputRow, Step]] = []
        """Inputs that were recorded while the table stood still, with what they lead to."""
        self.place = place
        """Outputs made so far."""
        self.input = input_number
        """The last row folded."""
        self._checkpoint_input = input_number

    @property
    def at_ns(self) -> int:
        """Nothing may be stamped before this."""
        return self.table.at_ns

    @property
    def due_at_ns(self) -> int | None:
        return None if self.failing else self.table.due_at_ns

    def fold(self, journal: Journal, row: InputRow) -> Folded:
        """An input that is on its way into the journal. Raises StumbledError."""
        self.input = row.number
        return self._folded(journal, self._stepped(row), row.at_ns)

    def fold_due(self, journal: Journal) -> Folded:
        """What is due first, at exactly its own time."""
        due_ns = self.due_at_ns
        assert due_ns is not None, "called when something is due"
        step = self.table.due(due_ns)
        assert step.due_at_ns is None or step.due_at_ns > due_ns, "what was due is done"
        return self._folded(journal, step, due_ns)

    def _stepped(self, row: InputRow) -> Step:
        try:
            return self._take(row.number, row.item)
        except Exception as error:
            raise StumbledError(row.number, error) from error

    def _take(self, number: int, item: Item | Unread | None) -> Step:
        if item is None or isinstance(item, Unread):
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
        self.place += 1
        return OutputRow(
            number=journal.next_output(),
            at_ns=at_ns,
            table=self.name,
            place=self.place,
            topic=output.topic,
            seq=output.seq,
            retained=output.retained,
            input=self.input,
            payload=output.payload,
        )

    # Checkpoints and recovery.

    @property
    def wants_checkpoint(self) -> bool:
        return not self.failing and self.input - self._checkpoint_input >= CHECKPOINT_INPUTS

    def checkpoint(self) -> Checkpoint:
        """The table as it stands now."""
        self._checkpoint_input = self.input
        return Checkpoint(self.name, self.input, self.place, self.table.checkpoint())

    @classmethod
    def restored(
        cls, read: Reader, name: str, aside: Mapping[int, str] = NO_ROWS, until_ns: int = FOR_EVER
    ) -> Seat | None:
        """The table as it was when the service stopped or was killed; None: it is new.

        An input and what it led to are committed together, so all that comes out of folding again
        is in the journal already, and leaves no second time. Rows that stand in `aside`, and those
        that cannot be read, are passed over; what came after them and was recorded only is `late`.
        `until_ns`: no time beyond it is believed. Raises StumbledError at a row that cannot be
        folded.
        """
        seat = cls._from_checkpoint(read, name) or cls._from_first(read, name)
        if seat is not None:
            seat.fold_again(read, aside, until_ns)
        return seat

    def take_up_again(self, read: Reader, aside: Mapping[int, str]) -> None:
        """The table anew from the journal, without the rows in `aside`. Raises StumbledError."""
        again = Seat.restored(read, self.name, aside)
        assert again is not None, "a table that was at work is in the journal"
        self.table, self.passed_over, self.late = again.table, again.passed_over, again.late
        self.place, self.input, self.failing = again.place, again.input, None

    def fold_again(self, read: Reader, aside: Mapping[int, str], until_ns: int) -> None:
        """All that the journal has beyond where this seat stands."""
        known = read.missed(self.name, self.input)
        last = read.last_output(self.name)
        told = 0 if last is None else last.input
        for row in read.inputs(self.name, after=self.input):
            self.input = row.number
            why = row.item.why if isinstance(row.item, Unread) else aside.get(row.number)
            if row.number in known:
                continue
            if why is not None:
                self.passed_over[row.number] = why
                continue
            step = self._stepped(row)
            if told < min(self.passed_over, default=row.number) < row.number:
                self.late.append((row, step))
        # What was due after the last input, and has left, is done as well.
        if last is not None:
            self.place = last.place
            if not self.late:
                self.table.due(min(last.at_ns, until_ns))

    def late_outputs(self, journal: Journal) -> tuple[OutputRow, ...]:
        """What inputs led to that were recorded while the table stood still."""
        rows: list[OutputRow] = []
        for row, step in self.late:
            self.input = row.number
            rows += self._folded(journal, step, row.at_ns).outputs
        self.late = []
        return tuple(rows)

    @classmethod
    def _from_checkpoint(cls, read: Reader, name: str) -> Seat | None:
        kept = read.checkpoint(name)
        if kept is None:
            return None
        try:
            table = Table.restored(kept.body)
        except (msgspec.DecodeError, ValueError, TypeError, AssertionError, LookupError) as error:
            log.warning("table %s: an older checkpoint (%s); folding from the start", name, error)
            return None
        return cls(name, table, kept.place, kept.input)

    @classmethod
    def _from_first(cls, read: Reader, name: str) -> Seat | None:
        for row in read.inputs(name):
            if isinstance(row.item, TableSetup):
                return cls(name, Table(row.item), 0, row.number)
        return None
