"""Which table a plugged board goes to, where another table takes whatever it finds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from arbiterd.config import Config
from arbiterd.config.model import TableEntry
from arbiterd.edges import Edges
from arbiterd.edges.real import FileStore, Threads, WallClock
from arbiterd.hall.links.devices import Devices
from arbiterd.service import build
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import Badge, DgtEmulator

from .conftest import MemoryBroker
from .test_replug import FIRST, SECOND, Socket

Says = Callable[[str], dict[str, object]]
"""What is told of the device of a table."""


@asynccontextmanager
async def hall(root: Path, config: Config, *devices: str) -> AsyncIterator[tuple[WallClock, Says]]:
    """A service on a machine laid out in folders, with a table for each of these devices."""
    clock, workers = WallClock(), Threads()
    store, broker = FileStore(root / "journal.db"), MemoryBroker()
    tables = tuple(TableEntry(table=str(n), device=name) for n, name in enumerate(devices, 1))
    edges = Edges(clock, Devices(clock, root=root), store, broker, workers)
    work = asyncio.create_task(build(replace(config, tables=tables), edges).run())
    try:
        yield clock, lambda table: broker.last(f"tables/{table}/device")
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        workers.close()
        store.close()


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not done():
            await WallClock().rest(0.02)


def board(serial: str, clock: WallClock) -> DgtEmulator:
    return DgtEmulator(clock=EmulatedClock(), badge=Badge(serial=serial), at_ns=clock.now_ns())


@pytest.mark.parametrize("name", ["ttyACM0", "serial/by-id/board"])
async def test_a_board_that_a_table_names_is_left_to_it_however_it_is_named(
    tmp_path: Path, config: Config, name: str
) -> None:
    """It is plugged in later than the service begins: whoever looks first would have it."""
    (tmp_path / "dev/serial/by-id").mkdir(parents=True)
    (tmp_path / "dev/serial/by-id/board").symlink_to("../../ttyACM0")
    named, other = Socket(tmp_path, "1-1", "ttyACM0"), Socket(tmp_path, "1-2", "ttyACM1")
    async with hall(tmp_path, config, f"serial:{tmp_path}/dev/{name}", "auto") as (clock, says):
        await until(lambda: says("1").get("state") == "lost")
        await clock.rest(5)  # By now it is tried every five seconds only.
        _, first = named.plug(board(FIRST, clock), clock)
        await until(lambda: says("1").get("state") == "ok")
        _, second = other.plug(board(SECOND, clock), clock)
        await until(
            lambda: (says("1").get("identity"), says("2").get("identity")) == (FIRST, SECOND)
        )
    first.close()
    second.close()


async def test_two_boards_with_one_serial_number_each_get_a_table(
    tmp_path: Path, config: Config
) -> None:
    (tmp_path / "dev").mkdir()
    sockets = [Socket(tmp_path, "1-1", "ttyACM0"), Socket(tmp_path, "1-2", "ttyACM1")]
    async with hall(tmp_path, config, "auto", "auto", "usb:04d8:000a:0030001") as (clock, says):
        servers = [socket.plug(board(FIRST, clock), clock)[1] for socket in sockets]
        for table, port in (("1", "ttyACM0"), ("2", "ttyACM1")):
            await until(lambda table=table: says(table).get("state") == "ok")
            assert str(says(table)["port"]).endswith(port)
        await until(
            lambda: "0030001 fits 2 boards (ttyACM0, ttyACM1)" in str(says("3").get("faults"))
        )
    for server in servers:
        server.close()
