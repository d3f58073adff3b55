"""A second start, in each combination: whoever runs already loses nothing and hears nothing of it.

Real processes, real brokers, and a subscriber at the first one's broker all the while.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import aiohttp
import aiomqtt
import pytest

from arbiterd.config.values import Listen
from arbiterd.edges.real import WallClock
from arbiterd.outlets.mqtt.embedded import EmbeddedBroker
from arbiterd.outlets.mqtt.embedded_config import Wanted
from conftest import free_port

PROJECT = Path(__file__).parents[2]
ARBITERD = (sys.executable, "-c", "from arbiterd.cli import main; main()")
START = ("sh", str(PROJECT / "run"), "--speed", "15")
WAIT_S = 100


@dataclass
class Started:
    """A command that runs, and the lines it has printed so far."""

    process: asyncio.subprocess.Process
    lines: dict[str, str] = field(default_factory=dict)

    async def says(self, word: str) -> str:
        """The rest of the first line that begins so."""
        assert self.process.stdout is not None
        async with asyncio.timeout(WAIT_S):
            while word not in self.lines:
                line = (await self.process.stdout.readline()).decode().strip()
                assert line or not self.process.stdout.at_eof(), await self.complaint()
                first, _, rest = line.partition(" ")
                self.lines.setdefault(first, rest.strip())
        return self.lines[word]

    async def complaint(self) -> str:
        """The last line it complained with, once it has ended."""
        assert self.process.stderr is not None
        async with asyncio.timeout(WAIT_S):
            said = (await self.process.stderr.read()).decode().splitlines()
            await self.process.wait()
        return said[-1] if said else ""


@asynccontextmanager
async def started(*words: object, **env: str) -> AsyncIterator[Started]:
    process = await asyncio.create_subprocess_exec(
        *map(str, words),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=os.environ | env,
    )
    try:
        yield Started(process)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(WAIT_S):
                await process.communicate()


@dataclass
class Subscriber:
    """Keeps all that the first one's broker sends, in order."""

    heard: list[tuple[str, dict[str, object]]] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def listen(self, port: int) -> None:
        async with aiomqtt.Client("127.0.0.1", port) as client:
            await client.subscribe("arbiterd/#", qos=1)
            async for message in client.messages:
                if message.payload:
                    said = json.loads(bytes(message.payload))
                    self.heard.append((message.topic.value, said))
                    self.news.set()

    def events(self) -> int:
        return sum("prev" in said for _, said in self.heard)

    def check(self) -> None:
        """Nobody went offline, and no event is missing or came twice."""
        status = [said["state"] for topic, said in self.heard if topic.endswith("/status")]
        assert status == ["online"], "one start, and no end"
        chains: dict[str, list[dict[str, object]]] = {}
        for topic, said in self.heard:
            if topic.endswith(("/moves", "/rulings")) and "/public/" not in topic:
                chains.setdefault(topic, []).append(said)
        assert chains, "games were played meanwhile"
        for topic, events in chains.items():
            for before, after in pairwise(events):
                assert after["prev"] == before["seq"], topic


@asynccontextmanager
async def overheard(first: Started) -> AsyncIterator[Subscriber]:
    """A subscriber from before the second start until well after it."""
    port = int((await first.says("broker")).rpartition(":")[2])
    subscriber = Subscriber()
    listening = asyncio.create_task(subscriber.listen(port))
    await more(subscriber, listening)
    yield subscriber
    await more(subscriber, listening)
    assert first.process.returncode is None
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    subscriber.check()


async def more(subscriber: Subscriber, listening: asyncio.Task[None]) -> None:
    """Games go on: some events that were not there before."""
    enough = subscriber.events() + 5
    async with asyncio.timeout(WAIT_S):
        while subscriber.events() < enough:
            assert not listening.done(), "its connection was cut"
            subscriber.news.clear()
            await subscriber.news.wait()


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder / "arbiterd"


@pytest.fixture
async def boards(tmp_path: Path) -> AsyncIterator[str]:
    """Two tables with emulated boards that play; the part of a configuration that names them."""
    words = ("simulate", "--boards", 2, "--speed", 15, "--pty-dir", tmp_path / "boards")
    async with started(*ARBITERD, *words) as simulation:
        await simulation.says("now")
        text = (tmp_path / "boards" / "arbiterd.toml").read_text()
        yield text[text.index("[rates") :]


