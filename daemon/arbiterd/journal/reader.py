"""Reading the journal: for outlets, for recovery, for replay and for people."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Self

import msgspec
from msgspec import Struct

from arbiterd.journal.blocks import COLUMNS, Fields, spoilt, stored
from arbiterd.journal.encode import EncodeError, decode
from arbiterd.journal.rows import (
    Checkpoint,
    DelayRow,
    InputRow,
    Item,
    OutputRow,
    Unread,
    emptied,
)
from arbiterd.journal.schema import readable
from arbiterd.journal.seal import as_written, unaltered
from arbiterd.laws.act import Act
from arbiterd.messages.topics import REPLY, Rank, rank
from arbiterd.table.inputs import DelaySaid, Labelled, Missed, Renamed, RoundOrdered
from arbiterd.table.keeping import kept_setup
from arbiterd.table.setup import TableSetup
from eboards.events import Identity

_INPUT, _OUTPUT = COLUMNS["input"], COLUMNS["output"]


def _output(row: Fields) -> OutputRow:
    number, at_ns, table, place, topic, seq, retained, cause, payload = row
    return OutputRow(number, at_ns, table, place, topic, seq, bool(retained), cause, payload)


def _item(at_ns: int, kind: str, body: bytes) -> Item | Unread | None:
    try:
        return decode(kind, body)
    except EncodeError as error:
        return Unread(at_ns, kind, str(error))


class _Answered(Struct):
    """The little of an answer that is looked at here."""

    ok: bool


def _refuses(payload: bytes) -> bool:
    """False too where it is no answer any more: then the act is taken as done."""
    try:
        return not msgspec.json.decode(payload, type=_Answered).ok
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False


_NEWEST = (
    ("input WHERE", "number", "at_ns"),
    ("output WHERE", "number", "at_ns"),
    ("block WHERE chain = 'input' AND", "first", "until_ns"),
    ("block WHERE chain = 'output' AND", "first", "until_ns"),
)
"""Where a table's newest row may be, each found by its index."""


