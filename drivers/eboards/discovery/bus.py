"""Who is on a bus line: every board that answers a ping, and the configuration to read them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from eboards.dgt.bus_poller import BusPoller
from eboards.dgt.family import BUS_LINE
from eboards.transport import NowNs
from eboards.transport.serial import open_serial


async def search(path: str, now_ns: NowNs) -> tuple[int, ...]:
    """The addresses of all boards on the line at this port. Raises `WireError`.

    Only for a port that somebody named: a ping takes boards out of single-board mode.
    """
    wire = open_serial(path, now_ns, BUS_LINE)
    poller = BusPoller(search=True)
    reading = asyncio.ensure_future(wire.read())
    try:
        while poller.searching:
            at_ns = now_ns()
            wire.write(poller.due(at_ns))
            due_ns = poller.due_at_ns or at_ns
            await asyncio.wait((reading,), timeout=max(0, due_ns - at_ns) / 1e9)
            if reading.done():
                chunk = reading.result()
                poller.receive(chunk.data, chunk.at_ns)
                reading = asyncio.ensure_future(wire.read())
        return poller.addresses
    finally:
        reading.cancel()
        wire.close()


def configuration(path: str, addresses: Sequence[int]) -> str:
    """Tables for these boards, as a configuration has them; numbered in the order given."""
    return "\n".join(
        f'[[tables]]\ntable = "{number}"\ndevice = "dgt-bus:{path}#{address}"\n'
        for number, address in enumerate(addresses, 1)
    )
