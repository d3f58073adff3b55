"""What a subscriber to a measured hall heard, and when its boards had written."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import aiomqtt
import msgspec

from arbiterd.config.values import BrokerUrl
from arbiterd.edges.real import WallClock
from arbiterd.messages.topics import MOVES

MILLISECOND = 1_000_000


class HeardMove(msgspec.Struct):
    """What of a `moves` message is measured."""

    table: str
    seq: int
    at: str
    how: str


@dataclass
class HeardMoves:
    """What a subscriber heard, and when."""

    moves: dict[tuple[str, int], tuple[HeardMove, int]] = field(default_factory=dict)

    def latencies_ms(self, said: Mapping[str, Sequence[int]]) -> list[float]:
        """Of half-moves told at a press: since the last byte its board had written."""
        found = []
        for move, heard_ns in self.moves.values():
            at_ns = int(datetime.fromisoformat(move.at).timestamp() * 1000 + 1) * MILLISECOND
            writes = said.get(move.table, ())
            place = bisect_right(writes, at_ns)
            if move.how == "pressed" and place:
                found.append((heard_ns - writes[place - 1]) / MILLISECOND)
        return found


@asynccontextmanager
async def subscribed(url: BrokerUrl, heard: HeardMoves, clock: WallClock) -> AsyncIterator[None]:
    async with aiomqtt.Client(url.host, url.port) as client:
        await client.subscribe(f"arbiterd/+/tables/+/{MOVES}", qos=1)

        async def listen() -> None:
            async for message in client.messages:
                at_ns = clock.now_ns()
                assert isinstance(message.payload, bytes), "the library hands on what came in"
                move = msgspec.json.decode(message.payload, type=HeardMove)
                heard.moves.setdefault((move.table, move.seq), (move, at_ns))

        listening = asyncio.create_task(listen())
        try:
            yield
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)


def written_at(files: Sequence[Path]) -> Mapping[str, list[int]]:
    """By table, when its board had written something, in ns; from the files of the boards."""
    found: dict[str, list[int]] = {}
    for line in (line for file in files for line in file.read_text().splitlines()):
        table, at_ns = line.split()
        found.setdefault(table, []).append(int(at_ns))
    return found
