"""A disk that fills up, refuses and is slow, with a real SQLite file on it.

Real: SQLite, its files, its recovery. Simulated: that the disk refuses (the connection says so in
SQLite's place), and what is left when the power goes: sectors of 512 bytes that were written and
not synced, each there or not. What was synced is what SQLite was told to sync: where it is told
to leave that to the kernel, all of its log since the last checkpoint may be gone.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from arbiterd.edges import ServiceClock
from arbiterd.edges.store import FileStore

ResultT = TypeVar("ResultT")

SECTOR = 512
FILES = ("", "-wal", ".head")
BUSY_S = 0.003
"""A commit on a good disk."""
LOG_HEADER = 32
"""Bytes at the beginning of SQLite's log; its salts tell its frames from older ones."""
SYNCS_EACH = 2
"""`PRAGMA synchronous` from which on a commit in the log is synced before it is said to be done."""
TELLS = "INSERT INTO output"
"""What a commit does whose rows somebody will be told."""


class KilledError(SystemExit):
    """The process ends here: nothing of it runs any more."""


JournalFiles = dict[str, bytes]
"""The journal's files by the end of their name."""


@dataclass
class Disk:
    """How the disk does, and what is to happen at its next commit."""

    folder: Path
    dice: Random
    full: bool = False
    refuses: bool = False
    unanswered: bool = False
    slow_s: float = 0.0
    deadly: str = ""
    """The next commit is the last thing of this process: "before", "after" or "power"."""
    spares: bool = False
    """Not the next commit, but the next one that somebody will be told of."""
    left: JournalFiles | None = None
    """What the power left of the files."""
    stores: list[RehearsedStore] = field(default_factory=list)

    @property
    def journal(self) -> Path:
        return self.folder / "journal.db"

    @property
    def refusal(self) -> str:
        if self.full:
            return "database or disk is full"
        return "disk I/O error" if self.refuses else ""

    def commit(self, work: Callable[[], ResultT], *, tells: bool, synced: bool) -> ResultT:
        """As the disk is now. `tells`: of rows that leave; `synced`: before it is said to be done.

        Raises OperationalError, KilledError.
        """
        if self.refusal:
            raise sqlite3.OperationalError(self.refusal)
        if self.deadly and (tells or not self.spares):
            return self._last(work, synced=synced)
        done = work()
        if self.unanswered:
            raise sqlite3.OperationalError("disk I/O error")
        return done

    def _last(self, work: Callable[[], ResultT], *, synced: bool) -> ResultT:
        how, self.deadly = self.deadly, ""
        if how != "before":
            before = self.image()
            if not synced:
                before.pop("-wal", None)
            work()
            if how == "power":
                self.left = torn(before, self.image(), self.dice)
        raise KilledError

    def image(self) -> JournalFiles:
        """The files as they are."""
        found = {end: Path(f"{self.journal}{end}") for end in FILES}
        return {end: file.read_bytes() for end, file in found.items() if file.exists()}

    def crash(self) -> None:
        """The process is gone; its files are as it, or the power, left them."""
        image = self.left or self.image()
        self.left, self.deadly = None, ""
        for store in self.stores:
            store.die()
        self.stores.clear()
        for end in (*FILES, "-shm"):
            Path(f"{self.journal}{end}").unlink(missing_ok=True)
        for end, said in image.items():
            Path(f"{self.journal}{end}").write_bytes(said)


def torn(before: JournalFiles, after: JournalFiles, dice: Random) -> JournalFiles:
    """What may be left of a commit that the power ended.

    Where the commit went on into the database itself its log had been synced before.
    """
    checkpointed = before.get("") != after.get("")
    last = "" if checkpointed else "-wal"
    whole = {end: said for end, said in after.items() if end != last}
    found = _sectors(before.get(last, b""), after.get(last, b""), dice)
    if last:
        # A log that begins anew syncs its header before any frame (wal.c, `syncHeader`): frames
        # of before it never count again, and they are older than what the database has.
        found = after[last][:LOG_HEADER] + found[LOG_HEADER:]
    return {**whole, last: found}


def _sectors(before: bytes, after: bytes, dice: Random) -> bytes:
    share = dice.random()
    found = bytearray()
    for at in range(0, len(after), SECTOR):
        new, old = after[at : at + SECTOR], before[at : at + SECTOR]
        kept = dice.random() < share
        found += new if kept else old.ljust(len(new), b"\0")
    return bytes(found)


class RehearsedStore(FileStore):
    """A journal on such a disk, for one life of the service."""

    def __init__(self, disk: Disk) -> None:
        super().__init__(disk.journal)
        self._disk: Disk | None = disk
        self._opened: list[sqlite3.Connection] = []
        disk.stores.append(self)
        store = self

        class Connection(sqlite3.Connection):
            tells = False

            def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
                run = super().execute
                if sql == "COMMIT":
                    tells, self.tells = self.tells, False
                    (syncs,) = run("PRAGMA synchronous").fetchone()
                    commit = partial(run, sql, *values)
                    return store.disk.commit(commit, tells=tells, synced=syncs >= SYNCS_EACH)
                if sql.startswith("BEGIN"):
                    self.tells = False
                    if store.disk.refusal:
                        raise sqlite3.OperationalError(store.disk.refusal)
                return run(sql, *values)

            def executemany(self, sql: str, *values: Any) -> sqlite3.Cursor:
                self.tells = self.tells or sql.startswith(TELLS)
                return super().executemany(sql, *values)

        self.connection = Connection

    @property
    def disk(self) -> Disk:
        if self._disk is None:
            raise sqlite3.OperationalError("this process is gone")
        return self._disk

    @property
    def connections(self) -> int:
        """How many are open."""
        return sum(map(_open, self._opened))

    def connect(self) -> sqlite3.Connection:
        if self.disk.refusal:
            raise self.no_room(sqlite3.OperationalError(self.disk.refusal))
        return self._kept(super().connect())

    def connect_for_reading(self) -> sqlite3.Connection:
        assert self._disk is not None, "nothing of a dead process runs"
        return self._kept(super().connect_for_reading())

    def _kept(self, db: sqlite3.Connection) -> sqlite3.Connection:
        self._opened = [each for each in self._opened if _open(each)] + [db]
        return db

    def put_head(self, noted: bytes) -> None:
        if self._disk is not None and not self._disk.refusal:
            super().put_head(noted)

    def die(self) -> None:
        """All that the kernel takes back from a process that is gone."""
        self._disk = None
        for db in self._opened:
            db.close()
        self.close()


def _open(db: sqlite3.Connection) -> bool:
    try:
        return db.total_changes >= 0
    except sqlite3.ProgrammingError:  # It is closed.
        return False


class Lanes:
    """`edges.Workers` in the loop: each lane in order, and what is begun is done.

    As with a thread, whoever asked may stop waiting; the work goes on.
    """

    def __init__(self, clock: ServiceClock, disk: Disk) -> None:
        self._clock, self._disk = clock, disk
        self._lanes: dict[str, asyncio.Lock] = {}
        self._running: set[asyncio.Task[Any]] = set()
        self.over = False
        """The process is gone."""

    async def run(self, lane: str, work: Callable[[], ResultT]) -> ResultT:
        if self.over:
            raise KilledError
        task = asyncio.ensure_future(self._in_turn(lane, work))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def _in_turn(self, lane: str, work: Callable[[], ResultT]) -> ResultT:
        async with self._lanes.setdefault(lane, asyncio.Lock()):
            await self._clock.rest(BUSY_S + self._disk.slow_s)
            done = work()
            await self._clock.rest(0)
            return done
