"""The journal on a real disk: order, durability, seals, cursors, purge."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, closing
from pathlib import Path

import pytest

from arbiterd.edges import StoreError
from arbiterd.edges.real import FileStore, Threads, WallClock
from arbiterd.journal import mending
from arbiterd.journal import seal as seals
from arbiterd.journal.blocks import COLUMNS
from arbiterd.journal.journal import LATER_S, PROOF, Journal
from arbiterd.journal.purge import attested, note_silence, purge
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.rows import Batch, Checkpoint, InputRow, OutputRow
from arbiterd.journal.seal import breaks, seal
from arbiterd.journal.verify import verify
from eboards.events import SquareChange

ROWS = 4
Opened = Callable[[Path], AbstractAsyncContextManager[Journal]]


def change(journal: Journal, table: str = "1", at_ns: int = 0) -> Batch:
    """A square that changed, and the message made of it."""
    number = journal.next_input()
    at_ns = at_ns or number
    item = SquareChange(at_ns, number % 64, "P")
    return Batch(
        inputs=(InputRow(number, at_ns, table, item, b"\x8e\x00\x05"),),
        outputs=(
            OutputRow(
                journal.next_output(), at_ns, table, number, "moves", number, False, number, b"{}"
            ),
        ),
    )


async def written(path: Path, opened: Opened, rows: int = ROWS) -> None:
    async with opened(path) as journal:
        for _ in range(rows):
            journal.write(change(journal))


async def test_what_was_written_is_there_after_a_new_start(path: Path, opened: Opened) -> None:
    await written(path, opened)

    async with opened(path) as journal:
        read = journal.reader()
        assert [row.number for row in read.inputs()] == [1, 2, 3, 4]
        assert [row.seq for row in read.outputs("1", after=2)] == [3, 4]
        assert next(read.inputs()).item == SquareChange(1, 1, "P")
        assert next(read.inputs()).raw == b"\x8e\x00\x05"
        assert read.last_at_ns() == 4
        assert journal.next_input() == 5


async def test_a_write_is_done_only_once_another_reader_sees_it(path: Path, opened: Opened) -> None:
    async with opened(path) as journal:
        other = JournalReader(FileStore(path).connect_for_reading())
        done = [journal.write(change(journal)) for _ in range(50)]

        await done[30]

        assert len(list(other.inputs())) >= 31
        assert journal.committed_outputs >= 31


@pytest.mark.parametrize("proven", [0, 1000])
@pytest.mark.parametrize("head", ["stays", "is the older one's"])
async def test_an_older_file_in_the_journals_place_does_not_stay_there(
    path: Path, opened: Opened, head: str, proven: int
) -> None:
    """It can be opened and read: only what was written last is not in it. A disk that was mounted
    over ours brings what is noted beside it too."""
    async with opened(path) as journal:
        await journal.write(change(journal))
        older, noted = path.with_name("older.db"), path.with_name("journal.db.head").read_bytes()
        with closing(sqlite3.connect(path)) as db:
            db.execute("VACUUM INTO ?", (str(older),))
        if proven:
            with closing(sqlite3.connect(older)) as db, db:
                db.execute("INSERT OR REPLACE INTO cursor VALUES (?, ?)", (PROOF, proven))
        for _ in range(20):
            journal.write(change(journal))
        await journal.prove()
        for beside in ("-wal", "-shm"):
            path.with_name(path.name + beside).unlink()
        older.replace(path)
        if head != "stays":
            path.with_name("older.head").write_bytes(noted)
            path.with_name("older.head").replace(path.with_name("journal.db.head"))
        with pytest.raises(
            StoreError, match=r"does not stand in its file: .*journal.db.replaced-1"
        ):
            await journal.prove()
        journal.write(change(journal))  # As whoever is at work still does.

    async with opened(path) as journal:
        assert [row.number for row in journal.read.inputs()] == list(range(1, 23))
        assert journal.found.notes == ()
        assert journal.head.seq == {"1": 22}
    assert verify(FileStore(path).connect_for_reading()).whole
    with closing(FileStore(path.with_name("journal.db.replaced-1")).connect_for_reading()) as db:
        assert len(list(JournalReader(db).inputs())) == 1


@pytest.mark.parametrize("gone", ["the file", "its folder"])
async def test_a_journal_that_was_taken_away_is_there_again_at_the_next_start(
    tmp_path: Path, opened: Opened, gone: str
) -> None:
    path = tmp_path / "state" / "journal.db"
    async with opened(path) as journal:
        for _ in range(20):
            journal.write(change(journal))
        await journal.prove()
        if gone == "its folder":
            shutil.rmtree(path.parent)
        else:
            for beside in ("", "-wal", "-shm"):
                path.with_name(path.name + beside).unlink()
        with pytest.raises(StoreError, match="was taken away"):
            await journal.prove()
        await journal.write(change(journal))  # As whoever is at work still does.

    async with opened(path) as journal:
        assert len(list(journal.read.inputs())) == 21
        assert journal.next_input() == 22


async def pulled_and_put_back(path: Path, opened: Opened) -> None:
    """What is held open of it is dead for good, and its name has another file then."""
    async with opened(path) as journal, asyncio.timeout(60):
        older, out = path.parent.with_name("older"), path.parent.with_name("out")
        await journal.write(change(journal))
        shutil.copytree(path.parent, older)
        await journal.write(change(journal))
        journal._db.execute("PRAGMA query_only = ON")  # Nothing that is held open takes more.
        shutil.copytree(path.parent, out)
        path.parent.rename(path.parent.with_name("dead"))

        waiting = journal.write(change(journal))
        while "put back the disk" not in (journal.trouble or ""):
            await WallClock().rest(0.01)
        assert not path.parent.exists(), "its place is left as it is"
        older.rename(path.parent)
        tries = journal.tries
        while journal.tries < tries + 2:
            await WallClock().rest(0.01)
        assert not waiting.done()
        path.parent.rename(older)
        out.rename(path.parent)
        await waiting
        assert journal.trouble is None


async def test_a_disk_that_is_put_back_gets_what_waited_for_it(
    tmp_path: Path, opened: Opened
) -> None:
    """An older journal in its place, or another stick's, is not written into."""
    path = tmp_path / "stick" / "journal.db"
    with pytest.raises(StoreError, match="all that waited is in the journal"):
        await pulled_and_put_back(path, opened)

    async with opened(path) as journal:
        assert [row.number for row in journal.read.inputs()] == [1, 2, 3]
        assert journal.found.notes == ()
    assert verify(FileStore(path).connect_for_reading()).whole


