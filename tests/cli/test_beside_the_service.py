"""`arbiterd doctor` and `devices` on a machine whose boards the service reads already."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from arbiterd.edges.real import WallClock
from cli.test_full_table import arbiterd, plug
from cli.test_second_start import ARBITERD, WAIT_S, ended, started
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import Badge, DgtEmulator
from eboards.transport.pty import PtyServer


class SwitchedOff:
    """A board without power: its port is there, and says nothing."""

    due_at_ns = None

    def receive(self, data: bytes, at_ns: int) -> None:
        pass

    def advance(self, _at_ns: int) -> bytes:
        return b""


def configured(root: Path) -> Path:
    file = root / "hall.toml"
    file.write_text(
        '[http]\nlisten = "127.0.0.1:0"\n[mqtt]\nlisten = "127.0.0.1:0"\n[journal]\n'
        f'path = "{root}/journal/j.db"\n'
        + "".join(
            f'[[tables]]\ntable = "{number + 1}"\ndriver = "dgt"\n'
            f'device = "serial:{root}/dev/ttyACM{number}"\n'
            for number in range(2)
        )
    )
    return file


@pytest.mark.timeout(120)
async def test_a_board_that_the_service_reads_is_as_the_service_reads_it(tmp_path: Path) -> None:
    """Check, restart, doctor: nothing is to be closed, and a board without power is still told."""
    now_ns = WallClock().now_ns
    badge = Badge(serial="30001", version=(1, 8))
    board = DgtEmulator(clock=EmulatedClock(), badge=badge, at_ns=now_ns())
    servers = []
    for number, emulator in enumerate((board, SwitchedOff())):
        plug(tmp_path, f"1-{number + 1}", "045b:8111", f"ttyACM{number}", product="DGT e-Board")
        link = tmp_path / "dev" / f"ttyACM{number}"
        servers.append(PtyServer(emulator, now_ns, link=link))
    file, told = configured(tmp_path), ""
    here = ("--config", file, "--root", tmp_path)
    try:
        async with started(*ARBITERD, "run", "--config", file) as service:
            await service.says("tables")
            async with asyncio.timeout(WAIT_S):
                while not any(words in told for words in ("DGT 30001", "in use")):
                    told = (await ended("doctor", *here))[1]
            status, listed = await arbiterd("devices", *here)
    finally:
        for server in servers:
            server.close()

    assert "in use" not in told + listed
    assert f"ok    board          DGT 30001 at {tmp_path}/dev/ttyACM0" in told
    off_there = f"{tmp_path}/dev/ttyACM1: the service has it open and no board answers there"
    assert f"WRONG board          {off_there}; is it switched on?" in told
    cells = [[cell.strip() for cell in line.split("│")] for line in listed.splitlines()]
    good, off = (next(row for row in cells if f"ttyACM{n}" in str(row)) for n in range(2))
    assert (status, good[2:4], good[-2]) == (0, ["30001", "1.8"], "nothing")
    assert off[-2].startswith(off_there)
