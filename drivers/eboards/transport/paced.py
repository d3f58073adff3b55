"""A line that takes its time for every byte, between an emulator and whoever drives it."""

from __future__ import annotations

from collections import deque
from typing import Final

from eboards.emulator import Emulator

BYTE_9600_NS: Final = 1_041_667
"""Ten bits at 9600 baud."""
SLICE: Final = 16
"""So many bytes are handed over together; finer than that nobody reads."""


class PacedLine:
    """An emulator whose bytes come no faster than the line carries them, either way."""

    def __init__(self, emulator: Emulator, byte_ns: int = BYTE_9600_NS) -> None:
        self.emulator = emulator
        self._byte_ns = byte_ns
        self._to_computer: deque[tuple[int, bytes]] = deque()
        self._to_device: deque[tuple[int, bytes]] = deque()
        self._sent_until_ns = 0
        self._received_until_ns = 0

    @property
    def due_at_ns(self) -> int | None:
        times = [queue[0][0] for queue in (self._to_computer, self._to_device) if queue]
        inner_ns = self.emulator.due_at_ns
        if inner_ns is not None:
            times.append(inner_ns)
        return min(times, default=None)

    def receive(self, data: bytes, at_ns: int) -> None:
        self._run(at_ns)
        begin_ns = max(at_ns, self._received_until_ns)
        for byte in data:
            begin_ns += self._byte_ns
            self._to_device.append((begin_ns, bytes([byte])))
        self._received_until_ns = begin_ns

    def advance(self, at_ns: int) -> bytes:
        self._run(at_ns)
        passed = bytearray()
        while self._to_computer and self._to_computer[0][0] <= at_ns:
            passed += self._to_computer.popleft()[1]
        return bytes(passed)

    def _run(self, at_ns: int) -> None:
        """Let the device live through every moment at which it gets or gives something."""
        while self._to_device and self._to_device[0][0] <= at_ns:
            arrived_ns, byte = self._to_device.popleft()
            self._let_send(arrived_ns)
            self.emulator.receive(byte, arrived_ns)
        self._let_send(at_ns)

    def _let_send(self, at_ns: int) -> None:
        while (due_ns := self.emulator.due_at_ns) is not None and due_ns <= at_ns:
            self._queue(self.emulator.advance(due_ns), due_ns)
        self._queue(self.emulator.advance(at_ns), at_ns)

    def _queue(self, data: bytes, at_ns: int) -> None:
        begin_ns = max(at_ns, self._sent_until_ns)
        for start in range(0, len(data), SLICE):
            piece = data[start : start + SLICE]
            begin_ns += len(piece) * self._byte_ns
            self._to_computer.append((begin_ns, piece))
        self._sent_until_ns = max(self._sent_until_ns, begin_ns)
