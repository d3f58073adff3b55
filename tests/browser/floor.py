"""Emulated boards on pseudo-terminals, the hands that play on them, and the service beside them.

hands ──▶ DgtEmulator ──9600 baud──▶ pseudo-terminal ──▶ `arbiterd run` ──▶ page, MQTT, journal
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import aiomqtt

from arbiterd.edges.real import WallClock
from browser.test_other_games import free_port
from eboards.dgt.codec import DgtCodec
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import Badge, DgtEmulator
from eboards.events import CHESS_BOARD, ClockReading, Side
from eboards.transport.paced import PacedLine
from eboards.transport.pty import PtyServer

ARBITERD = (sys.executable, "-c", "from arbiterd.cli import main; main()")
MINUTES_MS = 90 * 60_000
HAND_S = 0.3
"""From one square to the next: longer than the board takes to look at all of them."""
PATIENCE_S = 60.0


class Tapped:
    """A line, and when the last byte was on it of what it said last of the lever."""

    def __init__(self, line: PacedLine) -> None:
        self._line = line
        self._codec = DgtCodec()
        self.running: Side | None = None
        self.turned_ms = 0.0
        """Since the epoch."""

    @property
    def due_at_ns(self) -> int | None:
        return self._line.due_at_ns

    def receive(self, data: bytes, at_ns: int) -> None:
        self._line.receive(data, at_ns)

    def advance(self, at_ns: int) -> bytes:
        said = self._line.advance(at_ns)
        for event in self._codec.receive(said, at_ns) if said else []:
            if isinstance(event, ClockReading) and event.running != self.running:
                self.running, self.turned_ms = event.running, time.time() * 1000
        return said


class Board:
    """One board with its clock, and whoever plays on it. White sits at the clock's left."""

    def __init__(self, table: str, folder: Path, clock: WallClock) -> None:
        self.table = table
        self.wall = clock
        self.board = DgtEmulator(
            clock=EmulatedClock(MINUTES_MS, MINUTES_MS, increment_ms=30_000),
            badge=Badge(serial=str(31_000 + int(table))),
            at_ns=clock.now_ns(),
        )
        self._folder = folder
        self.plug()

    def plug(self) -> None:
        self.line = Tapped(PacedLine(self.board))
        link = self._folder / f"board-{self.table}"
        self.cable = PtyServer(self.line, self.wall.now_ns, link=link)

    async def _put(self, square: str, piece: str) -> None:
        self.board.place(CHESS_BOARD.square(square), piece, self.wall.now_ns())
        self.cable.stir()
        await asyncio.sleep(HAND_S)

    async def move(self, move: str, *, press: bool = True) -> None:
        """As in `e2e4`: what stands in the way is taken off first."""
        squares = move[:2], move[2:4]
        piece, victim = (self.board.board.piece(CHESS_BOARD.square(one)) for one in squares)
        if victim != ".":
            await self._put(squares[1], ".")
        await self._put(squares[0], ".")
        await self._put(squares[1], piece)
        if press:
            self.press(white=piece.isupper())

    async def touch(self, square: str) -> None:
        """Lifted, held, and set down again."""
        piece = self.board.board.piece(CHESS_BOARD.square(square))
        await self._put(square, ".")
        await asyncio.sleep(1.5)
        await self._put(square, piece)

    def press(self, *, white: bool) -> None:
        """From a standing start the other side's clock begins to run."""
        at_ns = self.wall.now_ns()
        clock = self.board.clock
        assert clock is not None
        if not clock.running:
            clock.right_high = white
            self.board.start(at_ns)
        else:
            self.board.press("left" if white else "right", at_ns)
        self.cable.stir()

    @property
    def running(self) -> bool:
        """Its clock runs."""
        return self.board.clock is not None and bool(self.board.clock.running)

    async def begin(self) -> None:
        """Black sets White's clock going."""
        self.press(white=False)
        await asyncio.sleep(1.2)


