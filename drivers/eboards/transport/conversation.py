"""A codec on a wire: the dozen lines between bytes that come and bytes that go.

async for said, events in converse(wire, codec, now_ns):
    ...
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from eboards.codec import Codec
from eboards.events import DeviceEvent
from eboards.transport import Chunk, NowNs, Wire
from eboards.transport.recording import FROM_DEVICE, TO_DEVICE, RecordedBytes


async def converse(
    wire: Wire, codec: Codec, now_ns: NowNs, *, speed: float = 1.0
) -> AsyncIterator[tuple[RecordedBytes, list[DeviceEvent]]]:
    """What went over the wire, either way, and what it says. Ends with `WireError`.

    `speed` is how many seconds of `now_ns` pass in one of the machine's. A silence that means
    something comes as an empty `RecordedBytes` to the device.
    """
    reading: asyncio.Future[Chunk] | None = None
    try:
        while True:
            at_ns = now_ns()
            due_ns = codec.due_at_ns
            if due_ns is not None and due_ns <= at_ns:
                data, events = codec.due(at_ns)
                if data:
                    wire.write(data)
                if data or events:
                    yield RecordedBytes(at_ns, TO_DEVICE, data), events
                continue
            reading = reading or asyncio.ensure_future(wire.read())
            wait = None if due_ns is None else (due_ns - at_ns) / 1e9 / speed
            await asyncio.wait((reading,), timeout=wait)
            if reading.done():
                chunk = reading.result()
                reading = None
                said = RecordedBytes(chunk.at_ns, FROM_DEVICE, chunk.data)
                yield said, codec.receive(chunk.data, chunk.at_ns)
    finally:
        if reading is not None:
            reading.cancel()
