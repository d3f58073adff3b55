"""The journal held against what was told: between two lives, and at the end."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter

from arbiterd.edges import StoreError
from arbiterd.edges.store import FileStore
from arbiterd.hall.tables.taking_up import restored
from arbiterd.journal.again import Again, folded, stored
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.verify import verify
from arbiterd.messages import topics
from arbiterd.simulation.rehearsal.disk import Disk
from arbiterd.simulation.rehearsal.reader import RehearsalReader, TellWrong

SHOWN = 300


class RehearsedEvidence:
    """Reads the journal while no service does."""

    def __init__(self, disk: Disk, reader: RehearsalReader, wrong: TellWrong) -> None:
        self._disk, self._reader, self._wrong = disk, reader, wrong
        self._looked = 0

    def between(self) -> None:
        """What was published is in it, though the service ended as it did."""
        db = self._db()
        if db is None:
            return
        try:
            self._proved(JournalReader(db))
        except (sqlite3.Error, StoreError) as error:
            self._wrong("the journal cannot be read", str(error))
        finally:
            db.close()

    def at_the_end(self) -> None:
        """And it is whole, gives the same again, and the broker keeps what is true."""
        db = self._db()
        if db is None:
            return
        try:
            read = JournalReader(db)
            self._proved(read)
            for broken in verify(db).breaks:
                self._wrong("the journal is not as it was written", str(broken))
            for table in read.tables():
                self._again(read, table)
            self._reader.note("".join(str(read.last(chain)) for chain in ("input", "output")))
            self._reader.note(verify(db).seal)
        except (sqlite3.Error, StoreError) as error:
            self._wrong("the journal cannot be read", str(error))
        finally:
            db.close()

    def _db(self) -> sqlite3.Connection | None:
        try:
            return FileStore(self._disk.journal).connect_for_reading()
        except StoreError as error:
            if self._reader.unproved:
                self._wrong("the journal cannot be read", str(error))
            return None

    def _proved(self, read: JournalReader) -> None:
        """Nothing is kept for the next time: what is told again is looked for in all rows."""
        unproved = {_mark(*said): said for said in self._reader.unproved}
        for after in (self._looked, 0):
            if unproved:
                self._looked = _struck(unproved, read, after)
        for table, leaf, payload in sorted(unproved.values()):
            words = f"table {table}, {leaf}: {payload.decode()[:SHOWN]}"
            self._wrong("published, and not in the journal", words)
        self._reader.unproved.clear()

    def _again(self, read: JournalReader, table: str) -> None:
        again = Again(read, table)
        for number, item in stored(folded(read, table)):
            again.take(number, item)
        resumed, last = restored(read, table), read.last_output(table)
        if last is not None:
            again.until(last.at_ns)
        for output, before in again.differences[:1]:
            now = output.payload.decode()[:SHOWN] if output else "nothing"
            was = before.decode()[:SHOWN] if before else "nothing"
            self._wrong("a replay differs", f"table {table}: was {was}, is {now}")
        if resumed is None or again.table is None:
            return
        # A checkpoint may be younger than the last output: what was due by then told nothing.
        if again.until(resumed.table.at_ns).outputs:
            self._wrong("a checkpoint is younger than what was due before it", f"table {table}")
        if resumed.table.checkpoint() != again.table.checkpoint():
            self._wrong("a start would take up another table than its rows make", f"table {table}")

    def retained(self) -> dict[str, tuple[int, bytes | None]]:
        """Since when what is to be retained, by its topic relative to the hall; None: no more."""
        db = self._db()
        if db is None:
            return {}
        read = JournalReader(db)
        rows = read.retained(read.last("output"))
        db.close()
        return {
            topics.table(row.table, row.topic): (row.at_ns, row.payload or None) for row in rows
        }


def _struck(unproved: dict[bytes, tuple[str, str, bytes]], read: JournalReader, after: int) -> int:
    """Takes away what the journal has behind this row; returns its last row."""
    for row in read.outputs(after=after):
        unproved.pop(_mark(row.table, row.topic, row.payload), None)
        after = row.number
    return after


def _mark(table: str, topic: str, payload: bytes) -> bytes:
    return hashlib.blake2b(f"{table}\0{topic}\0".encode() + payload, digest_size=12).digest()


def counted(reader: RehearsalReader, kind: str) -> Counter[str]:
    """How many rulings of a kind carry each note."""
    return Counter(
        str(ruling["facts"].get("note", ""))
        for told in reader.tables.values()
        for ruling in told.rulings.values()
        if ruling["kind"] == kind
    )
