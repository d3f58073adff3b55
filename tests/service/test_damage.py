"""A journal that was damaged: the service starts, all tables play on, `verify` says what is wrong.

Whole, 200 ways: pytest -q -s -m slow tests/service/test_damage.py
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from arbiterd.config import Config
from arbiterd.config.model import HallConfig, Http, TableEntry
from arbiterd.edges import Edges
from arbiterd.edges.real import FileStore, Threads, WallClock
from arbiterd.edges.store import lenient
from arbiterd.journal.blocks import COLUMNS, MARK, stored
from arbiterd.journal.head import newest
from arbiterd.journal.schema import readable
from arbiterd.journal.verify import verify
from arbiterd.rules.registry import ruleset
from arbiterd.service import Service, build
from eboards.events import LinkUp, Scan, Sensing, SensingClass, SquareChange

from .conftest import BoardLinks, MemoryBroker
from .damage import DEEDS, damage, rows

TABLES = ("1", "2", "3", "4")
CONFIG = Config(
    hall=HallConfig("main"),
    http=Http(listen=None),
    tables=tuple(TableEntry(table=name, device="auto") for name in TABLES),
)
LINE = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 d2d3 d7d6 c2c3 g7g6".split()
CLOSED, KILLED, END = 4, 8, 12
"""Half-moves before the clean stop, before the kill, and in the end."""
SECOND = 1_000_000_000
CHESS = ruleset("chess")


@dataclass
class Round:
    service: Service

    def show(self, table: str, plies: int) -> None:
        """The board is plugged in and shows the position after so many half-moves."""
        desk = self.service.desk
        seat = desk.seats[table]
        at_ns = desk.now_ns(seat) + SECOND
        sensing = Sensing(SensingClass.IDENTITY, SECOND // 4)
        desk.take(seat, (LinkUp(at_ns, "dgt", "p", sensing), Scan(at_ns, placements()[plies])))

    def play(self, table: str, begin: int, end: int) -> None:
        desk = self.service.desk
        seat = desk.seats[table]
        at_ns = desk.now_ns(seat)
        for ply in range(begin, end):
            before, after = placements()[ply], placements()[ply + 1]
            changed = [n for n in range(64) if before[n] != after[n]]
            lifted = sorted(changed, key=lambda n: after[n] != ".")
            for square in lifted:
                at_ns += 2 * SECOND
                desk.take(seat, (SquareChange(at_ns, square, after[square]),))
            at_ns += 8 * SECOND
        desk.take(seat, (Scan(at_ns + 60 * SECOND, placements()[end]),))

    def moves(self, table: str) -> Sequence[str]:
        return self.service.desk.seats[table].table.moves

    def marked(self, table: str) -> bool:
        seat = self.service.desk.seats[table]
        return bool(seat.failing or seat.table.view.board.missed)


def placements() -> list[tuple[str, ...]]:
    position = CHESS.start()
    shown = [CHESS.placement(position)]
    for move in LINE:
        position = CHESS.play(position, CHESS.parse(position, move))
        shown.append(CHESS.placement(position))
    return shown


@asynccontextmanager
async def running(path: Path) -> AsyncIterator[Round]:
    clock, workers, store = WallClock(), Threads(), FileStore(path)
    service = build(CONFIG, Edges(clock, BoardLinks(clock), store, MemoryBroker(), workers))
    started = asyncio.Event()
    work = asyncio.create_task(service.run(started.set))
    waiting = asyncio.create_task(started.wait())
    await asyncio.wait({work, waiting}, return_when=asyncio.FIRST_COMPLETED, timeout=60)
    try:
        if work.done():
            await work
        assert started.is_set(), "the service has not started within a minute"
        yield Round(service)
        await asyncio.wait_for(service.journal.synced(), 30)
    finally:
        waiting.cancel()
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        workers.close()
        store.close()


async def at_rest(hall: Round) -> None:
    """All is on the disk; what may be packed has had the time for it."""
    for _ in range(10):
        await hall.service.journal.synced()
        await asyncio.sleep(0.02)


async def played(folder: Path) -> Path:
    """A journal with a clean stop in it, as a killed service leaves it."""
    path = folder / "journal.db"
    async with running(path) as hall:
        for table in TABLES:
            hall.show(table, 0)
            hall.play(table, 0, CLOSED)
        await at_rest(hall)
    async with running(path) as hall:
        for table in TABLES:
            hall.show(table, CLOSED)
            hall.play(table, CLOSED, KILLED)
        await at_rest(hall)
        assert [list(hall.moves(table)) for table in TABLES] == [LINE[:KILLED]] * len(TABLES)
        return copied(folder, folder / "killed")


def copied(folder: Path, to: Path) -> Path:
    """The journal of one folder, with all that is beside it, in another."""
    to.mkdir()
    for file in folder.glob("journal.db*"):
        shutil.copyfile(file, to / file.name)
    return to / "journal.db"


Rows = list[tuple[object, ...]]


def all_rows(path: Path) -> Rows | None:
    """Inputs and outputs, in blocks or alone; None where they cannot be read."""
    db = sqlite3.connect(path)
    db.text_factory = lenient
    try:
        readable(db)
        return [(*fields, seal[:MARK]) for chain in COLUMNS for fields, seal in stored(db, chain)]
    except sqlite3.Error:
        return None
    finally:
        db.close()


@dataclass(frozen=True)
class Outcome:
    """What came of one way."""

    seed: int
    deed: str
    exact: int
    """Tables with every move."""
    marked: int
    named: bool
    whole: bool
    """Nothing of what was recorded is missing or altered."""
    error: str = ""

    @property
    def right(self) -> bool:
        """It started, each table has every move or says that it may not, and `verify` names it."""
        return not self.error and (self.named or self.whole)


async def outcome(killed: Path, folder: Path, seed: int) -> Outcome:
    """The damage done, a start, and the games played to their end."""
    before = all_rows(copied(killed.parent, folder / "before"))
    assert before is not None
    path = copied(killed.parent, folder / "after")
    deed = damage(path, seed)
    try:
        async with running(path) as hall:
            for table in TABLES:
                hall.show(table, KILLED)
                hall.play(table, KILLED, END)
            await asyncio.wait_for(hall.service.journal.synced(), 30)
            exact = [list(hall.moves(table)) == LINE for table in TABLES]
            marked = [hall.marked(table) for table in TABLES]
            unsaid = [t for t, e, m in zip(TABLES, exact, marked, strict=True) if not (e or m)]
            error = f"tables {unsaid} lack moves and do not say so" if unsaid else ""
            if hall.service.journal.trouble:
                error = hall.service.journal.trouble
    except Exception as failed:  # noqa: BLE001  # Whatever it is, it is what came of it.
        return Outcome(seed, deed, 0, 0, False, False, f"{type(failed).__name__}: {failed}")
    store = FileStore(path)
    db = store.connect_for_reading()
    named = not verify(db, newest(store.heads())).whole
    db.close()
    after = set(all_rows(path) or ())
    whole = all(row in after for row in before)
    return Outcome(seed, deed, sum(exact), sum(marked), named, whole, error)


def new(folder: Path) -> Path:
    folder.mkdir()
    return folder


async def test_what_is_not_damaged_plays_on_exactly(tmp_path: Path) -> None:
    killed = await played(tmp_path)
    async with running(killed) as hall:
        for table in TABLES:
            hall.show(table, KILLED)
            hall.play(table, KILLED, END)
        assert [list(hall.moves(table)) for table in TABLES] == [LINE] * len(TABLES)
        assert not any(hall.marked(table) for table in TABLES)
    assert verify(FileStore(killed).connect_for_reading()).whole


@pytest.fixture(params=[False, True], ids=["rows", "blocks"])
def packs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """In blocks as well: a few rows fill one, as they would in a day's play."""
    if request.param:
        monkeypatch.setattr("arbiterd.hall.tables.seat.CHECKPOINT_INPUTS", 6)
        monkeypatch.setattr("arbiterd.journal.packing.ROWS", {"input": 5, "output": 3})
    return bool(request.param)


