"""Old rows in blocks: the same rows, the same seals, in a tenth of the room."""

from __future__ import annotations

import asyncio
import json
import lzma
import re
import sqlite3
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiterd.cli.replay.journal import replay_journal
from arbiterd.edges.real import FileStore
from arbiterd.journal.blocks import BLOCK, BODY, Block, packed, unpacked
from arbiterd.journal.export import export
from arbiterd.journal.journal import Journal
from arbiterd.journal.packing import ROWS, pack
from arbiterd.journal.purge import purge
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.rows import Batch, Checkpoint, InputRow, OutputRow
from arbiterd.journal.schema import FORMAT
from arbiterd.journal.verify import Verdict, verify
from arbiterd.table.setup import TableSetup
from eboards.events import ClockReading

Opened = Callable[[Path], AbstractAsyncContextManager[Journal]]
OLD = Path(__file__).parent / "journals" / "format-1.db.xz"
SECOND = 1_000_000_000
TABLES = ("1", "2", "3")
READINGS = 2 * ROWS["input"]
"""Of each table."""


def reading(journal: Journal, table: str, second: int) -> Batch:
    """What a clock says each second, and a line of the log that came of it."""
    number, at_ns = journal.next_input(), second * SECOND + int(table)
    said = ClockReading(at_ns, 5_400_000 - second * 1000, 5_400_000, "left", "left")
    log = OutputRow(
        journal.next_output(),
        at_ns,
        table,
        second,
        "log",
        None,
        False,
        number,
        b'{"n":%d}' % number,
    )
    return Batch((InputRow(number, at_ns, table, said, b"\x8d\x00\x0a%d" % second),), (log,))


async def filled(path: Path, opened: Opened) -> list[bytes]:
    """A journal of three tables, and all that stands in it before anything is packed."""
    async with opened(path) as journal:
        for table in TABLES:
            setup = TableSetup(table=table)
            journal.write(Batch((InputRow(journal.next_input(), 1, table, setup),)))
        for second in range(1, READINGS + 1):
            for table in TABLES:
                journal.write(reading(journal, table, second))
        await journal.synced()
        return list(export(journal.read))


async def put_down(path: Path, opened: Opened, *tables: str) -> None:
    """Each table is written down as it stands; the journal then packs what is before."""
    async with opened(path) as journal:
        last = journal.read.last("input")
        for table in tables:
            journal.write(Batch(checkpoints=(Checkpoint(table, last, READINGS, b"state"),)))
        await journal.synced()
        for _ in range(100):
            if _blocks(path) >= 2 * len(tables):
                return
            await asyncio.sleep(0.02)


def _blocks(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("SELECT count(*) FROM block").fetchone()[0])


def room(path: Path) -> int:
    """Bytes of the file that are in use."""
    with closing(sqlite3.connect(path)) as db:
        return int(
            db.execute(
                "SELECT (page_count - freelist_count) * page_size FROM"
                " pragma_page_count, pragma_freelist_count, pragma_page_size"
            ).fetchone()[0]
        )


def told(path: Path) -> list[bytes]:
    with closing(FileStore(path).connect_for_reading()) as db:
        return list(export(JournalReader(db)))


def verdict_on(path: Path) -> Verdict:
    with closing(FileStore(path).connect_for_reading()) as db:
        return verify(db)


async def test_what_was_packed_is_read_as_it_was(path: Path, opened: Opened) -> None:
    before = await filled(path, opened)
    seal, size = verdict_on(path).seal, room(path)

    await put_down(path, opened, *TABLES)

    assert _blocks(path) == 2 * len(TABLES)
    assert told(path) == before
    verdict = verdict_on(path)
    assert verdict.whole
    assert verdict.seal == seal
    assert room(path) < size / 3
    with closing(FileStore(path).connect_for_reading()) as db:
        read = JournalReader(db)
        everything = [row.number for row in read.inputs("2")]
        assert [row.number for row in read.inputs("2", after=everything[300])] == everything[301:]
        assert [row.number for row in read.inputs("2", after=everything[300], limit=7)] == (
            everything[301:308]
        )
        assert read.count("2", 0, 10**6) == len(everything)


