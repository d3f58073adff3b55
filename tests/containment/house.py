"""A hall of eight boards under the service's own code, with every door open to a test.

Time is virtual: the service, its journal on a real disk, its pages on real sockets; boards are
emulated, and the broker only remembers.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from arbiterd.config import Config
from arbiterd.config.model import (
    HallConfig,
    Http,
    LiveChessConfig,
    PublicConfig,
    Simulation,
    TableEntry,
)
from arbiterd.config.values import Listen
from arbiterd.edges import Edges, Plugged, Received
from arbiterd.edges.real import FileStore
from arbiterd.service import Service, build
from arbiterd.simulation.benchmarks.over_the_wire import BRISK
from arbiterd.simulation.devices.clock import STANDARD
from arbiterd.simulation.devices.emulated import EmulatedTable
from arbiterd.simulation.dice import dice
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import follow
from arbiterd.simulation.hands.play import play
from arbiterd.simulation.virtual_loop import AtOnce, VirtualClock
from arbiterd.simulation.world import Story
from eboards.codec import Codec
from eboards.dgt.codec import DgtCodec
from eboards.dgt.emulator import Badge
from eboards.transport import Chunk, DeviceTrouble, Wire, WireError

SECOND = 1_000_000_000
BEGIN_NS = 1_790_000_000 * SECOND
BOARDS = 8
ANYWHERE = Listen("127.0.0.1", 0)
SETTLED_NS = 20 * SECOND
"""A half-move is on record so long after its last change, whatever comes."""


class Broker:
    """Keeps what is told of each table, and lets a test say anything to the service."""

    def __init__(self) -> None:
        self.told: dict[str, list[dict[str, object]]] = {}
        self.inbox: asyncio.Queue[Received] = asyncio.Queue()
        self.replies = 0

    @asynccontextmanager
    async def connect(self, _topic: str, _will: bytes) -> AsyncIterator[Broker]:
        yield self

    def publish(
        self, topic: str, payload: bytes, *, retained: bool = False, **_extras: object
    ) -> asyncio.Future[None]:
        leaf = topic.removeprefix("arbiterd/main/")
        if leaf.endswith("/moves") and leaf.startswith("tables/"):
            with suppress(ValueError):  # A row that was damaged on the disk is sent as it is.
                said = json.loads(payload)
                self.told.setdefault(said["table"], []).append(said)
        self.replies += "/reply" in leaf
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.set_result(None)
        return done

    async def subscribe(self, *_filters: str) -> None: ...

    async def unsubscribe(self, *_filters: str) -> None: ...

    async def messages(self) -> AsyncIterator[Received]:
        while True:
            yield await self.inbox.get()

    def record(self, table: str) -> list[object]:
        """The moves as a reader holds them."""
        held: dict[object, object] = {}
        seen: set[object] = set()
        for said in self.told.get(table, []):
            if said["seq"] not in seen:  # What was in flight at a stop comes again.
                seen.add(said["seq"])
                held[said["ply"]] = said["uci"]
        return [held[ply] for ply in sorted(held, key=int) if held[ply] is not None]  # type: ignore[call-overload]


class BoardWire:
    """A good board with hands that play on it; its time is the hall's."""

    def __init__(self, port: str, board: EmulatedTable, clock: VirtualClock) -> None:
        self.port, self._board, self._clock = port, board, clock
        self._asked = asyncio.Event()

    async def read(self) -> Chunk:
        while True:
            self._asked.clear()
            now_ns = self._clock.now_ns()
            said = self._board.advance(now_ns)
            if said:
                return Chunk(now_ns, said)
            due_ns = self._board.due_at_ns
            wait_ns = SECOND if due_ns is None else max(due_ns - now_ns, 1)
            with suppress(TimeoutError):
                async with asyncio.timeout(min(wait_ns, SECOND) / SECOND):
                    await self._asked.wait()

    def write(self, data: bytes) -> None:
        self._asked.set()
        self._board.receive(data, self._clock.now_ns())

    def close(self) -> None: ...


@dataclass
class Venom:
    """What the hostile board's end of the wire says, and which codec reads it."""

    codec: Codec
    chunks: Sequence[bytes]
    """Said again and again."""
    gap_s: float
    breaks_after: int = 0
    """The cable is pulled after so many; 0: never."""


