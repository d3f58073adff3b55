"""Boards on wires that lose, flip, double and delay bytes, and on ports that come and go."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Collection, Mapping
from random import Random

from arbiterd.edges import Plugged, ServiceClock
from arbiterd.simulation.devices.emulated import EmulatedTable
from arbiterd.simulation.profiles import SECOND
from arbiterd.simulation.rehearsal.script import Trouble, TroubleKind
from eboards.codec import Codec
from eboards.dgt.codec import DgtCodec
from eboards.transport import Chunk, Wire, WireError
from eboards.transport import DeviceTrouble as Why

LOOK_NS = SECOND // 2
"""A port that is gone is noticed within this."""
OPENS_S = 0.05


class PluggedBoard:
    """One board, its cable and its port; it is there whether or not anybody listens.

    Times are the world's, in nanoseconds.
    """

    def __init__(self, board: EmulatedTable) -> None:
        self.board = board
        self.troubles: dict[Trouble, Random] = {}
        self._flying: deque[tuple[int, bytes]] = deque()

    @property
    def gone(self) -> bool:
        return any(trouble.kind is TroubleKind.UNPLUGGED for trouble in self.troubles)

    def unheard(self, now_ns: int) -> None:
        """What the board has said to nobody is lost."""
        self.board.advance(now_ns)
        self._flying.clear()

    def said(self, now_ns: int) -> bytes:
        """What has come through by now."""
        data = self._worn(self.board.advance(now_ns))
        if data:
            late_s = sum(t.amount for t in self.troubles if t.kind is TroubleKind.LATE)
            due_ns = now_ns + round(late_s * SECOND)
            if self._flying:
                due_ns = max(due_ns, self._flying[-1][0])
            self._flying.append((due_ns, data))
        through = b""
        while self._flying and self._flying[0][0] <= now_ns:
            through += self._flying.popleft()[1]
        return through

    def _worn(self, data: bytes) -> bytes:
        for trouble, dice in self.troubles.items():
            if data and trouble.kind in WEARS:
                data = b"".join(_worn(byte, trouble, dice) for byte in data)
        return data

    def heard(self, data: bytes, now_ns: int) -> None:
        """Bytes for the board."""
        self.board.receive(self._worn(data), now_ns)

    def due_ns(self, now_ns: int) -> int:
        """When to look again."""
        times = [now_ns + LOOK_NS, *(due_ns for due_ns, _ in list(self._flying)[:1])]
        if self.board.due_at_ns is not None:
            times.append(self.board.due_at_ns)
        return max(min(times), now_ns + 1)


WEARS = (TroubleKind.LOST, TroubleKind.FLIPPED, TroubleKind.DOUBLED)


def _worn(byte: int, trouble: Trouble, dice: Random) -> bytes:
    if dice.random() >= trouble.amount:
        return bytes((byte,))
    if trouble.kind is TroubleKind.LOST:
        return b""
    if trouble.kind is TroubleKind.DOUBLED:
        return bytes((byte, byte))
    return bytes((byte ^ 1 << dice.randrange(8),))


class LineWire:
    """An open port, for one life of the service."""

    def __init__(
        self, port: str, line: PluggedBoard, clock: ServiceClock, world: ServiceClock
    ) -> None:
        self.port, self._line, self._clock, self._world = port, line, clock, world
        self._asked = asyncio.Event()
        line.unheard(world.now_ns())

    async def read(self) -> Chunk:
        while True:
            self._check()
            self._asked.clear()
            now_ns = self._world.now_ns()
            said = self._line.said(now_ns)
            if said:
                return Chunk(self._clock.now_ns(), said)
            due_s = (self._line.due_ns(now_ns) - now_ns) / SECOND
            look = asyncio.get_running_loop().call_later(due_s, self._asked.set)
            try:
                await self._asked.wait()
            finally:
                look.cancel()

    def write(self, data: bytes) -> None:
        self._check()
        self._asked.set()
        self._line.heard(data, self._world.now_ns())

    def _check(self) -> None:
        if self._line.gone:
            raise WireError(Why.GONE, f"{self.port} was unplugged")

    def close(self) -> None: ...


class RehearsedLinks:
    """`edges.Links` of one life."""

    def __init__(
        self, lines: Mapping[str, PluggedBoard], clock: ServiceClock, world: ServiceClock
    ) -> None:
        self._lines, self._clock, self._world = lines, clock, world

    async def open(self, device: str, _driver: str) -> tuple[Wire, Codec]:
        await self._clock.rest(OPENS_S)
        line = self._lines.get(device)
        if line is None or line.gone:
            raise WireError(Why.MISSING, f"{device} is not there")
        return LineWire(device, line, self._clock, self._world), DgtCodec()

    async def plugged(self, _claimed: Collection[str]) -> tuple[Plugged, ...]:
        return ()

    async def present(self, device: str) -> bool:
        return device in self._lines and not self._lines[device].gone

    async def changed(self) -> None:
        await self._clock.rest(30.0)
