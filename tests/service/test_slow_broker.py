"""A broker that takes its time, and gets on: it is waited for, and nothing is begun again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from arbiterd.config import Config
from arbiterd.config.model import TableEntry
from arbiterd.service import service as service_room

from .conftest import MemoryBroker

TABLES = tuple(str(number) for number in range(1, 17))


@dataclass
class SlowBroker(MemoryBroker):
    """Confirms one message after another."""

    each_s: float = 0.2
    free_at_s: float = 0.0
    sessions: int = 0

    @asynccontextmanager
    async def connect(self, will_topic: str, will: bytes) -> AsyncIterator[MemoryBroker]:
        self.sessions += 1
        yield self

    def publish(
        self, topic: str, payload: bytes, *, retained: bool = False, **_extras: object
    ) -> asyncio.Future[None]:
        loop = asyncio.get_running_loop()
        confirmed: asyncio.Future[None] = loop.create_future()
        self.free_at_s = max(self.free_at_s, loop.time()) + self.each_s

        def confirm() -> None:
            if not confirmed.done():
                self.heard.append((topic.removeprefix("arbiterd/main/"), payload))
                confirmed.set_result(None)

        loop.call_at(self.free_at_s, confirm)
        return confirmed


async def test_a_broker_that_takes_long_for_what_is_true_is_not_begun_again(
    path: Path, running, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What each table is known as goes first; a hall's takes longer than a broker may be silent."""
    monkeypatch.setattr(service_room, "DELIVERY_S", 2.0)
    broker = SlowBroker()
    tables = tuple(TableEntry(table=name, device=f"serial:/dev/board{name}") for name in TABLES)

    async with running(path, replace(config, tables=tables), broker=broker) as house:
        async with asyncio.timeout(60):
            while not all(broker.of(f"tables/{name}/device") for name in TABLES):
                assert house.service.ill() == ""
                await asyncio.sleep(0.1)

    assert broker.sessions == 1