class HostileWire:
    def __init__(self, venom: Venom, clock: VirtualClock) -> None:
        self.port, self._venom, self._clock = "hostile", venom, clock
        self._said: deque[bytes] = deque(venom.chunks)
        self._count = 0

    async def read(self) -> Chunk:
        await self._clock.rest(self._venom.gap_s)
        self._count += 1
        if self._venom.breaks_after and self._count > self._venom.breaks_after:
            raise WireError(DeviceTrouble.GONE, "\x1b[31mhostile\x00 was unplugged" * 20)
        self._said.rotate(-1)
        return Chunk(self._clock.now_ns(), self._said[-1])

    def write(self, data: bytes) -> None: ...
    def close(self) -> None: ...


@dataclass
class Hands:
    """The games as they are really played."""

    story: Story
    board: EmulatedTable

    def made(self, at_ns: int) -> tuple[str, ...]:
        """Half-moves that are over by this time."""
        return tuple(ply.move for ply in self.story.truth.plies if ply.made_ns <= at_ns)


class EightBoards:
    """The hall from one seed; `victim` is the table that is attacked."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.seed, self.folder = seed, folder
        self.clock = VirtualClock(BEGIN_NS)
        self.broker = Broker()
        self.tables = [str(number) for number in range(1, BOARDS + 1)]
        self.victim = self.tables[dice(f"containment/{seed}").randrange(BOARDS)]
        self.venom: Venom | None = None
        self.hands = {table: self._hands(table) for table in self.tables}
        self.service: Service

    def _hands(self, table: str) -> Hands:
        number = int(table) - 1
        game = FAMOUS[(number + self.seed) % len(FAMOUS)]
        begin_ns = BEGIN_NS + 20 * SECOND + number * SECOND // 3
        story = play(follow(game), BRISK, dice(f"{self.seed}/{table}"), begin_ns)
        badge = Badge(serial=str(30_001 + number))
        return Hands(story, EmulatedTable(story, STANDARD, badge, on_ns=BEGIN_NS))

    @property
    def config(self) -> Config:
        tables = tuple(TableEntry(table=t, device=f"serial:/dev/{t}") for t in self.tables)
        return Config(
            hall=HallConfig("main"),
            http=Http(listen=ANYWHERE),
            public=PublicConfig(listen=ANYWHERE),
            livechess=replace(LiveChessConfig(), enabled=True, listen=ANYWHERE),
            simulation=Simulation(),
            tables=tables,
        )

    # The links.

    async def open(self, device: str, _driver: str) -> tuple[Wire, Codec]:
        table = device.rpartition("/")[2]
        if table not in self.hands:
            raise WireError(DeviceTrouble.MISSING, f"{device} is not there")
        if table == self.victim and self.venom is not None:
            return HostileWire(self.venom, self.clock), self.venom.codec
        return BoardWire(device, self.hands[table].board, self.clock), DgtCodec()

    async def plugged(self, _claimed: Collection[str]) -> tuple[Plugged, ...]:
        return ()

    async def present(self, device: str) -> bool:
        return device.rpartition("/")[2] in self.hands

    async def changed(self) -> None:
        await self.clock.rest(30.0)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[EightBoards]:
        """A start, and a clean stop. A start that fails raises what it failed of."""
        store = FileStore(self.folder / "journal.db")
        edges = Edges(self.clock, self, store, self.broker, AtOnce())
        self.service = build(self.config, edges)
        self.broker.inbox = asyncio.Queue()
        started = asyncio.Event()
        work = asyncio.create_task(self.service.run(started.set))
        waiting = asyncio.create_task(started.wait())
        await asyncio.wait({work, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            waiting.cancel()
            await work
        try:
            yield self
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            store.close()

    # What is held against the truth.

    def wrong(self) -> list[str]:
        """What is not as it should be at the seven other tables, in sentences."""
        now_ns = self.clock.now_ns()
        found = []
        for table in self.tables:
            if table == self.victim:
                continue
            told = self.broker.record(table)
            made, surely = (
                self.hands[table].made(now_ns),
                self.hands[table].made(now_ns - SETTLED_NS),
            )
            if told != list(made[: len(told)]):
                found.append(f"table {table} tells {told}, played {made}")
            elif len(told) < len(surely):
                found.append(f"table {table} tells {len(told)} half-moves of {len(surely)}")
        return found
