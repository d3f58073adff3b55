"""What the rules do to a board, and to what is none. Their syntax is udev's own to judge."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from eboards.family import WireKind
from eboards.registry import FAMILIES

RULES = Path(__file__).parents[2] / "systemd" / "udev" / "70-arbiterd.rules"
TERM = re.compile(r'\s*([A-Z]+)(?:\{([\w/]+)\})?(==|!=|\+=|=)"([^"]*)"\s*(?:,|$)')


@dataclass
class Outcome:
    """What was set on a device."""

    env: dict[str, str] = field(default_factory=dict)
    group: str = ""
    links: list[str] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)


def apply(device: dict[str, str]) -> Outcome:
    """The rules as udev goes through them: matches, assignments, jumps forward."""
    outcome, wanted = Outcome(), ""
    for line in RULES.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        terms = TERM.findall(line)
        assert "".join(TERM.sub("", line).split()) == "", f"not understood: {line}"
        label = next((value for key, _, _, value in terms if key == "LABEL"), "")
        if wanted and label != wanted:
            continue
        wanted = ""
        if all(_matches(device, *term) for term in terms if term[2] in ("==", "!=")):
            wanted = _assign(device, outcome, [term for term in terms if term[2] in ("=", "+=")])
    assert not wanted, f"no LABEL {wanted!r}"
    return outcome


def _matches(device: dict[str, str], key: str, name: str, operator: str, value: str) -> bool:
    if key == "TEST":
        return (value in device) is (operator == "==")
    of = {"SUBSYSTEMS": "BUS", "ATTRS": "", "ATTR": "", "ENV": ""}.get(key, key)
    found = device.get(name or of, "")
    return fnmatchcase(found, value) is (operator == "==")


def _assign(device: dict[str, str], outcome: Outcome, terms: list[tuple[str, ...]]) -> str:
    jump = ""
    for key, name, _, value in terms:
        filled = re.sub(r"\$env\{(\w+)\}", lambda match: device[match[1]], value)
        match key:
            case "GOTO":
                jump = value
            case "GROUP":
                outcome.group = value
            case "SYMLINK":
                outcome.links.append(filled)
            case "ENV":
                outcome.env[name] = value
            case "ATTR":
                outcome.attributes[name] = value
            case _:
                assert key in ("LABEL", "MODE", "TAG"), f"unforeseen key {key}"
    return jump


def tty(vendor: str, product_id: str, **more: str) -> dict[str, str]:
    return {
        "ACTION": "add",
        "SUBSYSTEM": "tty",
        "BUS": "usb",
        "idVendor": vendor,
        "idProduct": product_id,
        "ID_PATH_TAG": "pci-0000_00_14_0-usb-0_2_1_0",
        **more,
    }


BOARDS = [
    pytest.param(tty("04d8", "000a", product="DGT Chessboard"), id="dgt, usb"),
    pytest.param(tty("045b", "8111", product="DGT e-Board"), id="dgt, usb-c"),
    pytest.param(tty("0403", "6001", product="DGT board"), id="dgt, ftdi that names itself"),
    pytest.param(tty("0403", "6015", manufacturer="DGT Projects"), id="dgt, ftdi by its maker"),
    pytest.param(tty("0403", "6001", product="FT232R USB UART"), id="chesslink, any ftdi"),
    pytest.param(tty("10c4", "ea60", product="CP2102"), id="certabo"),
    pytest.param(tty("1a86", "55d3"), id="home-made, ch343"),
    pytest.param(tty("1a86", "7523"), id="home-made, ch340"),
]
RAW = [
    pytest.param("2d80", "8000", id="chessnut air"),
    pytest.param("2d80", "8600", id="chessnut, the last"),
    pytest.param("0925", "0001", id="staunton"),
]


@pytest.mark.parametrize("board", BOARDS)
def test_a_board_can_be_opened_and_is_left_alone(board: dict[str, str]) -> None:
    done = apply(board)

    assert done.group == "dialout"
    assert done.env == {"ID_MM_DEVICE_IGNORE": "1", "ID_MM_PORT_IGNORE": "1"}
    assert done.links == ["chess/port-pci-0000_00_14_0-usb-0_2_1_0"]


@pytest.mark.parametrize(("vendor", "product"), RAW)
def test_a_raw_hid_board_can_be_opened(vendor: str, product: str) -> None:
    done = apply(tty(vendor, product) | {"SUBSYSTEM": "hidraw"})

    assert done == Outcome(group="dialout")


def as_device(board: dict[str, str], **more: str) -> dict[str, str]:
    return board | {"SUBSYSTEM": "usb", "DEVTYPE": "usb_device", **more}


@pytest.mark.parametrize(
    "board", [*BOARDS, *(pytest.param(tty(*raw.values), id=raw.id) for raw in RAW)]
)
def test_the_usb_device_itself_is_left_alone_and_kept_awake(board: dict[str, str]) -> None:
    done = apply(as_device(board, **{"power/control": "auto"}))

    assert (done.group, done.env) == ("dialout", {"ID_MM_DEVICE_IGNORE": "1"})
    assert done.attributes == {"power/control": "on"}
    assert done.links == []
    assert apply(as_device(board)).attributes == {}, "a kernel without power management"


def test_a_board_with_a_serial_number_keeps_its_name_under_any_port() -> None:
    done = apply(tty("045b", "8111", ID_SERIAL_SHORT="0012345678"))

    assert "chess/board-0012345678" in done.links


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(tty("0403", "6010", product="FT2232"), id="another ftdi chip"),
        pytest.param(tty("2d80", "3013") | {"SUBSYSTEM": "hidraw"}, id="a drawing tablet"),
        pytest.param(as_device(tty("2d80", "3013")), id="the tablet itself"),
        pytest.param(tty("04d8", "00dd", product="MCP2221"), id="another microchip thing"),
        pytest.param(tty("12d1", "1506", product="modem"), id="a modem"),
        pytest.param({"ACTION": "add", "SUBSYSTEM": "tty"}, id="a console"),
        pytest.param(tty("04d8", "000a") | {"ACTION": "remove"}, id="a board that leaves"),
    ],
)
def test_what_is_no_board_is_not_touched(other: dict[str, str]) -> None:
    assert apply(other) == Outcome()


IDS = sorted(
    {(family.wire, i.vendor, i.product, i.name) for family in FAMILIES for i in family.usb_ids}
)


@pytest.mark.parametrize(("wire", "vendor", "product", "name"), IDS)
def test_every_usb_id_of_every_driver_has_its_rule(
    wire: WireKind, vendor: int, product: int, name: str
) -> None:
    board = tty(f"{vendor:04x}", f"{product:04x}", product=name)
    raw = wire is WireKind.HIDRAW
    assert apply(board | ({"SUBSYSTEM": "hidraw"} if raw else {})).group == "dialout"
    assert apply(as_device(board)).group == "dialout"


def udev_says(rules: Path) -> str:
    """What udev has to say of the rules when it reads them for a device, in a /run of its own."""
    if os.geteuid() != 0 or not Path("/sys/devices/virtual/tty/tty0").exists():
        pytest.skip("needs root and /sys, to show udev the rules without installing them")
    if shutil.which("udevadm") is None:
        pytest.skip("udevadm is not installed; ./test installs it")
    script = (
        "mount -t tmpfs tmpfs /run && mkdir -p /run/udev/rules.d"
        f" && cp '{rules}' /run/udev/rules.d/"
        " && udevadm test --action=add /sys/devices/virtual/tty/tty0"
    )
    told = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script], capture_output=True, text=True
    )
    if "Reading rules file: /run/udev" not in told.stdout + told.stderr:
        pytest.skip(f"udev cannot be asked here: {told.stderr[-200:]}")
    return "\n".join(
        line for line in (told.stdout + told.stderr).splitlines() if f"{rules.name}:" in line
    )


def test_udev_reads_every_line() -> None:
    assert udev_says(RULES) == ""


def test_udev_would_complain_of_a_wrong_line(tmp_path: Path) -> None:
    wrong = tmp_path / "71-wrong.rules"
    wrong.write_text(RULES.read_text() + 'BOGUS=="x", MODE="0660"\n')

    assert "BOGUS" in udev_says(wrong)
