"""A journal copied while it is written, and taken back: nothing is lost on either way."""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

import pytest

from arbiterd.edges import StoreError
from arbiterd.edges.copies import copied
from arbiterd.edges.real import FileStore
from arbiterd.journal.journal import Journal
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.rows import Batch, InputRow
from arbiterd.journal.verify import verify
from cli.test_commands import arbiterd, arbiterd_process
from eboards.events import SquareChange

ROWS = 200
ROW = b"\x8e\x00\x05"
SERVICE = 1
"""The user of a service, and its group."""


def changes(journal: Journal, count: int) -> list[asyncio.Future[None]]:
    """So many squares that changed, a batch each."""
    return [
        journal.write(
            Batch((InputRow(number, number, "1", SquareChange(number, number % 64, "P"), ROW),))
        )
        for number in (journal.next_input() for _ in range(count))
    ]


Opened = Callable[[Path], AbstractAsyncContextManager[Journal]]


@pytest.fixture
def writing(opened: Opened) -> Callable[[Path, int], Awaitable[None]]:
    async def written(path: Path, count: int) -> None:
        async with opened(path) as journal:
            changes(journal, count)

    return written


def numbers(path: Path) -> list[int]:
    db = FileStore(path).connect_for_reading()
    found = [row.number for row in JournalReader(db).inputs()]
    db.close()
    return found


def private_and_alone(copy: Path) -> bool:
    """For its owner only, and without companions."""
    beside = [file.name for file in copy.parent.glob(f"{copy.name}*")]
    return copy.stat().st_mode & 0o777 == 0o600 and beside == [copy.name]


async def test_a_copy_made_while_rows_are_written_is_whole(tmp_path: Path, opened: Opened) -> None:
    path = tmp_path / "journal.db"
    async with opened(path) as journal:
        await asyncio.gather(*changes(journal, ROWS))

        copying = asyncio.create_task(
            asyncio.to_thread(arbiterd_process, "journal", "backup", tmp_path, path)
        )
        while not copying.done():
            await asyncio.gather(*changes(journal, 5))
        said = copying.result()

    assert said.returncode == 0, said.stderr
    copy = Path(said.stdout.split(":")[0])
    assert "whole, " in said.stdout
    assert copy.parent == tmp_path
    taken = numbers(copy)
    assert taken == list(range(1, len(taken) + 1))
    assert ROWS <= len(taken) <= len(numbers(path))
    assert private_and_alone(copy)


async def test_a_journal_that_is_written_meanwhile_is_verified_as_it_is_at_one_moment(
    tmp_path: Path, opened: Opened
) -> None:
    """A row is committed at every statement of the look. It was said that the end of the chain is
    not as it was written, beside a service that was well: the 9th power cut of seed 1."""
    path, committed = tmp_path / "journal.db", 0
    loop = asyncio.get_running_loop()

    async def another(journal: Journal) -> None:
        await asyncio.gather(*changes(journal, 1))

    def commit(journal: Journal, _statement: str) -> None:
        nonlocal committed
        committed += 1
        asyncio.run_coroutine_threadsafe(another(journal), loop).result(10)

    async with opened(path) as journal:
        await asyncio.gather(*changes(journal, ROWS))
        db = FileStore(path).connect_for_reading()
        db.set_trace_callback(partial(commit, journal))
        verdict = await asyncio.to_thread(verify, db)
        db.close()
    assert committed > 5
    assert not verdict.breaks
    assert ROWS <= verdict.inputs < len(numbers(path))


async def test_a_copy_is_taken_back_and_that_is_undone(tmp_path: Path, writing) -> None:
    path, copy = tmp_path / "journal.db", tmp_path / "monday.db"
    await writing(path, 3)
    assert arbiterd("journal", "backup", copy, path).returncode == 0
    await writing(path, 4)

    said = arbiterd("journal", "restore", copy, path, "--yes")

    assert said.returncode == 0, said.stderr
    assert "3 inputs and 0 outputs" in said.stdout
    assert "7 inputs and 0 outputs" in said.stdout
    assert numbers(path) == [1, 2, 3]
    aside = path.with_name("journal.db.replaced-1")
    assert numbers(aside) == list(range(1, 8))
    undone = arbiterd("journal", "restore", aside, path, "--yes")
    assert undone.returncode == 0, undone.stderr
    assert numbers(path) == list(range(1, 8))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to others")