@dataclass
class Floor:
    """The boards of a hall and its service, which may be killed and started again."""

    file: Path
    boards: dict[str, Board]
    http: int
    mqtt: int
    process: Process | None = None
    heard: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """What was published since, without the hall's own prefix; a cleared topic as {}."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.http}/"

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            *ARBITERD, "run", "--config", str(self.file), stdout=PIPE, stderr=DEVNULL
        )
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            if line.startswith(b"page"):
                return
        raise AssertionError("the service ended at once")

    async def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        assert self.process is not None
        self.process.send_signal(how)
        await self.process.communicate()

    async def listen(self) -> None:
        """All that is published, until cancelled; the broker goes and comes with the service."""
        while True:
            with suppress(aiomqtt.MqttError):
                async with aiomqtt.Client("127.0.0.1", self.mqtt) as client:
                    await client.subscribe("arbiterd/floor/#", qos=1)
                    async for message in client.messages:
                        topic = message.topic.value.removeprefix("arbiterd/floor/")
                        self.heard.append((topic, json.loads(message.payload or b"{}")))
            await asyncio.sleep(0.2)

    def told(self, topic: str) -> list[dict[str, Any]]:
        return [payload for name, payload in self.heard if name == topic]

    def heard_of(self, table: str) -> bool:
        """Its board is heard."""
        return any(one.get("device") == "ok" for one in self.told(f"tables/{table}/state"))

    async def until(self, enough: Callable[[], object]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not enough():
            assert time.monotonic() < deadline, self._newest()
            await asyncio.sleep(0.05)

    async def ask(self, path: str, command: dict[str, Any] | None = None) -> Any:
        """What the service answers, over HTTP; a refusal too."""
        body = None if command is None else json.dumps(command).encode()
        request = Request(
            f"{self.address}api/v1/{path}", body, {"Content-Type": "application/json"}
        )

        def asked() -> Any:
            try:
                return json.load(urlopen(request))
            except HTTPError as refused:
                return json.load(refused)

        return await asyncio.to_thread(asked)

    def _newest(self) -> dict[str, Any]:
        """What was told last of each device: why a test waits in vain."""
        return {topic: told for topic, told in self.heard if topic.endswith("/device")}

    async def becomes(self, table: str, enough: Callable[[dict[str, Any]], object]) -> None:
        """The state of a table, which is told a moment after an act."""
        async with asyncio.timeout(PATIENCE_S):
            while not enough(await self.state(table)):  # noqa: ASYNC110 (it is asked over HTTP)
                await asyncio.sleep(0.1)

    async def state(self, table: str) -> dict[str, Any]:
        tables = (await self.ask("tables"))["tables"]
        found: dict[str, Any] = next(one for one in tables if one["table"] == table)
        return found

    async def journal(self, *words: str) -> str:
        """`arbiterd journal …` of this service."""
        command = (*ARBITERD, "journal", *words, "--config", str(self.file))
        process = await asyncio.create_subprocess_exec(*command, stdout=PIPE)
        said, _ = await process.communicate()
        assert process.returncode == 0, said
        return said.decode()


@asynccontextmanager
async def floor(folder: Path, boards: int, bare: int = 0) -> AsyncIterator[Floor]:
    """A service over so many emulated boards, all heard; and tables without a board after them."""
    clock = WallClock()
    made = {name: Board(name, folder, clock) for name in map(str, range(1, boards + 1))}
    file, http, mqtt = folder / "arbiterd.toml", free_port(), free_port()
    said = (
        '[hall]\nname = "floor"\n[journal]\npath = "journal.db"\n'
        f'[mqtt]\nlisten = "127.0.0.1:{mqtt}"\n[http]\nlisten = "127.0.0.1:{http}"\n'
        '[rates.played]\nkind = "standard"\nsupervised = true\ntime = ["90:00+30"]\n'
    )
    for name, board in made.items():
        said += f'[[tables]]\ntable = "{name}"\ndevice = "serial:{board.cable.port}"\n'
        said += f'driver = "dgt"\nwhite = "White {name}"\nblack = "Black {name}"\n'
    for name in range(boards + 1, boards + bare + 1):
        said += f'[[tables]]\ntable = "{name}"\nruleset = "chess"\n'
    file.write_text(said)
    hall = Floor(file, made, http, mqtt)
    listening = None
    try:
        await hall.start()
        listening = asyncio.create_task(hall.listen())
        await hall.until(lambda: all(map(hall.heard_of, made)))
        yield hall
    finally:
        if listening is not None:
            listening.cancel()
        if hall.process is not None and hall.process.returncode is None:
            await hall.kill(signal.SIGTERM)
        for board in made.values():
            board.cable.close()
