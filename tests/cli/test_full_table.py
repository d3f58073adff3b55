"""A hall's machine on the day: four good boards, a busy port, a forbidden one, a stranger.

`pytest tests/cli/test_full_table.py -s` prints what `devices` and `doctor` say of it.
"""

from __future__ import annotations

import asyncio
import ctypes
import grp
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from arbiterd.edges.real import WallClock
from eboards.chesslink.emulator import ChessLinkEmulator
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import Badge, DgtEmulator
from eboards.emulator import Emulator
from eboards.transport.pty import PtyServer

PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2
HOLDER = (
    "import serial, sys; port = serial.Serial(sys.argv[1], exclusive=True);"
    "print('open', flush=True); sys.stdin.read()"
)
GOOD = {
    "ttyACM0": Badge(serial="30001"),
    "ttyACM1": Badge(serial="30002", version=(3, 10)),
    "ttyUSB0": Badge(serial="01025"),
}


def without_override() -> None:
    """Modes of files count even for root."""
    for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


async def arbiterd(*words: str | Path, columns: int = 600) -> tuple[int, str]:
    """The program as a user whom modes of files bind: its exit status and what it prints."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from arbiterd.cli import main; main()", *map(str, words)),
        stdout=PIPE,
        stderr=PIPE,
        env={**os.environ, "COLUMNS": str(columns)},
        preexec_fn=without_override if os.geteuid() == 0 else None,
    )
    out, err = await process.communicate()
    assert b"Traceback" not in err, err.decode()
    assert process.returncode is not None
    return process.returncode, out.decode()


@dataclass
class Day:
    root: Path
    holder: int
    group: str


def plug(root: Path, place: str, ids: str, node: str, **texts: str) -> None:
    folder = root / "sys/bus/usb/devices" / place
    below = f"{node}/tty/{node}" if node.startswith("ttyUSB") else f"tty/{node}"
    (folder / f"{place}:1.0" / below).mkdir(parents=True)
    vendor, product = ids.split(":")
    for name, text in {"idVendor": vendor, "idProduct": product, **texts}.items():
        (folder / name).write_text(text + "\n")


@asynccontextmanager
async def machine(root: Path) -> AsyncIterator[Day]:
    """Folders for /sys and /dev, pseudo-terminals, and a program that holds one of them."""
    now_ns = WallClock().now_ns
    dgt = {"product": "DGT Chessboard"}
    plug(root, "1-1.1", "04d8:000a", "ttyACM0", serial="0030001", **dgt)
    plug(root, "1-1.2", "045b:8111", "ttyACM1", serial="0000030002", product="DGT e-Board")
    plug(root, "1-1.3", "0403:6001", "ttyUSB0", product="FT232R USB UART")
    plug(root, "1-1.4", "0403:6001", "ttyUSB1", serial="A50285BI", product="FT232R USB UART")
    plug(root, "1-2", "045b:8111", "ttyACM2", serial="0000030003", product="DGT e-Board")
    plug(root, "1-3", "045b:8111", "ttyACM3", serial="0000030004", product="DGT e-Board")
    plug(root, "1-4", "1234:5678", "ttyACM4", product="A lock")
    emulators: dict[str, Emulator] = {
        node: DgtEmulator(clock=EmulatedClock(), badge=badge, at_ns=now_ns())
        for node, badge in GOOD.items()
    }
    emulators["ttyUSB1"] = ChessLinkEmulator()
    emulators |= {node: DgtEmulator(at_ns=now_ns()) for node in ("ttyACM2", "ttyACM3", "ttyACM4")}
    servers = {
        node: PtyServer(emulator, now_ns, link=root / "dev" / node)
        for node, emulator in emulators.items()
    }
    group = forbid(Path(servers["ttyACM3"].path))
    held = servers["ttyACM2"].path
    holder = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOLDER, held, stdin=PIPE, stdout=PIPE
    )
    assert holder.stdout is not None
    await holder.stdout.readline()
    try:
        yield Day(root, holder.pid, group)
    finally:
        await holder.communicate(b"")
        for server in servers.values():
            server.close()


def forbid(port: Path) -> str:
    """Nobody may open it. Returns whose group it has."""
    if os.geteuid() == 0:
        os.chown(port, -1, grp.getgrnam("dialout").gr_gid)
    port.chmod(0)
    return grp.getgrgid(port.stat().st_gid).gr_name


@pytest.mark.timeout(120)
async def test_every_board_and_what_hinders_the_others_is_told(tmp_path: Path) -> None:
    async with machine(tmp_path) as day:
        status, told = await arbiterd("devices", "--root", day.root)
        print(f"\n$ arbiterd devices\n{told}")
        _, narrow = await arbiterd("devices", "--root", day.root, columns=80)

    assert status == 0
    rows = {
        next(cell for cell in cells if "/dev/tty" in cell).rsplit("/", 1)[-1]: cells
        for line in told.splitlines()
        if len(cells := [cell.strip() for cell in line.split("│")[1:-1]]) == 7
    }
    assert list(rows) == [
        f"tty{name}" for name in ("ACM0", "ACM1", "USB0", "USB1", "ACM2", "ACM3")
    ] + ["ttyACM4"]
    for node, badge in GOOD.items():
        family, serial, firmware, *_, wrong = rows[node]
        assert (family, serial, wrong) == ("DGT", badge.serial, "nothing")
        assert firmware == ".".join(map(str, badge.version))
    assert rows["ttyUSB1"][0] == "Millennium ChessLink"
    assert rows["ttyUSB1"][-1] == "nothing"
    assert "in use by pid" in rows["ttyACM2"][-1]
    assert f"pid {day.holder} (python" in rows["ttyACM2"][-1]
    assert f"add the user to the group {day.group}" in rows["ttyACM3"][-1]
    assert rows["ttyACM4"][-1] == "A lock is of no known kind; nothing was written to it"
    whole = {line.split()[-1] for line in narrow.splitlines() if line.startswith("  configure as")}
    assert whole == {cells[4] for cells in rows.values() if cells[4]}


@pytest.mark.timeout(120)
async def test_the_doctor_names_each_fault_and_its_mend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    power = tmp_path / "sys/bus/usb/devices/1-1.2/power/control"
    files = {
        tmp_path / "sys/class/dmi/id/chassis_type": "10",
        tmp_path / "proc/812/comm": "ModemManager",
        power: "auto",
    }
    for file, text in files.items():
        file.parent.mkdir(parents=True)
        file.write_text(text + "\n")
    async with machine(tmp_path) as day:
        status, told = await arbiterd("doctor", "--root", day.root)
        print(f"\n$ arbiterd doctor\n{told}")

    assert status == 1
    wrong = [line for line in told.splitlines() if line.startswith("WRONG")]
    for words in (
        "no rules of arbiterd; copy",
        "writes to boards that are plugged in",
        "sleeps when its lid is closed",
        "is not synchronised",
        "ttyACM1 may be put to sleep",
        "ttyACM2 is in use by pid",
        f"pid {day.holder} (python",
        "ttyACM3 may not be opened",
    ):
        assert any(words in line for line in wrong), words
    fine = [line for line in told.splitlines() if line.startswith("ok")]
    assert sum(" board " in line for line in fine) == len(GOOD) + 2, "and the lock is no fault"
    assert any("MB free" in line for line in fine)
    assert any("broker" in line for line in fine)