async def test_what_root_takes_back_is_the_services_to_write(tmp_path: Path, writing) -> None:
    """As on a computer that was set up anew: the service's folder, and nothing in it yet."""
    await writing(tmp_path / "old.db", 3)
    folder = tmp_path / "state"
    folder.mkdir()
    os.chown(folder, SERVICE, SERVICE)

    for _ in range(2):
        said = arbiterd("journal", "restore", tmp_path / "old.db", folder / "journal.db", "--yes")
        assert said.returncode == 0, said.stderr

    made = {file.name: (file.stat().st_uid, file.stat().st_gid) for file in folder.iterdir()}
    assert made.keys() == {"journal.db", "journal.db.lock", "journal.db.replaced-1"}
    assert set(made.values()) == {(SERVICE, SERVICE)}, made


async def test_behind_an_older_copy_numbers_go_on_where_they_were(tmp_path: Path, writing) -> None:
    path, copy = tmp_path / "journal.db", tmp_path / "monday.db"
    await writing(path, 3)
    assert arbiterd("journal", "backup", copy, path).returncode == 0
    await writing(path, 4)
    assert arbiterd("journal", "restore", copy, path, "--yes").returncode == 0

    await writing(path, 1)

    assert numbers(path) == [1, 2, 3, 8]
    said = arbiterd("journal", "verify", path)
    assert said.returncode == 1
    assert "input 4: it is missing" in said.stderr


async def test_nothing_is_replaced_unless_a_person_says_so(tmp_path: Path, writing) -> None:
    path, copy = tmp_path / "journal.db", tmp_path / "monday.db"
    await writing(path, 3)
    assert arbiterd("journal", "backup", copy, path).returncode == 0
    await writing(path, 1)

    said = await asyncio.to_thread(arbiterd_process, "journal", "restore", copy, path)

    assert said.returncode == 1
    assert "Put the copy in the place of this journal?" in said.stdout
    assert numbers(path) == [1, 2, 3, 4]


async def test_a_journal_that_is_being_written_is_not_replaced(
    tmp_path: Path, writing, opened: Opened
) -> None:
    path, copy = tmp_path / "journal.db", tmp_path / "monday.db"
    await writing(path, 3)
    assert arbiterd("journal", "backup", copy, path).returncode == 0
    async with opened(path) as journal:
        said = await asyncio.to_thread(arbiterd_process, "journal", "restore", copy, path, "--yes")
        await asyncio.gather(*changes(journal, 1))

    assert said.returncode == 1
    assert "stop it first" in said.stderr
    assert numbers(path) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("deed", "status", "words"),
    [
        (lambda _copy: None, 2, "there is no journal at"),
        (lambda copy: copy.write_text("no journal"), 2, "is not a journal"),
        (lambda copy: sqlite3.connect(copy).execute("CREATE TABLE a (b)"), 2, "no journal"),
    ],
    ids=["nothing", "a text", "another database"],
)
async def test_what_is_no_copy_is_named(
    tmp_path: Path, writing, deed, status: int, words: str
) -> None:
    path, copy = tmp_path / "journal.db", tmp_path / "copy.db"
    await writing(path, 3)
    deed(copy)

    said = arbiterd("journal", "restore", copy, path, "--yes")

    assert said.returncode == status, said.stderr
    assert words in said.stderr
    assert numbers(path) == [1, 2, 3]


