"""Batches into the file: one transaction, rows sealed in order. Runs in the writer's thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import astuple, replace

from arbiterd.journal.blocks import COLUMNS
from arbiterd.journal.encode import encode
from arbiterd.journal.rows import Batch, InputRow, OutputRow, emptied
from arbiterd.journal.seal import ChainEnd, closed, ends_of, seal

DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
"""What SQLite says of a file that is not as it wrote it."""
REFUSED = (sqlite3.OperationalError,)
"""Full, gone, read-only, locked: the same rows may be written later."""
UNKEPT = (sqlite3.Error, ValueError, TypeError, LookupError, OverflowError, RecursionError)
"""What no later try would mend."""


ROWS_AT_ONCE = 64
"""In one statement; each row has up to ten values, and SQLite takes 32,766."""


def damaged(error: sqlite3.Error) -> bool:
    """The file itself is no longer what was written."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED


def commit(db: sqlite3.Connection, batches: Sequence[Batch]) -> tuple[ChainEnd, ChainEnd]:
    """All of them or none; where the chains of inputs and outputs end now.

    What is in the file already is not written again: a try whose end nobody saw may be repeated.
    Raises sqlite3.Error (disk full, disk gone) with nothing written.
    """
    db.execute("BEGIN IMMEDIATE")
    try:
        ends = ends_of(db)
        input_rows = (_input(row) for batch in batches for row in batch.inputs)
        output_rows = (_output(row) for batch in batches for row in batch.outputs)
        inputs = _add(db, "input", ends["input"], input_rows)
        outputs = _add(db, "output", ends["output"], output_rows)
        now = {"input": inputs, "output": outputs}
        moved = [(name, *astuple(end)) for name, end in now.items() if end != ends[name]]
        _insert(
            db,
            "INTO chain",
            moved,
            "ON CONFLICT (name) DO UPDATE SET last = excluded.last, seal = excluded.seal",
        )
        _replace(db, batches)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    return inputs, outputs


def without_content(batch: Batch) -> Batch:
    """The same numbers without what they number: what a batch that cannot be kept leaves."""
    return Batch(
        tuple(replace(row, item=None, raw=b"", kept=None) for row in batch.inputs),
        tuple(map(emptied, batch.outputs)),
    )


def _input(row: InputRow) -> tuple[object, ...]:
    kind, body = row.kept or encode(row.item)
    return row.number, row.at_ns, row.table, kind, row.raw, body


def _output(row: OutputRow) -> tuple[object, ...]:
    return (
        row.number,
        row.at_ns,
        row.table,
        row.place,
        row.topic,
        row.seq,
        int(row.retained),
        row.input,
        row.payload,
    )


def _add(
    db: sqlite3.Connection, chain: str, end: ChainEnd, rows: Iterable[tuple[object, ...]]
) -> ChainEnd:
    """Where the chain ends with them."""
    last, before = end.last, end.seal
    sealed = []
    for fields in rows:
        number = fields[0]
        assert isinstance(number, int), "the first field numbers the row"
        if number <= end.last:
            continue
        last += 1
        assert number == last, f"{chain} {number} is written after {last - 1}"
        before = seal(before, fields)
        sealed.append((*fields, before))
    _insert(db, f"INTO {chain} ({COLUMNS[chain]}, seal)", sealed)
    return replace(end, last=last, seal=before)


def _insert(
    db: sqlite3.Connection, into: str, rows: Sequence[tuple[object, ...]], known: str = ""
) -> None:
    """Many rows in a statement: at each one the two threads hand the interpreter to and fro.

    `known`: what is done with one that is there already.
    """
    for begin in range(0, len(rows), ROWS_AT_ONCE):
        part = rows[begin : begin + ROWS_AT_ONCE]
        places = ", ".join([f"({', '.join('?' * len(part[0]))})"] * len(part))
        fields = [field for row in part for field in row]
        db.execute(f"INSERT {into} VALUES {places} {known}", fields)


def _replace(db: sqlite3.Connection, batches: Sequence[Batch]) -> None:
    """Only the newest of each table and of each cursor."""
    kept = {made.table: made for batch in batches for made in batch.checkpoints}
    for made in map(closed, kept.values()):
        db.execute(
            "INSERT OR REPLACE INTO checkpoint VALUES (?, ?, ?, ?)",
            (made.table, made.input, made.place, made.body),
        )
    cursors = {name: number for batch in batches for name, number in batch.cursors}
    _insert(
        db,
        "INTO cursor",
        list(cursors.items()),
        "ON CONFLICT (outlet) DO UPDATE SET number = excluded.number",
    )
