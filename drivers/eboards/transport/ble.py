"""Boards over Bluetooth LE, by bleak: a wire of notifications one way and writes the other.

bleak comes with the extra `ble`; without it a sentence says so. Nothing is paired.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from eboards.family import Family, Radio
from eboards.transport import Chunk, DeviceTrouble, NowNs, WireError
from eboards.transport.inbox import Inbox

if TYPE_CHECKING:
    from bleak import BleakClient

LOOK_S: Final = 10.0
"""A board tells its name about once a second."""


@dataclass(frozen=True, slots=True)
class AdvertisedBoard:
    """A board that tells its name over the air."""

    address: str
    name: str
    family: Family


async def heard(families: Sequence[Family], seconds: float = LOOK_S) -> tuple[AdvertisedBoard, ...]:
    """Boards of these families that are switched on and not connected to anybody."""
    bleak = _bleak()
    try:
        devices = await bleak.BleakScanner.discover(seconds)
    except (bleak.exc.BleakError, OSError, EOFError) as error:
        raise _no_bluetooth(error) from error
    named = ((device, _family_of(device.name or "", families)) for device in devices)
    found = [
        AdvertisedBoard(device.address, device.name, of) for device, of in named if of is not None
    ]
    return tuple(sorted(found, key=lambda each: each.address))


async def open_ble(
    address: str, families: Sequence[Family], now_ns: NowNs
) -> tuple[BleWire, Family]:
    """Connects to one of these families by what it calls itself. Raises `WireError`."""
    bleak = _bleak()
    try:
        device = await bleak.BleakScanner.find_device_by_address(address, LOOK_S)
        if device is None:
            raise WireError(
                DeviceTrouble.MISSING, f"{address} is not heard; switch the board on, close to here"
            )
        of = _family_of(device.name or "", families)
        if of is None or of.radio is None:
            sentence = f"{address} calls itself {device.name!r}; no driver knows that over the air"
            raise WireError(DeviceTrouble.WRONG, sentence)
        wire = BleWire(address, of.radio, now_ns)
        client = bleak.BleakClient(device, disconnected_callback=wire.gone)
        await client.connect()
        try:
            await wire.begin(client)
        except BaseException:
            wire.close()  # Else it stays connected to us, and nobody can connect to it.
            raise
    except (bleak.exc.BleakError, OSError, EOFError, TimeoutError) as error:
        raise _no_bluetooth(error) from error
    return wire, of


def _bleak() -> Any:
    try:
        import bleak
    except ImportError:
        raise WireError(
            DeviceTrouble.WRONG,
            "Bluetooth needs bleak: install arbiterd with its extra, arbiterd[ble]",
        ) from None
    return bleak


def _family_of(name: str, families: Sequence[Family]) -> Family | None:
    return next((of for of in families if of.radio and of.radio.fits(name)), None)


def _no_bluetooth(error: Exception) -> WireError:
    said = error.strerror if isinstance(error, OSError) else str(error)
    reason = said or type(error).__name__
    return WireError(
        DeviceTrouble.WRONG,
        f"Bluetooth fails ({reason}); is the adapter on, and bluetoothd running?",
    )


class BleWire:
    """One connection. Writes leave in order, no closer together than the board can take them."""

    def __init__(self, address: str, radio: Radio, now_ns: NowNs) -> None:
        self.port = f"ble:{address}"
        self._radio, self._now_ns = radio, now_ns
        self._inbox = Inbox()
        self._unsent: asyncio.Queue[bytes] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._client: BleakClient | None = None

    async def begin(self, client: BleakClient) -> None:
        """The connection stands: listen, and send what is to be sent."""
        self._client = client
        for characteristic in self._radio.notify:
            await client.start_notify(characteristic, self._heard)
        self._start(self._send(client))

    async def read(self) -> Chunk:
        """The next notification; those that came before the board went are still given."""
        return await self._inbox.read()

    def write(self, data: bytes) -> None:
        self._inbox.check()
        self._unsent.put_nowait(data)

    def close(self) -> None:
        client, self._client = self._client, None
        if client is None:
            return
        for task in self._tasks:
            task.cancel()
        self._break(f"{self.port} was closed")
        self._start(client.disconnect())

    def gone(self, _client: BleakClient) -> None:
        """bleak says that the connection is no more."""
        self._break(f"{self.port} is out of reach, or was switched off")

    def _heard(self, _characteristic: Any, data: bytearray) -> None:
        self._inbox.hear(Chunk(self._now_ns(), bytes(data)))

    async def _send(self, client: BleakClient) -> None:
        from bleak.exc import BleakError

        loop = asyncio.get_running_loop()
        while not self._inbox.broken:
            data = await self._unsent.get()
            try:
                await client.write_gatt_char(self._radio.write, data)
            except (BleakError, OSError, EOFError) as error:
                self._break(f"{self.port} takes nothing more ({error})")
                return
            rested = asyncio.Event()
            loop.call_later(self._radio.gap_ms / 1000, rested.set)
            await rested.wait()

    def _break(self, sentence: str) -> None:
        self._inbox.close(WireError(DeviceTrouble.GONE, sentence))

    def _start(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