async def test_batches_that_wait_share_a_commit(path: Path, opened: Opened) -> None:
    async with opened(path) as journal:
        commits = 0

        def count(statement: str) -> None:
            nonlocal commits
            commits += statement == "COMMIT"

        journal._db.set_trace_callback(count)
        for _ in range(100):
            journal.write(change(journal))
        await journal.synced()

        assert commits < 10


async def test_rows_that_nobody_hears_of_wait_for_others(path: Path, opened: Opened) -> None:
    async with opened(path) as journal:
        loop = asyncio.get_running_loop()
        with_others = journal.write(change(journal), may_wait=True)
        await journal.write(change(journal))
        assert with_others.done(), "rows go to the disk in their order"

        begun_s = loop.time()
        await asyncio.wait_for(journal.write(change(journal), may_wait=True), 60)
        assert loop.time() - begun_s >= 0.9 * LATER_S


async def test_readers_learn_of_outputs_when_they_are_on_the_disk(
    path: Path, opened: Opened
) -> None:
    async with opened(path) as journal:
        waiting = asyncio.create_task(journal.grown(0))
        await journal.synced()
        assert not waiting.done()

        journal.write(change(journal))

        await asyncio.wait_for(waiting, 60)
        assert len(list(journal.read.outputs())) == 1


