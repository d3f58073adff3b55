"""Batches into the file: one transaction, rows sealed in order. Runs in the writer's thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from arbiterd.journal.encode import encode
from arbiterd.journal.rows import Batch, InputRow, OutputRow
from arbiterd.journal.seal import COLUMNS, end_of, seal


def commit(db: sqlite3.Connection, batches: Sequence[Batch]) -> None:
    """All of them or none. Raises sqlite3.Error (disk full, disk gone) with nothing written."""
    db.execute("BEGIN IMMEDIATE")
    try:
        _add(db, "input", (_input(row) for batch in batches for row in batch.inputs))
        _add(db, "output", (_output(row) for batch in batches for row in batch.outputs))
        for batch in batches:
            _replace(db, batch)
        db.execute("COMMIT")
    except sqlite3.Error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _input(row: InputRow) -> tuple[object, ...]:
    kind, body = encode(row.item)
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


def _add(db: sqlite3.Connection, chain: str, rows: Iterable[tuple[object, ...]]) -> None:
    end = end_of(db, chain)
    last, before = end.last, end.seal
    sealed = []
    for fields in rows:
        last += 1
        assert fields[0] == last, f"{chain} {fields[0]} is written after {last - 1}"
        before = seal(before, fields)
        sealed.append((*fields, before))
    if not sealed:
        return
    places = ", ".join("?" * len(sealed[0]))
    db.executemany(f"INSERT INTO {chain} ({COLUMNS[chain]}, seal) VALUES ({places})", sealed)
    db.execute("UPDATE chain SET last = ?, seal = ? WHERE name = ?", (last, before, chain))


def _replace(db: sqlite3.Connection, batch: Batch) -> None:
    db.executemany(
        "INSERT OR REPLACE INTO checkpoint VALUES (?, ?, ?, ?)",
        [(c.table, c.input, c.place, c.body) for c in batch.checkpoints],
    )
    db.executemany("INSERT OR REPLACE INTO cursor VALUES (?, ?)", batch.cursors)
