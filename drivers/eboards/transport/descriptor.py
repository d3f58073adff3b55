"""Any device behind a non-blocking descriptor: serial ports, sockets, raw HID.

An unplugged device is readable and gives nothing, or an error; both mean that it is gone.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Final

from eboards.transport import Chunk, DeviceTrouble, NowNs, WireError
from eboards.transport.inbox import Inbox
from eboards.transport.readiness import Readiness

READ_BYTES: Final = 4096
UNSENT_MAX: Final = 64 * 1024
"""A device that takes nothing for so long is given up."""


class DescriptorWire:
    """Reads when there is something, stamps it at once, and never blocks on a write."""

    def __init__(
        self, descriptor: int, port: str, now_ns: NowNs, on_close: Callable[[], None]
    ) -> None:
        self.port = port
        self._descriptor = descriptor
        self._now_ns = now_ns
        self._on_close = on_close
        self._loop = asyncio.get_running_loop()
        self._inbox = Inbox()
        self._unsent = bytearray()
        self._open = True
        self._resting = False
        """Nobody takes what was read: the rest waits in the device."""
        self._listen()

    async def read(self) -> Chunk:
        """The next bytes; what was read before the device went is still given."""
        chunk = await self._inbox.read()
        if self._resting and self._open and not self._inbox.enough:
            self._resting = False
            self._listen()
        return chunk

    def write(self, data: bytes) -> None:
        """Send now what goes now; the rest as soon as the device takes it."""
        self._inbox.check()
        if self._unsent:
            self._unsent += data
            if len(self._unsent) > UNSENT_MAX:
                self._break(f"{self.port} takes no more bytes; unplug it and plug it in again")
            return
        self._unsent += data
        self._send()
        if self._unsent and self._open:
            self._loop.add_writer(self._descriptor, self._writable)

    def close(self) -> None:
        if not self._open:
            return
        self._open = False
        self._readiness.remove(self._descriptor)
        self._loop.remove_writer(self._descriptor)
        self._on_close()
        self._inbox.close(WireError(DeviceTrouble.GONE, f"{self.port} was closed"))

    def _listen(self) -> None:
        # Asked anew each time: one that has no line left is put away.
        self._readiness = Readiness.here()
        self._readiness.add(self._descriptor, self._readable)

    def _readable(self) -> None:
        try:
            data = os.read(self._descriptor, READ_BYTES)
        except BlockingIOError:
            return
        except OSError as error:
            self._break(f"{self.port} was unplugged ({error.strerror})")
            return
        if not data:
            self._break(f"{self.port} was unplugged")
            return
        self._inbox.hear(Chunk(self._now_ns(), data))
        if self._inbox.enough:
            self._resting = True
            self._readiness.remove(self._descriptor)

    def _writable(self) -> None:
        self._send()
        if not self._unsent:
            self._loop.remove_writer(self._descriptor)

    def _send(self) -> None:
        try:
            sent = os.write(self._descriptor, self._unsent)
        except BlockingIOError:
            return
        except OSError as error:
            self._break(f"{self.port} was unplugged ({error.strerror})")
            return
        del self._unsent[:sent]

    def _break(self, sentence: str) -> None:
        self._inbox.close(WireError(DeviceTrouble.GONE, sentence))
        self.close()