def blocks(path: Path) -> int:
    db = sqlite3.connect(path)
    (found,) = db.execute("SELECT count(*) FROM block").fetchone()
    db.close()
    return int(found)


SLICE = range(len(DEEDS))


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(SLICE, id="each kind"),
        pytest.param(range(200), id="200 ways", marks=pytest.mark.slow),
    ],
)
@pytest.mark.timeout(1800)
async def test_a_damaged_journal_starts_and_all_tables_play_on(
    seeds: range, packs: bool, tmp_path: Path
) -> None:
    killed = await played(tmp_path)
    assert (blocks(copied(killed.parent, tmp_path / "looked-at")) > 0) == packs
    outcomes = [await outcome(killed, new(tmp_path / f"way-{seed}"), seed) for seed in seeds]
    wrong = [each for each in outcomes if not each.right]
    for each in wrong:
        print(each)
    print(
        f"{len(outcomes)} ways of {len(DEEDS)} kinds: {len(outcomes) - len(wrong)} start, play on"
        f" and are named or whole; {sum(each.named for each in outcomes)} named by verify,"
        f" {sum(each.whole and not each.named for each in outcomes)} had lost nothing;"
        f" {sum(each.exact for each in outcomes)} of {4 * len(outcomes)} tables have every move,"
        f" {sum(each.marked for each in outcomes)} say that they may lack some"
    )
    assert not wrong


