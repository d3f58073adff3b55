"""One table at run time: its inputs into the journal, what they lead to behind them.

The fold is done at once, in memory; nothing of it leaves before `journal.write` is done.
"""

from __future__ import annotations

from dataclasses import dataclass

from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Checkpoint, InputRow, Item, OutputRow, Unread
from arbiterd.messages.step import Output, Step
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from eboards.codec import DeviceCommand

CHECKPOINT_INPUTS = 64
"""A start never has more than so many inputs of a table to fold again: a dozen half-moves."""

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
    commands: tuple[DeviceCommand, ...]


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
        self.written_down = input_number
        """The last row that its newest checkpoint holds."""
        self.folded = 0
        """Its own rows since then; rows of other tables cost it nothing."""
        self.recorded = 0
        """The last row that was only recorded, as the table stood still."""
        self._recorded_ns = 0
        self._shown: tuple[Table, int] | None = None
        """What of it was news last."""

    @property
    def at_ns(self) -> int:
        """Nothing may be stamped before this."""
        return max(self.table.at_ns, self._recorded_ns)

    @property
    def due_at_ns(self) -> int | None:
        return None if self.failing else self.table.due_at_ns

    @property
    def hears_a_board(self) -> bool:
        """By what it was told last."""
        return not self.failing and self.table.view.board.state in ("ok", "degraded")

    def shows_news(self) -> bool:
        """Something of what it shows is new since the last call, and not only ticking times."""
        shown, self._shown = self._shown, (self.table, self.table.news)
        return bool(self.failing) or shown != self._shown

    def fold(self, journal: Journal, row: InputRow) -> Folded:
        """An input that is on its way into the journal. Raises StumbledError."""
        self.input = row.number
        return self._folded(journal, self.stepped(row), row.at_ns)

    def record(self, row: InputRow) -> None:
        """An input that is not folded now, as the table stands still."""
        self.recorded, self._recorded_ns = row.number, max(self._recorded_ns, row.at_ns)

    def fold_due(self, journal: Journal) -> Folded:
        """What is due first, at exactly its own time."""
        due_ns = self.due_at_ns
        assert due_ns is not None, "called when something is due"
        step = self.table.due(due_ns)
        assert step.due_at_ns is None or step.due_at_ns > due_ns, "what was due is done"
        return self._folded(journal, step, due_ns)

    def stepped(self, row: InputRow) -> Step:
        """What a row leads to. Raises StumbledError."""
        self.folded += 1
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
        return not self.failing and self.folded >= CHECKPOINT_INPUTS

    def checkpoint(self) -> Checkpoint:
        """The table as it stands now."""
        self.written_down, self.folded = self.input, 0
        return Checkpoint(self.name, self.input, self.place, self.table.checkpoint())

    def take_over(self, again: Seat) -> None:
        """Goes on as the table that was folded again from the journal."""
        self.table, self.passed_over, self.late = again.table, again.passed_over, again.late
        self.place, self.input, self.written_down = again.place, again.input, again.written_down
        self.folded, self.failing = again.folded, None

    def late_outputs(self, journal: Journal) -> tuple[OutputRow, ...]:
        """What inputs led to that were recorded while the table stood still."""
        rows: list[OutputRow] = []
        last = self.input
        for row, step in self.late:
            self.input = row.number
            rows += self._folded(journal, step, row.at_ns).outputs
        self.late, self.input = [], last
        return tuple(rows)
