"""What a start finds in its journal, and how it comes up all the same.

    the file is damaged          what can be read of it is taken over into a new one (`salvage`)
    its end is missing           numbers go on behind what was published, and every table is told
    rows are not as written      they are passed over, and their tables are told

Nothing is made good in silence: a seal that was broken stays broken, and `verify` names it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from msgspec import structs

from arbiterd.edges import DamagedError, Store
from arbiterd.journal.blocks import COLUMNS, Block, Fields, spoilt, stored
from arbiterd.journal.head import Head, newest
from arbiterd.journal.rows import Checkpoint
from arbiterd.journal.salvage import salvaged
from arbiterd.journal.schema import FORMAT, format_of, new_chain, prepare
from arbiterd.journal.seal import ChainEnd, end_of, linked, sealed, unaltered
from arbiterd.journal.write import damaged

CHECKED_BYTES = 256 << 20
"""A longer file is not read through before the start: that takes a second for each 400 MB."""
TAIL_ROWS = {"input": 100_000, "output": 10_000}
"""So many of the newest rows have their seals checked before the start, a quarter of a second.

All inputs where a table has to be folded from its first."""
CUT_OFF_MAX = 1_000_000
"""A chain that says it goes on for longer than its rows by more than this is not believed."""
NAMED = 3
"""So many rows are named in a sentence; `arbiterd journal verify` names all."""
VERIFY = "arbiterd journal verify names each row"


@dataclass(frozen=True, slots=True)
class DamageFound:
    """What was wrong with a journal that was opened."""

    head: Head
    notes: tuple[str, ...] = ()
    """For the technician, a sentence each."""
    suspect: Mapping[int, str] = field(default_factory=dict)
    """Inputs that are not as they were written, and why."""
    owners: Mapping[int, str] = field(default_factory=dict)
    """The table that each suspect input belongs to; empty: nobody can say."""
    altered: Mapping[int, str] = field(default_factory=dict)
    """Outputs that are not as they were written, with their tables: nobody is told them."""
    all_tables: str = ""
    """What every table is to be told: nobody can say whose rows are gone."""
    at_ns: int = 0
    """The newest time that can be believed."""


def opened(store: Store) -> tuple[sqlite3.Connection, DamageFound]:
    """The one connection that writes, and what was found. Raises StoreError, DiskError."""
    try:
        return _opened(store)
    except sqlite3.OperationalError as error:
        raise store.no_room(error) from error


def _opened(store: Store) -> tuple[sqlite3.Connection, DamageFound]:
    noted = newest(store.heads())
    notes: tuple[str, ...] = ()
    try:
        db = store.connect()
        _sound(db, noted)
    except (DamagedError, sqlite3.DatabaseError) as error:
        if isinstance(error, sqlite3.DatabaseError) and not damaged(error):
            raise
        if noted is None:
            raise store.no_journal(error) from None
        aside = salvaged(store)
        notes = (
            (
                f"the journal was damaged ({error}); what can be read of it was taken over into a"
                f" new one, and the damaged one is kept as {aside}; {VERIFY}"
            ),
        )
        db = store.connect()
        prepare(db)
    found = _looked_at(db, noted)
    return db, replace(found, notes=(*notes, *found.notes))


def _sound(db: sqlite3.Connection, noted: Head | None) -> None:
    """Raises DamagedError, StoreError, sqlite3.DatabaseError."""
    version = format_of(db)
    readable = 0 <= version <= FORMAT
    # A newer version's journal has its number beside it too: whole, and not for us.
    if noted is not None and noted.count and not readable and version != noted.format:
        raise DamagedError(f"its format reads {version}")
    prepare(db)
    pages, size = (
        db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
    )
    if pages * size <= CHECKED_BYTES:
        (said,) = db.execute("PRAGMA integrity_check(1)").fetchone()
        if said != "ok":
            raise DamagedError(str(said).splitlines()[-1])


# Both chains and their newest rows.


def _looked_at(db: sqlite3.Connection, noted: Head | None) -> DamageFound:
    ends = {chain: _mended_end(db, chain, noted) for chain in COLUMNS}
    written_down = _written_down(db)
    low = min(written_down.values(), default=0)
    tails = {chain: _Tail(db, chain, ends[chain], low, written_down) for chain in COLUMNS}
    head = structs.replace(
        noted or Head(seq=_counted(db)),
        format=format_of(db),
        input=ends["input"].last,
        input_seal=ends["input"].seal.hex(),
        output=ends["output"].last,
        output_seal=ends["output"].seal.hex(),
    )
    known = [] if noted is None else [noted.at_ns]
    tail = tails["input"]
    return DamageFound(
        head=head,
        notes=tuple(note for each in tails.values() for note in each.notes()),
        suspect=tail.suspect,
        owners=tail.owners,
        altered=tails["output"].owners,
        all_tables=tail.missing_words(),
        at_ns=max(known + [each.at_ns for each in tails.values()]),
    )


def _written_down(db: sqlite3.Connection) -> dict[str, int]:
    """Up to which input each table is written down; 0: it has to be folded from its first."""
    kept = {
        table: number
        for table, number, place, body in db.execute(
            "SELECT table_name, input, place, body FROM checkpoint"
        )
        if unaltered(Checkpoint(table, number, place, body)) is not None
    }
    tables = db.execute("SELECT table_name FROM input UNION SELECT table_name FROM block")
    return {table: kept.get(table, 0) for (table,) in tables if isinstance(table, str)}


def _counted(db: sqlite3.Connection) -> dict[str, int]:
    """How far each table has counted its events, where nothing beside the file says so."""
    rows = db.execute("SELECT table_name, max(seq) FROM output WHERE seq NOT NULL GROUP BY 1")
    return {table: seq for table, seq in rows if isinstance(table, str) and isinstance(seq, int)}


def _mended_end(db: sqlite3.Connection, chain: str, noted: Head | None) -> ChainEnd:
    """Where the next row goes on: behind everything that was ever written, as far as is known."""
    row = db.execute(
        f"SELECT number, seal FROM {chain} ORDER BY number DESC LIMIT 1"
    ).fetchone() or (0, b"")
    kept = db.execute("SELECT count(*) FROM chain WHERE name = ?", (chain,)).fetchone()[0]
    if not kept:
        (first,) = db.execute(
            "SELECT coalesce(min(number), 1) FROM"
            f" (SELECT number FROM {chain} UNION ALL SELECT first FROM block WHERE chain = ?)",
            (chain,),
        ).fetchone()
        db.execute(*new_chain(chain, first))
    end = end_of(db, chain)
    if noted is not None:
        last = max(row[0], getattr(noted, chain))
    else:
        last = max(row[0], end.last) if end.last - row[0] <= CUT_OFF_MAX else row[0]
    last_seal = row[1] if row[0] and row[0] >= end.last else end.seal
    if (last, last_seal) != (end.last, end.seal):
        db.execute("UPDATE chain SET last = ?, seal = ? WHERE name = ?", (last, last_seal, chain))
        end = replace(end, last=last, seal=last_seal)
    return end


class _Tail:
    """The newest rows of a chain, each held against its seal."""

    def __init__(
        self, db: sqlite3.Connection, chain: str, end: ChainEnd, low: int, tables: Mapping[str, int]
    ) -> None:
        """`tables`: up to which input each is written down."""
        self.chain, self._tables = chain, tables
        self.suspect: dict[int, str] = {}
        self.owners: dict[int, str] = {}
        self.missing: list[tuple[int, int]] = []
        self.spoilt: list[Block] = []
        """Blocks in the tail that cannot be read any more."""
        self.at_ns = 0
        newest = max(0, end.last - TAIL_ROWS[chain])
        begin = newest if chain == "output" or low else 0
        if chain == "input":
            begin = max(begin, min(low, end.last - 1))
        self.spoilt = list(spoilt(db, chain, begin + 1))
        self._look(db, begin, end)

    def _look(self, db: sqlite3.Connection, begin: int, end: ChainEnd) -> None:
        expected = max(begin + 1, end.first)
        before: tuple[bytes, ...] = (end.before,) if expected == end.first else ()
        for fields, kept in stored(db, self.chain, expected):
            number = fields[0]
            if number > expected:
                self._gone(expected, number - 1)
                before = ()  # There is nothing to hold it against.
            made = [sealed(each, fields) for each in before]
            fits, after = linked(made, kept)
            if fits:
                self.at_ns = max(self.at_ns, fields[1])
            else:
                self._note(fields, kept, before)
            before, expected = after, number + 1
        if expected <= end.last:
            self._gone(expected, end.last)

    def _gone(self, first: int, last: int) -> None:
        """What a damaged block had is no news to a table that was written down since."""
        old = [each for each in self.spoilt if self._tables.get(each.table, 0) >= each.last]
        if not all(any(each.first <= n <= each.last for each in old) for n in (first, last)):
            self.missing.append((first, last))

    def _note(self, fields: Fields, kept: bytes, before: tuple[bytes, ...]) -> None:
        """The row is not as it was written; whose it is shows where its name alone was altered."""
        number, at_ns, named, *others = fields
        self.suspect[number] = "it is not as it was written"
        fitting = (
            table
            for table in self._tables
            for each in before
            if linked([sealed(each, (number, at_ns, table, *others))], kept)[0]
        )
        self.owners[number] = next(fitting, named if isinstance(named, str) else "")

    def missing_words(self) -> str:
        if not self.missing:
            return ""
        named = ", ".join(
            str(first) if first == last else f"{first}–{last}"
            for first, last in self.missing[:NAMED]
        )
        return f"{self.chain}s {named} of the journal are missing"

    def notes(self) -> Iterator[str]:
        for block in self.spoilt[:NAMED]:
            yield (
                f"{block.rows} old {self.chain}s of table {block.table}, between {block.first} and"
                f" {block.last}, are damaged; {VERIFY}"
            )
        if self.missing:
            yield f"{self.missing_words()}; numbers go on behind them; {VERIFY}"
        if self.suspect:
            named = ", ".join(str(number) for number in sorted(self.suspect)[:NAMED])
            beyond = len(self.suspect) - NAMED
            which = f"{named} and {beyond} more" if beyond > 0 else named
            yield (
                f"{self.chain}s {which} of the journal are not as they were written and are"
                f" passed over; {VERIFY}"
            )
