"""The rows of the journal, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from arbiterd.table.inputs import Input
from arbiterd.table.setup import TableSetup

HALL = ""
"""The table name of rows that are about the whole hall."""

Item: TypeAlias = Input | TableSetup
"""What an input row says. A set-up is one: what a table was told before anything happened."""


@dataclass(frozen=True, slots=True)
class InputRow:
    """Something came in."""

    number: int
    at_ns: int
    table: str
    item: Item | None
    """None: bytes that completed no event yet, or were written to the device."""
    raw: bytes = b""
    """The bytes of the read this came from, on the first row of the read only."""


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
