"""What runs inside the guest: the driver's own wire over libusb, pumped to the machine outside.

Descriptors 4 and 5 are the guest's ports: bytes of the board, and words about it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

from eboards.transport import WireError
from eboards.transport.usbhid import UsbHidWire, open_usb

BOARD, CONTROL = 4, 5
VENDOR, PRODUCT = 0x2D80, 0x8202


def say(words: str) -> None:
    os.write(CONTROL, f"{words}\n".encode())


def nodes() -> int:
    """So many raw nodes the kernel's driver has made."""
    return len(list(Path("/dev").glob("hidraw*")))


async def opened() -> UsbHidWire:
    while True:
        try:
            return open_usb(VENDOR, PRODUCT, "", time.monotonic_ns)
        except WireError as error:
            print(error, flush=True)
            await asyncio.sleep(0.1)


async def released(wire: UsbHidWire) -> None:
    """Lets go, and tells when the kernel has its device again."""
    wire.close()
    for _ in range(100):
        await asyncio.sleep(0.1)
        if nodes():
            break
    say(f"released {nodes()}")


async def main() -> None:
    loop = asyncio.get_running_loop()
    while True:
        wire = await opened()
        loop.add_reader(BOARD, lambda wire=wire: wire.write(os.read(BOARD, 65536)))
        loop.add_signal_handler(signal.SIGTERM, wire.close)
        say(f"found usb 0003:{VENDOR:08X}:{PRODUCT:08X} {nodes()}")
        try:
            while True:
                chunk = await wire.read()
                os.write(BOARD, chunk.data)
        except WireError as error:
            loop.remove_reader(BOARD)
            wire.close()
            if "was closed" in str(error):
                return await released(wire)
            say("gone")


if __name__ == "__main__":
    asyncio.run(main())
