"""Real devices by their name in the configuration: `edges.Links`."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path
from urllib.parse import urlsplit

from arbiterd.edges import Plugged, ServiceClock
from arbiterd.hall.links.drivers import DEFAULT, TAGGED, new_codec
from arbiterd.hall.links.tags import TagShelf
from eboards.codec import Codec, DeviceCommand
from eboards.csa.codec import CsaCodec
from eboards.dgt.bus_codec import DgtBusCodec
from eboards.discovery import usb
from eboards.discovery.probe import probe
from eboards.discovery.survey import survey
from eboards.discovery.usb import UsbDevice
from eboards.discovery.watch import PlugWatch
from eboards.events import DeviceEvent
from eboards.family import Family, WireKind
from eboards.livechess.codec import LiveChessCodec
from eboards.registry import FAMILIES, families_of, family
from eboards.transport import DeviceTrouble, Wire, WireError
from eboards.transport.ble import open_ble
from eboards.transport.bus import BusLines
from eboards.transport.opening import open_port
from eboards.transport.recording import RecordingError, read_file
from eboards.transport.replay import ReplayWire, heard
from eboards.transport.tcp import open_tcp
from eboards.transport.usbhid import open_usb
from eboards.transport.websocket import open_websocket
from eboards.usi.codec import UsiCodec

LIVECHESS_PATH = "/api/v1.0"


class Devices:
    """Opens what is plugged in, listens on the network, or was recorded."""

    def __init__(
        self, clock: ServiceClock, tags: TagShelf | None = None, root: Path = usb.ROOT
    ) -> None:
        self._clock = clock
        self._tags = tags
        """Where sets of tagged pieces are kept; None: they are forgotten with each session."""
        self._root = root
        self._watch: PlugWatch | None = None
        self._lines = BusLines(clock.now_ns, speed=clock.speed)
        self._played: set[Path] = set()
        """Recordings that were begun: each plays once."""

    async def open(self, device: str, driver: str) -> tuple[Wire, Codec]:
        """Raises WireError."""
        kind, _, address = device.partition(":")
        match kind:
            case "serial":
                return await self._port(address, driver, device)
            case "usb":
                return await self._usb(device, driver)
            case "tcp":
                return await self._tcp(address), self._codec(driver, device)
            case "csa" | "usi":
                wire = await self._tcp(address.removeprefix("tcp://"))
                return wire, CsaCodec() if kind == "csa" else UsiCodec()
            case "ble":
                chosen = [family(driver)] if driver else FAMILIES
                air, found = await open_ble(address, chosen, self._clock.now_ns)
                return air, self._codec(found.name, device)
            case "livechess":
                url, _, serial = address.partition("#")
                socket = await open_websocket(api_url(url), self._clock.now_ns)
                return socket, LiveChessCodec(serial)
            case "dgt-bus":
                path, _, number = address.rpartition("#")
                return self._lines.open(path, int(number)), DgtBusCodec(int(number))
            case "replay":
                return await self._replay(Path(address), driver), _Listening(new_codec(driver))
            case _:
                raise WireError(
                    DeviceTrouble.WRONG,
                    f"{device} cannot be opened by this version; name the board by its port,"
                    " as serial:/dev/…",
                )

    async def _port(self, path: str, driver: str, device: str) -> tuple[Wire, Codec]:
        chosen = family(driver) if driver else await self._found_family(path)
        return open_port(path, chosen, self._clock.now_ns), self._codec(chosen.name, device)

    async def _tcp(self, address: str) -> Wire:
        host, _, port = address.rpartition(":")
        return await open_tcp(host.strip("[]"), int(port), self._clock.now_ns)

    def _codec(self, driver: str, device: str) -> Codec:
        """One for a session; where pieces are known by tags, with the sets that were learnt."""
        if driver == TAGGED and self._tags is not None:
            return self._tags.codec(device)
        return new_codec(driver)

    async def _found_family(self, path: str) -> Family:
        """By the port's USB id where one family has it, else by asking."""
        known = _families_at(path, await self._plugs())
        if not known:
            return family(DEFAULT)
        if len(known) == 1:
            return known[0]
        answer = await probe(path, known, self._clock.now_ns, speed=self._clock.speed)
        if answer.family is None:
            raise WireError(DeviceTrouble.WRONG, f"{path} does not answer as any known board")
        return answer.family

    async def _plugs(self) -> tuple[UsbDevice, ...]:
        """What is on the bus. Each device is asked for its name: not for the loop."""
        return (await asyncio.to_thread(usb.look, self._root)).devices

    async def _usb(self, device: str, driver: str) -> tuple[Wire, Codec]:
        """By its node; a HID board of which the kernel makes none through libusb."""
        plugs = await self._plugs()
        node = usb.node_of(device, plugs, self._root)
        if node is not None:
            return await self._port(node, driver, device)
        if twins := [plug.nodes[0] for plug in usb.fitting(device, plugs)]:
            raise WireError(
                DeviceTrouble.WRONG,
                f"{device} fits {len(twins)} boards ({', '.join(twins)}); name the one that is"
                " meant by its port, as serial:/dev/chess/port-…",
            )
        _, vendor, product, *serial = device.split(":")
        ids = int(vendor, 16), int(product, 16)
        known = (family(driver),) if driver else families_of(*ids, "")
        chosen = next((each for each in known if each.wire is WireKind.HIDRAW), None)
        if chosen is None:
            raise WireError(DeviceTrouble.MISSING, f"{device} is not there; plug the board in")
        wire = open_usb(*ids, ":".join(serial), self._clock.now_ns)
        return wire, self._codec(chosen.name, device)

    async def _replay(self, file: Path, driver: str) -> Wire:
        if file in self._played:
            raise WireError(DeviceTrouble.GONE, f"the recording {file} has ended")
        try:
            text = await asyncio.to_thread(read_file, file)
            chunks = heard(text, new_codec(driver))
        except OSError as error:
            raise WireError(
                DeviceTrouble.MISSING, f"{file} cannot be read: {error.strerror}"
            ) from None
        except RecordingError as error:
            raise WireError(DeviceTrouble.WRONG, f"{file} is no recording: {error}") from None
        self._played.add(file)
        return ReplayWire(chunks, str(file), self._clock.now_ns, self._clock.until)

    async def plugged(self, claimed: Collection[str]) -> tuple[Plugged, ...]:
        found = await survey(
            self._clock.now_ns, claimed=claimed, root=self._root, speed=self._clock.speed
        )
        return tuple(
            Plugged(each.address, each.family.name, each.identity.serial if each.identity else "")
            for each in found.boards
            if each.family is not None
        )

    async def present(self, device: str) -> bool:
        return await asyncio.to_thread(self._is_plugged, device)

    def _is_plugged(self, device: str) -> bool:
        plugs = usb.look(self._root).devices
        nodes = {(self._root / "dev" / node).resolve() for plug in plugs for node in plug.nodes}
        return usb.port_of(device, plugs, self._root) in nodes

    async def changed(self) -> None:
        if self._watch is None:
            dev = self._root / "dev"
            self._watch = PlugWatch((dev, dev / "serial/by-id"))
        await self._watch.changed()


def _families_at(path: str, plugs: tuple[UsbDevice, ...]) -> list[Family]:
    """What the USB ids of a port allow for; empty where it is not on USB."""
    names = {Path(path).name, Path(path).resolve().name}
    return [
        found
        for plug in plugs
        if names & set(plug.nodes)
        for found in families_of(plug.vendor, plug.product, plug.name)
    ]


def api_url(url: str) -> str:
    """Where LiveChess listens, if the configuration names only its host and port."""
    return url if urlsplit(url).path.strip("/") else f"{url.rstrip('/')}{LIVECHESS_PATH}"


class _Listening:
    """A codec that only listens: nobody answers a recording's start-up."""

    def __init__(self, codec: Codec) -> None:
        self.driver, self.standing, self.sensing = codec.driver, codec.standing, codec.sensing
        self._codec = codec

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        return self._codec.receive(data, at_ns)

    def send(self, _command: DeviceCommand, _at_ns: int) -> bytes:
        return b""

    @property
    def due_at_ns(self) -> None:
        return None

    def due(self, at_ns: int) -> tuple[bytes, list[DeviceEvent]]:
        raise AssertionError(f"never due, and so not at {at_ns}")
