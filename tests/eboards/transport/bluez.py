"""A machine with Bluetooth, as far as programs on it can tell: the objects of org.bluez on a bus of
its own, and an emulated board behind them. No radio takes part.

    bleak ──D-Bus──▶ adapter, device, characteristics ──▶ emulator
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from dbus_fast import BusType, PropertyAccess
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import (
    DBusBool,
    DBusBytes,
    DBusDict,
    DBusInt16,
    DBusObjectPath,
    DBusSignature,
    DBusStr,
)
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property

from eboards.emulator import Emulator

Nothing: TypeAlias = Annotated[None, DBusSignature("")]
Texts: TypeAlias = Annotated[list[str], DBusSignature("as")]

ADAPTER = "/org/bluez/hci0"
NOTIFICATION_BYTES = 20
"""What fits the smallest notification: messages come in pieces."""
CONFIG = """<busconfig><type>session</type><listen>unix:path={}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy></busconfig>"""
"""Everybody may say everything, as on a bus of one user."""


class Adapter(ServiceInterface):
    def __init__(self, address: str) -> None:
        super().__init__("org.bluez.Adapter1")
        self._address = address
        self.in_reach: list[Device] = []

    @dbus_property(access=PropertyAccess.READ, name="Address")
    def address(self) -> DBusStr:
        return self._address

    @dbus_property(access=PropertyAccess.READ, name="Powered")
    def powered(self) -> DBusBool:
        return True

    @dbus_property(access=PropertyAccess.READ, name="Roles")
    def roles(self) -> Texts:
        return ["central"]

    @dbus_property(access=PropertyAccess.READ, name="Discovering")
    def discovering(self) -> DBusBool:
        return False

    @dbus_method(name="SetDiscoveryFilter")
    def set_discovery_filter(self, properties: DBusDict) -> Nothing:
        pass

    @dbus_method(name="StartDiscovery")
    def start_discovery(self) -> Nothing:
        for device in self.in_reach:
            asyncio.get_running_loop().call_later(0.05, device.call_out)

    @dbus_method(name="StopDiscovery")
    def stop_discovery(self) -> Nothing:
        pass


class Device(ServiceInterface):
    """A board that is heard; connected when asked to be."""

    def __init__(self, address: str, name: str) -> None:
        super().__init__("org.bluez.Device1")
        self._address, self._name, self.connected = address, name, False

    @dbus_property(access=PropertyAccess.READ, name="Address")
    def address(self) -> DBusStr:
        return self._address

    @dbus_property(access=PropertyAccess.READ, name="Name")
    def called(self) -> DBusStr:
        return self._name

    @dbus_property(access=PropertyAccess.READ, name="Alias")
    def alias(self) -> DBusStr:
        return self._name

    @dbus_property(access=PropertyAccess.READ, name="Adapter")
    def adapter(self) -> DBusObjectPath:
        return ADAPTER

    @dbus_property(access=PropertyAccess.READ, name="UUIDs")
    def uuids(self) -> Texts:
        return []

    @dbus_property(access=PropertyAccess.READ, name="RSSI")
    def rssi(self) -> DBusInt16:
        return -60

    @dbus_property(access=PropertyAccess.READ, name="Connected")
    def is_connected(self) -> DBusBool:
        return self.connected

    @dbus_property(access=PropertyAccess.READ, name="ServicesResolved")
    def services_resolved(self) -> DBusBool:
        return self.connected

    @dbus_method(name="Connect")
    def connect(self) -> Nothing:
        self.be(connected=True)

    @dbus_method(name="Disconnect")
    def disconnect(self) -> Nothing:
        self.be(connected=False)

    def call_out(self) -> None:
        """It tells its name, and is heard so loud."""
        self.emit_properties_changed({"RSSI": -60})

    def be(self, *, connected: bool) -> None:
        self.connected = connected
        self.emit_properties_changed({"Connected": connected, "ServicesResolved": connected})


class Service(ServiceInterface):
    def __init__(self, device: str, uuid: str) -> None:
        super().__init__("org.bluez.GattService1")
        self._device, self._uuid = device, uuid

    @dbus_property(access=PropertyAccess.READ, name="UUID")
    def uuid(self) -> DBusStr:
        return self._uuid

    @dbus_property(access=PropertyAccess.READ, name="Primary")
    def primary(self) -> DBusBool:
        return True

    @dbus_property(access=PropertyAccess.READ, name="Device")
    def device(self) -> DBusObjectPath:
        return self._device


class Characteristic(ServiceInterface):
    """One that is written to, or one that notifies."""

    def __init__(
        self, service: str, uuid: str, flags: list[str], written: Callable[[bytes], None]
    ) -> None:
        super().__init__("org.bluez.GattCharacteristic1")
        self._service, self._uuid, self._flags = service, uuid, flags
        self._written, self.notifying = written, False
        self._value = b""

    @dbus_property(access=PropertyAccess.READ, name="UUID")
    def uuid(self) -> DBusStr:
        return self._uuid

    @dbus_property(access=PropertyAccess.READ, name="Service")
    def service(self) -> DBusObjectPath:
        return self._service

    @dbus_property(access=PropertyAccess.READ, name="Flags")
    def flags(self) -> Texts:
        return self._flags

    @dbus_property(access=PropertyAccess.READ, name="Value")
    def value(self) -> DBusBytes:
        return self._value

    @dbus_method(name="WriteValue")
    def write_value(self, value: DBusBytes, options: DBusDict) -> Nothing:
        self._written(bytes(value))

    @dbus_method(name="StartNotify")
    def start_notify(self) -> Nothing:
        self.notifying = True

    @dbus_method(name="StopNotify")
    def stop_notify(self) -> Nothing:
        self.notifying = False

    def tell(self, data: bytes) -> None:
        self._value = data
        self.emit_properties_changed({"Value": data})


@dataclass(frozen=True)
class Machine:
    """The bus and its adapter."""

    bus: MessageBus
    adapter: Adapter


class Air:
    """One board within reach."""

    def __init__(self, emulator: Any, now_ns: Callable[[], int]) -> None:
        self.emulator: Emulator = emulator
        self.writes: list[tuple[int, bytes]] = []
        self.device: Device
        self._now_ns = now_ns
        self._notifying: Characteristic
        self._timer: asyncio.TimerHandle | None = None

    def publish(
        self, machine: Machine, address: str, name: str, write: str, notify: tuple[str, ...]
    ) -> None:
        """Everything a board is on the bus; the first that notifies tells all."""
        bus = machine.bus
        path = f"{ADAPTER}/dev_{address.replace(':', '_')}"
        service = f"{path}/service0001"
        self.device = Device(address, name)
        found = [Characteristic(service, uuid, ["notify"], self._written) for uuid in notify]
        taker = Characteristic(service, write, ["write-without-response", "write"], self._written)
        self._notifying = found[0]
        for number, each in enumerate((*found, taker), start=2):
            bus.export(f"{service}/char{number:04x}", each)
        bus.export(service, Service(path, write))
        bus.export(path, self.device)
        machine.adapter.in_reach.append(self.device)

    def _written(self, data: bytes) -> None:
        self.writes.append((self._now_ns(), data))
        self.emulator.receive(data, self._now_ns())
        self.stir()

    def stir(self) -> None:
        """Tell what is due, in notifications, and come again when something else is."""
        if self._timer is not None:
            self._timer.cancel()
        now_ns = self._now_ns()
        said = self.emulator.advance(now_ns)
        if self.device.connected and self._notifying.notifying:
            for begin in range(0, len(said), NOTIFICATION_BYTES):
                self._notifying.tell(said[begin : begin + NOTIFICATION_BYTES])
        due_ns = self.emulator.due_at_ns
        wait_s = 0.05 if due_ns is None else min(0.05, max(0, due_ns - now_ns) / 1e9)
        self._timer = asyncio.get_running_loop().call_later(wait_s, self.stir)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


@asynccontextmanager
async def system_bus(folder: Path) -> AsyncIterator[Machine]:
    """A bus of our own, on which the name org.bluez is ours."""
    config, socket = folder / "bus.conf", folder / "bus"
    config.write_text(CONFIG.format(socket), "utf-8")
    daemon = await asyncio.create_subprocess_exec(
        "dbus-daemon", f"--config-file={config}", "--nofork", "--nopidfile", "--print-address",
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    before = os.environ.get("DBUS_SYSTEM_BUS_ADDRESS")
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={socket}"
    try:
        assert daemon.stdout is not None
        await asyncio.wait_for(daemon.stdout.readline(), 10)  # It listens once it has said where.
        bus = await MessageBus(bus_type=BusType.SYSTEM, negotiate_unix_fd=True).connect()
        adapter = Adapter("00:00:00:00:00:01")
        bus.export(ADAPTER, adapter)
        await bus.request_name("org.bluez")
        yield Machine(bus, adapter)
        bus.disconnect()
    finally:
        daemon.terminate()
        await daemon.wait()
        if before is None:
            del os.environ["DBUS_SYSTEM_BUS_ADDRESS"]
        else:
            os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = before
