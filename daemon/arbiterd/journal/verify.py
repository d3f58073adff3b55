"""Is the evidence as it was written?"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

from arbiterd.journal.blocks import COLUMNS, spoilt, stored
from arbiterd.journal.encode import EncodeError, RowError, decode, kept
from arbiterd.journal.head import Head
from arbiterd.journal.schema import readable
from arbiterd.journal.seal import Break, breaks, end_of, ended_so, ends_of


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `arbiterd journal verify` says."""

    breaks: tuple[Break, ...]
    inputs: int
    outputs: int
    seal: str
    """Of the last input and the last output, in hex: noted elsewhere, it proves the tail."""

    @property
    def whole(self) -> bool:
        return not self.breaks


SEAL_MARK = 16
"""So many bytes of each chain's last seal are in the seal that is noted."""
BREAKS_MAX = 100
"""So many are named of each chain."""
ENDS_LOST = "where its rows begin and end has been taken out"


def verify(db: sqlite3.Connection, noted: Head | None = None) -> Verdict:
    """Checks every row's seal, what it says, the end that was `noted` outside, and the file.

    All of it at one moment: the service may write on meanwhile. Raises StoreError where it is no
    journal.
    """
    readable(db)
    with _one_moment(db):
        return _verified(db, noted)


@contextmanager
def _one_moment(db: sqlite3.Connection) -> Iterator[None]:
    """What is read within is the journal as the first word of it found it."""
    if db.in_transaction:
        yield
        return
    db.execute("BEGIN")
    try:
        yield
    finally:
        db.execute("ROLLBACK")


def _verified(db: sqlite3.Connection, noted: Head | None) -> Verdict:
    ends = ends_of(db)
    lost = tuple(Break(chain, 0, ENDS_LOST) for chain in COLUMNS if chain not in ends)
    if lost:
        return Verdict(lost, 0, 0, "")  # There is nothing to hold the rows against.
    found = [each for chain in COLUMNS for each in islice(_spoilt(db, chain), BREAKS_MAX)]
    found += [each for chain in COLUMNS for each in islice(breaks(db, chain), BREAKS_MAX)]
    found += islice(_unreadable(db), BREAKS_MAX)
    if noted is not None:
        found += [each for chain in COLUMNS for each in _cut_off(db, chain, noted)]
    for (said,) in db.execute("PRAGMA integrity_check"):
        if said != "ok":
            found.append(Break("file", 0, str(said)))
    return Verdict(
        tuple(found),
        ends["input"].last - ends["input"].first + 1,
        ends["output"].last - ends["output"].first + 1,
        (ends["input"].seal[:SEAL_MARK] + ends["output"].seal[:SEAL_MARK]).hex(),
    )


def held(db: sqlite3.Connection, seal: str) -> tuple[int, int] | None:
    """The input and the output up to which a whole journal is what had this seal once.

    None: it never had, or those rows have been taken out since. Raises ValueError: it is no seal.
    """
    marks = bytes.fromhex(seal)
    if len(marks) != 2 * SEAL_MARK:
        raise ValueError(f"{len(marks)} bytes")
    with _one_moment(db):
        last_input = ended_so(db, "input", marks[:SEAL_MARK])
        last_output = ended_so(db, "output", marks[SEAL_MARK:])
    return None if last_input is None or last_output is None else (last_input, last_output)


def _unreadable(db: sqlite3.Connection) -> Iterator[Break]:
    """Rows that are as they were written, and yet say nothing to this version."""
    for (number, _, _, kind, _, body), _ in stored(db, "input"):
        try:
            kept(decode(kind, body))
        except (EncodeError, RowError) as error:
            yield Break("input", number, str(error))


def _spoilt(db: sqlite3.Connection, chain: str) -> Iterator[Break]:
    """Blocks that give no row any more; the rows they had are missing in the chain."""
    for block in spoilt(db, chain):
        yield Break(chain, block.first, block.damage)


def _cut_off(db: sqlite3.Connection, chain: str, noted: Head) -> Iterator[Break]:
    """The end that was noted is in the chain, as it was noted."""
    number, sealed = (
        (noted.input, noted.input_seal) if chain == "input" else (noted.output, noted.output_seal)
    )
    end = end_of(db, chain)
    if number < end.first:
        return
    row = db.execute(f"SELECT seal FROM {chain} WHERE number = ?", (number,)).fetchone()
    if row is None and number > end.last:
        yield Break(chain, number, f"it was published, and the journal ends at {end.last}")
    elif row is not None and row[0].hex() != sealed:
        yield Break(chain, number, "it is not the one that was published")
