"""`keep`: after so long, games go, with the names in them.

How old a row is, two sources must agree on: the computer's clock, and the journal's own times. A
clock that was set wrong jumps by months or years from one row to the next; of such a silence only
a month counts (`note_silence`). A person may say otherwise: `arbiterd journal purge`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from arbiterd.journal.blocks import BLOCK, Block, packed, unpacked

SILENCE = "silence "
"""Cursors of this name hold by how much the silence after a time was too long."""


def note_silence(db: sqlite3.Connection, from_ns: int, excess_ns: int) -> None:
    """Rows up to this time are younger by so much than the clock says."""
    db.execute("INSERT OR REPLACE INTO cursor VALUES (?, ?)", (f"{SILENCE}{from_ns}", excess_ns))


def attested(db: sqlite3.Connection, before_ns: int) -> int:
    """What is older than this by the clock and by the journal both."""
    rows = db.execute("SELECT outlet, number FROM cursor WHERE outlet LIKE ?", (f"{SILENCE}%",))
    silences = [(int(name.removeprefix(SILENCE)), excess) for name, excess in rows]
    for from_ns, excess_ns in sorted(silences, reverse=True):
        if before_ns - excess_ns > from_ns:
            break
        before_ns -= excess_ns
    return before_ns


def purge(db: sqlite3.Connection, before_ns: int) -> int:
    """Takes out all rows before the first that is not older; says how many.

    One whose time stamp is wrong takes no other with it. The chains then begin after them.

    A table that nothing was heard of since is forgotten altogether.
    """
    db.execute("BEGIN IMMEDIATE")
    try:
        gone = _taken_out(db, before_ns)
        db.execute("COMMIT")
    except sqlite3.Error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    if gone:
        # The write-ahead log still has the old pages.
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return gone


def _taken_out(db: sqlite3.Connection, before_ns: int) -> int:
    gone = 0
    for chain in ("input", "output"):
        row = db.execute(
            f"SELECT number, seal FROM {chain} WHERE number < ? ORDER BY number DESC LIMIT 1",
            (_first_to_stay(db, chain, before_ns),),
        ).fetchone()
        if row is None:
            continue
        gone += db.execute(f"DELETE FROM {chain} WHERE number <= ?", (row[0],)).rowcount
        gone += _unpacked_up_to(db, chain, row[0])
        db.execute(
            "UPDATE chain SET first = ? + 1, before = ? WHERE name = ?", (row[0], row[1], chain)
        )
    db.execute(
        "DELETE FROM checkpoint WHERE input < (SELECT first FROM chain WHERE name = 'input')"
        " AND table_name NOT IN (SELECT table_name FROM input UNION SELECT table_name FROM block)"
    )
    return gone


def _first_to_stay(db: sqlite3.Connection, chain: str, before_ns: int) -> int:
    """The first row that is not older, alone or in a block."""
    (number,) = db.execute(
        f"SELECT coalesce((SELECT number FROM {chain} WHERE at_ns >= ? ORDER BY number LIMIT 1),"
        f" (SELECT max(number) + 1 FROM {chain}), 0)",
        (before_ns,),
    ).fetchone()
    young = "until_ns >= ? AND first < ?"
    for _, block in _blocks(db, chain, young, before_ns, number):
        times = (row[:2] for row, _ in unpacked(block) or ())
        number = min(number, next((n for n, at_ns in times if at_ns >= before_ns), number))
    return int(number)


def _unpacked_up_to(db: sqlite3.Connection, chain: str, last: int) -> int:
    """Takes rows up to this one out of their blocks; says how many."""
    gone = 0
    for key, block in _blocks(db, chain, "first <= ?", last):
        rows = unpacked(block) or []
        left = packed(chain, staying) if (staying := [r for r in rows if r[0][0] > last]) else None
        gone += block.rows - (left.rows if left else 0)
        db.execute("DELETE FROM block WHERE number = ?", (key,))
        if left is not None:
            db.execute(f"INSERT INTO block ({BLOCK}) VALUES (?, ?, ?, ?, ?, ?, ?)", left.values)
    return gone


def _blocks(
    db: sqlite3.Connection, chain: str, which: str, *values: int
) -> Iterator[tuple[int, Block]]:
    rows = db.execute(
        f"SELECT number, {BLOCK} FROM block WHERE chain = ? AND {which}", (chain, *values)
    ).fetchall()
    for key, *fields in rows:
        yield key, Block(*fields)
