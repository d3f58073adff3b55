"""`keep`: after so long, games go, with the names in them.

How old a row is, two sources must agree on: the computer's clock, and the journal's own times. A
clock that was set wrong jumps by months or years from one row to the next; of such a silence only
a month counts (`note_silence`). A person may say otherwise: `arbiterd journal purge`.
"""

from __future__ import annotations

import sqlite3

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
            f"SELECT number, seal FROM {chain} WHERE number <"
            f" coalesce((SELECT number FROM {chain} WHERE at_ns >= ? ORDER BY number LIMIT 1),"
            f" (SELECT max(number) + 1 FROM {chain})) ORDER BY number DESC LIMIT 1",
            (before_ns,),
        ).fetchone()
        if row is None:
            continue
        gone += db.execute(f"DELETE FROM {chain} WHERE number <= ?", (row[0],)).rowcount
        db.execute(
            "UPDATE chain SET first = ? + 1, before = ? WHERE name = ?", (row[0], row[1], chain)
        )
    db.execute(
        "DELETE FROM checkpoint WHERE input < (SELECT first FROM chain WHERE name = 'input')"
        " AND table_name NOT IN (SELECT table_name FROM input)"
    )
    return gone
