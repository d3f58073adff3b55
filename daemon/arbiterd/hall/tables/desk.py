"""The tables at work: inputs folded and journalled, in one order, on one loop.

    take   an input of one table   ─▶ row, fold, outputs ─▶ one batch ─▶ journal ─▶ commands
    due    a table's own deadline  ─▶       fold, outputs ─▶ one batch ─▶ journal ─▶ commands

A table that fails at an input is marked, what comes in for it is still recorded, and its neighbours
play on. It is then taken up again from the journal without that input.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import msgspec

from arbiterd.edges import ServiceClock
from arbiterd.hall.tables.deadlines import Deadlines
from arbiterd.hall.tables.seat import Folded, Seat, StumbledError
from arbiterd.hall.tables.taking_up import FOR_EVER, SLICE_ROWS, TakingUp
from arbiterd.journal.encode import RowError, kept
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Batch, Checkpoint, InputRow, Item, OutputRow
from arbiterd.journal.stations import Met, Station
from arbiterd.laws.act import Act
from arbiterd.messages.commands import Command
from arbiterd.messages.payloads import State
from arbiterd.messages.topics import Rank, answers, rank
from arbiterd.table.inputs import ActPreviewed, GameLeft, Missed, act_said
from arbiterd.table.setup import TableSetup
from eboards.codec import DeviceCommand
from eboards.events import Fault, LinkDown, Noise

log = logging.getLogger(__name__)

SendCommands = Callable[[str, Sequence[DeviceCommand]], None]
"""Takes a table's commands to its device, once what led to them is on the disk."""


RAW_MAX = 1 << 16
"""A longer read is kept in several rows."""
LATE_NS = 1_000_000_000
FULL_S = 1.0
"""How often it is looked whether there is room for what tables do by themselves."""
STUMBLES_MAX = 8
"""A table that fails at more inputs than these is left standing until the next start."""

SLICE_REST_S = 0.01
"""Between two slices of a table that is made again, the others have their turn for so long."""
TOO_MANY = "too many rows of the journal cannot be taken up"

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


def _sliced(taking: TakingUp) -> int | StumbledError:
    try:
        return taking.fold(SLICE_ROWS)
    except StumbledError as error:
        return error


def passed_over(numbers: Sequence[int], why: str) -> str:
    """For people: which rows a table goes on without."""
    rows = f"input {numbers[0]}" if len(numbers) == 1 else f"{len(numbers)} inputs"
    return f"{rows} of the journal could not be taken up ({why}); compare the moves with the board"


