"""Batches into the file: one transaction, rows sealed in order. Runs in the writer's thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace

from arbiterd.journal.blocks import COLUMNS
from arbiterd.journal.encode import encode
from arbiterd.journal.rows import Batch, InputRow, OutputRow, emptied
from arbiterd.journal.seal import ChainEnd, closed, end_of, seal

DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
"""What SQLite says of a file that is not as it wrote it."""
REFUSED = (sqlite3.OperationalError,)
"""Full, gone, read-only, locked: the same rows may be written later."""
UNKEPT = (sqlite3.Error, ValueError, TypeError, OverflowError, RecursionError)
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
        inputs = _add(db, "input", (_input(row) for batch in batches for row in batch.inputs))
        outputs = _add(db, "output", (_output(row) for batch in batches for row in batch.outputs))
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


def _add(db: sqlite3.Connection, chain: str, rows: Iterable[tuple[object, ...]]) -> ChainEnd:
    end = end_of(db, chain)
    begin, last, before = end.last, end.last, end.seal
    sealed = []
    for fields in rows:
        number = fields[0]
        assert isinstance(number, int), "the first field numbers the row"
        if number <= begin:
            continue
        last += 1
        assert number == last, f"{chain} {number} is written after {last - 1}"
        before = seal(before, fields)
        sealed.append((*fields, before))
    if not sealed:
        return end
    _insert(db, chain, sealed)
    db.execute("UPDATE chain SET last = ?, seal = ? WHERE name = ?", (last, before, chain))
    return ChainEnd(end.first, end.before, last, before)


def _insert(db: sqlite3.Connection, chain: str, sealed: Sequence[tuple[object, ...]]) -> None:
    """Many rows in a statement: at each one the two threads hand the interpreter to and fro.

    In powers of two, so that there are few statements, and each is parsed once.
    """
    places = f"({', '.join('?' * len(sealed[0]))})"
    begin = 0
    while begin < len(sealed):
        count = min(ROWS_AT_ONCE, 1 << (len(sealed) - begin).bit_length() - 1)
        rows = sealed[begin : begin + count]
        into = f"INSERT INTO {chain} ({COLUMNS[chain]}, seal) VALUES "
        db.execute(into + ", ".join([places] * count), [field for row in rows for field in row])
        begin += count


def _replace(db: sqlite3.Connection, batches: Sequence[Batch]) -> None:
    """Only the newest of each table and of each cursor."""
    kept = {made.table: made for batch in batches for made in batch.checkpoints}
    for made in map(closed, kept.values()):
        db.execute(
            "INSERT OR REPLACE INTO checkpoint VALUES (?, ?, ?, ?)",
            (made.table, made.input, made.place, made.body),
        )
    cursors = {name: number for batch in batches for name, number in batch.cursors}
    for moved in cursors.items():
        db.execute("INSERT OR REPLACE INTO cursor VALUES (?, ?)", moved)
