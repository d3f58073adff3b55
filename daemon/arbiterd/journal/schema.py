"""The tables of the journal.

input       what came in, in order; `number` is what evidence points to
output      what was made of it, in order; outlets read it by `number`
chain       where the chain of seals of each of the two begins and ends
cursor      how far each outlet has come in `output`
checkpoint  each table's newest written-down state
block       older rows of `input` and `output`, packed, a table's in each

A journal of format 1 has no blocks, and never gets any: the version that made it can read it still.
"""

from __future__ import annotations

import sqlite3

from arbiterd.edges import StoreError
from arbiterd.journal.seal import GENESIS

FORMAT = 2
"""Stands in the file's user_version. A newer format reads all older ones."""

_TABLES = """
CREATE TABLE input (
    number INTEGER PRIMARY KEY,
    at_ns INTEGER NOT NULL,
    table_name TEXT NOT NULL,
    kind TEXT NOT NULL,
    raw BLOB NOT NULL,
    body BLOB NOT NULL,
    seal BLOB NOT NULL
) STRICT;
CREATE INDEX input_of_table ON input (table_name, number);
CREATE TABLE output (
    number INTEGER PRIMARY KEY,
    at_ns INTEGER NOT NULL,
    table_name TEXT NOT NULL,
    place INTEGER NOT NULL,
    topic TEXT NOT NULL,
    seq INTEGER,
    retained INTEGER NOT NULL,
    input INTEGER NOT NULL,
    payload BLOB NOT NULL,
    seal BLOB NOT NULL
) STRICT;
CREATE INDEX output_of_table ON output (table_name, number);
CREATE INDEX output_retained ON output (table_name, topic, number) WHERE retained;
CREATE TABLE chain (
    name TEXT PRIMARY KEY,
    first INTEGER NOT NULL,
    before BLOB NOT NULL,
    last INTEGER NOT NULL,
    seal BLOB NOT NULL
) STRICT;
CREATE TABLE cursor (outlet TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT;
CREATE TABLE checkpoint (
    table_name TEXT PRIMARY KEY,
    input INTEGER NOT NULL,
    place INTEGER NOT NULL,
    body BLOB NOT NULL
) STRICT;
"""
_BLOCKS = """
CREATE {0} TABLE IF NOT EXISTS block (
    number INTEGER PRIMARY KEY,
    chain TEXT NOT NULL,
    table_name TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    until_ns INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    body BLOB NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS {1}block_in_order ON block (chain, first);
CREATE INDEX IF NOT EXISTS {1}block_of_table ON block (chain, table_name, first);
"""


def new_chain(name: str, first: int = 1) -> tuple[str, tuple[object, ...]]:
    """The statement that begins a chain, with its values."""
    return "INSERT INTO chain VALUES (?, ?, ?, ?, ?)", (name, first, GENESIS, first - 1, GENESIS)


_SEEK = "CREATE INDEX IF NOT EXISTS output_by_seq ON output (table_name, seq) WHERE seq IS NOT NULL"
"""A table's events by their number; journals of before get it when they are opened."""


def format_of(db: sqlite3.Connection) -> int:
    """As the file says; 0: it is no journal."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def packs(db: sqlite3.Connection) -> bool:
    """Old rows are packed into blocks here."""
    found = db.execute("SELECT 1 FROM main.sqlite_master WHERE name = 'block'").fetchone()
    return found is not None


def readable(db: sqlite3.Connection) -> None:
    """Raises StoreError where this version cannot read the file as a journal."""
    found = format_of(db)
    if found > FORMAT:
        raise StoreError(_NEWER.format(found))
    if found <= 0:
        raise StoreError(
            f"{_file(db)} is no journal of format 1 to {FORMAT}; name a journal of arbiterd"
        )
    if not packs(db):
        _run(db, _BLOCKS.format("TEMP", "temp."))  # Empty, in nobody's file.


def _file(db: sqlite3.Connection) -> str:
    return str(db.execute("PRAGMA database_list").fetchone()[2] or "this")


_NEWER = "the journal is of a newer version ({}); use a newer arbiterd"


def prepare(db: sqlite3.Connection) -> None:
    """Makes a new file a journal. Raises StoreError where the file is something else."""
    found = format_of(db)
    if 1 <= found <= FORMAT:
        db.execute(_SEEK)
        readable(db)
        return
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if found > FORMAT:
        raise StoreError(_NEWER.format(found))
    if tables:
        raise StoreError("the file is a database of something else; give [journal] another path")
    db.execute("BEGIN IMMEDIATE")
    _run(db, _TABLES)
    for chain in ("input", "output"):
        db.execute(*new_chain(chain))
    db.execute(_SEEK)
    _run(db, _BLOCKS.format("", ""))
    db.execute(f"PRAGMA user_version = {FORMAT}")
    db.execute("COMMIT")


def _run(db: sqlite3.Connection, statements: str) -> None:
    """One by one, within the transaction that is open."""
    for statement in statements.split(";\n"):
        db.execute(statement)
