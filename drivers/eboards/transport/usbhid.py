"""USB HID through libusb, where the kernel makes no raw node of a device.

The interface is taken from the kernel's driver while it is open, and given back. A report is read
with its id first and written so, as on a raw node; a raw node takes a zero for the id of a device
that numbers none, and keeps it. One thread reads, one writes: libusb waits.
"""

from __future__ import annotations

import asyncio
import errno
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from typing import Any, Final

import libusb_package
import usb.core
import usb.util

from eboards.transport import Chunk, DeviceTrouble, NowNs, WireError
from eboards.transport.hidraw import MAKERS_PAGE
from eboards.transport.inbox import Inbox

HID: Final = 3
"""The class of an interface."""
WAIT_MS: Final = 200
"""So often the reading thread looks whether it is to stop."""
WRITE_MS: Final = 1_000
UNNUMBERED: Final = 0x00
"""The first byte of a report of a device that numbers none: it is not sent."""


def open_usb(vendor: int, product: int, serial: str, now_ns: NowNs) -> UsbHidWire:
    """Raises `WireError` that names the device and the mend. `serial` empty: any."""
    name = f"usb:{vendor:04x}:{product:04x}" + (f":{serial}" if serial else "")
    try:
        backend = libusb_package.get_libusb1_backend()
        found = usb.core.find(
            True,
            backend,
            lambda device: not serial or _serial(device) == serial,
            idVendor=vendor,
            idProduct=product,
        )
        devices = list(found or ())
        if not devices:
            raise WireError(DeviceTrouble.MISSING, f"{name} is not there; plug the board in")
        if len(devices) > 1:
            sentence = f"{name} is there twice; add its serial number"
            raise WireError(DeviceTrouble.MISSING, sentence)
        return UsbHidWire(devices[0], name, now_ns)
    except usb.core.NoBackendError:
        raise WireError(DeviceTrouble.WRONG, "there is no libusb on this machine") from None
    except usb.core.USBError as error:
        raise _refused(name, error) from error


def _serial(device: Any) -> str:
    """Empty where it has none, or where we may not ask it."""
    try:
        return str(usb.util.get_string(device, device.iSerialNumber) or "").strip()
    except (usb.core.USBError, ValueError):
        return ""


def _refused(name: str, error: usb.core.USBError) -> WireError:
    if error.errno in (errno.EACCES, errno.EPERM):
        sentence = f"{name} may not be opened; install the udev rules, or add yourself to dialout"
        return WireError(DeviceTrouble.FORBIDDEN, sentence)
    if error.errno == errno.EBUSY:
        return WireError(DeviceTrouble.BUSY, f"{name} is in use by another program; close it")
    return WireError(DeviceTrouble.GONE, f"{name} cannot be used ({error}); plug it in again")


class UsbHidWire:
    """One interface of one device."""

    def __init__(self, device: Any, name: str, now_ns: NowNs) -> None:
        self.port = name
        self._device, self._now_ns = device, now_ns
        self._taken: list[int] = []
        self._loop = asyncio.get_running_loop()
        self._inbox = Inbox()
        self._stop = Event()
        try:
            interface = self._interface()
        except usb.core.USBError:
            self._give_back()
            raise
        self._number = interface.bInterfaceNumber
        ends = [(usb.util.endpoint_direction(end.bEndpointAddress), end) for end in interface]
        self._in = next(end for way, end in ends if way == usb.util.ENDPOINT_IN)
        self._out = next((end for way, end in ends if way == usb.util.ENDPOINT_OUT), None)
        self._writer = ThreadPoolExecutor(1, "usb-write")
        self._reader = ThreadPoolExecutor(1, "usb-read")
        self._reader.submit(self._read_on)

    async def read(self) -> Chunk:
        """The next report; what was read before the device went is still given."""
        return await self._inbox.read()

    def write(self, data: bytes) -> None:
        self._inbox.check()
        self._writer.submit(self._write, data)

    def close(self) -> None:
        """The threads let go by themselves, and the kernel's driver comes back."""
        self._stop.set()
        self._break(f"{self.port} was closed")
        self._writer.shutdown(wait=False)
        self._reader.shutdown(wait=False)

    # On the way in and out.

    def _interface(self) -> Any:
        """The board's own of its HID interfaces, taken from the kernel."""
        found = [each for each in self._device.get_active_configuration() if _is_hid(each)]
        for interface in found:
            number = interface.bInterfaceNumber
            self._take(number)
            head = self._device.ctrl_transfer(0x81, 0x06, 0x2200, number, 64, WRITE_MS)
            if len(found) == 1 or bytes(head).startswith(MAKERS_PAGE):
                return interface
            self._give_back()
        raise usb.core.USBError("it has no interface of a board", errno=errno.ENODEV)

    def _take(self, number: int) -> None:
        if self._device.is_kernel_driver_active(number):
            self._device.detach_kernel_driver(number)
            self._taken.append(number)
        usb.util.claim_interface(self._device, number)

    def _give_back(self) -> None:
        """A device that is gone needs nothing back."""
        with suppress(usb.core.USBError):
            usb.util.dispose_resources(self._device)
            while self._taken:
                self._device.attach_kernel_driver(self._taken.pop())

    # In the threads.

    def _read_on(self) -> None:
        while not self._stop.is_set():
            try:
                data = bytes(self._in.read(self._in.wMaxPacketSize, WAIT_MS))
            except usb.core.USBTimeoutError:
                continue
            except usb.core.USBError as error:
                self._tell(self._break, f"{self.port} was unplugged ({error.strerror})")
                break
            self._tell(self._heard, Chunk(self._now_ns(), data))
        self._give_back()

    def _write(self, data: bytes) -> None:
        report = 0x0200 | data[0]
        if data[0] == UNNUMBERED:
            data = data[1:]
        try:
            if self._out is not None:
                self._out.write(data, WRITE_MS)
            else:
                self._device.ctrl_transfer(0x21, 0x09, report, self._number, data, WRITE_MS)
        except usb.core.USBError as error:
            self._tell(self._break, f"{self.port} takes nothing more ({error.strerror})")

    def _tell(self, what: Any, value: Any) -> None:
        with suppress(RuntimeError):  # The loop has ended before the thread.
            self._loop.call_soon_threadsafe(what, value)

    # In the loop.

    def _heard(self, chunk: Chunk) -> None:
        self._inbox.hear(chunk)

    def _break(self, sentence: str) -> None:
        self._inbox.close(WireError(DeviceTrouble.GONE, sentence))


def _is_hid(interface: Any) -> bool:
    return bool(interface.bInterfaceClass == HID)