async def test_a_copy_that_was_altered_is_not_taken_back(tmp_path: Path, writing) -> None:
    path, copy = tmp_path / "journal.db", tmp_path / "copy.db"
    await writing(path, 3)
    assert arbiterd("journal", "backup", copy, path).returncode == 0
    with sqlite3.connect(copy) as db:
        db.execute("UPDATE input SET at_ns = 5 WHERE number = 2")

    said = arbiterd("journal", "restore", copy, path, "--yes")

    assert said.returncode == 1
    assert "input 2: it is not as it was written; take another copy" in said.stderr
    assert numbers(path) == [1, 2, 3]


async def test_a_copy_never_takes_the_place_of_a_file(tmp_path: Path, writing) -> None:
    path, copy = tmp_path / "journal.db", tmp_path / "copy.db"
    await writing(path, 3)
    copy.write_text("something of somebody's")

    said = arbiterd("journal", "backup", copy, path)

    assert said.returncode == 1
    assert "is there already" in said.stderr
    assert copy.read_text() == "something of somebody's"


@pytest.mark.parametrize("refusal", [errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS])
async def test_a_copy_is_made_on_a_stick_whose_file_system_has_no_links(
    tmp_path: Path, writing, monkeypatch: pytest.MonkeyPatch, refusal: int
) -> None:
    """FAT and exFAT, as sticks are sold with, say the first."""
    path, copy = tmp_path / "journal.db", tmp_path / "copy.db"
    await writing(path, 3)

    def has_none(*_: object) -> None:
        raise OSError(refusal, os.strerror(refusal))

    monkeypatch.setattr(os, "link", has_none)
    copied(FileStore(path), copy)
    assert numbers(copy) == [1, 2, 3]
    assert not copy.with_name("copy.db.part").exists()

    copy.write_text("something of somebody's")
    with pytest.raises(StoreError, match="is there already"):
        copied(FileStore(path), copy)
    assert copy.read_text() == "something of somebody's"