async def test_while_the_disk_refuses_nothing_is_lost_and_nothing_is_told(
    path: Path, opened: Opened
) -> None:
    async with opened(path) as journal:
        journal._db.execute("PRAGMA max_page_count = 1")  # The disk is full.
        big = InputRow(journal.next_input(), 1, "1", None, bytes(200_000))

        done = journal.write(Batch(inputs=(big,)))
        while journal.trouble is None:
            await WallClock().rest(0.01)
        assert not done.done()
        assert "cannot be written" in journal.trouble

        journal._db.execute("PRAGMA max_page_count = 100000")
        await asyncio.wait_for(done, 60)
        assert journal.trouble is None
        assert [len(row.raw) for row in journal.read.inputs()] == [200_000]


async def test_a_hall_plays_on_for_twenty_minutes_on_a_full_disk(
    path: Path, opened: Opened
) -> None:
    """60 boards: 40 inputs a minute, and a checkpoint of 60 kB every 64 of them."""
    tables, inputs = [str(number) for number in range(60)], 20 * 40
    async with opened(path) as journal:
        journal._db.execute("PRAGMA max_page_count = 1")
        done = journal.write(Batch((InputRow(journal.next_input(), 1, "1", None, bytes(200_000)),)))
        while journal.trouble is None:
            await WallClock().rest(0.01)

        for number in range(inputs):
            for table in tables:
                row = InputRow(journal.next_input(), number, table, None, bytes(40))
                put_down = (Checkpoint(table, row.number, 0, bytes(60_000)),)
                journal.write(Batch((row,), (), put_down if number % 64 == 63 else ()))
            await WallClock().rest(0)
        assert not journal.full

        journal._db.execute("PRAGMA max_page_count = 100000")
        await asyncio.wait_for(asyncio.gather(done, journal.synced()), 60)
        assert journal.read.last("input") == 1 + inputs * len(tables)
        newest = [journal.read.checkpoint(table) for table in tables]
        assert all(kept and kept.input > (inputs - 64) * len(tables) for kept in newest)
        assert not journal.waiting_bytes


async def test_retained_truth_is_the_newest_of_each_topic(path: Path, opened: Opened) -> None:
    async with opened(path) as journal:
        for place, (topic, payload) in enumerate(
            [("result", b"1"), ("rulings/1-0001", b"a"), ("result", b"2"), ("rulings/1-0001", b"")],
            start=1,
        ):
            row = OutputRow(journal.next_output(), place, "1", place, topic, None, True, 0, payload)
            journal.write(Batch(outputs=(row,)))
        await journal.synced()

        assert [(r.topic, r.payload) for r in journal.read.retained(3)] == [
            ("rulings/1-0001", b"a"),
            ("result", b"2"),
        ]
        assert [r.payload for r in journal.read.retained(4)] == [b"2", b""]


async def test_cursors_and_checkpoints_are_the_newest(path: Path, opened: Opened) -> None:
    async with opened(path) as journal:
        journal.move_cursor("mqtt", 3)
        journal.move_cursor("mqtt", 7)
        journal.write(Batch(checkpoints=(Checkpoint("1", 4, 2, b"x"), Checkpoint("1", 9, 3, b"y"))))

    async with opened(path) as journal:
        assert journal.read.cursor("mqtt") == 7
        assert journal.read.cursor("other") == 0
        assert journal.read.checkpoint("1") == Checkpoint("1", 9, 3, b"y")


# Evidence.


@pytest.fixture
def full(path: Path, opened: Opened) -> sqlite3.Connection:
    asyncio.run(written(path, opened))
    return sqlite3.connect(path)


DEEDS = {
    "alter": "UPDATE {chain} SET table_name = '2' WHERE number = ?",
    "alter its time": "UPDATE {chain} SET at_ns = at_ns + 1 WHERE number = ?",
    "break the seal": "UPDATE {chain} SET seal = zeroblob(32) WHERE number = ?",
    "remove": "DELETE FROM {chain} WHERE number = ?",
    "remove with all after it": "DELETE FROM {chain} WHERE number >= ?",
}


@pytest.mark.parametrize("number", range(1, ROWS + 1))
@pytest.mark.parametrize("chain", ["input", "output"])
@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS)
def test_the_first_row_anyone_has_touched_is_named(
    full: sqlite3.Connection, deed: str, chain: str, number: int
) -> None:
    assert not list(breaks(full, chain))

    full.execute(deed.format(chain=chain), (number,))

    assert next(breaks(full, chain)).number == number
    assert [broken.number for broken in verify(full).breaks] == [number]


