"""All boards that are plugged in, each as one value, with what is wrong in words for people."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from eboards.discovery import usb
from eboards.discovery.probe import probe
from eboards.discovery.usb import UsbDevice
from eboards.events import Identity
from eboards.family import Family, WireKind
from eboards.registry import families_of
from eboards.transport import DeviceTrouble, NowNs, WireError


@dataclass(frozen=True, slots=True)
class FoundDevice:
    """A device that is plugged in."""

    port: str
    """Where it is now: `/dev/ttyACM0`."""
    address: str
    """How a configuration names it for good: by its serial number where it alone has it."""
    usb: UsbDevice
    family: Family | None = None
    identity: Identity | None = None
    trouble: DeviceTrouble | None = None
    note: str = ""
    """What is wrong and the mend, or why it was left alone; empty: nothing is."""


@dataclass(frozen=True, slots=True)
class Survey:
    """Everything found at one time."""

    found: tuple[FoundDevice, ...]
    told_by: str
    note: str = ""

    @property
    def boards(self) -> tuple[FoundDevice, ...]:
        """Those that answered as a known family does."""
        return tuple(each for each in self.found if each.family and each.trouble is None)

    @property
    def hindered(self) -> tuple[FoundDevice, ...]:
        """Devices of a known kind that are there and cannot be used: busy, forbidden."""
        return tuple(each for each in self.found if each.trouble is not None)


async def survey(
    now_ns: NowNs,
    *,
    claimed: Collection[str] = (),
    root: Path = usb.ROOT,
    speed: float = 1.0,
) -> Survey:
    """Look at the bus, and ask each port of a known kind who it is, all at once.

    Ports in `claimed` are in use by this very program, or named in its configuration, by any of
    their names: they are left alone and not told. Serial ports that are not on USB are never looked
    at.
    """
    bus = await asyncio.to_thread(usb.look, root)
    alone = {
        device
        for device in bus.devices
        if device.serial and len(usb.fitting(device.address, bus.devices)) == 1
    }
    held = {usb.port_of(each, bus.devices, root) for each in claimed}
    candidates = [
        (device, port, device.address if device in alone else f"serial:{port}")
        for device in bus.devices
        for node in device.nodes
        if (port := root / "dev" / node).resolve() not in held
    ]
    found = await asyncio.gather(
        *(_asked(device, str(port), address, now_ns, speed) for device, port, address in candidates)
    )
    return Survey(tuple(each for each in found if each is not None), bus.told_by, bus.note)


async def _asked(
    device: UsbDevice, port: str, address: str, now_ns: NowNs, speed: float
) -> FoundDevice | None:
    known = families_of(device.vendor, device.product, device.name)
    kind = WireKind.HIDRAW if "hidraw" in port else WireKind.SERIAL
    families = [family for family in known if family.wire is kind]
    found = FoundDevice(port, address, device)
    if not families:
        return None if kind is WireKind.HIDRAW else _unknown(found)
    try:
        answer = await probe(port, families, now_ns, speed=speed)
    except WireError as error:
        return FoundDevice(
            port, address, device, _only(families), trouble=error.trouble, note=str(error)
        )
    if answer.family is None:
        return FoundDevice(port, address, device, note=_strange(answer.heard))
    return FoundDevice(port, address, device, answer.family, answer.identity)


def _unknown(found: FoundDevice) -> FoundDevice:
    """A serial device that is none of ours: told, so that nobody looks for it in vain."""
    what = found.usb.name or f"{found.usb.vendor:04x}:{found.usb.product:04x}"
    note = f"{what} is of no known kind; nothing was written to it"
    return FoundDevice(found.port, found.address, found.usb, note=note)


def _strange(heard: bytes) -> str:
    if not heard:
        return "does not answer as any known board; is it switched on?"
    return f"answers what no known board would: {heard[:12].hex(' ')}"


def _only(families: Sequence[Family]) -> Family | None:
    """The family, where the id leaves no other."""
    return families[0] if len(families) == 1 else None
