"""Discovery on a bus of directories, with emulated boards behind real terminals."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from eboards.certabo.emulator import CertaboEmulator
from eboards.dgt.emulator import Badge, DgtEmulator
from eboards.discovery import usb
from eboards.discovery.survey import survey
from eboards.discovery.usb import UsbDevice, look, node_of
from eboards.discovery.watch import PlugWatch
from eboards.emulator import Emulator
from eboards.registry import FAMILIES, families_of, family
from eboards.transport import DeviceTrouble
from eboards.transport.pty import PtyServer

SPEED = 10.0


def now_ns() -> int:
    return int(asyncio.get_running_loop().time() * 1e9 * SPEED)


class Machine:
    """A folder with a /sys and a /dev in it, and terminals behind the nodes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.sysfs = root / "sys/bus/usb/devices"
        self.dev = root / "dev"
        self.sysfs.mkdir(parents=True)
        self.dev.mkdir()
        self.servers: list[PtyServer] = []

    def plug(self, place: str, ids: str, node: str = "", **texts: str) -> None:
        """A device on the bus, with a terminal of its own where it has a node."""
        folder = self.sysfs / place
        interface = folder / f"{place}:1.0"
        interface.mkdir(parents=True)
        vendor, product = ids.split(":")
        (folder / "idVendor").write_text(vendor + "\n")
        (folder / "idProduct").write_text(product + "\n")
        for name, text in texts.items():
            (folder / name).write_text(text + "\n")
        if node.startswith("ttyUSB"):
            (interface / node / "tty" / node).mkdir(parents=True)
        elif node:
            (interface / "tty" / node).mkdir(parents=True)

    def serve(self, node: str, emulator: Emulator) -> PtyServer:
        server = PtyServer(emulator, now_ns, speed=SPEED, link=self.dev / node)
        self.servers.append(server)
        return server


@pytest.fixture
async def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Machine]:
    """This machine, as it were, without a libusb."""
    monkeypatch.setattr(usb.usb.core, "find", _no_libusb)
    machine = Machine(tmp_path)
    monkeypatch.setattr(usb, "ROOT", tmp_path)
    yield machine
    for server in machine.servers:
        server.close()


def _no_libusb(**_: object) -> None:
    raise usb.usb.core.NoBackendError("No backend available")


class Witness:
    """A device that says nothing and remembers what it was told."""

    due_at_ns = None

    def __init__(self, answer: bytes = b"") -> None:
        self.told = b""
        self._answer = answer

    def receive(self, data: bytes, _at_ns: int) -> None:
        self.told += data

    def advance(self, _at_ns: int) -> bytes:
        return self._answer if self.told else b""


async def test_boards_are_found_with_who_they_are(machine: Machine) -> None:
    machine.plug("1-1.4", "04d8:000a", "ttyACM0", serial="0013116", product="DGT Chessboard")
    machine.plug("1-2", "0403:6001", "ttyUSB0", product="FT232R")
    machine.serve("ttyACM0", DgtEmulator(badge=Badge(serial="13116", version=(3, 10))))
    machine.serve("ttyUSB0", DgtEmulator(badge=Badge(serial="01025")))

    found = await survey(now_ns, root=machine.root, speed=SPEED)

    first, second = found.boards
    assert first.identity is not None
    assert (first.identity.serial, first.identity.firmware) == ("13116", "3.10")
    assert first.usb.hub_port == "1-1.4"
    assert first.address == "usb:04d8:000a:0013116"
    assert second.address == f"serial:{machine.dev / 'ttyUSB0'}", "it has no number of its own"
    assert (found.told_by, found.note) == ("sysfs", "no libusb on this machine")


async def test_nothing_is_written_to_a_port_of_no_known_kind(machine: Machine) -> None:
    witness = Witness()
    machine.plug("1-1", "1234:5678", "ttyACM0", product="A lock")
    machine.serve("ttyACM0", witness)
    machine.serve("ttyS0", witness)

    (found,) = (await survey(now_ns, root=machine.root, speed=SPEED)).found

    assert found.note == "A lock is of no known kind; nothing was written to it"
    assert witness.told == b""


async def test_a_port_in_the_configuration_is_left_alone(machine: Machine) -> None:
    witness = Witness()
    machine.plug("1-1", "04d8:000a", "ttyACM0")
    machine.serve("ttyACM0", witness)
    claimed = {str(machine.dev / "ttyACM0")}

    found = await survey(now_ns, claimed=claimed, root=machine.root, speed=SPEED)

    assert found.found == ()
    assert witness.told == b""


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        (b"", "does not answer as any known board; is it switched on?"),
        (b"OK\r\n", "answers what no known board would: 4f 4b 0d 0a"),
    ],
)
async def test_what_does_not_answer_as_a_board_is_said(
    machine: Machine, answer: bytes, note: str
) -> None:
    machine.plug("1-1", "04d8:000a", "ttyACM0")
    machine.serve("ttyACM0", Once(answer))

    (found,) = (await survey(now_ns, root=machine.root, speed=SPEED)).found

    assert found.note == note
    assert found.family is None


