"""`arbiterd devices --bus PORT`: who is on a line, as a configuration has them."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from arbiterd.cli.boards import on_line, plug_in_line
from arbiterd.config import read_config
from arbiterd.edges.real import WallClock
from arbiterd.simulation.hall import hall
from arbiterd.simulation.profiles import PROFILES
from eboards.dgt.bus_emulator import DgtBusEmulator
from eboards.dgt.emulator import Badge, DgtEmulator
from eboards.transport.pty import PtyServer


def line_of(addresses: Sequence[int]) -> PtyServer:
    now_ns = WallClock().now_ns
    boards = [
        DgtEmulator(badge=Badge(serial=f"{address:05}"), at_ns=now_ns(), dice=Random(address))
        for address in addresses
    ]
    return PtyServer(DgtBusEmulator(boards, Random(1)), now_ns)


async def devices(port: str) -> tuple[int, str, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from arbiterd.cli import main; main()", "devices", "--bus", port),
        stdout=PIPE,
        stderr=PIPE,
    )
    out, err = await process.communicate()
    return process.returncode or 0, out.decode(), err.decode()


@pytest.mark.timeout(120)
async def test_the_boards_of_a_line_come_out_as_tables_that_can_be_read(tmp_path: Path) -> None:
    server = line_of((13116, 77, 1025))
    status, printed, _ = await devices(server.port)
    server.close()

    file = tmp_path / "arbiterd.toml"
    file.write_text(printed)
    assert status == 0
    assert [(entry.table, entry.device) for entry in read_config(file).tables] == [
        (str(number), f"dgt-bus:{server.port}#{address}")
        for number, address in enumerate((77, 1025, 13116), 1)
    ]


@pytest.mark.timeout(120)
async def test_a_technician_who_practises_finds_the_boards_of_a_simulated_line(
    tmp_path: Path,
) -> None:
    """`arbiterd simulate --bus` stands in for the line that is not there yet."""
    seats = hall(6, PROFILES["clean"], 1)
    server = plug_in_line(seats, WallClock(), tmp_path)
    status, printed, _ = await devices(str(tmp_path / "bus"))
    server.close()

    file = tmp_path / "arbiterd.toml"
    file.write_text(printed)
    assert status == 0
    found = {entry.device for entry in read_config(file).tables}
    assert found == set(on_line(seats, str(tmp_path / "bus")))


@pytest.mark.timeout(120)
async def test_a_line_without_boards_and_a_port_that_is_none_are_said() -> None:
    server = line_of(())
    status, printed, told = await devices(server.port)
    server.close()
    assert (status, printed) == (1, "")
    assert "nobody answers on the bus at" in told

    status, _, told = await devices("/dev/no-such-port")
    assert (status, told.strip()) == (1, "/dev/no-such-port is not there; plug the board in")