def configured(folder: Path, journal: str, boards: str, mqtt: str = "", hall: str = "h") -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / f"{len(list(folder.iterdir()))}.toml"
    where = mqtt or 'listen = "127.0.0.1:0"'
    file.write_text(
        f'[hall]\nname = "{hall}"\n[mqtt]\n{where}\n[http]\nlisten = "127.0.0.1:0"\n'
        f'[journal]\npath = "{journal}"\n{re.sub(r"(?ms)^.hall.*?(?=^.)", "", boards)}'
    )
    return file


async def refused(first: Started, words: Sequence[object]) -> str:
    """The second start ends at once, with 1, and says who runs and where its page is."""
    page = await first.says("page")
    async with started(*words) as second:
        sentence = await second.complaint()
    assert second.process.returncode == 1
    assert f"arbiterd runs already, as process {first.process.pid};" in sentence
    assert f"its page is {page}" in sentence
    return sentence


async def test_the_same_configuration_twice(tmp_path: Path, boards: str) -> None:
    file = configured(tmp_path / "a", "j.db", boards)
    async with started(*ARBITERD, "run", "--config", file) as first, overheard(first):
        sentence = await refused(first, (*ARBITERD, "run", "--config", file))
        assert "it writes the journal" in sentence


async def test_of_two_starts_at_once_one_runs(tmp_path: Path, boards: str) -> None:
    file = configured(tmp_path / "a", "j.db", boards)
    words = (*ARBITERD, "run", "--config", file)
    async with started(*words) as one, started(*words) as other:
        ends = [asyncio.create_task(each.process.wait()) for each in (one, other)]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED, timeout=WAIT_S)
        stays = one if other.process.returncode is not None else other
        leaves = other if stays is one else one
        assert leaves.process.returncode == 1
        assert "arbiterd runs already, as " in await leaves.complaint()
        await stays.says("page")
        assert stays.process.returncode is None