class Once(Witness):
    """Answers the first question only."""

    def advance(self, _at_ns: int) -> bytes:
        answer = super().advance(_at_ns)
        if self.told:
            self._answer = b""
        return answer


async def test_a_board_in_use_names_its_user_and_one_that_went_says_so(machine: Machine) -> None:
    machine.plug("1-1", "045b:8111", "ttyACM0")
    machine.plug("1-2", "045b:8111", "ttyACM1")
    server = machine.serve("ttyACM0", Witness())
    program = (
        "import serial, sys; port = serial.Serial(sys.argv[1], exclusive=True);"
        "print('open', flush=True); sys.stdin.read()"
    )
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, server.path, stdin=pipe, stdout=pipe
    )
    assert child.stdout is not None
    await child.stdout.readline()

    found = await survey(now_ns, root=machine.root, speed=SPEED)
    await child.communicate(b"")

    busy, gone = found.hindered
    assert busy.trouble is DeviceTrouble.BUSY
    assert f"in use by pid {child.pid} (python" in busy.note
    assert gone.trouble is DeviceTrouble.MISSING
    assert busy.family is FAMILIES[0], "the id leaves no other"


def test_a_machine_without_usb_has_no_devices(tmp_path: Path) -> None:
    assert look(tmp_path / "none").devices == ()


def test_a_device_is_found_by_its_number_wherever_it_is_plugged_in() -> None:
    here = UsbDevice(0x04D8, 0x000A, "1-1", serial="13116", nodes=("ttyACM0",))
    there = UsbDevice(0x04D8, 0x000A, "2-4.1", serial="01025", nodes=("ttyACM7",))

    assert node_of("usb:04D8:000A:01025", (here, there)) == "/dev/ttyACM7"
    assert node_of("usb:04d8:000a", (here,)) == "/dev/ttyACM0"
    assert node_of("usb:04d8:000a", (here, there)) is None, "two fit"
    assert node_of("usb:04d8:000a:99", (here, there)) is None


def test_a_device_that_is_just_being_pulled_out_hides_no_other(tmp_path: Path) -> None:
    """Its folder stands for a moment with nothing in it to read: nothing was found at all then."""
    for place, vendor in (("1-1", "045b\n"), ("1-2", "")):
        folder = tmp_path / "sys/bus/usb/devices" / place
        folder.mkdir(parents=True)
        (folder / "idVendor").write_text(vendor)

    assert [device.hub_port for device in usb.look(tmp_path).devices] == ["1-1"]


