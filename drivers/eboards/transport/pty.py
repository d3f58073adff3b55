"""An emulated device behind a pseudo-terminal, for programs that open serial ports.

The emulator's time is the clock handed in, which may run faster than the machine's; the hands
that play on it call `stir` after each thing they do.
"""

from __future__ import annotations

import asyncio
import os
import pty
import tty
from contextlib import suppress
from pathlib import Path
from typing import Final

from eboards.emulator import Emulator
from eboards.transport import NowNs

READ_BYTES: Final = 4096


class PtyServer:
    """Serves one emulator. Begins at once; must be made inside a running loop."""

    def __init__(
        self, emulator: Emulator, now_ns: NowNs, *, speed: float = 1.0, link: Path | None = None
    ) -> None:
        self.emulator = emulator
        self._now_ns = now_ns
        self._speed = speed
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        # The far end stays open here too: else the near one reports an end between two users.
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)
        self._link = link
        if link is not None:
            link.parent.mkdir(parents=True, exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to(self.path)
        self._loop.add_reader(self._master, self._readable)
        self.stir()

    @property
    def port(self) -> str:
        """What a program opens."""
        return self.path if self._link is None else str(self._link)

    def stir(self) -> None:
        """Something happened to the device: send what is due, and set the timer anew."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._master < 0:
            return
        now_ns = self._now_ns()
        self._send(self.emulator.advance(now_ns))
        due_ns = self.emulator.due_at_ns
        if due_ns is not None:
            wait = max(0, due_ns - now_ns) / 1e9 / self._speed
            self._timer = self._loop.call_later(wait, self.stir)

    def close(self) -> None:
        """Pull the plug: whoever has it open reads an end. A second time does nothing."""
        if self._master < 0:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._loop.remove_reader(self._master)
        os.close(self._master)
        os.close(self._slave)
        self._master = -1
        if self._link is not None:
            with suppress(FileNotFoundError):
                self._link.unlink()

    def _readable(self) -> None:
        try:
            data = os.read(self._master, READ_BYTES)
        except OSError:
            return
        self.emulator.receive(data, self._now_ns())
        self.stir()

    def _send(self, data: bytes) -> None:
        """A line without a listener loses what is sent, as a cable does."""
        with suppress(BlockingIOError):
            os.write(self._master, data)
