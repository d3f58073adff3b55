"""Emulated boards on cables that lead into an emulated machine; pieces stand where they stand
whatever becomes of cable or machine, and hands play on.
"""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from eboards.emulator import Emulator
from eboards.transport.paced import PacedLine
from hardware.usb_device import AcmDevice, Badge

SPEED: Final = 2
"""Full speed, as boards have it."""
FIRST_DEVICE: Final = 65_538
"""Bus 1, device 2."""
BYTES_OF_A_MESSAGE: Final = 3
"""More than this, and it is a message that can be cut in two."""
IDLE_S: Final = 0.25


class UsbBoard:
    """A board with power of its own, and its cable. Its time is the real one; a thread plays it."""

    def __init__(self, emulator: Emulator, badge: Badge) -> None:
        self.badge = badge
        self._line = PacedLine(emulator)
        self._order = threading.Lock()
        self._cable: socket.socket | None = None
        self._device = AcmDevice(badge)
        self._cut_in_message = False
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)

    def begin(self) -> None:
        """Hands play, whether a cable is plugged in or not."""
        self._thread.start()

    def end(self) -> None:
        """Hands stop, and the cable is out."""
        self._ended.set()
        self._thread.join(30)
        self.pull()

    @property
    def plugged(self) -> bool:
        """True until the cable is out, or the machine behind it gone."""
        return self._cable is not None

    def plug(self, way: int, port: int) -> None:
        """Into this port of a machine whose cables come in by a way on loopback."""
        cable = socket.create_connection(("127.0.0.1", way), 30)
        cable.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        cable.sendall(f"{port} {FIRST_DEVICE + port} {SPEED}\n".encode())
        with self._order:
            self._let_go()
            self._device, self._cable = AcmDevice(self.badge), cable

    def pull(self) -> None:
        """The cable is out."""
        with self._order:
            self._let_go()

    def pull_in_message(self, wait: Callable[[Callable[[], bool], str, float], None]) -> None:
        """The cable is out in the middle of the next message. Returns once it is."""
        self._cut_in_message = True
        wait(lambda: not self.plugged, "a message to be cut", 60)

    def _let_go(self) -> None:
        if self._cable is not None:
            with suppress(OSError):
                self._cable.shutdown(socket.SHUT_RDWR)
            self._cable.close()
            self._cable = None

    def _play(self) -> None:
        while not self._ended.is_set():
            with self._order:
                cable = self._cable
                self._turn(cable)
            due_ns = self._line.due_at_ns
            now_ns = time.monotonic_ns()
            rest_s = IDLE_S if due_ns is None else min(IDLE_S, max(0, due_ns - now_ns) / 1e9)
            if cable is None:
                self._ended.wait(rest_s)
            else:
                with suppress(OSError, ValueError):  # It was pulled meanwhile.
                    select.select([cable], [], [], rest_s)

    def _turn(self, cable: socket.socket | None) -> None:
        if cable is not None:
            try:
                self._hear(cable)
            except OSError:
                self._let_go()
        said = self._line.advance(time.monotonic_ns())
        if not said or self._cable is None:
            return self._send()
        cut = self._cut_in_message and len(said) > BYTES_OF_A_MESSAGE
        self._device.say(said[: len(said) // 2] if cut else said)
        self._send()
        if cut:
            self._cut_in_message = False
            self._let_go()
        return None

    def _hear(self, cable: socket.socket) -> None:
        if select.select([cable], [], [], 0)[0]:
            data = cable.recv(65_536)
            if not data:
                raise ConnectionResetError
            if heard := self._device.receive(data):
                self._line.receive(heard, time.monotonic_ns())

    def _send(self) -> None:
        out = self._device.take()
        if self._cable is not None and out:
            try:
                self._cable.sendall(out)
            except OSError:
                self._let_go()