@pytest.mark.parametrize("column", ["kind", "raw", "body"])
def test_every_field_of_an_input_is_sealed(full: sqlite3.Connection, column: str) -> None:
    value = {"kind": "Scan", "raw": b"", "body": b"{}"}[column]
    full.execute(f"UPDATE input SET {column} = ? WHERE number = 3", (value,))

    assert next(breaks(full, "input")).number == 3


def test_an_added_row_is_named(full: sqlite3.Connection) -> None:
    full.execute(
        "INSERT INTO input SELECT 5, at_ns, table_name, kind, raw, body, seal FROM input"
        " WHERE number = 4"
    )

    assert [broken.number for broken in verify(full).breaks] == [5]


@pytest.mark.parametrize("number", [-7, 0, ROWS + 1, ROWS + 4])
@pytest.mark.parametrize("chain", ["input", "output"])
def test_a_row_that_was_put_before_or_behind_all_others_is_named(
    full: sqlite3.Connection, chain: str, number: int
) -> None:
    """Sealed on the last row as it would be, which anybody can compute."""
    *fields, last = full.execute(
        f"SELECT {COLUMNS[chain]}, seal FROM {chain} WHERE number = ?", (ROWS,)
    ).fetchone()
    forged = (number, *fields[1:])
    places = ", ".join("?" * (len(forged) + 1))

    full.execute(
        f"INSERT INTO {chain} ({COLUMNS[chain]}, seal) VALUES ({places})",
        (*forged, seal(last, forged)),
    )

    assert [broken.number for broken in verify(full).breaks] == [number]


@pytest.mark.parametrize("chain", ["input", "output"])
def test_a_chain_said_to_end_before_its_last_row_does_not_pass(
    full: sqlite3.Connection, chain: str
) -> None:
    full.execute("UPDATE chain SET last = last - 1 WHERE name = ?", (chain,))

    assert (chain, ROWS) in [(broken.chain, broken.number) for broken in verify(full).breaks]


@pytest.mark.parametrize("chain", ["input", "output"])
def test_a_chain_whose_ends_were_taken_out_is_told_in_a_sentence(
    full: sqlite3.Connection, chain: str
) -> None:
    full.execute("DELETE FROM chain WHERE name = ?", (chain,))

    assert [(broken.chain, broken.number) for broken in verify(full).breaks] == [(chain, 0)]


def test_what_is_purged_is_gone_from_the_disk(full: sqlite3.Connection, path: Path) -> None:
    full.execute("PRAGMA secure_delete = ON")
    full.execute("UPDATE input SET table_name = 'Ada Adams' WHERE number = 1")
    full.commit()
    assert b"Ada Adams" in path.read_bytes() + path.with_name("journal.db-wal").read_bytes()

    full.isolation_level = None
    purge(full, before_ns=3)

    assert b"Ada Adams" not in path.read_bytes() + path.with_name("journal.db-wal").read_bytes()


def test_after_a_purge_the_rest_is_still_whole(full: sqlite3.Connection) -> None:
    gone = purge(full, before_ns=3)

    assert gone == 4
    assert verify(full).whole
    assert [row.number for row in JournalReader(full).inputs()] == [3, 4]
    full.execute("UPDATE input SET at_ns = 9 WHERE number = 3")
    assert [broken.number for broken in verify(full).breaks] == [3]


async def test_only_one_service_writes_a_journal(path: Path, opened: Opened) -> None:
    async with opened(path):
        with pytest.raises(StoreError, match="runs already, as process"):
            FileStore(path).connect()
    async with opened(path):
        pass


# Files that are none.


def test_a_file_that_is_no_journal_is_refused_in_a_sentence(path: Path) -> None:
    path.write_text("Dear arbiter, this is a letter and no journal at all. " * 20)
    with pytest.raises(StoreError, match=r"journal\.db"):
        FileStore(path).connect_for_reading()
    with pytest.raises(StoreError, match="cannot be written as one"):
        mending.opened(FileStore(path))


