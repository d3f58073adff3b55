"""`kill -9` of the broker in mid-game, again and again: the service goes on, and nothing is lost.

A hundred kills of each broker: `pytest -m slow -s tests/service/test_broker_crash.py -k 100`.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from time import monotonic

import aiomqtt
import pytest

from arbiterd.cli.boards import configuration, plug_in
from arbiterd.edges.real import FileStore
from arbiterd.journal.reader import JournalReader
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import StagedGame
from arbiterd.simulation.hall import hall
from arbiterd.simulation.profiles import PROFILES
from conftest import Mosquitto, free_port
from killing.hall import EVENTS, PATIENCE_S, Subscriber, World, prove, run

OPERA = FAMOUS[0]
OPENING = replace(OPERA, moves=OPERA.moves[:12], clock_ms=OPERA.clock_ms[:12], result="*")
AGAIN_S = 0.01
"""A reader whose broker is gone tries again after so long."""


@dataclass
class Door:
    """The service's way to Mosquitto: open once a reader listens, so that it misses nothing.

    A Mosquitto that is killed forgets its readers, and what comes before they are back.
    """

    to: int
    port: int = field(default_factory=free_port)
    _server: asyncio.Server | None = None
    _through: set[asyncio.StreamWriter] = field(default_factory=set)

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._pass, "127.0.0.1", self.port)

    def shut(self) -> None:
        if self._server is not None:
            self._server.close()
        for writer in self._through:
            writer.transport.abort()
        self._through.clear()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            inside = await asyncio.open_connection("127.0.0.1", self.to)
            self._through |= {writer, inside[1]}
            await asyncio.gather(_pour(reader, inside[1]), _pour(inside[0], writer))
        writer.close()


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    writer.close()


@dataclass
class Hearing:
    """A reader whose session outlives the broker where the broker can keep one."""

    port: int
    heard: Subscriber = field(default_factory=Subscriber)
    listens: asyncio.Event = field(default_factory=asyncio.Event)

    async def keep(self) -> None:
        while True:
            with suppress(aiomqtt.MqttError, TimeoutError):
                await self._listen()
            self.listens.clear()
            await asyncio.sleep(AGAIN_S)

    async def _listen(self) -> None:
        async with aiomqtt.Client(
            "127.0.0.1", self.port, identifier="reader", clean_session=False, timeout=3
        ) as client:
            topics = ["arbiterd/+/status", *(f"arbiterd/+/tables/+/{leaf}" for leaf in EVENTS)]
            await client.subscribe([(topic, 1) for topic in topics])
            self.listens.set()
            async for message in client.messages:
                self.heard.hear(f"{message.topic} ".encode() + (_payload(message) or b"(null)"))


def _payload(message: aiomqtt.Message) -> bytes:
    assert isinstance(message.payload, bytes)
    return message.payload


@asynccontextmanager
async def hearing(port: int) -> AsyncIterator[Hearing]:
    one = Hearing(port)
    keeping = asyncio.create_task(one.keep())
    try:
        yield one
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


@dataclass
class External:
    """A Mosquitto behind a door; killed, it has forgotten everything."""

    broker: Mosquitto
    door: Door
    name = "Mosquitto"

    @property
    def config(self) -> str:
        return f'[mqtt]\nurl = "mqtt://127.0.0.1:{self.door.port}"\n'

    async def kill(self, hearing: Hearing, away_s: float) -> None:
        assert self.broker.process is not None
        self.broker.process.kill()
        self.broker.process.wait()
        self.door.shut()
        hearing.listens.clear()
        await asyncio.sleep(away_s)
        await asyncio.to_thread(self.broker.start)
        await hearing.listens.wait()
        await self.door.open()

    def close(self) -> None:
        self.door.shut()


@dataclass
class Embedded:
    """The service's own, which it starts again itself; it keeps sessions over its death."""

    folder: Path
    port: int = field(default_factory=free_port)
    name = "the embedded broker"

    @property
    def config(self) -> str:
        return f'[mqtt]\nlisten = "127.0.0.1:{self.port}"\n'

    async def kill(self, hearing: Hearing, away_s: float) -> None:
        await hearing.listens.wait()
        (file,) = self.folder.rglob("broker.pid")
        with suppress(ProcessLookupError, ValueError):
            os.kill(int(file.read_text()), signal.SIGKILL)
        await asyncio.sleep(away_s)

    def close(self) -> None: ...


def kept(folder: Path) -> dict[str, bytes]:
    """What the broker has to keep of tables, as the journal says."""
    read = JournalReader(FileStore(folder / "journal.db").connect_for_reading())
    return {
        f"arbiterd/simulated/tables/{row.table}/{row.topic}": row.payload
        for row in read.retained(read.last("output"))
        if row.payload
    }


async def retained(port: int) -> dict[str, bytes]:
    """What the broker keeps of tables, but for their states, which are in no journal."""
    held: dict[str, bytes] = {}
    async with aiomqtt.Client("127.0.0.1", port) as client:
        await client.subscribe("arbiterd/+/tables/#", qos=1)
        with suppress(TimeoutError):
            async with asyncio.timeout(2):
                async for message in client.messages:
                    if message.retain and not message.topic.matches("arbiterd/+/tables/+/state"):
                        held[str(message.topic)] = _payload(message)
    return held


TIMES = [
    pytest.param(3, OPENING, 4.0, id="3 times"),
    pytest.param(100, OPERA, 3.0, id="100 times", marks=pytest.mark.slow),
]


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("own", [False, True], ids=["mosquitto", "embedded"])
@pytest.mark.parametrize(("kills", "game", "speed"), TIMES)
async def test_nothing_is_lost_with_the_broker(
    kills: int, game: StagedGame, speed: float, own: bool, mosquitto: Mosquitto, tmp_path: Path
) -> None:
    dice, began_s = Random(kills), monotonic()
    (seat,) = hall(1, PROFILES["clean"], seed=1, games=[game])
    (board,) = plug_in([seat], World(speed), None)
    broker: External | Embedded
    if own:
        broker = Embedded(tmp_path)
        port = broker.port
    else:
        mosquitto.stop()
        # Every message goes out before it is confirmed to the service.
        mosquitto.lines = ("allow_anonymous true", "max_inflight_messages 0")
        mosquitto.start()
        broker = External(mosquitto, Door(mosquitto.port))
        await broker.door.open()
        port = mosquitto.port
    config = tmp_path / "arbiterd.toml"
    config.write_text(
        f"{configuration([seat], [f'serial:{board.port}'], speed, 1)}\n{broker.config}\n"
        '[http]\nlisten = ""\n'
    )
    async with hearing(port) as reader:
        heard = reader.heard
        if not own:
            await reader.listens.wait()
        service = await run(config)
        try:
            await heard.online()
            for _ in range(kills):
                await asyncio.sleep(dice.uniform(0.0, 1.0))
                await broker.kill(reader, dice.uniform(0.0, 0.3))
            while heard.record() != list(game.moves) or heard.result() != game.result:
                await heard.more()
            await asyncio.wait_for(reader.listens.wait(), PATIENCE_S)
            async with asyncio.timeout(PATIENCE_S):
                while await retained(port) != (truth := kept(tmp_path)):
                    pass
            service.terminate()
            assert await asyncio.wait_for(service.wait(), 60) == 0
        finally:
            if service.returncode is None:
                service.kill()
    board.close()
    broker.close()

    checked = await prove(tmp_path, heard.raw)
    print(
        f"{kills} kills of {broker.name} in {monotonic() - began_s:.0f} s: {checked},"
        f" {len(truth)} retained topics are as the journal has them"
    )
