"""Old rows into blocks, between two commits. Runs in the writer's thread.

    table 12   1000 rows … | checkpoint | rows …      those before its checkpoint are packed:
               ───────────▶ block                     nobody folds them again

Packed are what devices say all the time and what is read in the journal alone. All else stands
alone for ever: what people did, what a table was set up as, what was told.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable

from arbiterd.journal.blocks import BLOCK, COLUMNS, packed
from arbiterd.journal.encode import BYTES
from arbiterd.journal.rows import Batch, Checkpoint
from arbiterd.messages.topics import LOG

KINDS = (BYTES, "ClockReading", "Finger", "HandsSeen", "Lever", "Scan", "SquareChange")
"""Inputs that are packed."""
PROVED = ("TableSetup", "DelaySaid")
"""Inputs that are held against the seal before them whenever they are read."""
ROWS = {"input": 250, "output": 100}
"""A block has at least so many."""
ROWS_MAX = 1000

_WHICH = {
    "input": (
        f"kind IN ({', '.join(map(repr, KINDS))}) AND number <= :input"
        " AND NOT EXISTS (SELECT 1 FROM input AS next WHERE next.number = input.number + 1"
        f" AND next.kind IN ({', '.join(map(repr, PROVED))}))"
    ),
    "output": (
        f"topic = '{LOG}' AND place <= :place"
        " AND number < (SELECT max(number) FROM output WHERE table_name = :table)"
    ),
}


class Ripe:
    """Tables whose rows may be packed: those with a checkpoint behind a block's worth of rows."""

    def __init__(self, left_alone: Collection[str]) -> None:
        """`left_alone`: tables with rows that are not as they were written; nothing is touched."""
        self._left_alone = frozenset(left_alone)
        self._found: dict[str, Checkpoint] = {}
        self._loose: dict[str, int] = {}
        """Inputs of each table since its rows were last looked through; at a start they are."""

    def ripen(self, committed: Iterable[Batch]) -> None:
        """A table is looked through at a checkpoint that has a block's worth of rows before it."""
        enough = ROWS["input"]
        for batch in committed:
            for row in batch.inputs:
                self._loose[row.table] = self._loose.get(row.table, enough) + 1
            for made in batch.checkpoints:
                if self._loose.get(made.table, enough) >= enough:
                    self._loose[made.table] = 0
                    if made.table not in self._left_alone:
                        self._found[made.table] = made

    def next(self) -> Checkpoint | None:
        """The one found last; it is not given again. None: there is none."""
        return self._found.popitem()[1] if self._found else None


def pack(db: sqlite3.Connection, kept: Checkpoint) -> bool:
    """Packs rows that a table's checkpoint stands for; False: there are too few.

    The last row of a chain always stands alone. Raises sqlite3.Error with nothing changed.
    """
    made = [_pack(db, chain, kept) for chain in COLUMNS]
    return any(made)


def _pack(db: sqlite3.Connection, chain: str, kept: Checkpoint) -> bool:
    found = db.execute(
        f"SELECT {COLUMNS[chain]}, seal FROM {chain} WHERE table_name = :table AND number >"
        " (SELECT coalesce(max(last), 0) FROM block WHERE chain = :chain AND table_name = :table)"
        " AND number < (SELECT last FROM chain WHERE name = :chain)"
        f" AND {_WHICH[chain]} ORDER BY number LIMIT :most",
        {
            "table": kept.table,
            "chain": chain,
            "input": kept.input,
            "place": kept.place,
            "most": ROWS_MAX,
        },
    ).fetchall()
    if len(found) < ROWS[chain]:
        return False
    block = packed(chain, [(row[:-1], row[-1]) for row in found])
    if block is None:
        return False
    db.execute("BEGIN IMMEDIATE")
    try:
        db.execute(f"INSERT INTO block ({BLOCK}) VALUES (?, ?, ?, ?, ?, ?, ?)", block.values)
        db.executemany(f"DELETE FROM {chain} WHERE number = ?", [(row[0],) for row in found])
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    return True
