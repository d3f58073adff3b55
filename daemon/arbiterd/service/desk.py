"""The tables at work: inputs folded and journalled, in one order, on one loop.

    take   an input of one table   ─▶ row, fold, outputs ─▶ one batch ─▶ journal ─▶ commands
    due    a table's own deadline  ─▶       fold, outputs ─▶ one batch ─▶ journal ─▶ commands

A table that fails is marked and left; what comes in for it is still recorded, and its neighbours
play on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import msgspec

from arbiterd.edges import Clock
from arbiterd.hall.seat import Folded, Seat
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Batch, InputRow, Item, OutputRow
from arbiterd.messages.commands import Command, act_of
from arbiterd.messages.payloads import State
from eboards.codec import Command as DeviceCommand

log = logging.getLogger(__name__)

Send = Callable[[str, Sequence[DeviceCommand]], None]
"""Takes a table's commands to its device, once what led to them is on the disk."""


NOTHING = Folded((), ())
ResultT = TypeVar("ResultT")


def attempt(table: str, work: Callable[[], ResultT]) -> ResultT | str:
    """What the work gives, or why this table has stopped, in a sentence."""
    try:
        return work()
    except Exception as error:  # The one place: a table fails, its neighbours play on.
        sentence = f"table {table} has stopped ({type(error).__name__}: {error})"
        log.exception("%s; its inputs are still recorded", sentence)
        return sentence


class Desk:
    """All tables of the hall, and the one way into them."""

    def __init__(self, seats: Mapping[str, Seat], journal: Journal, clock: Clock) -> None:
        self.seats = seats
        self._journal, self._clock = journal, clock
        self._due_ns: dict[str, int] = {}
        self._due_changed = asyncio.Event()
        self._changed: set[str] = set()
        self.news = asyncio.Event()
        self.asked = asyncio.Event()
        """A table has a question that a worker is to answer."""
        self.send: Send = lambda _table, _commands: None

    def now_ns(self, seat: Seat) -> int:
        """The time to stamp an input of this table with."""
        return max(self._clock.now_ns(), seat.at_ns)

    def take(
        self, seat: Seat, items: Sequence[Item], raw: bytes = b""
    ) -> tuple[asyncio.Future[None], tuple[OutputRow, ...]]:
        """Folds what one read, or one act, said. Done when it is on the disk."""
        rows = self._rows(seat, items, raw)
        folded = [self._guarded(seat, partial(seat.fold, self._journal, row)) for row in rows]
        return self._write(seat, rows, folded)

    def _rows(self, seat: Seat, items: Sequence[Item], raw: bytes) -> tuple[InputRow, ...]:
        said: Sequence[Item | None] = items or (None,)
        rows = []
        for item in said:
            at_ns = getattr(item, "at_ns", self.now_ns(seat))
            rows.append(InputRow(self._journal.next_input(), at_ns, seat.name, item, raw))
            raw = b""
        return tuple(rows)

    def _guarded(self, seat: Seat, fold: Callable[[], Folded]) -> Folded:
        if seat.failing:
            return NOTHING
        folded = attempt(seat.name, fold)
        if isinstance(folded, str):
            seat.failing = folded
            return NOTHING
        return folded

    def _write(
        self, seat: Seat, rows: tuple[InputRow, ...], folded: Sequence[Folded]
    ) -> tuple[asyncio.Future[None], tuple[OutputRow, ...]]:
        outputs = tuple(row for part in folded for row in part.outputs)
        commands = [command for part in folded for command in part.commands]
        checkpoints = (seat.checkpoint(),) if seat.wants_checkpoint else ()
        done = self._journal.write(Batch(rows, outputs, checkpoints))
        if commands:
            done.add_done_callback(lambda _: self.send(seat.name, commands))
        self._changed.add(seat.name)
        self.news.set()
        if not seat.failing and seat.table.questions:
            self.asked.set()
        self._note_due(seat)
        return done, outputs

    def _note_due(self, seat: Seat) -> None:
        before_ns = self._next_due_ns()
        if seat.due_at_ns is None:
            self._due_ns.pop(seat.name, None)
        else:
            self._due_ns[seat.name] = seat.due_at_ns
        if self._next_due_ns() != before_ns:
            self._due_changed.set()

    def put_down(self) -> None:
        """A checkpoint of every table, before the service stops."""
        standing = [seat for seat in self.seats.values() if not seat.failing]
        self._journal.write(Batch(checkpoints=tuple(seat.checkpoint() for seat in standing)))

    # What the tables show.

    def take_changed(self) -> list[Seat]:
        """Tables that something happened to since the last call, in the hall's order."""
        self.news.clear()
        changed, self._changed = self._changed, set()
        return [seat for seat in self.seats.values() if seat.name in changed]

    def state(self, seat: Seat) -> State | None:
        """A table as it stands; None: it cannot say any more."""
        state = attempt(seat.name, partial(seat.table.state, self.now_ns(seat)))
        if isinstance(state, str):
            return None
        return msgspec.structs.replace(state, attention=True) if seat.failing else state

    def assigned_devices(self) -> Iterator[tuple[str, str]]:
        """Devices that arbiters gave to tables in the round that is played."""
        for name in self.seats:
            device = self._journal.read.assigned_device(name)
            if device is not None:
                yield name, device

    # Time.

    async def keep_time(self) -> None:
        """Calls each table at its own deadlines, whenever nothing comes before."""
        while True:
            self._due_changed.clear()
            waiting: list[asyncio.Future[Any]] = [asyncio.ensure_future(self._due_changed.wait())]
            due_ns = self._next_due_ns()
            if due_ns is not None:
                waiting.append(asyncio.ensure_future(self._clock.until(due_ns)))
            try:
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in waiting:
                    task.cancel()
            self.run_due(self._clock.now_ns())

    def _next_due_ns(self) -> int | None:
        return min(self._due_ns.values(), default=None)

    def run_due(self, now_ns: int) -> None:
        """Everything that is due by now, table by table, each at exactly its own times."""
        for name in [name for name, due_ns in self._due_ns.items() if due_ns <= now_ns]:
            seat = self.seats[name]
            while (due_ns := seat.due_at_ns) is not None and due_ns <= now_ns:
                folded = self._guarded(seat, partial(seat.fold_due, self._journal))
                self._write(seat, (), (folded,))

    # Commands of arbiters.

    async def command(self, table: str, command: Command, user: str) -> bytes:
        """The answer's payload, once it is on the disk."""
        seat = self.seats[table]
        act = act_of(command, self.now_ns(seat), user)
        done, outputs = self.take(seat, (act,))
        await done
        replies = [row.payload for row in outputs if row.topic.startswith("reply")]
        return replies[-1] if replies else b""
