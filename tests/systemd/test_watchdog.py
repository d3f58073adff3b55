"""The service under a real systemd, which kills it when it stands still and starts it again.

systemd runs as the first process of a namespace of its own, with the watchdog and the restarts of
our unit; boards are played on meanwhile. It needs root.

With figures: python -m pytest -q -s -n 0 -m slow tests/systemd/test_watchdog.py
"""

from __future__ import annotations

import asyncio
import configparser
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arbiterd.edges.real import FileStore
from arbiterd.journal.head import newest
from arbiterd.journal.verify import verify
from containment.real import RealHall, record

HERE = Path(__file__).parent
UNIT = HERE.parents[1] / "systemd" / "arbiterd.service"
KEPT = ("Type", "WatchdogSec", "Restart", "RestartSec", "KillMode", "TimeoutStopSec")
"""What our unit says of life and death; its walls need a system of its own."""
BOOT = """#!/bin/sh
mount --make-rprivate / && mount -t tmpfs none /run && mkdir -p /run/systemd/system
cp {units}/* /run/systemd/system/
container=lxc exec systemd --system --unit=arbiterd.service --log-target=null --show-status=0
"""


def unit_of(command: list[str]) -> str:
    ours = configparser.ConfigParser(strict=False, interpolation=None)
    ours.optionxform = str  # type: ignore[assignment,method-assign]
    ours.read(UNIT)
    said = [f"{key}={ours['Service'][key]}" for key in KEPT]
    limit = ours["Unit"]["StartLimitIntervalSec"]
    return "\n".join(
        [
            "[Unit]", "DefaultDependencies=no", f"StartLimitIntervalSec={limit}",
            "[Service]", *said, "Environment=PYTHONDONTWRITEBYTECODE=1",
            f"ExecStart={' '.join(command)}", "",
        ]
    )  # fmt: skip


class Systemd:
    """One of our own, and the service under it."""

    def __init__(self, folder: Path, command: list[str]) -> None:
        units = folder / "units"
        units.mkdir()
        (units / "arbiterd.service").write_text(unit_of(command))
        boot = folder / "boot"
        boot.write_text(BOOT.format(units=units))
        boot.chmod(0o700)
        self._unshare = subprocess.Popen(
            [
                "unshare", "--fork", "--pid", "--kill-child", "--mount", "--mount-proc",
                "--cgroup", "--uts", "--ipc", str(boot),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def says(self, name: str) -> str:
        """A property of the unit."""
        children = Path(f"/proc/{self._unshare.pid}/task/{self._unshare.pid}/children")
        first = children.read_text().split()[0]
        asked = subprocess.run(
            [
                "nsenter", "-t", first, "-m", "-p", "systemctl", "show", "-P", name,
                "arbiterd.service",
            ],
            capture_output=True,
            text=True,
        )  # fmt: skip
        return asked.stdout.strip()

    def end(self) -> None:
        self._unshare.send_signal(signal.SIGKILL)
        self._unshare.wait()


@asynccontextmanager
async def under_systemd(hall: RealHall, what: str) -> AsyncIterator[Systemd]:
    file = hall.written({})
    systemd = Systemd(
        hall.folder,
        [
            sys.executable, str(HERE / "held.py"), what, str(hall.folder / "mark"),
            "run", "--config", str(file),
        ],
    )  # fmt: skip
    try:
        yield systemd
    finally:
        systemd.end()
        hall.close()


async def until(enough: Callable[[], Awaitable[object]], within_s: float = 180.0) -> float:
    """The time it was so."""
    async with asyncio.timeout(within_s):
        while not await enough():  # noqa: ASYNC110  # It has no event of its own.
            await asyncio.sleep(0.2)
    return time.time()


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes namespaces for a systemd")
@pytest.mark.skipif(not shutil.which("systemd"), reason="systemd is not installed")
@pytest.mark.parametrize("what", ["process", "loop", "writer", "proof"])
async def test_what_stands_still_is_started_again(what: str, tmp_path: Path) -> None:
    hall = RealHall(4, 1, 1.0, tmp_path)
    mark = tmp_path / "mark"
    async with under_systemd(hall, what) as systemd:

        async def healthy() -> bool:
            found = await hall.health()
            return found is not None and found[0] == 200

        async def held() -> bool:
            return mark.exists()

        async def said() -> bool:
            found = await hall.health()
            return found is None or found[0] != 200

        async def killed() -> bool:
            return systemd.says("NRestarts") not in ("0", "")

        async def told() -> bool:
            return "stands still" in systemd.says("StatusText")

        await until(healthy)
        await until(held)
        begin = float(mark.read_text())
        figures = []
        if what in ("writer", "proof"):
            figures.append(f"said on /healthz after {await until(said) - begin:.1f} s")
            figures.append(f"to systemd after {await until(told) - begin:.1f} s")
        figures.append(f"killed and started after {await until(killed) - begin:.1f} s")
        assert systemd.says("Result") in ("success", "watchdog")
        figures.append(f"well after {await until(healthy) - begin:.1f} s")
        print(f"\n{what} held: " + ", ".join(figures), end="")
        await asyncio.sleep(30.0)
        for seat in hall.seats:
            moves = await record(hall, seat.table)
            assert moves == list(seat.game.moves)[: len(moves)]
            assert moves
        assert systemd.says("NRestarts") == "1"
    store = FileStore(tmp_path / "journal.db")
    db = store.connect_for_reading()
    assert verify(db, newest(store.heads())).whole
    (inputs,) = db.execute("SELECT count(*) FROM input").fetchone()
    print(f"; {inputs} inputs, every seal whole")
    db.close()