class Desk:
    """All tables of the hall, and the one way into them."""

    def __init__(self, seats: Mapping[str, Seat], journal: Journal, clock: ServiceClock) -> None:
        self.seats = seats
        self._journal, self._clock = journal, clock
        self._deadlines = Deadlines()
        self._awaited_ns: int | None = None
        """The deadline that is waited for."""
        self._due_changed = asyncio.Event()
        self._changed: set[str] = set()
        self.news = asyncio.Event()
        self.asked = asyncio.Event()
        """A table has a question that a worker is to answer."""
        self.send: SendCommands = lambda _table, _commands: None
        self.listen_anew: Callable[[str], None] = lambda _table: None
        """Has a table's device show all of its board again."""
        self.hear: Callable[[str, int, object], None] = lambda _table, _at_ns, _item: None
        """Hears every input on its way into the journal."""
        self.stumbled = asyncio.Event()
        """A table failed at an input and is to be taken up again."""
        self.looked_after = 0
        """How often it was looked whether a table is to be taken up again, and slices folded."""
        self.kept = 0
        """How often something due was done."""
        self._stumbles: dict[str, dict[int, str]] = {}
        self._behind: set[str] = set()
        """Tables that were not made again yet since the start."""
        self.joined: Callable[[Seat], None] = self.tell_passed_over
        """Tells such a table, when it is, what it missed."""
        self._unrecorded: Counter[str] = Counter()
        """Readings by table for which there was no room."""

    def now_ns(self, seat: Seat) -> int:
        """The time to stamp an input of this table with."""
        return max(self._clock.now_ns(), seat.at_ns)

    def take(
        self, seat: Seat, items: Sequence[Item], raw: bytes = b""
    ) -> tuple[asyncio.Future[None], tuple[OutputRow, ...]]:
        """Folds what one read, or one act, said. Done when it is on the disk.

        Raises RowError, with nothing done, for an act that no row can keep. While there is no room
        for more, readings are counted and dropped.
        """
        if self._journal.full:
            self._unrecorded[seat.name] += len(items)
            self._journal.stations.reached(Met.NOT_RECORDED, len(items))
            return self._journal.nothing(), ()
        rows = self._rows(seat, (*self._made_up_for(seat, items), *items), raw)
        for row in rows:
            self.hear(seat.name, row.at_ns, row.item)
        since_ns = self._journal.stations.now_ns()
        folded = [self._folded(seat, row) for row in rows]
        self._journal.stations.took(Station.FOLDED, since_ns)
        return self._write(seat, rows, folded)

    def set_up(
        self, seat: Seat, setup: TableSetup, left_ns: int | None = None
    ) -> asyncio.Future[None]:
        """Another game at this table; nobody can decide any more what was open of the one before.

        That one was left at `left_ns`; None: now. Done when it is on the disk.
        """
        left = GameLeft(self.now_ns(seat) if left_ns is None else left_ns)
        done, _ = self.take(seat, (left, setup))
        return done

    def _made_up_for(self, seat: Seat, items: Sequence[Item]) -> tuple[Item, ...]:
        """There is room again: what this table has to know of the time when there was none.

        It comes before `items`, which were stamped when they were read, a moment ago.
        """
        count = self._unrecorded.pop(seat.name, 0)
        if not count:
            return ()
        why = f"{count} readings could not be recorded while the disk was full"
        asyncio.get_running_loop().call_soon(self.listen_anew, seat.name)
        stamped = [item.at_ns for item in items if not isinstance(item, TableSetup)]
        at_ns = min([self.now_ns(seat), *stamped])
        words = f"{why}; compare the moves with the board"
        return LinkDown(at_ns, why), Missed(at_ns, words)

    def _rows(self, seat: Seat, items: Sequence[Item], raw: bytes) -> tuple[InputRow, ...]:
        """Numbered last: what no row can keep has none."""
        pieces = [raw[begin : begin + RAW_MAX] for begin in range(0, len(raw), RAW_MAX)] or [b""]
        said: list[Item | None] = [*(None for _ in pieces[1:]), *(items or (None,))]
        pieces += [b""] * (len(said) - len(pieces))
        kept_as = [self._kept(seat, item) for item in said]
        rows: list[InputRow] = []
        for (item, body), piece in zip(kept_as, pieces, strict=True):
            at_ns = getattr(item, "at_ns", None)
            if at_ns is None:
                at_ns = self.now_ns(seat)
            rows.append(InputRow(self._journal.next_input(), at_ns, seat.name, item, piece, body))
        return tuple(rows)

    def _kept(self, seat: Seat, item: Item | None) -> tuple[Item | None, tuple[str, bytes]]:
        """An item as its row has it; a device's that no row can keep becomes a fault."""
        try:
            return item, kept(item)
        except RowError as error:
            if isinstance(item, Act | ActPreviewed):
                raise
            log.warning("table %s: %s; it is passed over", seat.name, error)
            fault = Fault(self.now_ns(seat), Noise.RANGE, note=str(error))
            return fault, kept(fault)

    def _folded(self, seat: Seat, row: InputRow) -> Folded:
        if seat.failing:
            seat.record(row)
            return NOTHING
        try:
            return seat.fold(self._journal, row)
        except StumbledError as error:
            seat.failing = f"table {seat.name} has stopped ({error})"
            log.exception("%s; its inputs are still recorded", seat.failing)
            self._stumbles.setdefault(seat.name, {})[row.number] = str(error)
            self.stumbled.set()
            return NOTHING

    def _guarded(self, seat: Seat, fold: Callable[[], Folded]) -> Folded:
        if seat.failing:
            return NOTHING
        folded = attempt(seat.name, fold)
        if isinstance(folded, str):
            seat.failing = folded
            return NOTHING
        return folded

    # Tables that are taken up from the journal while the others play.

    def falls_behind(self, seat: Seat) -> None:
        """A table that has more rows to fold than a start may wait for; they are recorded on."""
        seat.failing = (
            f"table {seat.name} is being made again from its rows of the journal; what its board"
            " says meanwhile is recorded and follows"
        )
        self._behind.add(seat.name)
        self.stumbled.set()

    async def keep_taking_up(self) -> None:
        """Takes up every table that fell behind, or failed at an input, until cancelled."""
        while True:
            self.stumbled.clear()
            for seat in self.seats.values():
                if self.comes_back(seat):
                    await self._take_up(seat)
            self.looked_after += 1
            await self.stumbled.wait()

    @property
    def no_room(self) -> str:
        """Why nothing more can be recorded, in a sentence; empty: it can."""
        full = self._journal.full
        return f"nothing more can be recorded: {self._journal.trouble}" if full else ""

    def not_now(self, seat: Seat) -> str:
        """Why a table takes no acts, and what to do; empty: it does."""
        if not seat.failing:
            return ""
        if self.comes_back(seat):
            return (
                f"table {seat.name} is being made again from the journal and takes no acts until"
                " it is there; what its board shows is kept. Send this again in a minute"
            )
        return (
            f"{seat.failing}. It takes no acts any more; start the service again, and until then"
            " watch this game yourself"
        )

    def comes_back(self, seat: Seat) -> bool:
        """A table that does not follow its board now, and is being made again."""
        stumbles = len(self._stumbles.get(seat.name, ()))
        wanted = stumbles > 0 or seat.name in self._behind
        return bool(seat.failing) and wanted and stumbles <= STUMBLES_MAX

    @property
    def someone_waits(self) -> bool:
        """A table is to be taken up again."""
        return any(map(self.comes_back, self.seats.values()))

    async def _take_up(self, seat: Seat) -> None:
        again = await self._made_again(seat)
        stumbles = self._stumbles.setdefault(seat.name, {})
        if isinstance(again, StumbledError):
            stumbles[again.number] = str(again)
            if len(stumbles) > STUMBLES_MAX:
                seat.failing = f"table {seat.name} has stopped ({again}): {TOO_MANY}"
            self.stumbled.set()
        elif isinstance(again, str):
            seat.failing = again
            self._stumbles.pop(seat.name)
            self._behind.discard(seat.name)
        else:
            self._join(seat, again)

    async def _made_again(self, seat: Seat) -> Seat | StumbledError | str:
        """A table folded again up to all that is recorded, in slices; why not, in a sentence."""
        aside = {**self._journal.found.suspect, **self._stumbles.get(seat.name, {})}
        until_ns = self._journal.found.at_ns if seat.name in self._behind else FOR_EVER
        read, setup = self._journal.read, seat.table.setup
        taking = attempt(seat.name, lambda: TakingUp(read, seat.name, aside, until_ns, setup))
        if isinstance(taking, str):
            return taking
        while True:
            recorded = seat.recorded
            await self._journal.synced()
            while rows := attempt(seat.name, partial(_sliced, taking)):
                if not isinstance(rows, int):
                    return rows
                if taking.may_be_put_down and not aside:
                    self._journal.write(Batch(checkpoints=self._checkpoints((taking.seat,))))
                self.looked_after += 1
                await self._clock.rest(SLICE_REST_S)
            if seat.recorded == recorded:
                return attempt(seat.name, taking.done)

    def _join(self, seat: Seat, again: Seat) -> None:
        """A table that was made again plays on."""
        behind = seat.name in self._behind
        self._behind.discard(seat.name)
        seat.take_over(again)
        log.warning(
            "table %s goes on; without the inputs %s", seat.name, sorted(seat.passed_over) or "none"
        )
        self._write(seat, (), (Folded(seat.late_outputs(self._journal), ()),))
        if behind:
            self.joined(seat)
        else:
            self.tell_passed_over(seat)

    def tell_passed_over(self, seat: Seat) -> None:
        """A table that was taken up again learns which rows it goes on without."""
        late = seat.late_outputs(self._journal)
        if late:
            self._journal.write(Batch(outputs=late))
        by_why: dict[str, list[int]] = {}
        for number, why in seat.passed_over.items():
            by_why.setdefault(why, []).append(number)
        seat.passed_over = {}
        for why, numbers in by_why.items():
            words = passed_over(numbers, why)
            self.take(seat, (Missed(self.now_ns(seat), words, tuple(numbers)),))

    def _write(
        self, seat: Seat, rows: tuple[InputRow, ...], folded: Sequence[Folded]
    ) -> tuple[asyncio.Future[None], tuple[OutputRow, ...]]:
        outputs = tuple(row for part in folded for row in part.outputs)
        commands = [command for part in folded for command in part.commands]
        checkpoints = self._checkpoints((seat,) if seat.wants_checkpoint else ())
        # A sync costs more than all else on the way: nobody waits for the ticking of a clock.
        heard_of = bool(commands) or any(rank(row.topic) is not Rank.HOME for row in outputs)
        done = self._journal.write(Batch(rows, outputs, checkpoints), may_wait=not heard_of)
        if commands:
            done.add_done_callback(
                lambda done: done.cancelled() or done.exception() or self.send(seat.name, commands)
            )
        if seat.shows_news():
            self._changed.add(seat.name)
            self.news.set()
        if not seat.failing and seat.table.questions:
            self.asked.set()
        self._note_due(seat)
        return done, outputs

    def _note_due(self, seat: Seat) -> None:
        due_ns = seat.due_at_ns
        self._deadlines.put(seat.name, due_ns)
        # A later one is found when the one that is waited for has come.
        if due_ns is not None and (self._awaited_ns is None or due_ns < self._awaited_ns):
            self._due_changed.set()

    def put_down(self) -> None:
        """A checkpoint of every table, before the service stops."""
        standing = [seat for seat in self.seats.values() if not seat.failing]
        self._journal.write(Batch(checkpoints=self._checkpoints(standing)))

    def _checkpoints(self, seats: Iterable[Seat]) -> tuple[Checkpoint, ...]:
        """A table that cannot be written down is folded from an older one at the next start."""
        made = [attempt(seat.name, seat.checkpoint) for seat in seats]
        return tuple(each for each in made if not isinstance(each, str))

    # What the tables show.

    def take_changed(self) -> list[Seat]:
        """Tables that something happened to since the last call, in the hall's order."""
        self.news.clear()
        changed, self._changed = self._changed, set()
        return [seat for seat in self.seats.values() if seat.name in changed]

    def all_changed(self) -> None:
        """Every table is to be told anew."""
        self._changed.update(self.seats)
        self.news.set()

    def state(self, seat: Seat) -> State | None:
        """A table as it stands; None: it cannot say any more."""
        state = attempt(seat.name, partial(seat.table.state, self.now_ns(seat)))
        if isinstance(state, str):
            return None
        if not seat.failing:
            return state
        return msgspec.structs.replace(
            state, attention=True, standing=seat.failing, comes_back=self.comes_back(seat)
        )

    def configured(self, table: str) -> TableSetup | None:
        """What the journal says a table was last set up as by a configuration."""
        return self._journal.read.configured(table)

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
            due_ns = self._awaited_ns = self._deadlines.next_ns
            if due_ns is not None:
                waiting.append(asyncio.ensure_future(self._clock.until(due_ns)))
            try:
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in waiting:
                    task.cancel()
            if self._journal.full:
                await self._clock.rest(FULL_S)
            self.run_due(self._clock.now_ns())

    @property
    def behind(self) -> bool:
        """Something was due some time ago and has not been done."""
        due_ns = self._deadlines.next_ns
        return due_ns is not None and due_ns < self._clock.now_ns() - LATE_NS

    def run_due(self, now_ns: int) -> None:
        """Everything that is due by now, table by table, each at exactly its own times."""
        for name in self._deadlines.due(now_ns):
            seat = self.seats[name]
            if self._journal.full:
                return  # They come first when there is room again, each at its own time.
            # A table that stands still has none.
            self._deadlines.put(name, seat.due_at_ns)
            while (due_ns := seat.due_at_ns) is not None and due_ns <= now_ns:
                self.kept += 1
                self._journal.stations.took(Station.DUE, due_ns)
                folded = self._guarded(seat, partial(seat.fold_due, self._journal))
                self._write(seat, (), (folded,))

    # Commands of arbiters.

    async def command(self, table: str, command: Command, user: str) -> bytes:
        """The answer's payload, once it is on the disk. Raises RowError, with nothing done."""
        seat = self.seats[table]
        if self.no_room:
            raise RowError(self.no_room)
        said = act_said(command, self.now_ns(seat), user)
        done, outputs = self.take(seat, (said,))
        await done
        replies = [row.payload for row in outputs if answers(row.topic)]
        if not replies:
            raise RowError(seat.failing or "the table gave no answer")
        return replies[-1]
