"""150 hostile acts against the real service: real broker, pseudo-terminals, pages, processes.

`python -m pytest tests/containment/test_real.py -m slow -s -n 0` prints the figures.
"""

from __future__ import annotations

import asyncio
import os
import pty
import tty
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiomqtt
import pytest

from .hostile import Case, drawn
from .house import Venom
from .real import Arbiter, RealHall, percentile, record, told
from .test_virtual import ask

BOARDS, SPEED = 8, 2.0
CASES, CASES_A_START = 150, 25
CASE_S = 1.5
SETTLED_S = 20.0
TWICE, FLOOR_S = 2.0, 0.05
SERIAL = ("dgt", "chesslink", "certabo", "ichessone", "cpp", "movetext")
FILES = {
    "mqtt-id": b"\xff" * 5_000,
    "tags/serial.json": b"[" * 100_000,
    "broker/broker.pid": b"1\n",
}
"""What lies beside the journal, as somebody else may leave it."""


class HostilePort:
    """A pseudo-terminal whose far end says what it likes."""

    def __init__(self) -> None:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)

    async def say(self, venom: Venom, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                for number in range(100_000):
                    with suppress(BlockingIOError):
                        os.write(self._master, venom.chunks[number % len(venom.chunks)])
                    with suppress(BlockingIOError):
                        os.read(self._master, 4096)
                    await asyncio.sleep(venom.gap_s)


async def attack(hall: RealHall, port: HostilePort, case: Case) -> None:
    """As it comes; who attacks may be thrown off, and nobody else."""
    if case.venom is not None:
        await port.say(case.venom(), CASE_S)
    if case.payloads:
        with suppress(aiomqtt.MqttError, TimeoutError, ValueError):
            async with asyncio.timeout(CASE_S), aiomqtt.Client("127.0.0.1", hall.ports.mqtt) as us:
                for topic, payload in case.payloads:
                    await us.publish(f"arbiterd/simulated/{topic}", payload, qos=0)
    places = (hall.page, hall.public, f"http://127.0.0.1:{hall.ports.livechess}/")
    asked = [asyncio.create_task(ask(at, each)) for each in case.requests for at in places]
    await asyncio.sleep(CASE_S if not case.venom else 0.1)
    for task in asked:
        task.cancel()
    await asyncio.gather(*asked, return_exceptions=True)


class Siege:
    """One hall, its hostile table, and what is held against it."""

    def __init__(self, folder: Path) -> None:
        self.hall = RealHall(BOARDS, 1, SPEED, folder)
        self.port = HostilePort()
        self.victim = self.hall.seats[-1].table
        self.others = [seat.table for seat in self.hall.seats[:-1]]
        self.doors: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.ill = 0
        self.longest: Counter[str] = Counter()
        """Half-moves of its game that each table was seen to tell, all as they were played."""

    @asynccontextmanager
    async def besieged(self, number: int) -> AsyncIterator[None]:
        """A start with the hostile board read by another driver each time."""
        driver = SERIAL[number % len(SERIAL)]
        async with self.hall.running({self.victim: (f"serial:{self.port.path}", driver)}):
            yield

    async def one(self, number: int) -> None:
        case = drawn(f"real/{number}", self.victim)
        self.doors[case.door] += 1
        await attack(self.hall, self.port, case)
        name = f"case {number} ({case.door}, {case.kind})"
        health = await self.hall.health()
        if health is None:
            self.wrong.append(f"{name}: nobody listens; {self.hall.last_words()}")
        elif health[0] != 200:
            self.ill += 1
            if f"table {self.victim}" not in health[1]:
                self.wrong.append(f"{name}: ill without its table: {health[1]}")
        await self.compare(name)

    async def compare(self, name: str) -> None:
        """Each of the other tables tells the game that is played, as far as it has come."""
        for table in self.others:
            said = await record(self.hall, table)
            moves = list(next(s for s in self.hall.seats if s.table == table).game.moves)
            if said != moves[: len(said)]:
                self.wrong.append(f"{name}: table {table} tells {said}")
            else:
                self.longest[table] = max(self.longest[table], len(said))

    def damage(self, number: int) -> None:
        """Between two starts: a row, and the files beside the journal."""
        for seed in range(number * 1_000, number * 1_000 + 100):
            case = drawn(f"row/{seed}", self.victim)
            if case.damage is not None:
                case.damage(self.hall.folder / "journal.db", self.victim)
                self.doors["row"] += 1
                break
        for name, data in FILES.items():
            file = self.hall.folder / name
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(data)
            self.doors["file"] += 1


async def siege(folder: Path, starts: int, cases: int, quiet_s: float) -> None:
    us = Siege(folder)
    quiet: list[float] = []
    busy: list[float] = []
    for number in range(starts):
        async with us.besieged(number):
            await asyncio.sleep(5.0)
            async with Arbiter(us.hall, us.others).at_work(0.1) as arbiter:
                await asyncio.sleep(quiet_s)
            quiet += arbiter.latencies_s
            async with Arbiter(us.hall, us.others).at_work(0.1) as arbiter:
                for case in range(cases):
                    await us.one(number * cases + case)
            busy += arbiter.latencies_s
        us.damage(number)
    async with us.besieged(starts):
        await asyncio.sleep(SETTLED_S / SPEED + 5.0)
        await us.compare("at the end")
    lengths = [us.longest[table] for table in us.others]
    us.hall.close()
    ratio = percentile(busy, 0.95) / percentile(quiet, 0.95)
    print(
        f"\n{sum(us.doors.values())} hostile acts {dict(us.doors)}, {starts + 1} starts:"
        f" {len(us.wrong)} wrong; {sum(lengths)} half-moves told exactly at seven tables;"
        f" ill {us.ill} times, of the attacked table; rulings: quiet {told(quiet)},"
        f" attacked {told(busy)}, ratio {ratio:.2f}"
    )
    assert not us.wrong, "\n".join(us.wrong[:10])
    assert min(lengths) > 0
    assert percentile(busy, 0.95) <= max(TWICE * percentile(quiet, 0.95), FLOOR_S)


@pytest.mark.slow
@pytest.mark.timeout(3600)
async def test_a_hundred_and_fifty_hostile_acts(tmp_path: Path) -> None:
    await siege(tmp_path, CASES // CASES_A_START, CASES_A_START, 12.0)
