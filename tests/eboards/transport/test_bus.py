"""A bus of emulated boards behind a real terminal, opened board by board."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from eboards.dgt.bus_codec import DgtBusCodec
from eboards.dgt.bus_emulator import DgtBusEmulator
from eboards.dgt.emulator import Badge, DgtEmulator
from eboards.discovery.bus import configuration, search
from eboards.events import DeviceEvent, Scan, SquareChange
from eboards.transport import DeviceTrouble, Wire, WireError
from eboards.transport.bus import BusLines
from eboards.transport.conversation import converse
from eboards.transport.pty import PtyServer

ADDRESSES = (1025, 77, 13116)


def now_ns() -> int:
    return int(asyncio.get_running_loop().time() * 1e9)


@pytest.fixture
async def bus() -> AsyncIterator[PtyServer]:
    boards = [
        DgtEmulator(badge=Badge(serial=f"{address:05}"), at_ns=now_ns(), dice=Random(address))
        for address in ADDRESSES
    ]
    server = PtyServer(DgtBusEmulator(boards, Random(1)), now_ns)
    yield server
    server.close()


async def listen(wire: Wire, address: int, kind: type[DeviceEvent]) -> DeviceEvent:
    """The first event of this kind."""
    async for _, events in converse(wire, DgtBusCodec(address), now_ns):
        for event in events:
            if isinstance(event, kind):
                return event
    raise AssertionError


async def test_every_board_of_a_line_is_a_wire_of_its_own(bus: PtyServer) -> None:
    lines = BusLines(now_ns)
    wires = {address: lines.open(bus.path, address) for address in ADDRESSES}
    async with asyncio.timeout(60):
        scans = await asyncio.gather(
            *(listen(wire, address, Scan) for address, wire in wires.items())
        )
    assert len(scans) == len(ADDRESSES)
    for wire in wires.values():
        wire.close()

    again = lines.open(bus.path, 77)
    async with asyncio.timeout(60):
        await listen(again, 77, Scan)
    again.close()


async def test_a_move_is_heard_by_its_own_table_alone(bus: PtyServer) -> None:
    assert isinstance(bus.emulator, DgtBusEmulator)
    lines = BusLines(now_ns)
    told: dict[int, list[DeviceEvent]] = {address: [] for address in ADDRESSES}

    async def table(address: int) -> None:
        async for _, events in converse(
            lines.open(bus.path, address), DgtBusCodec(address), now_ns
        ):
            told[address] += events

    tables = [asyncio.create_task(table(address)) for address in ADDRESSES]
    async with asyncio.timeout(60):
        while not all(any(isinstance(e, Scan) for e in events) for events in told.values()):
            await asyncio.wait(tables, timeout=0.05)
        bus.emulator.boards[77].lift(52, now_ns())
        bus.stir()
        while not any(isinstance(e, SquareChange) for e in told[77]):
            await asyncio.wait(tables, timeout=0.05)
    for task in tables:
        task.cancel()

    assert not any(isinstance(e, SquareChange) for a in (1025, 13116) for e in told[a])


async def test_a_board_can_sit_at_one_table_only(bus: PtyServer) -> None:
    lines = BusLines(now_ns)
    wire = lines.open(bus.path, 77)

    with pytest.raises(WireError, match="belongs to another table") as refused:
        lines.open(bus.path, 77)

    assert refused.value.trouble is DeviceTrouble.BUSY
    wire.close()


async def test_a_line_that_is_pulled_takes_all_its_boards_with_it(bus: PtyServer) -> None:
    lines = BusLines(now_ns)
    wires = [lines.open(bus.path, address) for address in ADDRESSES]
    bus.close()
    for wire in wires:
        async with asyncio.timeout(60):
            with pytest.raises(WireError, match="unplugged"):
                await drain(wire)
        wire.close()
    with pytest.raises(WireError, match="is not there"):
        lines.open("/dev/ttyUSB987", 77)


async def test_a_board_that_lets_a_pulled_line_go_late_leaves_the_new_one_alone(
    bus: PtyServer, tmp_path: Path
) -> None:
    port = tmp_path / "line"
    port.symlink_to(bus.path)
    lines = BusLines(now_ns)
    first, late = (lines.open(f"{port}", address) for address in ADDRESSES[:2])
    bus.close()
    async with asyncio.timeout(60):
        with pytest.raises(WireError, match="unplugged"):
            await drain(first)
    first.close()

    again = PtyServer(DgtBusEmulator([], Random(1)), now_ns)
    port.unlink()
    port.symlink_to(again.path)
    first = lines.open(f"{port}", ADDRESSES[0])
    late.close()
    late = lines.open(f"{port}", ADDRESSES[1])
    for wire in (first, late):
        wire.close()
    again.close()


async def drain(wire: Wire) -> None:
    """Read until the end."""
    while True:
        await wire.read()


async def test_a_search_names_everybody_and_writes_their_tables(bus: PtyServer) -> None:
    found = await search(bus.path, now_ns)
    tables = tomllib.loads(configuration(bus.path, found))["tables"]

    assert found == tuple(sorted(ADDRESSES))
    assert [table["device"] for table in tables] == [
        f"dgt-bus:{bus.path}#{address}" for address in sorted(ADDRESSES)
    ]
