"""Rows of one table in one block: old ones take a tenth of the room, and not a byte is lost.

    rows     number | at_ns | kind | raw | body | seal      one by one, as they are committed
    block    number number … | at_ns at_ns … | …            column by column, packed with zlib
             first bytes of each seal                       by which an altered row is named

Rows in a block have the numbers, times and bytes they had. Their seals are made again from them,
so a chain runs through rows and blocks alike, and is held against each row that stands alone.
"""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from heapq import heappop, heappush
from itertools import accumulate, pairwise
from typing import Any, TypeAlias

import msgspec

COLUMNS = {
    "input": "number, at_ns, table_name, kind, raw, body",
    "output": "number, at_ns, table_name, place, topic, seq, retained, input, payload",
}
"""The fields of a row of each chain, in the order in which they are sealed."""

Fields: TypeAlias = tuple[Any, ...]
"""Of a row, in that order."""
Stored: TypeAlias = tuple[Fields, bytes]
"""A row, and what is kept of its seal: all of it, or its first bytes."""

BLOCK = "chain, table_name, first, last, until_ns, rows, body"
MARK = 4
"""So many bytes of a packed row's seal are kept."""
DIGEST = 32
LOWEST = -(1 << 63)
"""No number of a row is lower: what counts from there on is every row that the file holds."""
UNPACKED_MAX = 64 << 20
"""No block holds more bytes."""
NUMBER, TIME, TABLE, BODY = 0, 1, 2, 5
COUNTED = {"input": (NUMBER, TIME), "output": (NUMBER, TIME, 3, 7)}
"""Columns that count up (number, time, place, input): differences are kept of them."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block as it stands in the journal."""

    chain: str
    table: str
    first: int
    last: int
    until_ns: int
    """The newest time in it."""
    rows: int
    body: bytes

    @property
    def values(self) -> Fields:
        """In the order of `BLOCK`."""
        return astuple(self)

    @property
    def damage(self) -> str:
        """What is lost where it is not as it was written."""
        return f"the block of {self.rows} rows from here on is damaged (table {self.table})"

    def digest(self, content: bytes) -> bytes:
        """What its body begins with, where it is as it was written."""
        head = msgspec.msgpack.encode(self.values[:-1])
        return hashlib.sha256(head + content).digest()

    @property
    def whole(self) -> bool:
        """It is as it was written."""
        return self.body[:DIGEST] == self.digest(self.body[DIGEST:])


def packed(chain: str, rows: Sequence[Stored]) -> Block | None:
    """Rows of one table, in order. None: they could not be had again as they are."""
    try:
        block = _packed(chain, rows)
    except (TypeError, ValueError, OverflowError):  # Damaged: a time beyond all bounds, a hole.
        return None
    again = [(row, kept[:MARK]) for row, kept in rows]
    return block if unpacked(block) == again else None


def _packed(chain: str, rows: Sequence[Stored]) -> Block:
    fields = [row for row, _ in rows]
    columns: list[list[Any]] = [list(column) for column in zip(*fields, strict=True)]
    numbers, times = columns[NUMBER], columns[TIME]
    if chain == "input":
        said = zip(times, columns[BODY], strict=True)
        columns[BODY] = [body.removeprefix(_time_said(at_ns)) for at_ns, body in said]
    table, columns[TABLE] = columns[TABLE][0], []
    for place in COUNTED[chain]:
        columns[place] = [now - before for before, now in pairwise([0, *columns[place]])]
    marks = b"".join(kept[:MARK] for _, kept in rows)
    content = zlib.compress(msgspec.msgpack.encode([marks, columns]))
    bare = Block(chain, table, numbers[0], numbers[-1], max(times), len(rows), b"")
    return replace(bare, body=bare.digest(content) + content)


def _time_said(at_ns: int) -> bytes:
    """An input says its time a second time, at the beginning of its body."""
    return b'{"at_ns":%d,' % at_ns


def unpacked(block: Block) -> list[Stored] | None:
    """Its rows again; None: it is not as it was written."""
    if not block.whole:
        return None
    try:
        data = zlib.decompressobj().decompress(block.body[DIGEST:], UNPACKED_MAX)
        marks, columns = msgspec.msgpack.decode(data, type=tuple[bytes, list[list[Any]]])
        columns[TABLE] = [block.table] * block.rows
        for place in COUNTED[block.chain]:
            columns[place] = list(accumulate(columns[place]))
        if block.chain == "input":
            said = zip(columns[TIME], columns[BODY], strict=True)
            columns[BODY] = [
                _time_said(at_ns) + body if body[:1] == b'"' else body for at_ns, body in said
            ]
        rows = list(zip(*columns, strict=True))
        kept = [marks[begin : begin + MARK] for begin in range(0, len(marks), MARK)]
        return list(zip(rows, kept, strict=True))
    except (zlib.error, msgspec.DecodeError, ValueError, TypeError, LookupError):
        return None


def stored(
    db: sqlite3.Connection, chain: str, begin: int = LOWEST, table: str | None = None
) -> Iterator[Stored]:
    """Rows from number `begin` on, of one table or all, in order, wherever they stand.

    One statement, so that a row that is packed meanwhile is read once. Of a block that is not as
    it was written there is nothing.
    """
    named = "" if table is None else " AND table_name = :table"
    others = ", NULL" * (COLUMNS[chain].count(",") - _BLOCK.count(",") + 1)
    entries = db.execute(
        f"SELECT {COLUMNS[chain]}, seal FROM {chain} WHERE number >= :begin{named}"
        f" UNION ALL SELECT {_BLOCK}{others} FROM block"
        f" WHERE chain = :chain AND last >= :begin{named} ORDER BY 1",
        {"begin": begin, "table": table, "chain": chain},
    )
    opened: _Opened = []
    for count, entry in enumerate(entries):
        while opened and opened[0][0] < entry[0]:
            yield _next_of(opened)
        if entry[-1] is not None:
            # One that stands alone has all of its seal.
            yield entry[:-1], b"" if len(entry[-1]) == MARK else entry[-1]
            continue
        first, name, last, until_ns, rows, body = entry[: _BLOCK.count(",") + 1]
        found = unpacked(Block(chain, name, first, last, until_ns, rows, body)) or []
        _open(opened, count, (row for row in found if row[0][NUMBER] >= begin))
    while opened:
        yield _next_of(opened)


_BLOCK = "first, table_name, last, until_ns, rows, body"
"""Of a block, beginning with what it is ordered by."""
_Opened: TypeAlias = list[tuple[int, int, Iterator[Stored], Stored]]
"""Blocks that are being read: a heap by the number of each one's next row."""


def _open(opened: _Opened, count: int, rows: Iterator[Stored]) -> None:
    row = next(rows, None)
    if row is not None:
        heappush(opened, (row[0][NUMBER], count, rows, row))


def _next_of(opened: _Opened) -> Stored:
    _, count, rows, row = heappop(opened)
    _open(opened, count, rows)
    return row


def spoilt(db: sqlite3.Connection, chain: str, begin: int = LOWEST) -> Iterator[Block]:
    """Blocks with rows from `begin` on that are not as they were written."""
    rows = db.execute(
        f"SELECT {BLOCK} FROM block WHERE chain = ? AND last >= ? ORDER BY first", (chain, begin)
    )
    for row in rows:
        block = Block(*row)
        if not block.whole:
            yield block
