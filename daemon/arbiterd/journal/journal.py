"""The one writer. Batches that arrive while a commit is under way share the next one.

write ─▶ waiting ─▶ commit (in the writer's thread) ─▶ head beside the file ─▶ done
           ▲            │                                                       │
           └────────────┘ the disk refuses: the same rows again, in a second    └─▶ old rows packed
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import NamedTuple

from msgspec import structs

from arbiterd.edges import MAKE_ROOM, ServiceClock, Store, StoreError, Workers
from arbiterd.journal.encode import RowError
from arbiterd.journal.head import Head
from arbiterd.journal.mending import DamageFound, opened
from arbiterd.journal.packing import Ripe, pack
from arbiterd.journal.pulse import Pulse
from arbiterd.journal.purge import attested, note_silence, purge
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.recent import ROWS_MAX, RecentOutputs
from arbiterd.journal.rows import Batch, OutputRow
from arbiterd.journal.schema import packs
from arbiterd.journal.seal import end_of
from arbiterd.journal.snapshots import Snapshots
from arbiterd.journal.stations import Station, Stations
from arbiterd.journal.write import REFUSED, UNKEPT, commit, damaged, without_content
from arbiterd.messages.commands import Command
from arbiterd.messages.topics import Rank, rank

log = logging.getLogger(__name__)

LANE = "journal"
TOGETHER_S = 0.005
"""So long after a commit what comes in waits for the next one: one sync for all tables."""
LATER_S = 0.1
"""So long rows that nobody hears of wait for others to go to the disk with."""
RETRY_S = 1.0
"""So long after a failed commit the same rows are tried again."""
WAITING_MAX = 64 << 20
"""So many bytes wait in memory for a disk that refuses: 77,000 inputs with what was made of them, a
quarter of an hour of 60 boards in a quick game. Beyond that nothing more is taken until half of it
is on the disk."""
CURSOR_S = 0.2
"""A cursor waits so long for rows to go to the disk with."""
PUT_BACK = "its file does not stand there any more: put back the disk that it is on"
PROOF = "proof"
"""The cursor that is written and read back to prove that the writer works."""

TakeCommand = Callable[[str, Command, str], Awaitable[bytes]]
"""Who folds a command by a login into its table: gives the answer, once it is on the disk.
Raises `NotTakenError` where no table answers it."""
TakeRound = Callable[[Command, str], Awaitable[bytes]]
"""The same for commands about a round, which belong to no table."""


class NotTakenError(Exception):
    """A command that no table answers: none of its outputs is the answer."""

    def __init__(self, answer: bytes) -> None:
        super().__init__("no table answers this command")
        self.answer = answer
        """The payload, a refusal."""


class _Waiting(NamedTuple):
    batch: Batch
    done: asyncio.Future[None]
    since_ns: int


class Journal:
    """Numbers are given out at once, in order; what they number is durable once `write` is done.

    While the disk refuses, nothing is lost and nothing leaves: the same batches are tried again,
    and `trouble` says so in a sentence. `full`: so much waits that nothing more may be written.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        store: Store,
        clock: ServiceClock,
        workers: Workers,
        found: DamageFound,
    ) -> None:
        self._db, self._store, self._clock, self._workers = db, store, clock, workers
        self._loop = asyncio.get_running_loop()
        self.found = found
        """What was wrong with the journal at the start."""
        self.head = found.head
        """Where the chains end on the disk."""
        self.read = self.reader()
        self.pulse = Pulse()
        self.snapshots = Snapshots(self.pulse)
        self.stations = Stations(clock)
        self.trouble: str | None = None
        self.full = False
        self.tries = 0
        """How often the disk has given an answer, yes or no."""
        self.committed_outputs = self.read.last("output")
        self._inputs, self._outputs = self.read.last("input"), self.committed_outputs
        self._recent = RecentOutputs(self.committed_outputs)
        self._waiting, self._waiting_bytes = list[_Waiting](), 0
        self._cursors: dict[str, int] = {}
        """Moved, and not written yet."""
        self._alone: asyncio.TimerHandle | None = None
        """They go by themselves then, if nothing goes before."""
        self._closing = self._closed = False
        self._moved = False
        """It is another file that is written now: readers have to be opened anew."""
        self._wanted = asyncio.Event()
        self._later: asyncio.TimerHandle | None = None
        """What may wait is wanted then."""
        self._take_command: TakeCommand | None = None
        self._take_round: TakeRound | None = None
        self._packs = packs(db)
        self._ripe = Ripe({*found.owners.values(), *found.altered.values()})

    @classmethod
    async def open(cls, store: Store, clock: ServiceClock, workers: Workers) -> Journal:
        """Raises StoreError."""
        db, found = await workers.run(LANE, lambda: opened(store))
        return cls(db, store, clock, workers, found)

    def reader(self) -> JournalReader:
        """A view of its own for whoever reads much."""
        return JournalReader(self._store.connect_for_reading(), self.found.altered)

    # Writing.

    def next_input(self) -> int:
        self._inputs += 1
        return self._inputs

    def next_output(self) -> int:
        self._outputs += 1
        return self._outputs

    def write(self, batch: Batch, *, may_wait: bool = False) -> asyncio.Future[None]:
        """Done once the batch is on the disk. Call in the order of its numbers.

        `may_wait`: nobody hears of it; it goes with the next rows, or by itself after `LATER_S`.
        """
        done: asyncio.Future[None] = self._loop.create_future()
        if self._cursors:
            batch = replace(batch, cursors=(*batch.cursors, *self._cursors.items()))
            self._cursors = {}
            if self._alone is not None:
                self._alone.cancel()
        if self.trouble:
            for made in batch.checkpoints:
                self._drop_older(made.table)
        self._waiting.append(_Waiting(batch, done, self.stations.now_ns()))
        self._waiting_bytes += batch.bytes
        if not may_wait:
            self._wanted.set()
        elif self._later is None:
            self._later = self._loop.call_later(LATER_S, self._wanted.set)
        if self._waiting_bytes > WAITING_MAX and self.trouble and not self.full:
            self.full = True
            log.error("%d MB wait for the disk: nothing more is taken in", WAITING_MAX >> 20)
        return done

    def _drop_older(self, table: str) -> None:
        """Of its checkpoints only the newest goes to the disk; they are the most of what waits."""
        for place in reversed(range(len(self._waiting))):
            each = self._waiting[place]
            left = tuple(made for made in each.batch.checkpoints if made.table != table)
            if len(left) < len(each.batch.checkpoints):
                batch = replace(each.batch, checkpoints=left)
                self._waiting[place] = each._replace(batch=batch)
                self._waiting_bytes -= each.batch.bytes - batch.bytes
                return

    def nothing(self) -> asyncio.Future[None]:
        """Done at once: what a caller waits for who had nothing to write."""
        done: asyncio.Future[None] = self._loop.create_future()
        done.set_result(None)
        return done

    @property
    def waits(self) -> bool:
        """There is something that the disk has not got yet."""
        return bool(self._waiting)

    @property
    def waiting_bytes(self) -> int:
        """How much there is of it, of `WAITING_MAX`."""
        return self._waiting_bytes

    def move_cursor(self, outlet: str, number: int) -> None:
        """All outputs up to this one are delivered. Losing it in a crash costs a repeat.

        It goes with the next rows, or by itself after a moment.
        """
        if not self._cursors:
            self._alone = self._loop.call_later(CURSOR_S, self._put_cursors)
        self._cursors[outlet] = number

    def _put_cursors(self) -> None:
        if self._cursors and not self._closed:
            self.write(Batch())

    async def purge(self, before_ns: int) -> int:
        """Takes out what is older, for good; says how many rows. Raises sqlite3.Error."""
        return await self._workers.run(LANE, lambda: purge(self._db, attested(self._db, before_ns)))

    async def note_silence(self, from_ns: int, excess_ns: int) -> None:
        """Rows up to this time are younger by so much than the computer's clock says."""
        await self._workers.run(LANE, lambda: note_silence(self._db, from_ns, excess_ns))

    async def synced(self) -> None:
        """Returns once all that was given to `write` so far is on the disk."""
        await self.write(Batch())

    async def run(self) -> None:
        """Commits what comes in, until `close` was called and nothing is left.

        Cancelled, it may be run again: what was under way is tried once more. Raises StoreError
        where the file itself is damaged, or its disk was out: a new start mends it.
        """
        self._wanted.set()
        while self._waiting or not self._closing:
            await self._wanted.wait()
            await self._commit()
            await self._pack()
            if not self._closing:
                await self._clock.rest(TOGETHER_S)
        self._closed = True
        self.read.close()
        await self._workers.run(LANE, self._db.close)

    def close(self) -> None:
        """Write what has come in, then let `run` end."""
        self._put_cursors()
        self._closing = True
        self._wanted.set()

    async def prove(self) -> None:
        """Returns once a row was written and read back. Raises StoreError if it was not there."""
        number = self.read.cursor(PROOF) + 1
        self.move_cursor(PROOF, number)
        await self.synced()

        def read_back() -> bool:
            # By its name: the file that is held open may be gone from the disk.
            try:
                other = self.reader()
            except StoreError as error:
                self._store.rescue(self._db)
                self._hold(self._store.connect_again())
                raise StoreError(
                    f"the journal's file was taken away ({error}); it is written anew from what is"
                    " still held open, and the service starts again"
                ) from None
            try:
                # Another journal may have been proven oftener.
                return other.cursor(PROOF) >= number and not self._store.away()
            finally:
                other.close()

        if not await self._workers.run(LANE, read_back):
            why = await self._workers.run(LANE, self._put_back)
            raise StoreError(f"what was written into the journal does not stand in its file{why}")

    def _put_back(self) -> str:
        """Ours is held open still where another one has its name: that is kept under a new one."""
        if not self._store.away():
            return ""
        aside = self._store.put_back(self._db, self.head.encoded())
        self._hold(self._store.connect_again())
        return (
            f": another one was put in its place, which is kept as {aside}; ours is written there"
            " anew from what is still held open, and the service starts again"
        )

    async def _commit(self) -> None:
        self._wanted.clear()
        if self._later is not None:
            self._later.cancel()
            self._later = None
        while self._waiting and not await self._tried(len(self._waiting)):
            if self._closing:
                self._give_up()
                return
            await self._clock.rest(RETRY_S)
        if self._moved and not self._closing:
            raise StoreError(
                "the journal's disk was out and is back; all that waited is in the journal, and the"
                " service starts again"
            )

    async def _pack(self) -> None:
        """While nothing is to be committed: a table's old rows, and the next one's."""
        while not self._waiting and not self._closing and (kept := self._ripe.next()):
            try:
                await self._workers.run(LANE, partial(pack, self._db, kept))
            except sqlite3.Error as error:
                # They stay as they are; whatever is wrong, the next commit says it.
                log.warning("old rows of table %s are not packed: %s", kept.table, error)

    async def _tried(self, count: int) -> bool:
        """One try to write the first so many batches. False: the disk refuses."""
        batches = [each.batch for each in self._waiting[:count]]
        try:
            await self._write(batches)
        except REFUSED as error:
            away = await self._workers.run(LANE, self._store.away)
            if away and await self._workers.run(LANE, self._taken_up_again):
                return await self._tried(count)
            self._refused(error, PUT_BACK if away else MAKE_ROOM)
            return False
        except UNKEPT as error:
            if isinstance(error, sqlite3.Error) and damaged(error):
                raise StoreError(
                    f"the journal's file is damaged ({error}); start again: what can be read of it"
                    " is taken over into a new one"
                ) from error
            if count > 1:
                return await self._one_by_one(count)
            await self._write([without_content(batches[0])])
            log.critical("a row of the journal could not be kept: %r", error)
            self._done(1, RowError(f"this could not be recorded: {type(error).__name__}"))
            return True
        self._done(count, None)
        return True

    async def _one_by_one(self, count: int) -> bool:
        """One of these cannot be kept: it costs the others nothing."""
        for _ in range(count):
            if not await self._tried(1):
                return False
        return True

    async def _write(self, batches: list[Batch]) -> None:
        def work() -> Head:
            inputs, outputs = commit(self._db, batches)
            head = structs.replace(
                self.head.after(inputs, outputs, batches),
                ahead_ns=self._clock.ahead_ns(),
                noted_ns=self._clock.now_ns(),
            )
            self._store.put_head(head.encoded())
            return head

        head = await self._workers.run(LANE, work)
        self.head = head
        if self.committed_outputs != head.output:
            self.committed_outputs = head.output
            self._recent.add(row for batch in batches for row in batch.outputs)
            self.pulse.beat()

    def _done(self, count: int, error: RowError | None) -> None:
        """So many batches are on the disk, or never will be."""
        taken, self._waiting = self._waiting[:count], self._waiting[count:]
        self._waiting_bytes -= sum(each.batch.bytes for each in taken)
        if self._packs and error is None:
            self._ripe.ripen(each.batch for each in taken)
        self.tries += 1
        for _, done, since_ns in taken:
            self.stations.took(Station.JOURNALLED, since_ns)
            if not done.done() and error is None:
                done.set_result(None)
            elif not done.done() and error is not None:
                done.set_exception(error)
                done.exception()  # Whoever does not wait need not hear of it.
        if self.trouble is not None:
            log.warning("the journal can be written again")
            self.trouble = None
        if self.full and self._waiting_bytes < WAITING_MAX // 2:
            self.full = False

    def _taken_up_again(self) -> bool:
        """Whether the journal stands in its place again, as we left it: then it is written on.

        The disk was out. What is held open of it stays dead, though it is back.
        """
        try:
            with closing(self._store.connect_for_reading()) as found:
                ends = [end_of(found, chain) for chain in ("input", "output")]
            if [(each.last, each.seal.hex()) for each in ends] != self.head.ends:
                return False
            self._hold(self._store.connect_again())
        except (StoreError, sqlite3.Error, TypeError, ValueError):
            return False  # There is none yet, or another one.
        self._moved = True
        return True

    def _hold(self, db: sqlite3.Connection) -> None:
        """What is committed from now on goes there, and not where nobody finds it."""
        dead, self._db = self._db, db
        with suppress(sqlite3.Error):
            dead.close()

    def _refused(self, error: sqlite3.Error, mend: str) -> None:
        self.tries += 1
        if self.trouble is None:
            log.error("the journal cannot be written (%s); nothing leaves until it can", error)
        kept = (
            "nothing more is taken in, for too much waits already"
            if self.full
            else "until then no move and no alert is shown, and nothing of them is lost"
        )
        self.trouble = f"the journal cannot be written ({error}); {mend} – {kept}"

    def _give_up(self) -> None:
        """We are to stop, and the disk still refuses."""
        rows = sum(len(each.batch.inputs) for each in self._waiting)
        log.error("%d inputs could not be written and are lost: %s", rows, self.trouble)
        stopped = RowError("the service stopped before this was recorded")
        trouble, self.trouble = self.trouble, None  # It is not mended by that.
        self._done(len(self._waiting), stopped)
        self.trouble = trouble

    # Outputs, for those who read on.

    def outputs(self, after: int, limit: int) -> Sequence[OutputRow]:
        """Committed outputs beyond a number, so many at most: the newest from memory."""
        found = self._recent.after(after, limit)
        return list(self.read.outputs(after=after, limit=limit)) if found is None else found

    def leaving(self, after: int, limit: int, of: Rank) -> Sequence[OutputRow]:
        """Those of one rank, so many at most."""
        found = self._recent.after(after, ROWS_MAX)
        if found is None:
            return list(self.read.leaving(after, limit, of))
        return list(islice((row for row in found if rank(row.topic) is of), limit))

    async def grown(self, after: int) -> None:
        """Returns once there is a committed output beyond `after`."""
        while self.committed_outputs <= after:
            await self.pulse.changed(self.pulse.mark)

    # Commands.

    def takes_commands(self, take: TakeCommand, of_rounds: TakeRound | None = None) -> None:
        """Who folds commands into tables, and who carries out those about a round."""
        self._take_command, self._take_round = take, of_rounds

    async def submit_round(self, command: Command, user: str) -> bytes:
        """The answer to a command about a round, once what it changed is on the disk."""
        assert self._take_round is not None, "commands come in once the tables are there"
        return await self._take_round(command, user)

    async def submit(self, table: str, command: Command, user: str) -> bytes:
        """The answer to an arbiter's command, as JSON, once it is on the disk.

        `user` is the login it came by, empty on loopback. The table knows a command that is sent
        again by its id, and answers as before.
        """
        try:
            return await self.fold(table, command, user)
        except NotTakenError as refused:
            return refused.answer

    async def fold(self, table: str, command: Command, user: str) -> bytes:
        """As `submit`, for who sends the outputs on, the answer among them.

        Raises NotTakenError with the answer that is none of them.
        """
        assert self._take_command is not None, "commands come in once the tables are there"
        return await self._take_command(table, command, user)
