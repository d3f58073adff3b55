"""`arbiterd replay JOURNAL`: says that all is as recorded where it is, and nowhere else."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from arbiterd.hall.tables.seat import Seat
from arbiterd.journal.journal import Journal
from arbiterd.journal.purge import purge
from arbiterd.journal.rows import Batch, InputRow, Item
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from cli.test_commands import arbiterd
from eboards.dgt.codec import DgtCodec
from eboards.events import LinkUp

Opened = Callable[[Path], AbstractAsyncContextManager[Journal]]
SECOND = 1_000_000_000
ARRAY = bytes([8, 9, 10, 12, 11, 10, 9, 8, *[7] * 8, *[0] * 32, *[1] * 8, 2, 3, 4, 6, 5, 4, 3, 2])
DUMP = b"\x86\x00\x43" + ARRAY
E2_UP, E4_DOWN = bytes.fromhex("8e00053400"), bytes.fromhex("8e00052401")
WHITE_RUNS = b"\x8d\x00\n!3\x11!3\x14\t"
BLACK_RUNS = b"\x8d\x00\n!3\x11!3C\x13"
READS = (DUMP, WHITE_RUNS, E2_UP, E4_DOWN + BLACK_RUNS)
"""As they came from the wire; the last is two messages, a piece and its press."""


LATER = (
    "UPDATE input SET body = CAST(replace(CAST(body AS TEXT), '4000000000', '9000000000') AS BLOB)"
    " WHERE number = 5"
)


def items() -> Iterator[tuple[Item, bytes]]:
    """What the link makes of the reads: the first event of each with its bytes."""
    codec = DgtCodec()
    yield TableSetup(table="1", white="Ana", black="Bob"), b""
    yield LinkUp(SECOND, "dgt", "", codec.sensing), b""
    for at, read in enumerate(READS, 2):
        for place, event in enumerate(codec.receive(read, at * SECOND)):
            yield event, b"" if place else read


@pytest.fixture
async def journal(tmp_path: Path, opened: Opened) -> Path:
    """A journal as the service writes it."""
    path = tmp_path / "journal.db"
    async with opened(path) as written:
        seat: Seat | None = None
        for item, raw in items():
            number = written.next_input()
            row = InputRow(number, getattr(item, "at_ns", 0), "1", item, raw)
            if isinstance(item, TableSetup):
                seat, outputs = Seat("1", Table(item), 0, number), ()
            else:
                assert seat is not None
                outputs = seat.fold(written, row).outputs
            written.write(Batch((row,), outputs))
        await written.synced()
    return path


@pytest.mark.parametrize("more", [(), ("--decode",)])
def test_a_journal_as_it_was_written_is_as_recorded(journal: Path, more: tuple[str, ...]) -> None:
    """Read again from the bytes, an event that came second in a read was given the number of the
    first, and each ruling that rests on it was said to differ."""
    said = arbiterd("replay", journal, *more)
    assert said.stderr.endswith(" events, all as recorded\n")
    assert said.returncode == 0
    assert '"san":"e4"' in said.stdout


def test_a_record_that_goes_on_beyond_its_inputs_differs(journal: Path) -> None:
    with sqlite3.connect(journal) as db:
        db.execute("DELETE FROM input WHERE number >= 6")
    said = arbiterd("replay", journal)
    assert '"san":"e4"' in said.stderr
    assert "table 1: now      nothing" in said.stderr
    assert "differ from the record, which stands" in said.stderr
    assert said.returncode == 1


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        ("DELETE FROM input WHERE number = 1", "its first games have been taken out"),
        (LATER, "`arbiterd journal verify` names what is missing or altered"),
    ],
)
@pytest.mark.parametrize("more", [(), ("--explain", "2")])
def test_rows_that_cannot_be_folded_are_told_in_a_sentence(
    journal: Path, deed: str, words: str, more: tuple[str, ...]
) -> None:
    with sqlite3.connect(journal) as db:
        db.execute(deed)
    said = arbiterd("replay", journal, *more)
    assert said.returncode == 1
    assert words in said.stderr


def test_what_keep_has_taken_out_is_not_said_to_differ(journal: Path) -> None:
    with sqlite3.connect(journal, isolation_level=None) as db:
        assert purge(db, 5 * SECOND)
    said = arbiterd("replay", journal)
    assert said.returncode == 1
    assert "its first games have been taken out" in said.stderr
    assert "0 differ" in said.stderr


def test_a_page_that_is_damaged_is_told_in_a_sentence(journal: Path) -> None:
    with sqlite3.connect(journal) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'output'").fetchone()
    data = bytearray(journal.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = b"\x55" * 4096
    journal.write_bytes(data)
    said = arbiterd("replay", journal)
    assert said.returncode == 1
    assert "cannot be read to its end" in said.stderr
    assert "the program itself" not in said.stderr