async def test_play_goes_on_behind_what_is_packed(path: Path, opened: Opened) -> None:
    before = await filled(path, opened)
    await put_down(path, opened, "1", "3")

    async with opened(path) as journal:
        assert not journal.found.notes
        journal.write(reading(journal, "1", READINGS + 1))

    assert told(path)[: len(before)] == before
    assert len(told(path)) == len(before) + 2
    assert verdict_on(path).whole


async def test_a_reader_meets_each_row_once_while_others_are_packed(
    path: Path, opened: Opened
) -> None:
    before = await filled(path, opened)
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as db,
        closing(FileStore(path).connect_for_reading()) as reading_on,
    ):
        lines = export(JournalReader(reading_on))
        found = [next(lines) for _ in range(500)]
        for table in TABLES:
            assert pack(db, Checkpoint(table, 10**6, 10**6, b""))
        found += lines

    assert found == before


@pytest.mark.parametrize("place", [0, 7, ROWS["input"] - 1])
async def test_an_altered_row_in_a_block_is_named(place: int, path: Path, opened: Opened) -> None:
    """Also where whoever altered it has made the block fit."""
    await filled(path, opened)
    await put_down(path, opened, *TABLES)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        key, *values = db.execute(
            f"SELECT number, {BLOCK} FROM block WHERE chain = 'input' AND table_name = '2'"
        ).fetchone()
        rows = unpacked(Block(*values))
        assert rows is not None
        fields, mark = rows[place]
        slower = fields[BODY].replace(b'"left_ms":5', b'"left_ms":4')
        rows[place] = ((*fields[:BODY], slower), mark)
        forged = packed("input", rows)
        assert forged is not None
        db.execute("UPDATE block SET body = ? WHERE number = ?", (forged.body, key))

    assert [found.number for found in verdict_on(path).breaks] == [fields[0]]


@pytest.mark.parametrize(
    ("deed", "note"),
    [
        ("UPDATE block SET body = CAST(substr(body, 2) || x'00' AS BLOB)", "damaged"),
        ("UPDATE block SET rows = rows - 1", "damaged"),
        ("UPDATE block SET table_name = '3'", "damaged"),
        ("DELETE FROM block", "missing"),
    ],
    ids=["bits", "count", "name", "removed"],
)
async def test_a_block_that_anyone_has_touched_is_named(
    deed: str, note: str, path: Path, opened: Opened
) -> None:
    await filled(path, opened)
    await put_down(path, opened, *TABLES)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        one = "(SELECT number FROM block WHERE chain = 'input' AND table_name = '2')"
        (first,) = db.execute(f"SELECT first FROM block WHERE number = {one}").fetchone()
        db.execute(f"{deed} WHERE number = {one}")

    found = verdict_on(path).breaks[0]
    assert (found.chain, found.number) == ("input", first)
    assert note in found.note


async def test_a_table_that_is_written_down_plays_on_beside_a_damaged_block(
    path: Path, opened: Opened
) -> None:
    await filled(path, opened)
    await put_down(path, opened, *TABLES)
    damage = "UPDATE block SET body = zeroblob(900) WHERE chain = 'input' AND table_name = '2'"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(damage)
        # Its neighbour was written down last before any of this.
        db.execute("DELETE FROM checkpoint WHERE table_name = '3'")

    async with opened(path) as journal:
        assert any("of table 2" in note and "damaged" in note for note in journal.found.notes)
        assert journal.found.all_tables == ""

    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DELETE FROM checkpoint WHERE table_name = '2'")
    async with opened(path) as journal:
        assert "missing" in journal.found.all_tables


