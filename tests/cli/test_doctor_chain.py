"""What `arbiterd doctor` says of the machine itself, on machines laid out in folders."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from arbiterd.cli.doctor import chain
from arbiterd.cli.doctor.chain import Diagnosis
from arbiterd.edges.real import FileStore
from arbiterd.journal.head import Head
from arbiterd.journal.schema import prepare
from cli.test_commands import PROGRAM, arbiterd
from eboards.discovery.survey import FoundDevice
from eboards.discovery.usb import UsbDevice, look


def lay_out(root: Path, **files: str) -> None:
    """Files by their paths, with __ for a slash and _dot_ for a point."""
    for name, text in files.items():
        file = root / name.replace("__", "/").replace("_dot_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")


RULES = {"etc__udev__rules_dot_d__70-arbiterd_dot_rules": "# rules"}
MODEM_MANAGER = {"proc__812__comm": "ModemManager"}
LAPTOP = {"sys__class__dmi__id__chassis_type": "10"}
LOGIND = "etc__systemd__logind_dot_conf"
DROP_IN = "etc__systemd__logind_dot_conf_dot_d__arbiterd_dot_conf"
INHIBIT = {"usr__bin__systemd-inhibit": ""}


@pytest.mark.parametrize(
    ("ask", "files", "ok", "words"),
    [
        (chain.udev, {}, False, "copy systemd/udev/*.rules to /etc/udev/rules.d"),
        (chain.udev, RULES, True, "rules in /etc/udev/rules.d/70-arbiterd.rules"),
        (chain.modem_manager, {"proc__1__comm": "systemd"}, True, "does not run"),
        (chain.modem_manager, MODEM_MANAGER, False, "systemctl disable --now ModemManager"),
        (chain.modem_manager, MODEM_MANAGER | RULES, True, "the rules keep it away"),
        (chain.lid, {"sys__class__dmi__id__chassis_type": "3"}, True, "this computer has none"),
        (chain.lid, {}, True, "this computer has none"),
        (chain.lid, LAPTOP, False, "sleeps when its lid is closed; write [Login] HandleLidSw"),
        (chain.lid, {"proc__acpi__button__lid__LID0__state": "open"}, False, "a laptop"),
        (chain.lid, LAPTOP | {LOGIND: "[Login]\n#HandleLidSwitch=ignore"}, False, "a laptop"),
        (chain.lid, LAPTOP | {LOGIND: "[Login]\nHandleLidSwitch=ignore"}, True, "may be closed"),
        (
            chain.lid,
            LAPTOP
            | {LOGIND: "[Login]\nHandleLidSwitch=ignore\nHandleLidSwitchExternalPower=hibernate"},
            False,
            "a laptop",
        ),
        (
            chain.lid,
            LAPTOP
            | {
                LOGIND: "[Login]\nHandleLidSwitch=suspend",
                DROP_IN: "[Login]\nHandleLidSwitch=lock",
            },
            True,
            "may be closed",
        ),
        (chain.lid, LAPTOP | {LOGIND: "no section"}, False, "a laptop"),
        (chain.idle, INHIBIT, True, "asked for no sleep while a round is played"),
        (chain.idle, {}, False, "there is no systemd-inhibit"),
        (chain.idle, INHIBIT | {LOGIND: "[Login]\nIdleAction=suspend"}, False, "does suspend"),
        (chain.synchronised, {}, False, "timedatectl set-ntp true"),
        (chain.synchronised, {"run__systemd__timesync__synchronized": ""}, True, "synchronised"),
    ],
)
def test_each_question_has_a_verdict_and_a_mend(
    tmp_path: Path,
    ask: Callable[[Path], Diagnosis],
    files: dict[str, str],
    ok: bool,
    words: str,
) -> None:
    lay_out(tmp_path, **files)

    found = ask(tmp_path)

    assert found.ok is ok
    assert words in found.sentence


@pytest.mark.parametrize(
    ("ours", "ok", "words"),
    [
        ([1000, 20], True, "in dialout"),
        ([1000], False, "usermod -aG dialout USER, then log in again"),
    ],
)
def test_a_user_outside_the_group_is_told_how_to_get_in(
    tmp_path: Path, ours: list[int], ok: bool, words: str
) -> None:
    lay_out(tmp_path, etc__group="root:x:0:\ndialout:x:20:ana")

    found = chain.group(tmp_path, ours)

    assert found.ok is ok
    assert words in found.sentence


def test_a_machine_without_the_group_is_told_to_make_it(tmp_path: Path) -> None:
    assert "groupadd --system dialout" in chain.group(tmp_path, [0]).sentence


def test_a_board_that_may_be_put_to_sleep_is_named_with_its_file(tmp_path: Path) -> None:
    place = "sys__bus__usb__devices__1-1_dot_4__"
    lay_out(
        tmp_path,
        **{
            place + "idVendor": "04d8",
            place + "idProduct": "000a",
            place + "power__control": "auto",
        },
    )
    (device,) = look(tmp_path).devices
    awake = UsbDevice(0x04D8, 0x000A, "1-2")

    (told,) = chain.autosuspend(
        [FoundDevice("/dev/ttyACM0", "", device), FoundDevice("/dev/ttyACM1", "", awake)]
    )

    assert not told.ok
    assert "/dev/ttyACM0 may be put to sleep" in told.sentence
    assert "echo on > /sys/bus/usb/devices/1-1.4/power/control" in told.sentence


def test_this_machine_is_asked_without_harm_and_has_a_verdict_for_everything() -> None:
    found = list(chain.machine(Path("/")))

    assert [each.link for each in found] == [
        "udev",
        "modemmanager",
        "group",
        "lid",
        "sleep",
        "clock",
    ]
    for each in found:
        assert each.ok or re.search(r"; .", each.sentence), f"{each.sentence!r} has no mend"
    if os.geteuid() == 0:
        assert found[2].sentence == "root may open every port"


def test_a_disk_that_became_read_only_is_named(tmp_path: Path) -> None:
    """It had room, and so it was well, while no start could take the journal.

    A kernel that lets nobody mount anything leaves nothing here to look at.
    """
    lies = tmp_path / "state"
    lies.mkdir()
    config = tmp_path / "arbiterd.toml"
    config.write_text(f'[journal]\npath = "{lies}/journal.db"\n')
    mount = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    read_only = f"mount -t tmpfs -o ro none {lies}"
    if subprocess.run([*mount, read_only], capture_output=True, check=False).returncode:
        pytest.skip("nothing may be mounted here")
    ask = shlex.join([*PROGRAM, "doctor", "--config", str(config)])

    said = subprocess.run(
        [*mount, f"{read_only} && {ask}"], capture_output=True, text=True, timeout=60, check=False
    )

    wrong = f"WRONG disk           the disk of {lies} is read-only; make it writable, or move"
    assert f"{wrong} [journal] path" in said.stdout


@pytest.mark.parametrize(("hall", "ok"), [("main", True), ("north", False)])
def test_a_journal_with_which_no_service_would_start_is_told(
    tmp_path: Path, hall: str, ok: bool
) -> None:
    """`run` refuses it, and the technician who asks why is told that all is well."""
    store = FileStore(tmp_path / "j.db")
    prepare(store.connect())
    store.put_head(Head(hall="main").encoded())
    store.close()
    config = tmp_path / "hall.toml"
    config.write_text(f'[hall]\nname = "{hall}"\n[journal]\npath = "j.db"\n')

    told = arbiterd("doctor", "--config", config, "--root", tmp_path).stdout

    assert (re.search(r"^ok +journal +.*j\.db is whole", told, re.MULTILINE) is not None) is ok
    mend = "j.db is of the hall 'main'; write [hall] name = 'main' again, or give"
    assert (re.search(rf"^WRONG journal .*{re.escape(mend)}", told, re.MULTILINE) is None) is ok
