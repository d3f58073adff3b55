"""USB devices: through libusb where it can be had, else from what the kernel shows in sysfs.

libusb sees every device with its ids, serial number and place on the hubs; which node the kernel
made of it (ttyACM0, hidraw0) only sysfs tells. So sysfs is always read, and libusb, where there is
one, has the last word on who a device is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import libusb_package
import usb.core
import usb.util

from eboards.transport.hidraw import MAKERS_PAGE

ROOT: Final = Path("/")
SYSFS: Final = Path("sys/bus/usb/devices")
"""Under the root."""


@dataclass(frozen=True, slots=True)
class UsbDevice:
    """One device on the bus."""

    vendor: int
    product: int
    hub_port: str
    """Where it is plugged in, as the kernel writes it: bus 1, ports 4 and 2 are `1-4.2`."""
    serial: str = ""
    maker: str = ""
    name: str = ""
    nodes: tuple[str, ...] = ()
    """Names under /dev: `ttyACM0`, `hidraw2`."""
    may_sleep: bool = False
    """True where the kernel may suspend it when it is quiet."""

    @property
    def address(self) -> str:
        """As a configuration names it: `usb:04d8:000a:13116`."""
        ids = f"usb:{self.vendor:04x}:{self.product:04x}"
        return f"{ids}:{self.serial}" if self.serial else ids


@dataclass(frozen=True, slots=True)
class Bus:
    """All devices, and who told."""

    devices: tuple[UsbDevice, ...]
    told_by: str
    """"libusb" or "sysfs"."""
    note: str = ""
    """Why it was not libusb."""


def look(root: Path = ROOT) -> Bus:
    """All devices on the bus, in the order of their places.

    Another root is a machine laid out in folders: libusb, which knows this one, is not asked.
    """
    shown = {device.hub_port: device for device in _shown(root / SYSFS)}
    if root != ROOT:
        return Bus(_ordered(shown), "sysfs")
    try:
        told = _told(shown)
    except usb.core.NoBackendError:
        return Bus(_ordered(shown), "sysfs", "no libusb on this machine")
    except usb.core.USBError as error:
        return Bus(_ordered(shown), "sysfs", f"libusb cannot look at the bus: {error}")
    if not told and shown:
        return Bus(_ordered(shown), "sysfs", "libusb sees no device; /dev/bus/usb is closed to it")
    return Bus(_ordered(shown | told), "libusb")


def fitting(address: str, devices: Iterable[UsbDevice]) -> tuple[UsbDevice, ...]:
    """Those with a node that a configuration may mean by `usb:VID:PID[:SERIAL]`. Several where the
    number is left out, or where a maker gave one number to all."""
    wanted = address.lower()
    return tuple(
        device
        for device in devices
        if device.nodes and wanted in (device.address.lower(), device.address[:13].lower())
    )


def node_of(address: str, devices: tuple[UsbDevice, ...], root: Path = ROOT) -> str | None:
    """The node of the device that a configuration calls `usb:VID:PID[:SERIAL]`, wherever it is
    plugged in now. None: it is not there, or two fit."""
    found = fitting(address, devices)
    return str(root / "dev" / found[0].nodes[0]) if len(found) == 1 else None


def port_of(device: str, devices: tuple[UsbDevice, ...], root: Path = ROOT) -> Path | None:
    """The node behind any name of a device that is plugged in: a port, `serial:PATH`,
    `dgt-bus:PATH#ADDRESS`, `usb:VID:PID[:SERIAL]`. None: it is not there, or has no port."""
    if device.startswith("/"):
        return Path(device).resolve()
    kind, _, address = device.partition(":")
    match kind:
        case "serial":
            return Path(address).resolve()
        case "dgt-bus":
            return Path(address.rpartition("#")[0]).resolve()
        case "usb":
            node = node_of(device, devices, root)
            return None if node is None else Path(node).resolve()
    return None


def _ordered(devices: Mapping[str, UsbDevice]) -> tuple[UsbDevice, ...]:
    return tuple(devices[place] for place in sorted(devices))


def _shown(sysfs: Path) -> list[UsbDevice]:
    """Devices as the kernel shows them. An empty list where there is no USB at all."""
    if not sysfs.is_dir():
        return []
    # One that is just being pulled out has its folder still, and says nothing any more.
    vendors = {folder: _text(folder / "idVendor") for folder in sorted(sysfs.iterdir())}
    return [
        UsbDevice(
            vendor=int(vendor, 16),
            product=int(_text(folder / "idProduct") or "0", 16),
            hub_port=folder.name,
            serial=_text(folder / "serial"),
            maker=_text(folder / "manufacturer"),
            name=_text(folder / "product"),
            nodes=_nodes(folder),
            may_sleep=_text(folder / "power/control") == "auto",
        )
        for folder, vendor in vendors.items()
        if vendor
    ]


def _nodes(folder: Path) -> tuple[str, ...]:
    """Terminals and raw HID nodes of the interfaces of this device, not of devices behind it."""
    interfaces = sorted(folder.glob(f"{folder.name}:*"))
    terminals = {
        node.name
        for interface in interfaces
        for pattern in ("tty/tty*", "tty*/tty/tty*")
        for node in interface.glob(pattern)
    }
    raw = [node for interface in interfaces for node in interface.glob("*/hidraw/hidraw*")]
    own = [node for node in raw if _is_makers(node.parents[1] / "report_descriptor")]
    return tuple(sorted(terminals | {node.name for node in own or raw}))


def _is_makers(descriptor: Path) -> bool:
    try:
        return descriptor.read_bytes().startswith(MAKERS_PAGE)
    except OSError:
        return False


def _text(file: Path) -> str:
    try:
        return file.read_text(errors="replace").strip()
    except OSError:
        return ""


def _told(shown: Mapping[str, UsbDevice]) -> dict[str, UsbDevice]:
    """Devices as libusb tells them, with the nodes that sysfs shows."""
    devices = {}
    for device in usb.core.find(find_all=True, backend=_backend()) or ():
        ports = ".".join(str(port) for port in device.port_numbers or ())
        place = f"{device.bus}-{ports}" if ports else f"usb{device.bus}"
        known = shown.get(place) or UsbDevice(device.idVendor, device.idProduct, place)
        serial = _string(device, device.iSerialNumber) or known.serial
        name = _string(device, device.iProduct) or known.name
        devices[place] = replace(known, serial=serial, name=name)
    return devices


def _backend() -> object | None:
    """The libusb that came as a package, else None: pyusb then looks for the system's."""
    backend: object | None = libusb_package.get_libusb1_backend()
    return backend


def _string(device: usb.core.Device, index: int) -> str:
    """A text of the device; empty where it has none, or where we may not ask it."""
    if not index:
        return ""
    try:
        return str(usb.util.get_string(device, index) or "").strip()
    except (usb.core.USBError, ValueError, NotImplementedError):
        return ""
