"""A whole service in this process: real journal, emulated wires, a broker that only remembers."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

import pytest

from arbiterd.config import Config
from arbiterd.config.model import HallConfig, Http, TableEntry
from arbiterd.edges import Broker, Drowsy, Edges, Plugged, Received, Wakefulness
from arbiterd.edges.real import FileStore, Threads, WallClock
from arbiterd.service import Service, build
from arbiterd.table.inputs import ServiceStarted
from arbiterd.table.table import Table
from eboards.codec import Codec
from eboards.dgt.codec import DgtCodec
from eboards.dgt.emulator import Badge, DgtEmulator
from eboards.events import ClockGone
from eboards.transport import Chunk, DeviceTrouble, Wire, WireError


@dataclass
class MemoryBroker:
    """Keeps every message in order; confirms at once."""

    heard: list[tuple[str, bytes]] = field(default_factory=list)
    sent: asyncio.Queue[Received] = field(default_factory=asyncio.Queue)
    """What others send to the service."""

    @asynccontextmanager
    async def connect(self, will_topic: str, will: bytes) -> AsyncIterator[MemoryBroker]:
        yield self

    def publish(
        self, topic: str, payload: bytes, *, retained: bool = False, **_extras: object
    ) -> asyncio.Future[None]:
        self.heard.append((topic.removeprefix("arbiterd/main/"), payload))
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.set_result(None)
        return done

    async def subscribe(self, *filters: str) -> None: ...

    async def unsubscribe(self, *filters: str) -> None: ...

    async def messages(self) -> AsyncIterator[Received]:
        while True:
            yield await self.sent.get()

    def send(self, topic: str, **said: object) -> None:
        """A command to the service."""
        self.sent.put_nowait(Received(f"arbiterd/main/{topic}", json.dumps(said).encode(), False))

    def of(self, topic: str) -> list[dict[str, object]]:
        return [json.loads(payload) for name, payload in self.heard if name == topic and payload]

    def last(self, topic: str) -> dict[str, object]:
        """The newest payload; empty where there is none yet."""
        return next(iter(reversed(self.of(topic))), {})


class BoardWire:
    """An emulated board at the end of a wire without delay."""

    def __init__(self, port: str, clock: WallClock) -> None:
        self.port = port
        serial = f"{crc32(port.encode()) % 90_000 + 10_000}"
        self.emulator = DgtEmulator(badge=Badge(serial=serial), at_ns=clock.now_ns())
        self._clock = clock
        self._said: deque[Chunk] = deque()
        self._pulled = False
        self.open = False
        self.received = b""

    def stir(self) -> None:
        at_ns = self._clock.now_ns()
        data = self.emulator.advance(at_ns)
        if data:
            self._said.append(Chunk(at_ns, data))

    async def read(self) -> Chunk:
        while not self._said:
            if self._pulled:
                self._pulled = False
                raise WireError(DeviceTrouble.GONE, f"{self.port} was unplugged")
            self.stir()
            await self._clock.rest(0.02)
        return self._said.popleft()

    def write(self, data: bytes) -> None:
        self.received += data
        self.emulator.receive(data, self._clock.now_ns())

    def pull(self) -> None:
        self._pulled = True

    def close(self) -> None:
        self.open = False


@dataclass
class BoardLinks:
    """Emulated boards by name, each for one at a time; a name nobody made is not there."""

    clock: WallClock
    boards: dict[str, BoardWire] = field(default_factory=dict)

    def plug(self, device: str) -> None:
        self.boards[device] = BoardWire(device, self.clock)

    async def open(self, device: str, driver: str) -> tuple[Wire, Codec]:
        if device not in self.boards:
            raise WireError(DeviceTrouble.MISSING, f"{device} is not there; plug the board in")
        board = self.boards[device]
        if board.open:
            raise WireError(DeviceTrouble.BUSY, f"{device} is in use by another program")
        board.open = True
        return board, DgtCodec()

    async def plugged(self, claimed: Collection[str]) -> tuple[Plugged, ...]:
        return tuple(
            Plugged(device, "dgt", "") for device in sorted(self.boards) if device not in claimed
        )

    async def present(self, device: str) -> bool:
        return device in self.boards

    async def changed(self) -> None:
        await self.clock.rest(0.2)


@dataclass
class House:
    service: Service
    broker: MemoryBroker
    links: BoardLinks
    service_task: asyncio.Task[None]

    async def until(self, enough: Callable[[], object]) -> None:
        try:
            async with asyncio.timeout(60):
                while not enough():
                    await self.links.clock.rest(0.01)
        except TimeoutError:
            raise AssertionError(f"heard only {self.broker.heard}") from None

    async def ready(self, table: str = "1") -> None:
        """The table's board has shown itself, and reports by itself."""
        read = self.service.journal.read
        await self.until(lambda: any(isinstance(row.item, ClockGone) for row in read.inputs(table)))
        await self.links.clock.rest(0.5)


TABLES = tuple(TableEntry(table=name, device=f"serial:/dev/board{name}") for name in ("1", "2"))
CONFIG = Config(hall=HallConfig("main"), http=Http(listen=None), tables=TABLES)


@asynccontextmanager
async def _running(
    path: Path,
    config: Config = CONFIG,
    awake: Wakefulness | None = None,
    broker: Broker | None = None,
) -> AsyncIterator[House]:
    clock, workers, store = WallClock(), Threads(), FileStore(path)
    remembers, links = MemoryBroker(), BoardLinks(clock)
    for entry in config.tables:
        if entry.device != "auto":
            links.plug(entry.device)
    edges = Edges(clock, links, store, broker or remembers, workers, awake or Drowsy())
    service = build(config, edges)
    started = asyncio.Event()
    work = asyncio.create_task(service.run(started.set))
    waiting = asyncio.create_task(started.wait())
    await asyncio.wait({work, waiting}, return_when=asyncio.FIRST_COMPLETED)
    if work.done():
        await work
    try:
        yield House(service, remembers, links, work)
    finally:
        waiting.cancel()
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        workers.close()
        store.close()


@pytest.fixture
def running() -> Callable[..., AbstractAsyncContextManager[House]]:
    return _running


@pytest.fixture
def config() -> Config:
    return CONFIG


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def table_1_fails(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """At everything but the start, by an error of the program itself, until this mends it."""
    take = Table.take

    def fails(table: Table, number: int, item: object):
        if table.setup.table == "1" and not isinstance(item, ServiceStarted):
            raise RuntimeError("we are wrong")
        return take(table, number, item)

    monkeypatch.setattr(Table, "take", fails)
    return lambda: monkeypatch.setattr(Table, "take", take)