async def test_on_such_a_stick_too_a_file_that_came_meanwhile_stays(
    tmp_path: Path, writing, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, copy = tmp_path / "journal.db", tmp_path / "copy.db"
    await writing(path, 3)

    def somebody_is_faster(*_: object) -> None:
        copy.write_text("something of somebody's")
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", somebody_is_faster)
    with pytest.raises(StoreError, match="is there already"):
        copied(FileStore(path), copy)
    assert copy.read_text() == "something of somebody's"


async def test_a_copy_that_was_broken_off_is_named_and_left(tmp_path: Path, writing) -> None:
    path, copy = tmp_path / "journal.db", tmp_path / "copy.db"
    await writing(path, 3)
    part = tmp_path / "copy.db.part"
    part.write_bytes(b"half")

    said = arbiterd("journal", "backup", copy, path)
    assert said.returncode == 1
    assert f"{part} is there" in said.stderr
    assert part.read_bytes() == b"half", "somebody may be writing it"


async def test_of_two_copies_to_one_name_at_one_moment_one_is_whole(
    tmp_path: Path, writing
) -> None:
    """Whoever came second took the half-written file of the first away, and there was none."""
    path = tmp_path / "journal.db"
    await writing(path, 3)
    for attempt in range(20):
        copy, together = tmp_path / f"{attempt}.db", threading.Barrier(4)

        def taken(copy: Path = copy, together: threading.Barrier = together) -> str:
            """Why not, in a sentence."""
            together.wait()
            try:
                copied(FileStore(path), copy)
            except StoreError as error:
                return str(error)
            return ""

        with ThreadPoolExecutor(4) as threads:
            refused = list(filter(None, threads.map(lambda take: take(), [taken] * 4)))
        assert len(refused) == 3
        assert all("is there" in sentence for sentence in refused)
        assert numbers(copy) == [1, 2, 3]
        assert private_and_alone(copy)


async def test_a_journal_is_read_where_nothing_can_be_put_beside_it(
    tmp_path: Path, writing
) -> None:
    """On a disk that became read-only it was said to be no journal. A link to nowhere has the
    same effect: SQLite's own file beside the journal cannot be made."""
    path = tmp_path / "journal.db"
    await writing(path, 3)
    tmp_path.joinpath("journal.db-shm").symlink_to("nowhere/at-all")

    assert "whole, 3 inputs" in arbiterd("journal", "verify", path).stdout
    assert "whole, 3 inputs" in arbiterd("journal", "backup", tmp_path / "copy.db", path).stdout

    tmp_path.joinpath("journal.db-wal").write_bytes(b"what is not in it yet")
    said = arbiterd("journal", "verify", path)
    assert said.returncode == 2
    assert "cannot be read (unable to open database file); read it as its owner" in said.stderr


async def test_a_journal_whose_first_bytes_are_lost_is_left_to_the_start_that_mends_it(
    tmp_path: Path, writing, opened: Opened
) -> None:
    """The program said that it is something else, to name another: its rows were then lost."""
    path, config = tmp_path / "journal.db", tmp_path / "arbiterd.toml"
    await writing(path, 3)
    config.write_text('[journal]\npath = "journal.db"\n')
    with path.open("r+b") as file:
        file.write(bytes(100))

    said = arbiterd("check", config)
    assert said.returncode == 0, said.stderr
    async with opened(path) as journal:
        assert "taken over into a new one" in journal.found.notes[0]
    assert numbers(path) == [1, 2, 3]


async def test_show_tells_the_rows_of_a_kind_and_a_time(tmp_path: Path, writing) -> None:
    path = tmp_path / "journal.db"
    await writing(path, 3)

    every = arbiterd("journal", "show", path, "--only", "SquareChange").stdout.splitlines()
    none = arbiterd("journal", "show", path, "--only", "Scan").stdout
    later = arbiterd("journal", "show", path, "--since", "1970-01-01T00:00:01Z").stdout
    wrong = arbiterd("journal", "show", path, "--until", "soon")

    assert len(every) == 3
    assert (none, later) == ("", "")
    assert wrong.returncode == 2
    assert "'soon' is no time; write 14:05" in wrong.stderr
    for mistyped, meant in (("ruling", "rulings"), ("scan", "Scan"), ("act", "Act")):
        said = arbiterd("journal", "show", path, "--only", mistyped)
        assert (said.returncode, said.stdout) == (2, "")
        assert f"{mistyped!r} is no kind of row; did you mean {meant}?" in said.stderr


async def test_the_installed_services_journal_is_meant_where_none_is_named(
    tmp_path: Path, writing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package's program names the configuration of its service; a word of one's own counts."""
    await writing(tmp_path / "hall.db", 3)
    await writing(tmp_path / "other.db", 5)
    config = tmp_path / "arbiterd.toml"
    config.write_text('[journal]\npath = "hall.db"\n')
    monkeypatch.setenv("ARBITERD_CONFIG", str(config))

    assert "whole, 3 inputs" in arbiterd("journal", "backup", tmp_path / "copy.db").stdout
    named = arbiterd("journal", "verify", tmp_path / "other.db")
    assert "whole, 5 inputs" in named.stdout
    assert f"{config} is right" in arbiterd_process("doctor").stdout


async def test_a_folder_that_is_not_there_is_no_name_of_a_copy(tmp_path: Path, writing) -> None:
    """The stick was not mounted."""
    path, stick = tmp_path / "journal.db", tmp_path / "stick"
    await writing(path, 3)
    said = arbiterd("journal", "backup", f"{stick}/", path)
    assert said.returncode == 2
    assert f"{stick}/ is no folder; see that the stick is mounted, or make it" in said.stderr
    assert not stick.exists()
    said = arbiterd("journal", "backup", stick / "copy.db", path)
    assert said.returncode == 2
    assert f"{stick} is no folder; see that the stick is mounted, or make it" in said.stderr
    said = arbiterd("journal", "backup", "/proc/copy.db", path)
    assert said.returncode == 1
    assert "/proc/copy.db cannot be written (No such file or directory); make room" in said.stderr
