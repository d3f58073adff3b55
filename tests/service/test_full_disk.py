"""A disk that refuses: at the start, in play, beyond what memory may hold, and at the stop."""

from __future__ import annotations

import asyncio
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import aiohttp
import msgspec
import pytest

from arbiterd.config import Config
from arbiterd.config.model import Http
from arbiterd.config.values import Listen
from arbiterd.edges import Edges
from arbiterd.edges.real import FileStore, Threads, WallClock
from arbiterd.journal import journal as journal_room
from arbiterd.journal.verify import verify
from arbiterd.messages.commands import Command
from arbiterd.service import build
from arbiterd.service import service as service_room

from .conftest import BoardLinks, MemoryBroker
from .test_service import move


@contextmanager
def refusing(size: int = 1000) -> Iterator[None]:
    """No file of this process grows beyond so many bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def asked(url: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as http, http.get(url) as answer:
        return answer.status, await answer.text()


async def test_a_full_disk_at_the_start_shows_a_page_and_is_waited_for(
    path: Path, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_room, "DISK_S", 0.1)
    clock, workers, store = WallClock(), Threads(), FileStore(path)
    shown = replace(config, http=Http(listen=Listen("127.0.0.1", 0)))
    edges = Edges(clock, BoardLinks(clock), store, MemoryBroker(), workers)
    service = build(shown, edges)
    started: asyncio.Queue[str] = asyncio.Queue()
    work = asyncio.create_task(service.run(lambda: started.put_nowait(service.addresses.page)))
    with refusing():
        page = await asyncio.wait_for(started.get(), 30)
        for route in ("", "healthz", "api/v1/tables"):
            status, text = await asked(page + route)
            assert status == 503
            assert "make room on its disk" in text
            assert "Traceback" not in text
    page = await asyncio.wait_for(started.get(), 30)
    assert (await asked(page))[0] == 200
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    workers.close()
    store.close()


async def test_a_stop_with_a_full_disk_ends(
    path: Path, running, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(path) as house:
        await house.ready()
        with refusing():
            await move(house, "1", (52, "."), (36, "P"))
            await house.until(lambda: "cannot be written" in house.service.ill())
            begin = time.monotonic()
            house.service_task.cancel()
            await asyncio.wait({house.service_task}, timeout=30)
            assert house.service_task.done()
            assert time.monotonic() - begin < 20
        assert "could not be written and are lost" in caplog.text
        assert "can be written again" not in caplog.text
    async with running(path) as house:
        await house.ready()
        assert house.service.ill() == ""
        assert verify(house.service.edges.store.connect_for_reading()).whole


async def test_what_waits_for_the_disk_is_bounded_and_what_is_beyond_is_told(
    path: Path, running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(journal_room, "WAITING_MAX", 40_000)
    async with running(path) as house:
        await house.ready("1")
        journal = house.service.journal
        with refusing():
            await house.until(lambda: journal.trouble)
            while not journal.full:
                await move(house, "1", (52, "."), (52, "P"))
            waits = len(journal._waiting)
            for _ in range(3):
                await move(house, "1", (52, "."), (52, "P"))
            assert len(journal._waiting) < waits + 20
            await house.until(lambda: "nothing more is taken in" in house.service.ill())
            pause = Command(action="pause", by="ana", id="c1")
            refused = msgspec.json.decode(await journal.submit("1", pause, ""))
            assert not refused["ok"]
            assert "make room" in refused["error"]
        await house.until(lambda: not journal.trouble and not journal.full)
        await move(house, "1", (52, "."), (36, "P"), (12, "."), (28, "p"))
        await house.until(
            lambda: "could not be recorded" in str(house.broker.last("tables/1/device"))
        )
        await house.until(lambda: house.broker.of("tables/1/moves"))
        assert house.broker.of("tables/1/moves")[0]["uci"] == "e2e4"
        assert verify(house.service.edges.store.connect_for_reading()).whole
    assert "has stopped" not in caplog.text


async def test_a_journal_of_another_hall_is_not_gone_on_with(
    path: Path, running, config: Config
) -> None:
    async with running(path) as house:
        await house.ready()
    other = replace(config, hall=replace(config.hall, name="other"))
    with pytest.raises(Exception, match="journal is of the hall 'main'") as refused:
        async with running(path, other):
            pass
    assert "give [journal] path another file" in str(refused.value)


async def test_another_configuration_touches_no_game(path: Path, running, config: Config) -> None:
    async with running(path) as house:
        await house.ready("1")
        await house.ready("2")
        await move(house, "1", (52, "."), (36, "P"), (12, "."), (28, "p"))
        await house.until(lambda: house.broker.of("tables/1/moves"))
        tables = tuple(replace(table, white="Eva") for table in config.tables)
        told = house.service.reload(
            replace(config, tables=tables, broadcast=replace(config.broadcast, delay=1))
        )
        assert "table 1 is in play" in " ".join(told)
        assert "table 2 is set up anew" in told
        assert "[broadcast] has changed" in " ".join(told)
        await house.until(lambda: house.broker.last("tables/2/state")["white"] == "Eva")
        await move(house, "1", (62, "."), (45, "N"), (1, "."), (18, "n"))
        await house.until(lambda: len(house.broker.of("tables/1/moves")) >= 3)
        assert house.broker.last("tables/1/state")["game"] == "1-1"
