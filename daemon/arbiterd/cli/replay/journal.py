"""A journal folded again: what comes out, and where it differs from what was published."""

from __future__ import annotations

import sqlite3
import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import click

from arbiterd.edges import StoreError
from arbiterd.edges.real import FileStore
from arbiterd.hall.links.drivers import DRIVERS, new_codec
from arbiterd.journal.again import Again, folded, stored
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.rows import InputRow, Unread
from arbiterd.messages.step import Output, Step
from arbiterd.table.explained import Explainer, Telling
from arbiterd.table.inputs import Input
from arbiterd.table.playback import line, told
from arbiterd.table.setup import TableSetup
from eboards.codec import Codec
from eboards.events import LinkUp

SHOWN_DIFFERENCES = 20
"""So many are listed in full; beyond that they are counted."""


Numbered: TypeAlias = tuple[int, Input | TableSetup]


def is_journal(file: Path) -> bool:
    """By the file's first bytes."""
    with file.open("rb") as opened:
        return opened.read(16) == b"SQLite format 3\0"


def decoded(rows: Iterator[InputRow]) -> Iterator[Numbered]:
    """The inputs with what devices said read again from their raw bytes.

    The first row of a read has its bytes, and each event a row: they keep their numbers.
    """
    codec: Codec | None = None
    read: deque[Input] = deque()
    last = 0
    for row in rows:
        if read and not row.raw and _from_wire(row):
            last = row.number
            yield last, read.popleft()
            continue
        yield from ((last, event) for event in read)
        read.clear()
        if isinstance(row.item, LinkUp):
            codec = new_codec(row.item.driver) if row.item.driver in DRIVERS else None
            yield row.number, row.item
        elif row.raw and codec is not None:
            read.extend(codec.receive(row.raw, row.at_ns))
            last = row.number
            if read:
                yield last, read.popleft()
        elif isinstance(row.item, Unread | None):
            continue
        elif codec is None or not _from_wire(row):
            yield row.number, row.item
    yield from ((last, event) for event in read)


def _from_wire(row: InputRow) -> bool:
    return type(row.item).__module__ == "eboards.events"


def replay_journal(file: Path, *, everything: bool, decode: bool) -> int:
    """Prints every table's events in turn, then says on stderr what differs. 0: nothing."""
    try:
        reader = JournalReader(FileStore(file).connect_for_reading()).of_this_moment()
    except (StoreError, sqlite3.DatabaseError) as wrong:
        sys.stderr.write(f"{file}: {wrong}\n")
        return 2
    events = differences = 0
    for name in reader.tables():
        again = Again(reader, name)
        rows = folded(reader, name)
        for number, item in decoded(rows) if decode else stored(rows):
            events += _print(name, again, again.take(number, item), everything)
        last = reader.last_output(name)
        if last is not None:
            events += _print(name, again, again.until(last.at_ns), everything)
        for output, before in again.differences[:SHOWN_DIFFERENCES]:
            _tell(name, output, before)
        differences += len(again.differences)
    sys.stderr.write(
        f"{events} events; {differences} differ from the record, which stands\n"
        if differences
        else f"{events} events, all as recorded\n"
    )
    return 1 if differences else 0


def explained_journal(file: Path, name: str | None, ply: int) -> list[Telling]:
    """The tellings of one half-move in the games of one table, or of the only one."""
    try:
        reader = JournalReader(FileStore(file).connect_for_reading()).of_this_moment()
    except (StoreError, sqlite3.DatabaseError) as wrong:
        raise click.ClickException(f"{file}: {wrong}") from None
    tables = reader.tables()
    if name is None and len(tables) != 1:
        raise click.UsageError(f"name one of its tables with --table: {', '.join(tables)}")
    if name is not None and name not in tables:
        raise click.UsageError(f"it has no table {name!r}; it has {', '.join(tables)}")
    chosen = name or tables[0]
    again, explainer = Again(reader, chosen), Explainer(ply)
    for number, item in stored(folded(reader, chosen)):
        step = again.take(number, item)
        if again.table is not None:
            said = None if isinstance(item, TableSetup) else item
            explainer.watch(again.table, again.table.at_ns, said, step)
    return explainer.tellings


def _print(name: str, again: Again, step: Step, everything: bool) -> int:
    count = 0
    for output in step.outputs:
        if everything or told(output):
            sys.stdout.buffer.write(line(again.hall, name, output) + b"\n")
            count += told(output)
    return count


def _tell(name: str, output: Output | None, before: bytes | None) -> None:
    now = output.payload.decode() if output else "nothing"
    was = before.decode() if before else "nothing"
    sys.stderr.write(f"table {name}: recorded {was}\ntable {name}: now      {now}\n")
