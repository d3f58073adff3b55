"""`keep`: after so long, games go, with the names in them."""

from __future__ import annotations

import sqlite3


def purge(db: sqlite3.Connection, before_ns: int) -> int:
    """Takes out all rows older than this; says how many. The chains then begin after them.

    A table that nothing was heard of since is forgotten altogether.
    """
    db.execute("BEGIN IMMEDIATE")
    gone = 0
    for chain in ("input", "output"):
        row = db.execute(
            f"SELECT number, seal FROM {chain} WHERE at_ns < ? ORDER BY number DESC LIMIT 1",
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
    db.execute("COMMIT")
    if gone:
        # The write-ahead log still has the old pages.
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return gone
