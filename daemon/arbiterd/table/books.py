"""What a table remembers, as values that can be written and read back."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from arbiterd.table.absence import Absence
from arbiterd.table.announcer import Numbering
from arbiterd.table.board import Board
from arbiterd.table.setup import TableSetup
from eboards.events import Sensing


class Books(Struct, kw_only=True):
    """What the table itself remembers: a value that can be written and read back."""

    status: Literal["waiting", "playing", "paused", "ended"] = "waiting"
    result: str | None = None
    paused: bool = False
    muted: bool = False
    round_started_ns: int | None = None
    input_times: list[int] = []
    input_numbers: list[int] = []
    answered: dict[str, tuple[str, bytes]] = {}
    absence: Absence | None = None
    """How the board stood when it was last heard, while that is not settled."""


class Checkpoint(Struct, kw_only=True):
    """A whole table as bytes."""

    setup: TableSetup
    tracker: bytes
    docket: bytes
    clock: bytes
    board: Board
    numbering: Numbering
    books: Books
    at_ns: int
    sensing: Sensing
