"""The tables of the journal.

input       what came in, in order; `number` is what evidence points to
output      what was made of it, in order; outlets read it by `number`
chain       where the chain of seals of each of the two begins and ends
cursor      how far each outlet has come in `output`
checkpoint  each table's newest written-down state
answer      commands that were answered, by table, login and id
"""

from __future__ import annotations

import sqlite3

from arbiterd.edges import StoreError
from arbiterd.journal.seal import GENESIS

FORMAT = 1
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


def new_chain(name: str, first: int = 1) -> tuple[str, tuple[object, ...]]:
    """The statement that begins a chain, with its values."""
    return "INSERT INTO chain VALUES (?, ?, ?, ?, ?)", (name, first, GENESIS, first - 1, GENESIS)


_SEEK = "CREATE INDEX IF NOT EXISTS output_by_seq ON output (table_name, seq) WHERE seq IS NOT NULL"
"""A table's events by their number; journals of before get it when they are opened."""


def prepare(db: sqlite3.Connection) -> None:
    """Makes a new file a journal. Raises StoreError where the file is something else."""
    (found,) = db.execute("PRAGMA user_version").fetchone()
    if found == FORMAT:
        db.execute(_SEEK)
        return
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if found > FORMAT:
        raise StoreError(f"the journal is of a newer version ({found}); use a newer arbiterd")
    if tables:
        raise StoreError("the file is a database of something else; give [journal] another path")
    db.execute("BEGIN IMMEDIATE")
    for statement in _TABLES.split(";\n"):
        db.execute(statement)
    for chain in ("input", "output"):
        db.execute(*new_chain(chain))
    db.execute(_SEEK)
    db.execute(f"PRAGMA user_version = {FORMAT}")
    db.execute("COMMIT")
