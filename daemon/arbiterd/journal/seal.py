"""The chain of seals: each row's seal covers the row and the seal before it.

    seal = SHA-256( seal of the row before | the row's fields, as MessagePack )

So a row that was altered, added, moved or taken out breaks the chain at that row. `chain` keeps
where each chain begins and ends; a tail that was cut off is missed there.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from arbiterd.journal.blocks import COLUMNS, MARK, stored
from arbiterd.journal.rows import Checkpoint

GENESIS = bytes(32)
"""The seal before the first row."""


def seal(before: bytes, fields: tuple[object, ...]) -> bytes:
    """The seal of a row."""
    return hashlib.sha256(before + msgspec.msgpack.encode(fields)).digest()


def closed(kept: Checkpoint) -> Checkpoint:
    """As it is stored: its own seal before the body."""
    return replace(kept, body=_seal_of(kept) + kept.body)


def unaltered(stored: Checkpoint) -> Checkpoint | None:
    """As it was before it was stored; None: something of it has changed since."""
    kept = replace(stored, body=stored.body[len(GENESIS) :])
    return kept if stored.body[: len(GENESIS)] == _seal_of(kept) else None


def _seal_of(kept: Checkpoint) -> bytes:
    return seal(GENESIS, (kept.table, kept.input, kept.place, kept.body))


def as_written(db: sqlite3.Connection, number: int) -> bool:
    """The input fits the seals of its chain: its own and that of the row before it.

    One behind a gap has nothing to be held against, and counts as whole.
    """
    row = db.execute(
        f"SELECT {COLUMNS['input']}, seal FROM input WHERE number = ?", (number,)
    ).fetchone()
    if row is None:
        return False
    before = db.execute(
        "SELECT seal FROM input WHERE number = ? UNION ALL"
        " SELECT before FROM chain WHERE name = 'input' AND first = ?",
        (number - 1, number),
    ).fetchone()
    return before is None or sealed(before[0], row[:-1]) == row[-1]


def sealed(before: bytes, fields: tuple[Any, ...]) -> bytes:
    """As `seal`; empty, which fits nothing, where the fields are none that can be sealed."""
    try:
        return seal(before, fields)
    except (ValueError, TypeError, OverflowError):
        return b""


@dataclass(frozen=True, slots=True)
class Break:
    """The first row that is not as it was written."""

    chain: str
    number: int
    note: str


@dataclass(frozen=True, slots=True)
class ChainEnd:
    """Where a chain begins and ends: numbers, and the seals before the first and of the last."""

    first: int
    before: bytes
    last: int
    seal: bytes


def end_of(db: sqlite3.Connection, chain: str) -> ChainEnd:
    """As the journal has it."""
    row = db.execute(
        "SELECT first, before, last, seal FROM chain WHERE name = ?", (chain,)
    ).fetchone()
    return ChainEnd(*row)


def ends_of(db: sqlite3.Connection) -> Mapping[str, ChainEnd]:
    """Of every chain, by its name."""
    rows = db.execute("SELECT name, first, before, last, seal FROM chain").fetchall()
    return {name: ChainEnd(*end) for name, *end in rows}


def breaks(db: sqlite3.Connection, chain: str) -> Iterator[Break]:
    """Every row that is not as it was written, or is missing; those after it are still checked."""
    end = end_of(db, chain)
    expected = end.first
    before: tuple[bytes, ...] = (end.before,)
    for fields, kept in stored(db, chain):
        number = fields[0]
        fits, after = linked([sealed(each, fields) for each in before], kept)
        if not expected <= number <= end.last:
            yield Break(chain, number, "it was never written")
            if number == expected - 1:
                # Two of one number: what follows may rest on either.
                before = after and (*before, *after)
            continue
        if number != expected:
            yield Break(chain, expected, "it is missing")
        elif not fits:
            yield Break(chain, number, "it is not as it was written")
        expected, before = number + 1, after
    if expected <= end.last:
        yield Break(chain, expected, "it is missing, and all after it")
    elif before and end.seal not in before:
        yield Break(chain, end.last, "the end of the chain is not as it was written")


def ended_so(db: sqlite3.Connection, chain: str, mark: bytes) -> int | None:
    """The number of the row whose seal begins so: the chain, a whole one, has ended there once.

    None: it has not, or that row has been taken out since.
    """
    end = end_of(db, chain)
    number, before = end.first - 1, end.before
    rows = stored(db, chain)
    while not before.startswith(mark):
        row = next(rows, None)
        if row is None:
            return None
        number, before = row[0][0], sealed(before, row[0])
    return number


SEALS_MAX = 8
"""So many seals are tried behind rows that are not as they were written."""


def linked(made: Sequence[bytes], kept: bytes) -> tuple[bool, tuple[bytes, ...]]:
    """Whether a row fits what stands before it, and the seals that the next one may rest on.

    `made`: what its seal would be behind each that may stand before it; none: that is not known,
    and the row counts as whole. `kept`: its seal, or the first bytes of it in a block.
    """
    packed = len(kept) == MARK
    fitting = [each for each in made if each == kept or (packed and each.startswith(kept))]
    if packed:
        # Where it does not fit, its seal is known no more: the next row alone says how it goes on.
        return bool(fitting) or not made, tuple(fitting[:1])
    if fitting or not made:
        return True, (kept,)
    # Where only the seal of a row was touched, the next one rests on what it should be.
    return False, (kept, *made[-SEALS_MAX:])
