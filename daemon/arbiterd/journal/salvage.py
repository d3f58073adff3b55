"""Every row that can still be read of a damaged journal, into a new one.

Rows are taken as they stand, seals and all: what is missing or altered shows in the chain. The
damaged file is kept as it was, under another name.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from arbiterd.edges import Store
from arbiterd.journal.blocks import BLOCK, COLUMNS
from arbiterd.journal.schema import new_chain, prepare

OTHERS = {"cursor": "outlet, number", "checkpoint": "table_name, input, place, body"}
CHUNK = 500


def salvaged(store: Store) -> Path:
    """Puts a new journal in the place of the damaged one; where that is now. Raises StoreError."""
    with store.replacing(prepare) as (old, new):
        new.execute("BEGIN")
        blocks = f"number, {BLOCK}"
        _insert(new, "block", blocks, _readable(old, "block", blocks))
        for chain in COLUMNS:
            _copy_chain(old, new, chain)
        for table, columns in OTHERS.items():
            _insert(new, table, columns, _others(old, table, columns))
        new.execute("COMMIT")
    return store.set_aside()


def _copy_chain(old: sqlite3.Connection, new: sqlite3.Connection, chain: str) -> None:
    columns = f"{COLUMNS[chain]}, seal"
    _insert(new, chain, columns, _readable(old, chain, columns))
    try:
        begin = old.execute("SELECT first, before FROM chain WHERE name = ?", (chain,)).fetchone()
    except sqlite3.Error:
        begin = None
    (last,) = new.execute(f"SELECT coalesce(max(number), 0) FROM {chain}").fetchone()
    new.execute("DELETE FROM chain WHERE name = ?", (chain,))
    # Where nobody knows where it began, what is not there from the first row on is missing.
    new.execute(*new_chain(chain, 1 if begin is None else begin[0]))
    if begin is not None:
        new.execute("UPDATE chain SET before = ? WHERE name = ?", (begin[1], chain))
    if last:
        new.execute(
            f"UPDATE chain SET last = ?, seal = (SELECT seal FROM {chain} WHERE number = ?)"
            " WHERE name = ?",
            (last, last, chain),
        )


def _insert(
    new: sqlite3.Connection, table: str, columns: str, rows: Iterator[tuple[object, ...]]
) -> None:
    """Each on its own: one that is no row of ours any more costs no other."""
    places = ", ".join("?" * len(columns.split(", ")))
    statement = f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({places})"
    for row in rows:
        try:
            new.execute(statement, row)
        except (sqlite3.Error, OverflowError, UnicodeError):
            continue


def _readable(old: sqlite3.Connection, table: str, columns: str) -> Iterator[tuple[object, ...]]:
    """In order of number. Behind a page that cannot be read, the next row that can."""
    last, number = _newest(old, table), 0
    while number < last:
        try:
            for row in old.execute(
                f"SELECT {columns} FROM {table} WHERE number > ? ORDER BY number LIMIT {CHUNK}",
                (number,),
            ):
                if not isinstance(row[0], int) or row[0] <= number:
                    break
                number = row[0]
                yield row
            else:
                if not _more(old, table, number):
                    return
                continue
        except sqlite3.Error:
            pass
        number += 1
        row = _single(old, table, columns, number)
        if row is not None:
            yield row


def _more(old: sqlite3.Connection, table: str, number: int) -> bool:
    """There is a row beyond, as far as can be seen."""
    try:
        found = old.execute(f"SELECT 1 FROM {table} WHERE number > ? LIMIT 1", (number,)).fetchone()
    except sqlite3.Error:
        return True
    return found is not None


def _single(
    old: sqlite3.Connection, table: str, columns: str, number: int
) -> tuple[object, ...] | None:
    try:
        row: tuple[object, ...] | None = old.execute(
            f"SELECT {columns} FROM {table} WHERE number = ?", (number,)
        ).fetchone()
    except sqlite3.Error:
        return None
    return row if row is not None and row[0] == number else None


def _newest(old: sqlite3.Connection, table: str) -> int:
    """The last number, by the rows or else by the chain."""
    found = [0]
    for ask in (
        f"SELECT max(number) FROM {table}",
        f"SELECT last FROM chain WHERE name = '{table}'",
    ):
        try:
            (number,) = old.execute(ask).fetchone() or (0,)
        except sqlite3.Error:
            continue
        if isinstance(number, int) and number < 1 << 40:
            found.append(number)
    return max(found)


def _others(old: sqlite3.Connection, table: str, columns: str) -> Iterator[tuple[object, ...]]:
    """Where one cannot be read, those behind it are left: they are kept for speed alone."""
    try:
        yield from old.execute(f"SELECT {columns} FROM {table}")
    except sqlite3.Error:
        return