class JournalReader:
    """Looks, and changes nothing. Numbers begin at 1; `after=0` is from the beginning."""

    def __init__(self, db: sqlite3.Connection, altered: Collection[int] = ()) -> None:
        """`altered`: outputs that are to be told to nobody, as what they said is not known."""
        self._db, self._altered = db, frozenset(altered)
        readable(db)
        db.create_function("rank", 1, rank, deterministic=True)

    def close(self) -> None:
        self._db.close()

    def of_this_moment(self) -> Self:
        """All that it reads from now on is the journal as it is now, whoever writes on."""
        self._db.execute("BEGIN")
        return self

    # Rows in order.

    def inputs(
        self, table: str | None = None, after: int = 0, limit: int | None = None
    ) -> Iterator[InputRow]:
        """What came in, one table's or all; a row that cannot be read comes as `Unread`."""
        for row, _ in islice(stored(self._db, "input", after + 1, table), limit):
            number, at_ns, name, kind, raw, body = row
            yield InputRow(number, at_ns, name, _item(at_ns, kind, body), raw)

    def count(self, table: str, after: int, at_most: int) -> int:
        """How many inputs of a table there are, counted no further than `at_most`."""
        (found,) = self._db.execute(
            "SELECT count(*) FROM (SELECT 1 FROM input WHERE table_name = ? AND number > ?"
            " LIMIT ?)",
            (table, after, at_most),
        ).fetchone()
        (packed,) = self._db.execute(
            "SELECT coalesce(sum(rows), 0) FROM block"
            " WHERE chain = 'input' AND table_name = ? AND last > ?",
            (table, after),
        ).fetchone()
        return min(int(found + packed), at_most)

    def missed(self, table: str, after: int) -> frozenset[int]:
        """Inputs beyond `after` that the table was told to go on without."""
        rows = self._db.execute(
            "SELECT at_ns, kind, body FROM input WHERE table_name = ? AND number > ?"
            " AND kind = 'Missed'",
            (table, after),
        )
        told = (_item(*row) for row in rows)
        return frozenset(
            number for item in told if isinstance(item, Missed) for number in item.numbers
        )

    def outputs(
        self, table: str | None = None, after: int = 0, limit: int | None = None
    ) -> Iterator[OutputRow]:
        """What was made of it, one table's or all."""
        for row, _ in islice(stored(self._db, "output", after + 1, table), limit):
            output = _output(row)
            whole = output.number not in self._altered
            yield output if whole else replace(emptied(output), at_ns=0)

    def leaving(self, after: int, limit: int, of: Rank) -> Iterator[OutputRow]:
        """Outputs of one rank that stand as they were written; no other is even read."""
        rows = self._db.execute(
            f"SELECT {_OUTPUT} FROM output WHERE number > ? AND rank(topic) = ?"
            " AND number NOT IN (SELECT value FROM json_each(?)) ORDER BY number LIMIT ?",
            (after, of, json.dumps(sorted(self._altered)), limit),
        )
        return map(_output, rows)

    def in_order(self, table: str | None = None) -> Iterator[InputRow | OutputRow]:
        """Both, one table's or all: an output follows the input it was made after."""
        outputs = self.outputs(table)
        output = next(outputs, None)
        for row in self.inputs(table):
            while output is not None and output.input < row.number:
                yield output
                output = next(outputs, None)
            yield row
        if output is not None:
            yield output
        yield from outputs

    def events(
        self, topics: Collection[str], after: int = 0, limit: int | None = None
    ) -> list[OutputRow]:
        """Events of all tables on these topics, in order."""
        marks = ", ".join("?" * len(topics))
        rows = self._db.execute(
            f"SELECT {_OUTPUT} FROM output WHERE number > ? AND seq IS NOT NULL"
            f" AND topic IN ({marks}) ORDER BY number",
            (after, *sorted(topics)),
        )
        return self._whole(rows, limit)

    def timeline(self, table: str, after_seq: int, limit: int) -> list[OutputRow]:
        """Events of one table whose `seq` is greater, in order."""
        rows = self._db.execute(
            f"SELECT {_OUTPUT} FROM output WHERE table_name = ? AND seq > ? ORDER BY seq",
            (table, after_seq),
        )
        return self._whole(rows, limit)

    def _whole(self, rows: Iterable[Fields], limit: int | None) -> list[OutputRow]:
        """The first of them that stand as they were written."""
        whole = (_output(row) for row in rows if row[0] not in self._altered)
        return list(islice(whole, limit))

    def retained(self, up_to: int) -> list[OutputRow]:
        """The truth of every retained topic after output `up_to`; a cleared one has no payload."""
        return [
            _output(row)
            for row in self._db.execute(
                f"SELECT {_OUTPUT} FROM output WHERE number IN (SELECT max(number) FROM output"
                " WHERE retained AND number <= ? AND number NOT IN (SELECT value FROM json_each(?))"
                " GROUP BY table_name, topic) ORDER BY number",
                (up_to, json.dumps(sorted(self._altered))),
            )
        ]

    def newest(self, table: str, topic: str) -> OutputRow | None:
        """The truth of one retained topic of a table; a cleared one has no payload."""
        rows = self._db.execute(
            f"SELECT {_OUTPUT} FROM output WHERE table_name = ? AND topic = ? AND retained"
            " ORDER BY number DESC",
            (table, topic),
        )
        return next(iter(self._whole(rows, 1)), None)

    def setting(self, table: str, after: int = 0) -> Iterator[InputRow]:
        """What may say who plays: set-ups, names put right, acts."""
        rows = self._db.execute(
            f"SELECT {_INPUT} FROM input WHERE table_name = ? AND number > ?"
            " AND kind IN ('Act', 'TableSetup', 'Renamed', 'Labelled') ORDER BY number",
            (table, after),
        )
        for number, at_ns, name, kind, raw, body in rows:
            item = _item(at_ns, kind, body)
            if isinstance(item, TableSetup | Renamed | Labelled | Act):
                yield InputRow(number, at_ns, name, item, raw)

    def refused(self, table: str, after: int = 0) -> frozenset[int]:
        """Acts, by their inputs, that a table has refused in an answer after output `after`."""
        rows = self._db.execute(
            "SELECT input, payload FROM output WHERE table_name = ? AND number > ?"
            " AND (topic = ? OR topic GLOB ?)",
            (table, after, REPLY, f"{REPLY}/*"),
        )
        return frozenset(number for number, payload in rows if _refuses(payload))

    def delays(self) -> Iterator[DelayRow]:
        """What says how long messages wait before they are public, of all tables.

        Rows that are not as they were written are left out: an altered one might let out too soon.
        """
        rows = self._db.execute(
            "SELECT number, at_ns, table_name, kind, body FROM input"
            " WHERE kind IN ('TableSetup', 'DelaySaid') ORDER BY number"
        )
        for number, at_ns, name, kind, body in rows:
            item = _item(at_ns, kind, body)
            if not isinstance(item, TableSetup | DelaySaid):
                continue
            if as_written(self._db, number):
                yield DelayRow(at_ns, name, item)

    def spoilt(self) -> str:
        """The first block that gives no row any more, in words; empty: there is none."""
        found = ((chain, block) for chain in COLUMNS for block in spoilt(self._db, chain))
        return next((f"{chain} {block.first}: {block.damage}" for chain, block in found), "")

    # Single values.

    def tables(self) -> list[str]:
        """The tables that anything is known of, in order of name."""
        rows = self._db.execute(
            "SELECT table_name FROM input UNION SELECT table_name FROM block ORDER BY 1"
        )
        return [name for (name,) in rows if name]

    def setup(self, table: str) -> TableSetup | None:
        """The newest set-up of a table that stands as it was written."""
        return next((each for each in self._setups(table) if each is not None), None)

    def hall(self, noted: str) -> str:
        """Whose games these are: by what was noted beside the file, else by their set-ups; empty
        where there are none."""
        first = (self.setup(table) for table in self.tables())
        return noted or next((setup.hall for setup in first if setup is not None), "")

    def remembered(self, table: str) -> TableSetup | None:
        """The set-up that the table itself goes on with, whoever named it; None: not known."""
        kept = self.checkpoint(table)
        try:
            return None if kept is None else kept_setup(kept.body)
        except (msgspec.MsgspecError, ValueError, TypeError):
            return None

    def configured(self, table: str) -> TableSetup | None:
        """The newest set-up that came from the configuration, and not by a command.

        None as well where it is not as it was written.
        """
        return next((s for s in self._setups(table) if s is None or not s.commanded), None)

    def _setups(self, table: str) -> Iterator[TableSetup | None]:
        """From the newest; None: one that is not as it was written."""
        rows = self._db.execute(
            "SELECT number, at_ns, kind, body FROM input WHERE table_name = ?"
            " AND kind = 'TableSetup' ORDER BY number DESC",
            (table,),
        )
        for number, *row in rows:
            item = _item(*row)
            if isinstance(item, TableSetup) and as_written(self._db, number):
                yield item
            else:
                yield None

    def assigned_device(self, table: str) -> str | None:
        """The device an arbiter gave this table since its newest set-up."""
        for item in self._newest_items(table, "Act", "TableSetup"):
            if isinstance(item, TableSetup):
                break
            if isinstance(item, Act) and item.action == "assign-device":
                return item.device
        return None

    def ordered(self, table: str, limit: int) -> list[RoundOrdered]:
        """The newest commands about a round that were for this table too, so many at most."""
        newest = islice(self._newest_items(table, "RoundOrdered"), limit)
        return [item for item in newest if isinstance(item, RoundOrdered)]

    def identity(self, table: str) -> str:
        """What the board at this table last called itself; empty if it never did."""
        told = self._newest_items(table, "Identity")
        return next((i.serial for i in told if isinstance(i, Identity) and i.serial), "")

    def _newest_items(self, table: str, *kinds: str) -> Iterator[Item | Unread | None]:
        """What a table was told of these kinds, from the newest."""
        marks = ", ".join("?" * len(kinds))
        rows = self._db.execute(
            f"SELECT at_ns, kind, body FROM input WHERE table_name = ? AND kind IN ({marks})"
            " ORDER BY number DESC",
            (table, *kinds),
        )
        return (_item(*row) for row in rows)

    def checkpoint(self, table: str) -> Checkpoint | None:
        """The newest one; None where there is none, or it is not as it was written."""
        row = self._db.execute(
            "SELECT table_name, input, place, body FROM checkpoint WHERE table_name = ?", (table,)
        ).fetchone()
        return None if row is None else unaltered(Checkpoint(*row))

    def last_output(self, table: str) -> OutputRow | None:
        """The newest output of a table."""
        row = self._db.execute(
            f"SELECT {_OUTPUT} FROM output WHERE table_name = ? ORDER BY number DESC LIMIT 1",
            (table,),
        ).fetchone()
        return None if row is None else _output(row)

    def told_ns(self, table: str, topics: Collection[str]) -> int:
        """The time of a table's newest event on these topics; 0: there is none."""
        marks = ", ".join("?" * len(topics))
        row = self._db.execute(
            f"SELECT at_ns FROM output WHERE table_name = ? AND topic IN ({marks})"
            " ORDER BY number DESC LIMIT 1",
            (table, *sorted(topics)),
        ).fetchone()
        return 0 if row is None else int(row[0])

    def newest_ns(self, table: str) -> int:
        """The time of the newest input or output of a table; 0: there is none."""
        found = [
            self._db.execute(
                f"SELECT {time} FROM {rows} table_name = ? ORDER BY {number} DESC LIMIT 1", (table,)
            ).fetchone()
            for rows, number, time in _NEWEST
        ]
        return max((int(row[0]) for row in found if row is not None), default=0)

    def cursor(self, outlet: str) -> int:
        """The last output this outlet has delivered; 0: none."""
        row = self._db.execute("SELECT number FROM cursor WHERE outlet = ?", (outlet,)).fetchone()
        return 0 if row is None else int(row[0])

    def last(self, chain: str) -> int:
        """The last number of `input` or `output`."""
        (number,) = self._db.execute("SELECT last FROM chain WHERE name = ?", (chain,)).fetchone()
        return int(number)

    def last_at_ns(self) -> int:
        """The newest time in the journal: nothing may be stamped before it."""
        (at_ns,) = self._db.execute(
            "SELECT max(coalesce((SELECT max(at_ns) FROM input), 0),"
            " coalesce((SELECT max(at_ns) FROM output), 0),"
            " coalesce((SELECT max(until_ns) FROM block), 0))"
        ).fetchone()
        return int(at_ns)
