"""The real service in its own process: real broker, pseudo-terminals, an arbiter beside it.

The arbiter enters penalties and waits for their rulings on the stream.
"""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter

import aiohttp

from arbiterd.cli.boards import Asleep, configuration
from arbiterd.edges.real import WallClock
from arbiterd.simulation.benchmarks.over_the_wire import BRISK
from arbiterd.simulation.devices.clock import STANDARD
from arbiterd.simulation.dice import dice
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import follow
from arbiterd.simulation.hall import SimulatedSeat, hall
from arbiterd.simulation.hands.play import play
from arbiterd.simulation.profiles import CLEAN
from conftest import free_port
from eboards.transport.paced import PacedLine
from eboards.transport.pty import PtyServer

START_S = 60.0
HEARD_S = 60.0


@dataclass
class Ports:
    http: int = field(default_factory=free_port)
    public: int = field(default_factory=free_port)
    livechess: int = field(default_factory=free_port)
    mqtt: int = field(default_factory=free_port)


class RealHall:
    """Boards on pseudo-terminals in this process, the service in another."""

    def __init__(self, boards: int, seed: int, speed: float, folder: Path) -> None:
        self.folder, self.speed, self.seed = folder, speed, seed
        self.clock = WallClock(speed)
        self.ports = Ports()
        self.seats = [
            replace(seat, rate=STANDARD, story=play(follow(seat.game), BRISK, dice(seat.table)))
            for seat in hall(boards, CLEAN, seed, games=FAMOUS)
        ]
        self.servers = {seat.table: self._plugged(seat) for seat in self.seats}
        self.process: Process | None = None

    def _plugged(self, seat: SimulatedSeat) -> PtyServer:
        board = Asleep(PacedLine(seat.emulated()), seat.story.begin_ns)
        return PtyServer(board, self.clock.now_ns, speed=self.speed)

    def written(self, devices: dict[str, tuple[str, str]]) -> Path:
        """The configuration; `devices`: device and driver of tables that have another one."""
        ports, file = self.ports, self.folder / "arbiterd.toml"
        plain = {t: (f"serial:{server.port}", "dgt") for t, server in self.servers.items()}
        chosen = [(plain | devices)[seat.table] for seat in self.seats]
        file.write_text(
            configuration(
                self.seats, [d for d, _ in chosen], self.speed, self.seed, [d for _, d in chosen]
            )
            + f'\n[http]\nlisten = "127.0.0.1:{ports.http}"\n'
            + f'[public]\nlisten = "127.0.0.1:{ports.public}"\n[broadcast]\ndelay = "1s"\n'
            + f'[livechess]\nenabled = true\nlisten = "127.0.0.1:{ports.livechess}"\n'
            + f'[mqtt]\nlisten = "127.0.0.1:{ports.mqtt}"\n'
        )
        return file

    @property
    def page(self) -> str:
        return f"http://127.0.0.1:{self.ports.http}/"

    @property
    def public(self) -> str:
        return f"http://127.0.0.1:{self.ports.public}/"

    @asynccontextmanager
    async def running(
        self, devices: dict[str, tuple[str, str]] | None = None
    ) -> AsyncIterator[RealHall]:
        """Until the block ends; then it is stopped as a technician would."""
        file = self.written(devices or {})
        with (self.folder / "arbiterd.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", "from arbiterd.cli import main; main()"),
                *("run", "--config", str(file)),
                stdout=DEVNULL,
                stderr=log,
            )
        try:
            async with asyncio.timeout(START_S):
                while await self.health() is None:
                    assert self.process.returncode is None, self.last_words()
                    await asyncio.sleep(0.1)
            yield self
            assert self.process.returncode is None, self.last_words()
        finally:
            if self.process.returncode is None:
                self.process.terminate()
                await asyncio.wait_for(self.process.wait(), 60)

    def last_words(self) -> str:
        return (self.folder / "arbiterd.log").read_text(errors="replace")[-2_000:]

    async def health(self) -> tuple[int, str] | None:
        """What /healthz says; None: nobody listens."""
        with suppress(aiohttp.ClientError, TimeoutError):
            timeout = aiohttp.ClientTimeout(total=20)
            async with (
                aiohttp.ClientSession(timeout=timeout) as http,
                http.get(self.page + "healthz") as answer,
            ):
                return answer.status, await answer.text()
        return None

    def close(self) -> None:
        for server in self.servers.values():
            server.close()


class Arbiter:
    """Enters penalties at tables, one after another, and hears their rulings on the stream."""

    def __init__(self, hall: RealHall, tables: Sequence[str]) -> None:
        self._hall, self._tables = hall, tables
        self._heard: dict[str, asyncio.Event] = {}
        self._number = 0
        self.latencies_s: list[float] = []

    @asynccontextmanager
    async def at_work(self, gap_s: float) -> AsyncIterator[Arbiter]:
        """A penalty every `gap_s`, for as long as the block runs."""
        timeout = aiohttp.ClientTimeout(total=None)
        async with aiohttp.ClientSession(timeout=timeout) as http:
            listening = asyncio.create_task(self._listen(http))
            working = asyncio.create_task(self._work(http, gap_s))
            try:
                yield self
                for task in (listening, working):
                    if task.done():
                        await task
            finally:
                for task in (listening, working):
                    task.cancel()
                await asyncio.gather(listening, working, return_exceptions=True)

    async def _listen(self, http: aiohttp.ClientSession) -> None:
        async with http.get(self._hall.page + "api/v1/events", read_bufsize=2**22) as answer:
            async for line in answer.content:
                if line.startswith(b"data:") and b'"penalty-12-9"' in line:
                    for mark, event in self._heard.items():
                        if mark.encode() in line:
                            event.set()

    async def _work(self, http: aiohttp.ClientSession, gap_s: float) -> None:
        while True:
            self._number += 1
            table = self._tables[self._number % len(self._tables)]
            mark = f"penalty number {self._number} of {id(self)}"
            self._heard = {mark: asyncio.Event()}
            began = perf_counter()
            body = {
                "action": "report", "by": "Ana", "id": mark, "kind": "penalty-12-9",
                "side": "white", "note": mark,
            }  # fmt: skip
            url = self._hall.page + f"api/v1/tables/{table}/commands"
            async with http.post(url, json=body) as answer:
                assert answer.status == 200, await answer.text()
            await asyncio.wait_for(self._heard[mark].wait(), HEARD_S)
            self.latencies_s.append(perf_counter() - began)
            await asyncio.sleep(gap_s)


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def told(values: Sequence[float]) -> str:
    return (
        f"{percentile(values, 0.5) * 1e3:.1f} ms median,"
        f" {percentile(values, 0.95) * 1e3:.1f} ms for 95 of 100 ({len(values)})"
    )


async def record(hall: RealHall, table: str) -> list[str]:
    """The moves that the API tells of the present game."""
    async with (
        aiohttp.ClientSession() as http,
        http.get(hall.page + f"api/v1/tables/{table}/moves") as answer,
    ):
        events = json.loads(await answer.text())["moves"]
    held = {event["ply"]: event["uci"] for event in events}
    return [held[ply] for ply in sorted(held) if held[ply] is not None]
