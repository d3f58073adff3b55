"""The one writer. Batches that arrive while a commit is under way share the next one."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable

from arbiterd.edges import Clock, Store, Workers
from arbiterd.journal.pulse import Pulse
from arbiterd.journal.purge import purge
from arbiterd.journal.reader import Reader
from arbiterd.journal.rows import Batch
from arbiterd.journal.schema import prepare
from arbiterd.journal.snapshots import Snapshots
from arbiterd.journal.write import commit
from arbiterd.messages.commands import Command

log = logging.getLogger(__name__)

LANE = "journal"
RETRY_S = 1.0
"""So long after a failed commit the same rows are tried again."""

TakeCommand = Callable[[str, Command, str], Awaitable[bytes]]
"""Who folds a command by a login into its table: gives the answer, once it is on the disk."""


class Journal:
    """Numbers are given out at once, in order; what they number is durable once `write` is done.

    While the disk refuses, nothing is lost and nothing leaves: the same batches are tried again,
    and `trouble` says so in a sentence.
    """

    def __init__(
        self, db: sqlite3.Connection, store: Store, clock: Clock, workers: Workers
    ) -> None:
        self._db, self._store, self._clock, self._workers = db, store, clock, workers
        self.read = self.reader()
        self.pulse = Pulse()
        self.snapshots = Snapshots(self.pulse)
        self.trouble: str | None = None
        self.committed_outputs = self.read.last("output")
        self._inputs = self.read.last("input")
        self._outputs = self.committed_outputs
        self._pending: list[tuple[Batch, asyncio.Future[None]]] = []
        self._closing = False
        self._wanted = asyncio.Event()
        self._take_command: TakeCommand | None = None

    @classmethod
    async def open(cls, store: Store, clock: Clock, workers: Workers) -> Journal:
        """Raises StoreError."""

        def connected() -> sqlite3.Connection:
            db = store.connect()
            prepare(db)
            return db

        return cls(await workers.run(LANE, connected), store, clock, workers)

    def reader(self) -> Reader:
        """A view of its own for whoever reads much."""
        return Reader(self._store.connect_for_reading())

    # Writing.

    def next_input(self) -> int:
        self._inputs += 1
        return self._inputs

    def next_output(self) -> int:
        self._outputs += 1
        return self._outputs

    def write(self, batch: Batch) -> asyncio.Future[None]:
        """Done once the batch is on the disk. Call in the order of its numbers."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending.append((batch, done))
        self._wanted.set()
        return done

    def move_cursor(self, outlet: str, number: int) -> None:
        """All outputs up to this one are delivered. Losing it in a crash costs a repeat."""
        self.write(Batch(cursors=((outlet, number),)))

    async def purge(self, before_ns: int) -> int:
        """Takes out what is older, for good; says how many rows."""
        return await self._workers.run(LANE, lambda: purge(self._db, before_ns))

    async def synced(self) -> None:
        """Returns once all that was given to `write` so far is on the disk."""
        await self.write(Batch())

    async def run(self) -> None:
        """Commits what comes in, until `close` was called and nothing is left."""
        while self._pending or not self._closing:
            await self._wanted.wait()
            await self._commit()
        self.read.close()
        await self._workers.run(LANE, self._db.close)

    def close(self) -> None:
        """Write what has come in, then let `run` end."""
        self._closing = True
        self._wanted.set()

    async def _commit(self) -> None:
        self._wanted.clear()
        taken, self._pending = self._pending, []
        batches = [batch for batch, _ in taken]
        while batches and not await self._tried(batches):
            if self._closing:
                log.error("the last %d batches could not be written", len(batches))
                return
            await self._clock.rest(RETRY_S)
        for _, done in taken:
            if not done.done():
                done.set_result(None)
        outputs = [row.number for batch in batches for row in batch.outputs]
        if outputs:
            self.committed_outputs = outputs[-1]
            self.pulse.beat()

    async def _tried(self, batches: list[Batch]) -> bool:
        try:
            await self._workers.run(LANE, lambda: commit(self._db, batches))
        except sqlite3.Error as error:
            if self.trouble is None:
                log.error("the journal cannot be written (%s); nothing leaves until it can", error)
            self.trouble = (
                f"the journal cannot be written ({error}); make room on its disk – "
                "until then no move and no alert is shown, and nothing of them is lost"
            )
            return False
        if self.trouble is not None:
            log.warning("the journal can be written again")
            self.trouble = None
        return True

    # Outputs, for those who read on.

    async def grown(self, after: int) -> None:
        """Returns once there is a committed output beyond `after`."""
        while self.committed_outputs <= after:
            await self.pulse.changed(self.pulse.mark)

    # Commands.

    def takes_commands(self, take: TakeCommand) -> None:
        """Who folds commands into tables."""
        self._take_command = take

    async def submit(self, table: str, command: Command, user: str) -> bytes:
        """The answer to an arbiter's command, as JSON, once it is on the disk.

        `user` is the login it came by, empty on loopback. The table knows a command that is sent
        again by its id, and answers as before.
        """
        assert self._take_command is not None, "commands come in once the tables are there"
        return await self._take_command(table, command, user)