def test_a_hub_does_not_own_what_is_plugged_into_it(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.plug("1-1", "0424:9514", product="Hub")
    machine.plug("1-1.2", "04d8:000a", "ttyACM0")
    (machine.sysfs / "1-1" / "1-1.2").symlink_to(machine.sysfs / "1-1.2")

    hub, board = usb._shown(machine.sysfs)

    assert (hub.nodes, board.nodes) == ((), ("ttyACM0",))


def test_libusb_names_devices_and_sysfs_their_nodes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two meet by the place on the hubs. Here libusb's list is handed in."""
    machine = Machine(tmp_path)
    machine.plug("1-1.4", "04d8:000a", "ttyACM0", serial="0013116")
    told = [
        Told(0x1D6B, 2, 1, None),
        Told(0x04D8, 0x000A, 1, (1, 4)),
        Told(0x2D80, 0x8001, 2, (3,)),
    ]
    monkeypatch.setattr(usb.usb.core, "find", lambda **_: told)
    monkeypatch.setattr(usb, "ROOT", tmp_path)

    bus = look(machine.root)

    assert bus.told_by == "libusb"
    assert [(d.hub_port, d.vendor, d.nodes) for d in bus.devices] == [
        ("1-1.4", 0x04D8, ("ttyACM0",)),
        ("2-3", 0x2D80, ()),
        ("usb1", 0x1D6B, ()),
    ]
    assert bus.devices[0].serial == "0013116"


def raw_node(machine: Machine, place: str, interface: int, node: str, report: str) -> None:
    hid = machine.sysfs / place / f"{place}:1.{interface}" / f"0003:2D80:8003.000{interface}"
    (hid / "hidraw" / node).mkdir(parents=True)
    if report:
        (hid / "report_descriptor").write_bytes(bytes.fromhex(report))


def test_of_two_raw_nodes_a_board_s_own_is_the_one_whose_reports_are_the_maker_s(
    machine: Machine,
) -> None:
    machine.plug("1-2", "2d80:8003")
    raw_node(machine, "1-2", 0, "hidraw0", "05 01 09 06 a1 01")
    raw_node(machine, "1-2", 1, "hidraw1", "06 00 ff 09 01 a1 01")

    assert look(machine.root).devices[0].nodes == ("hidraw1",)
    assert node_of("usb:2d80:8003", look(machine.root).devices, machine.root) == str(
        machine.dev / "hidraw1"
    )


def test_where_no_descriptor_tells_every_raw_node_is_asked(machine: Machine) -> None:
    machine.plug("1-2", "2d80:8003")
    raw_node(machine, "1-2", 0, "hidraw0", "")
    raw_node(machine, "1-2", 1, "hidraw1", "")

    assert look(machine.root).devices[0].nodes == ("hidraw0", "hidraw1")


@dataclass
class Told:
    """A device as libusb tells it, without texts."""

    idVendor: int  # noqa: N815 (libusb's names)
    idProduct: int  # noqa: N815
    bus: int
    port_numbers: tuple[int, ...] | None
    iSerialNumber: int = 0  # noqa: N815
    iProduct: int = 0  # noqa: N815


def test_an_id_of_its_own_goes_before_one_that_all_kinds_share() -> None:
    assert families_of(0x045B, 0x8111, "")[0] is family("dgt")
    assert families_of(0x1234, 0x0001, "") == ()


@pytest.mark.parametrize("name", [each.name for each in FAMILIES])
def test_the_registry_makes_what_it_names(name: str) -> None:
    each = family(name)

    assert each.codec().driver == name
    assert each.codec() is not each.codec(), "a new one for every session"
    assert each.standing is each.codec().standing


@pytest.mark.parametrize("deed", ["plug", "links", "group"])
async def test_a_plug_wakes_the_watch_at_once(tmp_path: Path, deed: str) -> None:
    dev, links = tmp_path / "dev", tmp_path / "dev/serial/by-id"
    dev.mkdir()
    (dev / "ttyACM0").touch()
    watch = PlugWatch((dev, links), reconcile_seconds=30)
    deeds: dict[str, Callable[[], object]] = {
        "plug": (dev / "ttyACM1").touch,
        "links": lambda: links.mkdir(parents=True),
        "group": lambda: (dev / "ttyACM0").chmod(0o600),
    }
    async with asyncio.timeout(60):
        waiting = asyncio.create_task(watch.changed())
        asyncio.get_running_loop().call_later(0.05, deeds[deed])
        assert await waiting
    watch.close()


async def test_a_folder_that_came_later_is_watched_too(tmp_path: Path) -> None:
    links = tmp_path / "by-id"
    watch = PlugWatch((links,), reconcile_seconds=0.05)
    assert not await watch.changed()
    links.mkdir()
    assert not await watch.changed()
    asyncio.get_running_loop().call_soon((links / "usb-board").touch)

    async with asyncio.timeout(60):
        while not await watch.changed():
            (links / "usb-board").touch()
    watch.close()


async def test_boards_that_share_a_serial_number_are_named_by_their_ports(machine: Machine) -> None:
    """Bridges of one maker often leave it with the same: then it names nobody."""
    for place in ("1", "2"):
        machine.plug(f"1-{place}", "10c4:ea60", f"ttyUSB{place}", serial="0001")
        machine.serve(f"ttyUSB{place}", CertaboEmulator())
    machine.plug("1-3", "10c4:ea60", "ttyUSB3", serial="0002")
    machine.serve("ttyUSB3", CertaboEmulator())

    found = await survey(now_ns, root=machine.root, speed=SPEED)

    assert [each.address for each in found.boards] == [
        f"serial:{machine.dev}/ttyUSB1",
        f"serial:{machine.dev}/ttyUSB2",
        "usb:10c4:ea60:0002",
    ]


@pytest.mark.parametrize(
    "name",
    [
        "{dev}/ttyACM0",
        "serial:{dev}/ttyACM0",
        "serial:{dev}/serial/by-id/board",
        "dgt-bus:{dev}/ttyACM0#1025",
        "usb:04d8:000A",
        "usb:04d8:000a:13116",
    ],
)
async def test_a_port_is_left_alone_by_whichever_name_it_is_claimed(
    machine: Machine, name: str
) -> None:
    witness = Witness()
    machine.plug("1-1", "04d8:000a", "ttyACM0", serial="13116")
    machine.serve("ttyACM0", witness)
    (machine.dev / "serial/by-id").mkdir(parents=True)
    (machine.dev / "serial/by-id/board").symlink_to("../../ttyACM0")

    claimed = {name.format(dev=machine.dev)}
    found = await survey(now_ns, claimed=claimed, root=machine.root, speed=SPEED)

    assert found.found == ()
    assert witness.told == b""
