"""A journal of every release as later versions read it: two tables, rulings, an arbiter's acts.

`journals/VERSION.db.xz` is made once, before a version is released (docs/developers.md).
"""

from __future__ import annotations

import json
import lzma
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import structs

from arbiterd import __version__
from arbiterd.cli.replay.journal import replay_journal
from arbiterd.edges import StoreError
from arbiterd.edges.store import FileStore
from arbiterd.hall.tables.taking_up import restored
from arbiterd.journal.again import Again, folded, stored
from arbiterd.journal.head import Head
from arbiterd.journal.mending import opened
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.schema import FORMAT
from arbiterd.journal.verify import verify
from arbiterd.laws.articles.art_02_start import STOOD
from arbiterd.laws.articles.art_06_clock import IN_VAIN
from arbiterd.table.table import Table
from arbiterd.tracking.tracker import Tracker

KEPT = sorted((Path(__file__).parent / "journals").glob("[0-9]*.db.xz"))
RELEASES = [file.name.removesuffix(".db.xz") for file in KEPT]


@pytest.fixture(params=KEPT, ids=RELEASES)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    path.write_bytes(lzma.decompress(request.param.read_bytes()))
    return path


def test_this_version_has_a_journal_here() -> None:
    assert __version__ in RELEASES, "make one before it is released: docs/developers.md"


CLOCKS = re.compile(rb'((?:white|black)_clock)(?:",\d+|\xce.{4})', re.DOTALL)
"""Times on the clocks, in ms, as facts of a ruling in a checkpoint."""
TIME = re.compile(r"(?<![\d:T])\d+:\d\d(?![\d:])")
TOLD_OTHERWISE = {"1.0.0": {("1-0058", "white_clock")}}
"""Rulings of which a fact is told otherwise now. 1.0.0: the clocks of an illegal move were those of
the time at which it was told, 0.8 s after its press."""


@pytest.mark.parametrize("decode", [False, True], ids=["as understood then", "from the bytes"])
def test_it_is_whole_and_tells_the_same_again(
    kept: Path,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
    *,
    decode: bool,
) -> None:
    with closing(FileStore(kept).connect_for_reading()) as db:
        assert verify(db).whole
    release = request.node.callspec.params["kept"].name.removesuffix(".db.xz")
    wanted = TOLD_OTHERWISE.get(release, set())
    assert replay_journal(kept, everything=False, decode=decode) == bool(wanted)
    assert set(_told_otherwise(capsys.readouterr().err)) == wanted


def _told_otherwise(said: str) -> Iterator[tuple[str, str]]:
    """Which facts of which rulings; nothing else may differ but times in the words of these."""
    found = [TIME.sub("0:00", line[line.index("{") :]) for line in said.splitlines() if "{" in line]
    told = [json.loads(line) for line in found]
    for recorded, now in zip(told[::2], told[1::2], strict=True):
        before, after = recorded.pop("facts"), now.pop("facts")
        assert recorded == now
        yield from ((now["id"], name) for name in before if before[name] != after[name])
        assert before.keys() == after.keys()


def test_a_start_takes_its_games_up_where_they_were(kept: Path) -> None:
    """From checkpoints of that version; an update in mid-round finds no other journal."""
    with closing(FileStore(kept).connect_for_reading()) as db:
        read = JournalReader(db)
        assert list(read.tables()) == ["1", "2"]
        for table in read.tables():
            resumed, again = restored(read, table), Again(read, table)
            for number, item in stored(folded(read, table)):
                again.take(number, item)
            assert resumed is not None
            assert again.table is not None
            again.until(resumed.table.at_ns)
            assert _as_now(resumed.table.checkpoint()) == _as_now(again.table.checkpoint())


def test_the_newest_time_of_a_table_is_found_without_reading_its_rows(kept: Path) -> None:
    """A start asks it of every table of a journal of months."""
    with closing(FileStore(kept).connect_for_reading()) as db:
        read = JournalReader(db)
        for table in read.tables():
            asked: list[str] = []
            db.set_trace_callback(asked.append)
            newest_ns = read.newest_ns(table)
            db.set_trace_callback(None)
            plans = [
                step[3] for query in asked for step in db.execute(f"EXPLAIN QUERY PLAN {query}")
            ]
            assert [plan for plan in plans if plan.startswith("SCAN")] == []
            times = {
                rows: db.execute(f"SELECT max({time}) FROM {rows} WHERE table_name = ?", (table,))
                for rows, time in (("input", "at_ns"), ("output", "at_ns"), ("block", "until_ns"))
            }
            assert newest_ns == max(found.fetchone()[0] or 0 for found in times.values()) > 0


def _as_now(checkpoint: bytes) -> bytes:
    """A whole table. What laws wait for is one list in the checkpoints of 1.0.0: a law that
    watches the board was asked at its time, though nobody had heard the board meanwhile. The
    tracker of before an absence stands there as bytes, which do not say yet where a clock
    speaks. Nor do squares say yet whether the clocks were stopped when they changed, laws which
    presses showed no half-move, when a silence was over or in which position the pieces stood
    ready, or an absence which board it was, or a clock when it was started and stopped and that
    it was heard, or what it showed in the game before. What the clocks showed at an illegal
    move was told of a later time."""
    table = Table.restored(checkpoint)
    table.view.clock._state.turns, table.view.clock._state.heard = [], False
    _forget_hands(table.view.tracker)
    file, recent, books = table.view.docket.file, table.view.recent, table.view.books
    books.clock_left = None
    if books.absence is not None:
        rules, settings = table.view.rules, table.view.setup.tracking
        before: Tracker = Tracker.restored(rules, settings, books.absence.tracker)
        _forget_hands(before)
        books.absence = structs.replace(books.absence, tracker=before.checkpoint(), serial="")
    waits = tuple(sorted((*file.wakes, *file.watches)))
    notes = {name: noted for name, noted in file.notes.items() if name not in (IN_VAIN, STOOD)}
    table.view.docket.file = structs.replace(
        file, wakes=waits, watches=(), unheard_ns=None, heard_again_ns=None, notes=notes
    )
    if recent.newer is not None:
        newer = recent.newer
        recent.newer = structs.replace(newer, table=_as_now(newer.table))
    return CLOCKS.sub(lambda found: found[1], table.checkpoint())


def _forget_hands(tracker: Tracker) -> None:
    belief, book = tracker._belief, tracker._belief.book
    book.changes = [structs.replace(change, stopped=False) for change in book.changes]
    for newest in (*belief.live, *belief.bases, *book.told):
        for line in newest.back():
            line.hastily_pressed = False


def test_a_journal_of_a_newer_version_is_refused_and_left_as_it_is(kept: Path) -> None:
    """An update was undone too far back: its number stands in the file and beside it."""
    with closing(sqlite3.connect(kept)) as db:
        db.execute(f"PRAGMA user_version = {FORMAT + 1}")
    store = FileStore(kept)
    store.put_head(Head(format=FORMAT + 1, input=2_227, output=297).encoded())
    with pytest.raises(StoreError, match=f"newer version \\({FORMAT + 1}\\); use a newer arbiterd"):
        opened(store)
    store.close()
    assert [file.name for file in kept.parent.glob("*damaged*")] == []
    with closing(sqlite3.connect(kept)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (FORMAT + 1,)