REPLACED = """
UPDATE input SET body = CAST(replace(CAST(body AS TEXT), ?, ?) AS BLOB) WHERE number = ?
"""


def first_of(path: Path, table: str, kind: str) -> int:
    db = sqlite3.connect(path)
    (number,) = db.execute(
        "SELECT min(number) FROM input WHERE table_name = ? AND kind = ?", (table, kind)
    ).fetchone()
    db.close()
    return int(number)


@pytest.mark.parametrize("checkpoints", [True, False])
@pytest.mark.parametrize("letters", [("chess", "chmss"), ("main", "mein"), ("standard", "blitz")])
async def test_an_altered_set_up_begins_no_new_game(
    letters: tuple[str, str], checkpoints: bool, tmp_path: Path
) -> None:
    """The game in progress stands; before, it was left for a new one in silence."""
    killed = await played(tmp_path)
    number = first_of(killed, "3", "TableSetup")
    rows(killed, (REPLACED, (*letters, number)))
    if not checkpoints:
        rows(killed, ("DELETE FROM checkpoint", ()))
    async with running(killed) as hall:
        assert list(hall.moves("3")) == LINE[:KILLED]
        assert hall.marked("3") is not checkpoints
        assert not any(hall.marked(table) for table in TABLES if table != "3")


@pytest.mark.parametrize(
    ("altered", "told"),
    [
        pytest.param("table_name = '4'", {"2", "4"}, id="under another table's name"),
        pytest.param("table_name = '?'", {"2"}, id="under nobody's name"),
        pytest.param("table_name = '?', raw = X'78'", set(TABLES), id="anybody's"),
    ],
)
async def test_a_row_of_another_name_is_told_to_whom_it_may_belong(
    altered: str, told: set[str], tmp_path: Path
) -> None:
    """Its seal tells whose it was, as long as its name alone was altered."""
    killed = await played(tmp_path)
    number = first_of(killed, "2", "SquareChange")
    rows(
        killed,
        ("DELETE FROM checkpoint", ()),
        (f"UPDATE input SET {altered} WHERE number = ?", (number,)),
    )
    async with running(killed) as hall:
        assert {table for table in TABLES if hall.marked(table)} == told


async def test_an_altered_row_is_seen_however_early_where_a_table_begins_with_it(
    tmp_path: Path,
) -> None:
    """One table has lost its checkpoint: its rows are looked at from the first."""
    killed = await played(tmp_path)
    number = first_of(killed, "2", "SquareChange")
    rows(
        killed,
        ("UPDATE checkpoint SET body = zeroblob(40) WHERE table_name = '2'", ()),
        (REPLACED, ('"square":52', '"square":53', number)),
    )
    async with running(killed) as hall:
        assert hall.marked("2")
        assert not any(hall.marked(table) for table in TABLES if table != "2")


async def test_where_only_a_seal_was_touched_the_row_behind_it_still_counts(
    tmp_path: Path,
) -> None:
    killed = await played(tmp_path)
    number = first_of(killed, "2", "SquareChange")
    rows(
        killed,
        ("DELETE FROM checkpoint", ()),
        ("UPDATE input SET seal = zeroblob(32) WHERE number = ?", (number,)),
    )
    async with running(killed) as hall:
        assert set(hall.service.journal.found.suspect) == {number}


async def test_an_altered_output_reaches_nobody_and_its_table_is_told(tmp_path: Path) -> None:
    """It had not been delivered when the service was killed."""
    killed = await played(tmp_path)
    db = sqlite3.connect(killed)
    number, payload = db.execute(
        "SELECT number, payload FROM output WHERE table_name = '2' AND topic = 'moves'"
        " ORDER BY number DESC LIMIT 1"
    ).fetchone()
    db.close()
    other = payload.replace(b'"uci":"g8f6"', b'"uci":"g8h6"')
    assert other != payload
    rows(
        killed,
        ("UPDATE output SET payload = ? WHERE number = ?", (other, number)),
        ("UPDATE cursor SET number = ?", (number - 3,)),
    )
    async with running(killed) as hall:
        assert hall.marked("2")
        assert not any(hall.marked(table) for table in TABLES if table != "2")
        read = hall.service.journal.read
        assert other not in {row.payload for row in read.outputs()}
        assert other not in {row.payload for row in read.events(["moves"])}
        assert other not in {row.payload for row in read.timeline("2", 0, 100)}
        broker = hall.service.edges.broker
        assert isinstance(broker, MemoryBroker)
        last = hall.service.journal.committed_outputs
        while read.cursor("mqtt") < last:  # noqa: ASYNC110  # It has no event of its own.
            await asyncio.sleep(0.05)
        sent = [body for topic, body in broker.heard if topic == "tables/2/moves"]
        assert other not in sent
    assert not verify(FileStore(killed).connect_for_reading()).whole