def test_a_database_of_something_else_is_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipe (cake TEXT)")

    async def attempt() -> None:
        await Journal.open(FileStore(path), WallClock(), Threads())

    with pytest.raises(StoreError, match="something else"):
        asyncio.run(attempt())


def test_a_journal_that_is_not_there_is_named(path: Path) -> None:
    with pytest.raises(StoreError, match="there is no journal at"):
        FileStore(path).connect_for_reading()


DAY = 86_400 * 10**9


def test_a_clock_that_jumps_ages_nothing(full: sqlite3.Connection) -> None:
    """Four rows of 1970; the computer's clock says today, then a year later again."""
    full.isolation_level = None
    now_ns = 20_000 * DAY
    note_silence(full, 4, now_ns - 31 * DAY)

    assert purge(full, attested(full, now_ns - 365 * DAY)) == 0
    # Eleven months later, the service having run all the while, they are a year old.
    assert purge(full, attested(full, now_ns + 300 * DAY - 365 * DAY)) == 0
    assert purge(full, attested(full, now_ns + 340 * DAY - 365 * DAY)) == 2 * ROWS
    assert full.execute("SELECT count(*) FROM input").fetchone() == (0,)


def test_a_purge_that_the_disk_refuses_leaves_nothing_half_done(full: sqlite3.Connection) -> None:
    full.isolation_level = None
    full.execute(
        "CREATE TRIGGER refuse BEFORE DELETE ON output BEGIN SELECT RAISE(ABORT, 'full'); END"
    )
    with pytest.raises(sqlite3.Error):
        purge(full, before_ns=3)
    assert not full.in_transaction
    assert full.execute("SELECT count(*) FROM input").fetchone() == (ROWS,)


def test_names_are_for_the_service_alone(path: Path, opened: Opened) -> None:
    path.touch(0o644)

    async def look() -> dict[str, int]:
        async with opened(path) as journal:
            await journal.synced()
            return {file.name: file.stat().st_mode & 0o777 for file in path.parent.glob("journal*")}

    rights = asyncio.run(look())
    assert {"journal.db", "journal.db-wal", "journal.db.head"} <= set(rights)
    assert not any(mode & 0o007 for mode in rights.values()), rights


def test_a_row_whose_time_is_wrong_takes_no_other_with_it(full: sqlite3.Connection) -> None:
    full.execute("UPDATE input SET at_ns = at_ns + ?", (10**18,))
    full.execute("UPDATE input SET at_ns = 1 WHERE number = 3")
    full.commit()
    full.isolation_level = None
    purge(full, before_ns=10**9)
    assert full.execute("SELECT count(*) FROM input").fetchone() == (ROWS,)


@pytest.mark.parametrize("broken", [None, 30], ids=["whole", "a row altered"])
async def test_to_verify_a_journal_costs_a_seal_or_two_for_each_row(
    path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch, broken: int | None
) -> None:
    await written(path, opened, rows=100)
    if broken is not None:
        with sqlite3.connect(path) as db:
            db.execute("UPDATE input SET at_ns = 5 WHERE number = ?", (broken,))
    made, real = 0, seals.seal

    def counted(before: bytes, fields: tuple[object, ...]) -> bytes:
        nonlocal made
        made += 1
        return real(before, fields)

    monkeypatch.setattr(seals, "seal", counted)
    verdict = verify(FileStore(path).connect_for_reading())

    assert [found.number for found in verdict.breaks] == ([] if broken is None else [broken])
    assert made <= 2 * 100 + 2


async def test_a_start_looks_at_each_row_once(
    path: Path, opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many rows were taken over before it: a table without checkpoint has them all."""
    rows = 500
    async with opened(path) as journal:
        for _ in range(rows):
            journal.write(Batch(inputs=(InputRow(journal.next_input(), 1, "1", None),)))
        await journal.synced()
    looks: list[object] = []
    monkeypatch.setattr(mending, "sealed", lambda *row: looks.append(row) or seals.sealed(*row))
    async with opened(path) as journal:
        assert not journal.found.notes
    assert len(looks) == rows
