"""A line that says more than a board can is read slowly, and costs its own table alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import pytest

from arbiterd.hall.links.budget import (
    BYTES_AT_ONCE,
    BYTES_PER_S,
    ROWS_AT_ONCE,
    ROWS_PER_S,
)
from arbiterd.hall.links.link import Link
from arbiterd.simulation.virtual_loop import VirtualClock, run_virtually
from eboards.codec import Codec
from eboards.dgt.codec import DgtCodec
from eboards.events import DeviceEvent, Fault, Noise, Scan
from eboards.livechess.codec import LiveChessCodec
from eboards.registry import family
from eboards.transport import Chunk, Wire

SECOND = 1_000_000_000
FRAME = {"serialnr": "7", "board": "8/8/8/8/8/8/8/8"}
BOARD_EVENT = json.dumps({"response": "feed", "id": 1, "param": FRAME}).encode() + b"\n"
CHANGES = bytes(byte for n in range(800) for byte in (0x8E, 0, 5, n % 64, n % 12 + 1))
CLOCKS = bytes(byte for n in range(400) for byte in (0x8D, 0, 10, 0, 1, n % 50, 0, 1, 0, 1))
FLOODS = {
    "random bytes": b"",
    "changes without end": CHANGES,
    "clocks without end": CLOCKS,
    "stray bytes": b"\x00" * 4096,
    "frames": BOARD_EVENT * 40,
}


class Hose:
    """A wire that always has more to say; time goes on as the loop turns."""

    port = "hose"

    def __init__(self, clock: VirtualClock, kind: str) -> None:
        self._clock, self._kind, self._dice, self.reads = clock, kind, Random(kind), 0
        self.taken = 0

    async def read(self) -> Chunk:
        await self._clock.rest(0.001)
        self.reads += 1
        data = FLOODS[self._kind] or self._dice.randbytes(4096)
        self.taken += len(data)
        return Chunk(self._clock.now_ns(), data)

    def write(self, data: bytes) -> None: ...
    def close(self) -> None: ...


class Mending(Hose):
    """After twenty reads it is a board that shows its empty squares."""

    async def read(self) -> Chunk:
        if self.reads < 20:
            return await super().read()
        await self._clock.rest(1.0)
        return Chunk(self._clock.now_ns(), bytes((0x86, 0, 67)) + bytes(64))


class HoseLinks:
    def __init__(self, wire: Wire, codec: Codec) -> None:
        self.wire, self.codec = wire, codec

    async def open(self, device: str, driver: str) -> tuple[Wire, Codec]:
        return self.wire, self.codec


async def linked_for(seconds: float, hose: Hose, codec: Codec, clock: VirtualClock) -> Heard:
    heard = Heard()
    link = Link("hose", "", HoseLinks(hose, codec), clock, lambda: 0, heard.tell)
    running = asyncio.create_task(link.run())
    await clock.rest(seconds)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    return heard


@dataclass
class Heard:
    """What a table is told, counted."""

    events: list[DeviceEvent] = field(default_factory=list)
    rows: int = 0
    raw: int = 0

    def tell(self, events: Sequence[DeviceEvent], raw: bytes) -> None:
        self.rows += max(1, len(events))
        self.raw += len(raw)
        self.events += events


@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_is_bounded_in_rows_and_bytes(kind: str) -> None:
    async def minute() -> tuple[Heard, Hose]:
        clock = VirtualClock()
        codec = LiveChessCodec("7") if kind == "frames" else family("dgt").codec()
        hose = Hose(clock, kind)
        return await linked_for(60, hose, codec, clock), hose

    heard, hose = run_virtually(minute())

    assert heard.rows <= ROWS_AT_ONCE + ROWS_PER_S * 60 + 200
    assert hose.taken <= BYTES_AT_ONCE + BYTES_PER_S * 60 + 8192
    assert heard.raw <= hose.taken
    faults = [event for event in heard.events if isinstance(event, Fault)]
    assert any(fault.noise is Noise.TOO_MUCH for fault in faults), "and people are told"
    if kind == "random bytes":
        assert sum(fault.count for fault in faults) > 3 * len(faults), "faults are summed"
    print(f"\n{kind}: {heard.rows / 60:.0f} rows and {hose.taken / 60:.0f} bytes a second")


def test_a_board_that_is_in_order_again_after_a_flood_is_heard() -> None:
    async def minutes() -> Heard:
        clock = VirtualClock()
        return await linked_for(180, Mending(clock, "random bytes"), DgtCodec(), clock)

    heard = run_virtually(minutes())

    assert any(isinstance(e, Scan) and set(e.placement) == {"."} for e in heard.events[-20:])


def test_a_quiet_board_is_told_byte_for_byte() -> None:
    async def minute() -> tuple[Heard, bytes]:
        clock = VirtualClock()
        said = CHANGES[:40] * 3

        class Quiet(Hose):
            async def read(self) -> Chunk:
                self.reads += 1
                if self.reads > 3:
                    await asyncio.get_running_loop().create_future()
                await self._clock.rest(1.0)
                return Chunk(self._clock.now_ns(), CHANGES[:40])

        heard = await linked_for(20, Quiet(clock, "quiet"), DgtCodec(), clock)
        return heard, said

    heard, said = run_virtually(minute())
    assert heard.raw == len(said)
