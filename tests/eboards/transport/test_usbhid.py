"""HID through libusb: what reaches the device. The device is a stand-in for pyusb's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from threading import Event, Semaphore
from typing import Any

import pytest
import usb.core
import usb.util

from eboards.codec import SetClock
from eboards.events import Side
from eboards.staunton.codec import StauntonCodec
from eboards.transport.usbhid import HID, UsbHidWire

MS = 1_000_000
OUT, IN = 0x01, 0x81


class Endpoint:
    """One way. Nothing ever comes in."""

    def __init__(self, address: int, take: Callable[[bytes], None]) -> None:
        self.bEndpointAddress, self.wMaxPacketSize = address, 32
        self._take, self._came = take, Event()

    def read(self, _size: int, wait_ms: int) -> bytes:
        self._came.wait(wait_ms / 1000)
        raise usb.core.USBTimeoutError("nothing")

    def write(self, data: bytes, _wait_ms: int) -> None:
        self._take(data)


class Interface:
    def __init__(self, *ends: Endpoint) -> None:
        self.bInterfaceClass, self.bInterfaceNumber = HID, 0
        self._ends = ends

    def __iter__(self) -> Iterator[Endpoint]:
        return iter(self._ends)


class Clock:
    """A device with one interface, with or without a way out of its own."""

    def __init__(self, *, endpoint: bool) -> None:
        self.sent: list[bytes] = []
        self.reports: list[int] = []
        self.written = Semaphore(0)
        ends = [Endpoint(address, self._take) for address in ((OUT, IN) if endpoint else (IN,))]
        self._interface = Interface(*ends)

    def get_active_configuration(self) -> list[Interface]:
        return [self._interface]

    def is_kernel_driver_active(self, _number: int) -> bool:
        return False

    def ctrl_transfer(self, kind: int, *said: Any) -> bytes:
        _request, report, _number, data, _wait_ms = said
        if kind == 0x21:
            self.reports.append(report)
            self._take(data)
        return b"\x06\x00\xff"

    def _take(self, data: bytes) -> None:
        self.sent.append(data)
        self.written.release()


@pytest.fixture(autouse=True)
def nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """pyusb takes and gives back what is no device of its own."""
    monkeypatch.setattr(usb.util, "claim_interface", lambda *_: None)
    monkeypatch.setattr(usb.util, "dispose_resources", lambda *_: None)


def sent(device: Clock, *reports: bytes) -> list[bytes]:
    async def write() -> None:
        wire = UsbHidWire(device, "usb:0925:1234", lambda: 0)
        for report in reports:
            wire.write(report)
        for _ in reports:
            assert await asyncio.to_thread(device.written.acquire, timeout=5)
        wire.close()

    asyncio.run(write())
    return device.sent


@pytest.mark.parametrize("endpoint", [True, False])
def test_a_clock_that_numbers_no_reports_is_set_byte_for_byte(endpoint: bool) -> None:
    """174, 1:29:57, 1:30:00, no increment, run left: one byte each and no zero before it."""
    codec, device = StauntonCodec(), Clock(endpoint=endpoint)
    codec.send(SetClock(5_397_000, 5_400_000, Side.LEFT), 0)
    reports = [codec.due(at_ns)[0] for at_ns in range(0, 2_000 * MS, 10 * MS)]

    assert b"".join(sent(device, *filter(None, reports))) == bytes(
        (174, 1, 29, 57, 1, 30, 0, 0, 180)
    )
    assert {len(data) for data in device.sent} == {1}
    assert set(device.reports) <= {0x0200}


@pytest.mark.parametrize("endpoint", [True, False])
def test_a_numbered_report_is_written_with_its_number(endpoint: bool) -> None:
    device = Clock(endpoint=endpoint)

    assert sent(device, b"\x21\x01\x00") == [b"\x21\x01\x00"]
    assert set(device.reports) <= {0x0221}