async def test_where_no_hall_can_be_claimed_the_service_runs_all_the_same(
    tmp_path: Path, boards: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A home that cannot be written is no reason to stop a hall with a journal elsewhere."""
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/none")
    broker = EmbeddedBroker(
        Wanted("h", Listen("127.0.0.1", 0), None, tmp_path / "broker"), WallClock()
    )
    async with broker.running():
        file = configured(tmp_path / "a", "j.db", boards, f'url = "{broker.url}"')
        async with started(*ARBITERD, "run", "--config", file) as service:
            assert await service.says("page")


async def test_another_configuration_with_the_same_journal(tmp_path: Path, boards: str) -> None:
    file = configured(tmp_path / "a", "j.db", boards)
    other = configured(tmp_path / "b", f"{tmp_path}/a/j.db", boards, hall="other")
    async with started(*ARBITERD, "run", "--config", file) as first, overheard(first):
        await refused(first, (*ARBITERD, "run", "--config", other))


async def test_two_journals_in_one_folder(tmp_path: Path, boards: str) -> None:
    """They would share the folder of the broker, and each end the other's."""
    file = configured(tmp_path / "a", "j.db", boards)
    other = configured(tmp_path / "a", "k.db", boards, hall="other")
    async with started(*ARBITERD, "run", "--config", file) as first, overheard(first):
        sentence = await refused(first, (*ARBITERD, "run", "--config", other))
        assert "folder of its own" in sentence


async def test_the_same_hall_twice_at_a_broker_of_others(
    tmp_path: Path, boards: str, state: Path
) -> None:
    broker = EmbeddedBroker(
        Wanted("h", Listen("127.0.0.1", 0), None, tmp_path / "broker"), WallClock()
    )
    async with broker.running():
        mqtt = f'url = "{broker.url}"'
        file = configured(tmp_path / "a", "j.db", boards, mqtt)
        other = configured(tmp_path / "b", "j.db", boards, mqtt)
        async with started(*ARBITERD, "run", "--config", file) as first, overheard(first):
            sentence = await refused(first, (*ARBITERD, "run", "--config", other))
            assert "another [hall] name" in sentence


async def test_pages_are_told_where_the_second_hall_s_websocket_went(
    tmp_path: Path, boards: str
) -> None:
    """Its port is another hall's already: it takes the next, and whoever starts it reads which."""
    port = free_port()
    asked = f'listen = "127.0.0.1:0"\nwebsocket = "127.0.0.1:{port}"'
    file = configured(tmp_path / "a", "j.db", boards, asked)
    other = configured(tmp_path / "b", "j.db", boards, asked, hall="other")
    async with (
        started(*ARBITERD, "run", "--config", file) as first,
        aiohttp.ClientSession() as pages,
    ):
        assert await first.says("websocket") == f"ws://127.0.0.1:{port}/mqtt"
        async with started(*ARBITERD, "run", "--config", other) as second:
            moved = await second.says("websocket")
            assert moved != await first.says("websocket")
            async with pages.ws_connect(moved, protocols=["mqtt"]) as page:
                assert page.protocol == "mqtt"
            second.process.send_signal(signal.SIGTERM)
            _, log = await second.process.communicate()
    assert f"127.0.0.1:{port} is taken: the broker listens on" in log.decode()


async def test_a_round_begins_in_the_hall_that_was_named(tmp_path: Path) -> None:
    """Two halls, one port: the second's page is at the next one, and the first answers at this."""
    page = f'[http]\nlisten = "127.0.0.1:{free_port()}"\n[mqtt]\nlisten = "127.0.0.1:0"\n'
    halls = [tmp_path / "a.toml", tmp_path / "b.toml"]
    for file in halls:
        file.write_text(
            f'[hall]\nname = "{file.stem}"\n{page}[journal]\npath = "{file.stem}/j.db"\n'
            '[[tables]]\ntable = "1"\ndevice = "serial:/dev/none"\n'
        )
    pairings = tmp_path / "pairings.csv"
    pairings.write_text("table,white,black\n1,Ana,Berta\n")
    begin = ("round", "begin", "--round", 1, "--pairings", pairings, "--config", halls[1])

    async with started(*ARBITERD, "run", "--config", halls[0]) as first:
        await first.says("page")
        async with started(*ARBITERD, "run", "--config", halls[1]) as second:
            await second.says("page")
            assert (await ended(*begin))[0] == 0
            seen = await ended("top", "--once", "--config", halls[1])
            assert "Berta" in seen[1]
        status, _, complaint = await ended(*begin)
        assert status == 1
        assert "the service does not run" in complaint

    wrong, right = [await ended("round", "results", "--round", 1, "--config", f) for f in halls]
    assert "no games of round 1" in wrong[2]
    assert "1,Ana,Berta,*," in right[1]


async def ended(*words: object) -> tuple[int | None, str, str]:
    """Exit status and all that a command has said."""
    async with started(*ARBITERD, *words) as command:
        async with asyncio.timeout(WAIT_S):
            out, err = await command.process.communicate()
    return command.process.returncode, out.decode(), err.decode()


@pytest.mark.parametrize("second", [START, (*ARBITERD, "run")], ids=["./run", "arbiterd run"])
async def test_the_demonstration_twice(state: Path, second: Sequence[str]) -> None:
    async with started(*START) as first, overheard(first):
        await first.says("page")
        journal = (state / "demo" / "journal.db").stat().st_ino
        await refused(first, second)
        assert (state / "demo" / "journal.db").stat().st_ino == journal


@pytest.mark.parametrize("turned", [False, True], ids=["demonstration first", "hall first"])
async def test_a_hall_beside_the_demonstration(
    tmp_path: Path, boards: str, state: Path, turned: bool
) -> None:
    """Two halls: the second takes other ports, and neither hears the other."""
    file = configured(tmp_path / "a", "j.db", boards)
    both: list[Sequence[object]] = [START, (*ARBITERD, "run", "--config", file)]
    one, other = reversed(both) if turned else both
    async with started(*one) as first, overheard(first):
        page = await first.says("page")
        async with started(*other) as second:
            assert await second.says("page") != page
            await second.says("tables")
        assert second.process.returncode == 0


async def test_two_halls_that_want_the_same_boards(tmp_path: Path, boards: str) -> None:
    """A port has one user; the second finds it busy, and the first's game goes on."""
    file = configured(tmp_path / "a", "j.db", boards)
    other = configured(tmp_path / "b", "j.db", boards, hall="other")
    async with started(*ARBITERD, "run", "--config", file) as first, overheard(first):
        async with started(*ARBITERD, "run", "--config", other) as second:
            await second.says("tables")
            assert second.process.stderr is not None
            busy = "".join([(await second.process.stderr.readline()).decode() for _ in "12"])
            second.process.send_signal(signal.SIGTERM)
        assert busy.count("is in use by") == 2, busy
        assert f"pid {first.process.pid} " in busy
