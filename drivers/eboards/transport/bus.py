"""A bus line shared by several boards: each of them is a wire of its own to whoever opens it.

    lines = BusLines(now_ns)
    wire = lines.open("/dev/ttyUSB0", 1025)

The line itself is opened with its first board and closed with its last. What is written to a
board's wire are whole bus commands, asked when it is their turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from eboards.dgt.bus_poller import BusPoller
from eboards.dgt.family import BUS_LINE
from eboards.transport import Chunk, DeviceTrouble, NowNs, Wire, WireError
from eboards.transport.inbox import Inbox
from eboards.transport.serial import open_serial

LATE_S = 0.005


class BusWire:
    """One board on a line."""

    def __init__(self, port: str, address: int, line: BusLine) -> None:
        self.port = f"{port}#{address}"
        self.address = address
        self._line = line
        self._inbox = Inbox()

    async def read(self) -> Chunk:
        return await self._inbox.read()

    def write(self, data: bytes) -> None:
        self._inbox.check()
        self._line.ask(data)

    def close(self) -> None:
        self.gone(WireError(DeviceTrouble.GONE, f"{self.port} was closed"))
        self._line.leave(self)

    def heard(self, chunk: Chunk) -> None:
        """Something came while this board was asked; nothing, where it did not answer."""
        self._inbox.hear(chunk)

    def gone(self, error: WireError) -> None:
        """There is no line any more."""
        self._inbox.close(error)


class BusLine:
    """Asks, listens and hands out. Lives as long as one of its boards is wanted."""

    def __init__(self, wire: Wire, now_ns: NowNs, speed: float, on_end: Callable[[], None]) -> None:
        self._wire = wire
        self._now_ns = now_ns
        self._speed = speed
        self._on_end = on_end
        self._poller = BusPoller()
        self._boards: dict[int, BusWire] = {}
        self._asked = asyncio.Event()
        self._over = False
        self._task = asyncio.get_running_loop().create_task(self._run())

    def join(self, address: int) -> BusWire:
        """Raises `WireError` where somebody has this board already."""
        if address in self._boards:
            sentence = f"{self._wire.port}#{address} belongs to another table; give each its own"
            raise WireError(DeviceTrouble.BUSY, sentence)
        board = self._boards[address] = BusWire(self._wire.port, address, self)
        self._poller.add(address)
        self._asked.set()
        return board

    def leave(self, board: BusWire) -> None:
        """Without its last board the line is closed."""
        if self._boards.get(board.address) is not board:
            return
        del self._boards[board.address]
        self._poller.remove(board.address)
        if not self._boards:
            self._task.cancel()
            self._end()

    def ask(self, data: bytes) -> None:
        """Whole commands for a board on this line."""
        self._poller.ask(data)
        self._asked.set()

    async def _run(self) -> None:
        reading: asyncio.Future[Chunk] = asyncio.ensure_future(self._wire.read())
        try:
            while True:
                reading = await self._turn(reading)
        except WireError as error:
            self._end()
            for board in list(self._boards.values()):
                board.gone(error)
        finally:
            reading.cancel()

    async def _turn(self, reading: asyncio.Future[Chunk]) -> asyncio.Future[Chunk]:
        """One question, one answer, or the wait for either."""
        at_ns = self._now_ns()
        due_ns = self._poller.due_at_ns
        if due_ns is not None and due_ns <= at_ns and self._poller.waiting and not reading.done():
            # This process may have been the late one, and the answer lie unread.
            await asyncio.wait((reading,), timeout=LATE_S)
        if due_ns is not None and due_ns <= at_ns and not reading.done():
            question = self._poller.due(at_ns)
            if question:
                self._wire.write(question)
            self._hand_out(Chunk(at_ns, b""))  # Whose question was given up has to be told.
            due_ns = self._poller.due_at_ns
        self._asked.clear()
        asked = asyncio.ensure_future(self._asked.wait())
        wait = None if due_ns is None else max(0, due_ns - at_ns) / 1e9 / self._speed
        await asyncio.wait((reading, asked), timeout=wait, return_when=asyncio.FIRST_COMPLETED)
        asked.cancel()
        if not reading.done():
            return reading
        self._hand_out(reading.result())
        return asyncio.ensure_future(self._wire.read())

    def _hand_out(self, chunk: Chunk) -> None:
        for address, data in self._poller.receive(chunk.data, chunk.at_ns):
            if address in self._boards:
                self._boards[address].heard(Chunk(chunk.at_ns, data))

    def _end(self) -> None:
        """Once: at its port another line may have begun since."""
        if self._over:
            return
        self._over = True
        self._wire.close()
        self._on_end()


class BusLines:
    """All lines in use, by their ports."""

    def __init__(self, now_ns: NowNs, *, speed: float = 1.0) -> None:
        self._now_ns = now_ns
        self._speed = speed
        self._lines: dict[str, BusLine] = {}

    def open(self, path: str, address: int) -> BusWire:
        """One board of the line at this port. Raises `WireError`."""
        if path not in self._lines:
            wire = open_serial(path, self._now_ns, BUS_LINE)
            ended = partial(self._ended, path)
            self._lines[path] = BusLine(wire, self._now_ns, self._speed, ended)
        return self._lines[path].join(address)

    def _ended(self, path: str) -> None:
        self._lines.pop(path, None)
