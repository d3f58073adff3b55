"""The rows of the journal, as values."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from arbiterd.messages.topics import LOG
from arbiterd.table.inputs import DelaySaid, Input
from arbiterd.table.setup import TableSetup

ROW_BYTES = 500
"""A row as Python holds it, without its text: measured, rounded up."""


@dataclass(frozen=True, slots=True)
class Unread:
    """What stands in a row that cannot be read; it is told in its place and folded nowhere."""

    at_ns: int
    kind: str
    why: str


Item: TypeAlias = Input | TableSetup
"""What an input row says. A set-up is one: what a table was told before anything happened."""


@dataclass(frozen=True, slots=True)
class InputRow:
    """Something came in."""

    number: int
    at_ns: int
    table: str
    item: Item | Unread | None
    """None: bytes that completed no event yet, or were written to the device."""
    raw: bytes = b""
    """The bytes of the read this came from, on the first row of the read only."""
    kept: tuple[str, bytes] | None = field(default=None, compare=False, repr=False)
    """Kind and body as they go into the row, where they are made already."""

    @property
    def bytes(self) -> int:
        """About what it takes in memory until it is on the disk."""
        return ROW_BYTES + len(self.raw) + (len(self.kept[1]) if self.kept else 0)


@dataclass(frozen=True, slots=True)
class DelayRow:
    """A row that says how long a table's messages wait before they are public."""

    at_ns: int
    table: str
    item: TableSetup | DelaySaid


@dataclass(frozen=True, slots=True)
class OutputRow:
    """Something was made of it."""

    number: int
    at_ns: int
    table: str
    place: int
    """Counts the outputs of one table from 1; a fold that is done again counts the same."""
    topic: str
    """Relative to the table."""
    seq: int | None
    retained: bool
    input: int
    """The last input folded when it was made."""
    payload: bytes

    @property
    def bytes(self) -> int:
        """About what it takes in memory until it is on the disk."""
        return ROW_BYTES + len(self.payload)


def emptied(row: OutputRow) -> OutputRow:
    """The same number without what it numbers: told in the journal alone."""
    return replace(row, topic=LOG, seq=None, place=0, retained=False, payload=b"{}")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A table as it stood after an input; folding goes on from here."""

    table: str
    input: int
    place: int
    """Outputs made by then."""
    body: bytes


@dataclass(frozen=True, slots=True)
class Batch:
    """What belongs into one transaction."""

    inputs: tuple[InputRow, ...] = ()
    outputs: tuple[OutputRow, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()
    cursors: tuple[tuple[str, int], ...] = ()

    @property
    def bytes(self) -> int:
        """About what it takes in memory until it is on the disk."""
        rows = sum(row.bytes for row in self.inputs) + sum(row.bytes for row in self.outputs)
        return ROW_BYTES + rows + sum(len(kept.body) for kept in self.checkpoints)
