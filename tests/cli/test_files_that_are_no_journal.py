"""Files that are no journal, or not all of one: named, left alone, and the rest is handed out."""

from __future__ import annotations

import json
import os
import pwd
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from cli.test_commands import arbiterd
from journal.test_blocks import Opened, filled, put_down

COMMANDS = [
    ("journal", "verify"),
    ("journal", "show"),
    ("journal", "export"),
    ("journal", "purge", "--older", "1d"),
    ("pgn", "--round", "1"),
    ("round", "results", "--round", "1"),
]


def database(file: Path) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE input (a)")


def beginning(file: Path) -> None:
    """Half of a database, as a stick that was pulled out too soon leaves it."""
    database(file)
    file.write_bytes(file.read_bytes()[:3000])


FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "an empty file": (Path.touch, "is no journal of format"),
    "another database": (database, "is no journal of format"),
    "half of one": (beginning, "name a journal of arbiterd, or a copy of this one"),
    "a pipe": (os.mkfifo, "is no file"),
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", FILES)
def test_what_is_no_journal_is_named_and_left_as_it_is(kind: str, tmp_path: Path) -> None:
    """A purge made an empty file a database, and a backup of it left a copy of nothing."""
    file = tmp_path / "other.db"
    make, words = FILES[kind]
    make(file)
    before = file.read_bytes() if file.is_file() else None
    for command in COMMANDS:
        said = arbiterd(*command, file)
        assert said.returncode in (1, 2)
        assert str(file) in said.stderr
        assert words in said.stderr
        assert said.stderr.count("\n") == 1
    said = arbiterd("journal", "backup", tmp_path / "copy.db", file)
    assert said.returncode == 2
    assert words in said.stderr

    assert (file.read_bytes() if file.is_file() else None) == before
    assert {each.name for each in tmp_path.iterdir()} <= {"other.db", "other.db.lock"}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("more", [(), ("--explain", "1")])
def test_a_recording_is_a_file_of_a_bounded_size(tmp_path: Path, more: tuple[str, ...]) -> None:
    pipe, large = tmp_path / "pipe", tmp_path / "large.log"
    os.mkfifo(pipe)
    with large.open("wb") as file:
        file.truncate((64 << 20) + 1)
    for file, words in ((pipe, "is no file"), (large, "has more than 67108864 bytes")):
        said = arbiterd("replay", file, *more)
        assert said.returncode == 2
        assert words in said.stderr


async def test_an_export_tells_all_beside_what_is_damaged(path: Path, opened: Opened) -> None:
    """One altered byte of an output, and nothing behind it was exported."""
    lines = await filled(path, opened)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE output SET payload = CAST('{\"n\":' AS BLOB) WHERE number = 9")

    for more in ((), ("--without-names",)):
        said = arbiterd("journal", "export", path, *more)
        assert said.returncode == 0
        told = [json.loads(line) for line in said.stdout.splitlines()]
        assert len(told) == len(lines)
        (damaged,) = (each for each in told if each.get("output") == 9)
        assert damaged["payload"] is None
        assert damaged["damaged"] == ("…" if more else b'{"n":'.hex())


@pytest.mark.parametrize("command", ["show", "export"])
async def test_rows_that_cannot_be_shown_are_named(
    command: str, path: Path, opened: Opened
) -> None:
    """A damaged block was passed over in silence, as if nothing had happened at the table then."""
    await filled(path, opened)
    await put_down(path, opened, "2")
    whole = arbiterd("journal", command, path)
    assert (whole.returncode, whole.stderr) == (0, "")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE block SET body = zeroblob(900) WHERE chain = 'input'")

    said = arbiterd("journal", command, path)
    assert said.returncode == 1
    assert "rows from here on is damaged (table 2) and left out here" in said.stderr
    assert 0 < len(said.stdout) < len(whole.stdout)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def test_a_user_that_is_a_number_alone_is_told_where_the_journal_would_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a container, or at a cron of its own: no HOME, and no line in /etc/passwd."""

    def nobody(number: int) -> pwd.struct_passwd:
        raise KeyError(number)

    for name in ("HOME", "STATE_DIRECTORY", "XDG_STATE_HOME", "ARBITERD_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)

    said = arbiterd("journal", "verify")

    assert said.returncode == 2
    assert "/.local/state/arbiterd/main/journal.db" in said.stderr
