"""The lock that keeps the machine awake, as systemd's own logind grants it.

A logind of our own on a bus of our own, in a /run of its own: this machine's is not asked.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiterd.edges.awake import Inhibitor

LOGIND = Path("/lib/systemd/systemd-logind")
BUS = """<busconfig><type>system</type><listen>unix:path={socket}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/>
<allow send_type="method_call"/><allow receive_type="method_call"/>
<allow send_type="signal"/><allow receive_type="signal"/>
<allow send_requested_reply="true" send_type="method_return"/><allow receive_type="method_return"/>
<allow send_requested_reply="true" send_type="error"/><allow receive_type="error"/>
</policy></busconfig>"""


def locks() -> str:
    """What logind holds now."""
    listed = subprocess.run(
        ["systemd-inhibit", "--list", "--no-legend"], capture_output=True, text=True, timeout=30
    )
    assert listed.returncode == 0, listed.stderr
    return listed.stdout.replace("No inhibitors.", "").strip()


@pytest.fixture
def logind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Until the end of the test, for all that asks the system bus."""
    tools = ("dbus-daemon", "systemd-inhibit", "unshare")
    if os.geteuid() != 0 or not LOGIND.exists() or not all(shutil.which(tool) for tool in tools):
        pytest.skip("needs root, dbus-daemon, systemd-logind and systemd-inhibit; ./test has them")
    socket, conf = tmp_path / "bus", tmp_path / "bus.conf"
    conf.write_text(BUS.format(socket=socket))
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={socket}")
    apart = "mount -t tmpfs tmpfs /run && mkdir -p /run/systemd && exec"
    with (tmp_path / "log").open("wb") as log:
        bus = subprocess.Popen(
            ["dbus-daemon", f"--config-file={conf}", "--nofork", "--nopidfile", "--print-address"],
            stdout=subprocess.PIPE,
            stderr=log,
        )
        assert bus.stdout is not None
        bus.stdout.readline()
        daemon = subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", f"{apart} {LOGIND}"], stdout=log, stderr=log
        )
        try:
            if not _granted(daemon):
                pytest.skip(f"logind does not run here: {(tmp_path / 'log').read_text()[-300:]}")
            yield
        finally:
            for process in (daemon, bus):
                process.terminate()
                process.wait()


def _granted(daemon: subprocess.Popen[bytes]) -> bool:
    """Waits for logind; False: it ended, or never answered."""
    for _ in range(100):
        ask = subprocess.run(["systemd-inhibit", "--list"], capture_output=True)
        if ask.returncode == 0:
            return True
        try:
            daemon.wait(0.2)
        except subprocess.TimeoutExpired:
            continue
        return False
    return False


@pytest.mark.usefixtures("logind")
async def test_the_lock_is_held_and_let_go() -> None:
    inhibitor = Inhibitor()
    assert locks() == ""

    assert await inhibitor.hold("a round is played") == ""
    assert await inhibitor.hold("a round is played") == "", "one lock is enough"
    (line,) = locks().splitlines()
    assert "arbiterd" in line
    assert "sleep:idle:handle-lid-switch a round is played" in line
    assert line.split()[-1] == "block"

    await inhibitor.release()
    await inhibitor.release()
    assert locks() == ""


@pytest.mark.usefixtures("logind")
async def test_the_lock_goes_with_a_service_that_is_killed() -> None:
    program = """
import asyncio
from arbiterd.edges.awake import Inhibitor

async def hold():
    print("held:" + await Inhibitor().hold("a round is played"), flush=True)
    await asyncio.Event().wait()

asyncio.run(hold())
"""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE
    )
    assert child.stdout is not None
    assert await child.stdout.readline() == b"held:\n"
    assert "arbiterd" in locks()
    child.send_signal(signal.SIGKILL)
    await child.wait()

    async with asyncio.timeout(30):
        while await asyncio.to_thread(locks):
            pass


async def test_without_logind_it_says_so_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    for inhibitor in (Inhibitor(), Inhibitor("no-such-program")):
        trouble = await inhibitor.hold("a round is played")

        assert trouble.startswith("nothing keeps this computer awake during the round (")
        assert trouble.endswith("see docs/technicians.md")
        assert "\n" not in trouble
        assert not inhibitor.held
