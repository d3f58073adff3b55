"""The unit, its users and folders, as systemd itself reads them."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNIT = SYSTEMD / "arbiterd.service"


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed; ./test installs it")
    return found


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit beside its drop-ins, with a program that exists on every machine."""
    shutil.copytree(SYSTEMD / "arbiterd.service.d", tmp_path / "arbiterd.service.d")
    unit = tmp_path / "arbiterd.service"
    unit.write_text(UNIT.read_text().replace("/usr/bin/arbiterd", "/bin/true"))
    return unit


def test_systemd_finds_nothing_wrong(unit: Path) -> None:
    checked = subprocess.run(
        [tool("systemd-analyze"), "verify", "--man=no", unit], capture_output=True, text=True
    )

    about_us = [line for line in checked.stderr.splitlines() if "arbiterd" in line]
    assert about_us == []
    assert checked.returncode == 0


def test_a_fault_in_the_unit_would_be_found(unit: Path) -> None:
    unit.write_text(unit.read_text().replace("WatchdogSec=20", "WatchdogSec=soon"))

    checked = subprocess.run(
        [tool("systemd-analyze"), "verify", "--man=no", unit], capture_output=True, text=True
    )

    assert "soon" in checked.stderr


def test_it_is_shut_in_well(unit: Path) -> None:
    """Its exposure is 1.9 or less; the network, boards and libusb are the rest."""
    judged = subprocess.run(
        [tool("systemd-analyze"), "security", "--offline=true", "--threshold=19", unit],
        capture_output=True,
        text=True,
    )

    assert judged.returncode == 0, judged.stdout[-600:]


def test_it_runs_what_the_contract_says() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(UNIT)
    service = unit["Service"]

    assert service["Type"] == "notify"
    assert int(service["WatchdogSec"]) > 0
    assert service["User"] == "arbiterd"
    assert service["StateDirectory"] == "arbiterd"
    assert service["LimitNOFILE"] == "16384"
    assert service["ExecStart"] == "/usr/bin/arbiterd run --config /etc/arbiterd/arbiterd.toml"


@pytest.mark.skipif(os.geteuid() != 0, reason="owners of files are root's to set")
def test_user_and_folders_come_about(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "etc").mkdir(parents=True)
    (root / "etc/group").write_text("root:x:0:\ndialout:x:20:\n")
    (root / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\n")

    for name, folder, more in (
        ("systemd-sysusers", "sysusers.d", []),
        ("systemd-tmpfiles", "tmpfiles.d", ["--create"]),
    ):
        conf = SYSTEMD / folder / "arbiterd.conf"
        done = subprocess.run(
            [tool(name), f"--root={root}", *more, conf], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr

    assert re.search(r"^dialout:x:20:arbiterd$", (root / "etc/group").read_text(), re.MULTILINE)
    (uid, gid) = re.search(  # type: ignore[union-attr]
        r"^arbiterd:x:(\d+):(\d+):", (root / "etc/passwd").read_text(), re.MULTILINE
    ).groups()
    state, conf = (root / "var/lib/arbiterd").stat(), (root / "etc/arbiterd").stat()
    assert (state.st_uid, state.st_gid, state.st_mode & 0o777) == (int(uid), int(gid), 0o750)
    assert (conf.st_uid, conf.st_gid, conf.st_mode & 0o777) == (0, int(gid), 0o750)


@pytest.mark.parametrize(
    ("nodes", "module"),
    [("ttyACM", "cdc_acm"), ("ttyUSB", "usbserial"), ("hidraw", "hid"), ("usb_device", "")],
)
def test_the_nodes_of_every_family_may_be_opened(nodes: str, module: str) -> None:
    """And their kernel driver is there before systemd looks the class up."""
    text = UNIT.read_text()

    assert f"DeviceAllow=char-{nodes} rw" in text
    for order in ("Wants", "After"):
        (line,) = [row for row in text.splitlines() if row.startswith(f"{order}=modprobe@")]
        assert not module or f"modprobe@{module}.service" in line
