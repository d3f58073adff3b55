"""`kill -9` in mid-game, again and again: the game goes on, nothing is lost, nothing told twice."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import IO

import pytest

from arbiterd.cli.boards import configuration, plug_in
from arbiterd.edges.real import FileStore, WallClock
from arbiterd.journal.reader import Reader
from arbiterd.journal.verify import verify
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import Game
from arbiterd.simulation.hall import hall
from arbiterd.simulation.profiles import PROFILES

EVENTS = ("moves", "rulings", "result")
PATIENCE_S = 150.0
OPERA = FAMOUS[0]
OPENING = replace(OPERA, moves=OPERA.moves[:12], clock_ms=OPERA.clock_ms[:12], result="*")


class World(WallClock):
    """The time of hands and boards, which can be held: how long a start takes on a busy machine
    is no part of the claim. How much happens while nobody listens, the dice say."""

    def __init__(self, speed: float) -> None:
        super().__init__(speed)
        self._held_ns = 0
        self._since_ns: int | None = None

    def now_ns(self) -> int:
        now_ns = super().now_ns() if self._since_ns is None else self._since_ns
        return now_ns - self._held_ns

    def hold(self) -> None:
        self._since_ns = super().now_ns()

    def go(self) -> None:
        assert self._since_ns is not None
        self._held_ns += super().now_ns() - self._since_ns
        self._since_ns = None


@dataclass
class Subscriber:
    """A `mosquitto_sub` of its own that writes down what it hears."""

    moves: list[dict[str, object]] = field(default_factory=list)
    raw: dict[int, bytes] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    starts: int = 0
    asked: int = 0

    def hear(self, line: bytes) -> None:
        topic, _, payload = line.rstrip(b"\n").partition(b" ")
        self.news.set()
        if topic.endswith(b"/status"):
            self.starts += b'"online"' in payload
            return
        if payload == b"(null)":
            return  # A retained result of nobody's is cleared.
        said = json.loads(payload)
        before = self.raw.setdefault(said["seq"], payload)
        assert before == payload, f"seq {said['seq']} was told as two different events"
        self.moves.append(said)

    async def more(self) -> None:
        """Returns with the next message."""
        self.news.clear()
        async with asyncio.timeout(PATIENCE_S):
            await self.news.wait()

    async def online(self) -> None:
        """Returns when the service has said so as often as it was asked for."""
        self.asked += 1
        while self.starts < self.asked:
            await self.more()

    def result(self) -> object:
        """The newest."""
        return next((said["result"] for said in reversed(self.moves) if "result" in said), "*")

    def record(self) -> list[str]:
        """The moves as they stand after all corrections."""
        by_seq = {said["seq"]: said for said in self.moves if "uci" in said}
        line: dict[object, object] = {}
        for _, said in sorted(by_seq.items()):
            line[said["ply"]] = said["uci"]
        return [str(uci) for _, uci in sorted(line.items()) if uci is not None]


@asynccontextmanager
async def subscribed(port: int) -> AsyncIterator[Subscriber]:
    process = await asyncio.create_subprocess_exec(
        *("mosquitto_sub", "-h", "127.0.0.1", "-p", str(port), "-q", "1", "-V", "5", "-v"),
        *("-t", "arbiterd/+/status"),
        *(word for leaf in EVENTS for word in ("-t", f"arbiterd/+/tables/+/{leaf}")),
        stdout=PIPE,
    )
    subscriber = Subscriber()

    async def hear() -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            subscriber.hear(line)

    hearing = asyncio.create_task(hear())
    try:
        yield subscriber
    finally:
        process.terminate()
        await process.wait()
        await hearing


async def arbiterd(*words: str, stdout: int, stderr: int | IO[bytes]) -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from arbiterd.cli import main; main()", *words),
        stdout=stdout,
        stderr=stderr,
    )


async def run(config: Path) -> Process:
    """The service; what it logs is beside its configuration, over all its lives."""
    with config.with_suffix(".log").open("ab") as log:
        return await arbiterd("run", "--config", str(config), stdout=DEVNULL, stderr=log)


CASES = [
    pytest.param(3, OPENING, 4.0, id="3 times"),
    pytest.param(20, OPERA, 6.0, id="20 times", marks=pytest.mark.slow),
]


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("kills", "game", "speed"), CASES)
async def test_the_game_goes_on(
    kills: int, game: Game, speed: float, mosquitto, tmp_path: Path
) -> None:
    dice = Random(kills)
    (seat,) = hall(1, PROFILES["clean"], seed=1, games=[game])
    clock = World(speed)
    (board,) = plug_in([seat], clock, None)
    config = tmp_path / "arbiterd.toml"
    config.write_text(
        configuration([seat], [f"serial:{board.port}"], speed, 1)
        + f'\n[mqtt]\nurl = "{mosquitto.url}"\n[http]\nlisten = ""\n'
    )
    async with subscribed(mosquitto.port) as heard:
        service = await run(config)
        try:
            await heard.online()
            for _ in range(kills):
                await clock.rest(dice.uniform(0.0, 2.0))
                service.send_signal(signal.SIGKILL)
                await service.wait()
                await clock.rest(dice.uniform(0.0, 0.7))
                clock.hold()
                service = await run(config)
                await heard.online()
                clock.go()
            while heard.record() != list(game.moves) or heard.result() != game.result:
                await heard.more()
            service.terminate()
            assert await asyncio.wait_for(service.wait(), 60) == 0
        finally:
            if service.returncode is None:
                service.kill()
    board.close()

    events = heard.raw
    assert sorted(events) == list(range(1, max(events) + 1)), "numbers have no gaps"
    told = [json.loads(payload) for _, payload in sorted(events.items())]
    plies = [said["ply"] for said in told if said.get("uci") and "replaces" not in said]
    assert len(plies) == len(set(plies)), "no move is told twice under another number"
    db = FileStore(tmp_path / "journal.db").connect_for_reading()
    assert verify(db).whole
    kept = {row.seq: row.payload for row in Reader(db).outputs() if row.seq is not None}
    assert kept == events, "what was heard is what the journal has, byte for byte"
    replayed = await arbiterd("replay", str(tmp_path / "journal.db"), stdout=PIPE, stderr=PIPE)
    printed, said_besides = await replayed.communicate()
    assert b"all as recorded" in said_besides
    assert [json.loads(line)["seq"] for line in printed.splitlines()] == sorted(events)
