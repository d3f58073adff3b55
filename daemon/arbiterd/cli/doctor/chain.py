"""What of this machine itself can spoil a round: each question a function of its root folder.

A root other than / is a machine laid out in folders; what only the kernel or a process can say
is then asked of the files that stand for them.
"""

from __future__ import annotations

import configparser
import ctypes
import grp
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from eboards.discovery.survey import FoundDevice

RULES = ("etc/udev/rules.d", "usr/lib/udev/rules.d", "lib/udev/rules.d", "run/udev/rules.d")
LOGIND = ("usr/lib/systemd", "etc/systemd", "run/systemd")
LAPTOPS = frozenset({8, 9, 10, 11, 14, 30, 31, 32})
"""Chassis types of the firmware that close: portable, laptop, notebook … detachable."""
GROUP = "dialout"
PATIENT = frozenset({"ignore", "lock"})
"""What a closed lid may do without stopping the round."""
NOT_SYNCHRONISED = 5
"""What adjtimex returns then (TIME_ERROR)."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One link of the chain."""

    link: str
    ok: bool
    sentence: str


def machine(root: Path) -> Iterator[Diagnosis]:
    """All that can be said before a board is asked."""
    yield udev(root)
    yield modem_manager(root)
    yield group(root)
    yield lid(root)
    yield idle(root)
    yield synchronised(root)


def udev(root: Path) -> Diagnosis:
    found = [f"/{folder}/{rule.name}" for folder in RULES for rule in _rules(root / folder)]
    if found:
        return Diagnosis("udev", True, f"rules in {found[0]}")
    mend = "copy systemd/udev/*.rules to /etc/udev/rules.d, then udevadm control --reload"
    return Diagnosis("udev", False, f"no rules of arbiterd; {mend}")


def _rules(folder: Path) -> list[Path]:
    return sorted(folder.glob("*arbiterd*.rules"))


def modem_manager(root: Path) -> Diagnosis:
    """It writes to new ports, and boards take what it writes for commands."""
    running = any(_text(comm) == "ModemManager" for comm in root.glob("proc/[0-9]*/comm"))
    if not running:
        return Diagnosis("modemmanager", True, "does not run")
    if udev(root).ok:
        return Diagnosis("modemmanager", True, "runs, and the rules keep it away from boards")
    mend = "install the udev rules, or: systemctl disable --now ModemManager"
    return Diagnosis(
        "modemmanager", False, f"runs, and writes to boards that are plugged in; {mend}"
    )


def group(root: Path, ours: Iterable[int] | None = None) -> Diagnosis:
    """Serial ports belong to a group, and a user is in it only after the next login."""
    number = _group_number(root)
    if os.geteuid() == 0 and ours is None:
        return Diagnosis("group", True, "root may open every port")
    if number is None:
        return Diagnosis(
            "group", False, f"there is no group {GROUP}; run: groupadd --system {GROUP}"
        )
    if number in (os.getgroups() if ours is None else ours):
        return Diagnosis("group", True, f"in {GROUP}, which may open serial ports")
    mend = f"usermod -aG {GROUP} USER, then log in again"
    return Diagnosis("group", False, f"not in {GROUP}, which may open serial ports; {mend}")


def _group_number(root: Path) -> int | None:
    if root == Path("/"):
        try:
            return grp.getgrnam(GROUP).gr_gid
        except KeyError:
            return None
    lines = [line.split(":") for line in _text(root / "etc/group").splitlines()]
    return next((int(line[2]) for line in lines if line[0] == GROUP), None)


def lid(root: Path) -> Diagnosis:
    """A laptop that is closed sleeps, and hears no board."""
    chassis = _text(root / "sys/class/dmi/id/chassis_type")
    has_lid = (root / "proc/acpi/button/lid").exists()
    if not has_lid and not (chassis.isdigit() and int(chassis) in LAPTOPS):
        return Diagnosis("lid", True, "this computer has none")
    settings = _logind(root)
    on_battery = settings.get("HandleLidSwitch", "suspend")
    on_power = settings.get("HandleLidSwitchExternalPower", on_battery)
    if on_battery in PATIENT and on_power in PATIENT:
        return Diagnosis("lid", True, "may be closed; the computer stays awake")
    mend = "write [Login] HandleLidSwitch=ignore into /etc/systemd/logind.conf.d/arbiterd.conf"
    return Diagnosis("lid", False, f"a laptop, which sleeps when its lid is closed; {mend}")


def idle(root: Path) -> Diagnosis:
    """Left alone for long enough, some computers sleep."""
    action = _logind(root).get("IdleAction", "ignore")
    if action not in PATIENT:
        mend = "write [Login] IdleAction=ignore into /etc/systemd/logind.conf.d/arbiterd.conf"
        return Diagnosis("sleep", False, f"the computer does {action} when nobody uses it; {mend}")
    if any((root / place / "systemd-inhibit").exists() for place in ("usr/bin", "bin")):
        return Diagnosis("sleep", True, "systemd is asked for no sleep while a round is played")
    return Diagnosis(
        "sleep", False, "there is no systemd-inhibit; switch sleep off in the desktop's settings"
    )


def _logind(root: Path) -> dict[str, str]:
    """logind.conf and its drop-ins, the later over the earlier, as systemd reads them."""
    files = [root / folder / "logind.conf" for folder in LOGIND]
    drop_ins = [file for place in LOGIND for file in (root / place).glob("logind.conf.d/*.conf")]
    read: dict[str, str] = {}
    for file in [*files, *sorted(drop_ins, key=lambda file: file.name)]:
        parser = configparser.ConfigParser(strict=False, interpolation=None, allow_no_value=True)
        parser.optionxform = str  # type: ignore[assignment,method-assign]  # its documented way
        try:
            parser.read_string(_text(file))
        except configparser.Error:
            continue
        if parser.has_section("Login"):
            read |= {key: value for key, value in parser["Login"].items() if value}
    return read


def synchronised(root: Path) -> Diagnosis:
    """Times of rulings are compared with those of other people's clocks."""
    if root == Path("/"):
        right = _kernel_is_synchronised()
    else:
        right = (root / "run/systemd/timesync/synchronized").exists()
    if right:
        return Diagnosis("clock", True, "synchronised with the network")
    mend = "run: timedatectl set-ntp true (games are timed right all the same)"
    return Diagnosis("clock", False, f"the computer's time is not synchronised; {mend}")


def _kernel_is_synchronised() -> bool:
    """As the kernel was told by whichever program keeps its time. Asking changes nothing."""
    timex = ctypes.create_string_buffer(1024)  # No mode is set: a question.
    state: int = ctypes.CDLL(None).adjtimex(timex)
    return 0 <= state < NOT_SYNCHRONISED


def autosuspend(found: Iterable[FoundDevice]) -> Iterator[Diagnosis]:
    """A hub that may sleep silences a board for minutes when nobody moves."""
    for each in found:
        if each.usb.may_sleep:
            file = f"/sys/bus/usb/devices/{each.usb.hub_port}/power/control"
            mend = f"install the udev rules, or: echo on > {file}"
            sentence = f"{each.port} may be put to sleep while nobody moves; {mend}"
            yield Diagnosis("usb", False, sentence)


def _text(file: Path) -> str:
    """Empty for what is not there, or not for us to read."""
    try:
        return file.read_text(errors="replace").strip()
    except OSError:
        return ""