async def test_blocks_are_taken_over_from_a_damaged_file(path: Path, opened: Opened) -> None:
    before = await filled(path, opened)
    await put_down(path, opened, *TABLES)
    with path.open("r+b") as file:
        file.write(b"no database at all, as far as its first page goes")

    async with opened(path) as journal:
        assert any("taken over" in note for note in journal.found.notes)

    assert told(path) == before
    assert verdict_on(path).whole


@pytest.mark.parametrize("second", [3, ROWS["input"], READINGS - 1])
async def test_what_is_purged_leaves_its_blocks(second: int, path: Path, opened: Opened) -> None:
    before = await filled(path, opened)
    await put_down(path, opened, "1", "3")

    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        gone = purge(db, second * SECOND)

    left = told(path)
    assert len(left) == len(before) - gone
    assert left == before[-len(left) :]
    times = [msgspec.json.decode(line)["at"] for line in left if b'"input":' in line[:12]]
    assert min(times) >= f"1970-01-01T00:{(second - 1) // 60:02}:{(second - 1) % 60:02}"
    assert verdict_on(path).whole


# Journals of before.


@pytest.fixture
def old(path: Path) -> Path:
    """Two tables of the famous games, written by a version that packed nothing."""
    path.write_bytes(lzma.decompress(OLD.read_bytes()))
    return path


def how_sure_aside(payload: str) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(payload)
    if "facts" in said:
        del said["facts"]["sureness"]
    else:
        del said["certainty"], said["probability"]
    return said


def test_a_journal_of_before_is_whole_and_replays_the_same_but_for_how_sure_it_is(
    old: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Two half-moves that were replied to at once are certain since, as soon as they are pressed
    for; each is told in `moves` and in `log`."""
    assert verdict_on(old).whole
    assert replay_journal(old, everything=False, decode=False) == 1
    err = capfd.readouterr().err
    assert "4 differ from the record" in err
    pairs = re.findall(r"recorded ({.*})\n.*: now +({.*})\n", err)
    assert len(pairs) == 4
    for recorded, now in pairs:
        assert how_sure_aside(recorded) == how_sure_aside(now)
        assert '"likely"' in recorded
        assert '"likely"' not in now

    with closing(sqlite3.connect(old)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)


async def test_a_journal_of_before_is_written_on_as_it_is(old: Path, opened: Opened) -> None:
    """The version that made it can read it still: an update may be undone in mid-event."""
    before = told(old)
    async with opened(old) as journal:
        last = journal.read.last("input")
        for table in ("1", "2"):
            journal.write(Batch(checkpoints=(Checkpoint(table, last, 10**6, b"state"),)))
        journal.write(reading(journal, "1", 1))

    assert told(old)[: len(before)] == before
    with closing(sqlite3.connect(old)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
        assert not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'block'").fetchall()


def test_a_new_journal_says_its_format(path: Path) -> None:
    assert FORMAT == 2


# Any rows at all.

INT64 = st.integers(-(2**63), 2**63 - 1)
ROW = st.tuples(INT64, st.text(max_size=9), st.binary(max_size=20), st.binary(max_size=60))


@given(st.lists(ROW, min_size=1, max_size=9), st.integers(0, 2**40))
def test_a_block_gives_the_very_rows_or_is_not_made(
    rows: list[tuple[int, str, bytes, bytes]], first: int
) -> None:
    kept = [
        ((number, at_ns, "12", kind, raw, body), bytes(32))
        for number, (at_ns, kind, raw, body) in enumerate(rows, first)
    ]
    block = packed("input", kept)
    if block is None:
        # Only what a damaged journal holds: times further apart than any number goes.
        assert max(r[0] for r in rows) - min(0, *(r[0] for r in rows)) >= 2**62 or any(
            body[:1] == b'"' for *_, body in rows
        )
        return
    assert unpacked(block) == [(fields, seal[:4]) for fields, seal in kept]
    assert unpacked(replace(block, rows=block.rows + 1)) is None
