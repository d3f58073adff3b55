"""What tests of several rooms share: a journal on a real disk, and real brokers."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import SystemRandom

import hypothesis
import pytest

from arbiterd.config.values import BrokerUrl, Listen
from arbiterd.edges.real import FileStore, Threads, WallClock
from arbiterd.journal.journal import Journal
from arbiterd.outlets.mqtt.embedded import EmbeddedBroker
from arbiterd.outlets.mqtt.embedded_config import Wanted
from kept_beside import ABSENT

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
START_S = 10.0
PORTS = range(10_000, 32_768)
"""Linux gives connections ports from 32768 on."""

# How long an example takes says something of the machine, and nothing of what it shows.
hypothesis.settings.register_profile("arbiterd", deadline=None)
hypothesis.settings.load_profile("arbiterd")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--bless", action="store_true", help="rewrite expected results; review the difference"
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line for all that was skipped because real games are not there."""
    skipped = terminalreporter.stats.get("skipped", [])
    absent = sum(ABSENT in str(report.longrepr) for report in skipped)
    if absent:
        terminalreporter.write_line(
            f"{absent} tests need ../shared (a real board's bytes, real games, the catalogue of"
            " rulings), which is kept out of the checkout; the others need nothing beside it"
        )


@pytest.fixture
def bless(request: pytest.FixtureRequest) -> bool:
    """True where what is told now is what is expected from now on."""
    return bool(request.config.getoption("--bless"))


@asynccontextmanager
async def _opened(path: Path) -> AsyncIterator[Journal]:
    """A running journal; on leaving, all is written and the file closed."""
    workers = Threads()
    store = FileStore(path)
    journal = await Journal.open(store, WallClock(), workers)
    running = asyncio.create_task(journal.run())
    try:
        yield journal
    finally:
        journal.close()
        try:
            await running
        finally:
            workers.close()
            store.close()


@pytest.fixture
def opened() -> Callable[[Path], AbstractAsyncContextManager[Journal]]:
    return _opened


def free_port() -> int:
    """A port nobody listens on just now, below those that connections are given.

    One of theirs may be a connection's before the broker binds it; and a reader that tries again
    and again to reach a broker that is away is in the end connected to itself, and holds that port.
    """
    for port in SystemRandom().sample(PORTS, 100):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("a hundred ports are taken")


def wait_for_port(port: int) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    raise AssertionError(f"nothing listens on port {port}")


@dataclass
class Mosquitto:
    """A Mosquitto of the test's own, which it may stop and start again."""

    folder: Path
    lines: tuple[str, ...] = ("allow_anonymous true",)
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> BrokerUrl:
        return BrokerUrl("mqtt", "127.0.0.1", self.port, "/mqtt")

    def start(self) -> None:
        config = self.folder / "mosquitto.conf"
        said = (
            "user root",  # Else, started by root, it cannot read the test's own folder.
            f"listener {self.port} 127.0.0.1",
            "persistence true",
            f"persistence_location {self.folder}/",
            *self.lines,
        )
        config.write_text("\n".join(said) + "\n")
        assert MOSQUITTO is not None
        self.process = subprocess.Popen([MOSQUITTO, "-c", config], stderr=subprocess.DEVNULL)
        wait_for_port(self.port)

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(10)
            self.process = None


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    """A running Mosquitto without accounts."""
    if MOSQUITTO is None:
        pytest.skip("mosquitto is not installed; ./test installs it")
    folder = tmp_path / "mosquitto"
    folder.mkdir()
    broker = Mosquitto(folder)
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
async def embedded(tmp_path: Path) -> AsyncIterator[EmbeddedBroker]:
    """The running embedded broker, watched, without accounts."""
    wanted = Wanted("main", Listen("127.0.0.1", 0), None, tmp_path / "broker")
    broker = EmbeddedBroker(wanted, WallClock())
    async with broker.running():
        yield broker
