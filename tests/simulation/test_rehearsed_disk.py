"""What a power cut leaves of SQLite's files on the simulated disk, at every commit of a log."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from arbiterd.simulation.dice import dice
from arbiterd.simulation.rehearsal.disk import Disk, JournalFiles, RehearsedStore, torn

PAGES = 12
"""A log of so many pages goes into the database, and the next commit begins it anew."""
COMMITS, CUTS = 40, 25
HEADER = 32
"""Bytes of the log by which one that begins anew is told from the one before."""


def test_what_was_synced_outlives_the_power(tmp_path: Path) -> None:
    store = RehearsedStore(Disk(tmp_path, dice("store")))
    db = store.connect()
    db.execute(f"PRAGMA wal_autocheckpoint = {PAGES}")
    db.execute("CREATE TABLE said (n INTEGER, words TEXT)")
    begun_anew = 0
    for number in range(COMMITS):
        before = store.disk.image()
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO said VALUES (?, ?)", (number, "x" * (number % 7 * 1500)))
        db.execute("COMMIT")
        after = store.disk.image()
        begun_anew += before["-wal"][:HEADER] != after["-wal"][:HEADER]
        for cut in range(CUTS):
            left = torn(before, after, dice(f"{number} {cut}"))
            found = _rows(tmp_path / "left.db", left)
            assert found in (list(range(number)), list(range(number + 1))), f"{number}, cut {cut}"
    assert begun_anew > 2, "no log began anew, so nothing was tried"
    store.die()


def _rows(file: Path, left: JournalFiles) -> list[int]:
    for end in ("", "-wal", "-shm"):
        Path(f"{file}{end}").unlink(missing_ok=True)
    for end in ("", "-wal"):
        Path(f"{file}{end}").write_bytes(left[end])
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return [number for (number,) in db.execute("SELECT n FROM said ORDER BY n")]
