"""A message that comes in pieces is one row, and no byte of it is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence

import pytest

from arbiterd.edges import Plugged
from arbiterd.hall.links.fragments import HELD_BYTES, HELD_NS
from arbiterd.hall.links.link import Link
from arbiterd.simulation.virtual_loop import VirtualClock, run_virtually
from eboards.codec import Codec
from eboards.dgt.codec import DgtCodec
from eboards.events import DeviceEvent, SquareChange
from eboards.transport import Chunk, DeviceTrouble, Wire, WireError

CHANGE = bytes.fromhex("8e00053400")
GAP_S = 0.002
"""Between two bytes; a serial line of 9600 baud takes one."""


class Spoken:
    """A wire that says these pieces, one after another, and is then silent or gone."""

    port = "spoken"

    def __init__(self, clock: VirtualClock, pieces: Sequence[bytes], *, goes: bool) -> None:
        self._clock, self._pieces, self._goes = clock, list(pieces), goes

    async def read(self) -> Chunk:
        await self._clock.rest(GAP_S)
        if self._pieces:
            return Chunk(self._clock.now_ns(), self._pieces.pop(0))
        if self._goes:
            raise WireError(DeviceTrouble.GONE, "it was unplugged")
        await asyncio.Event().wait()
        raise AssertionError("nobody says more")

    def write(self, data: bytes) -> None: ...
    def close(self) -> None: ...


def rows(
    pieces: Sequence[bytes], seconds: float = 5.0, *, goes: bool = False
) -> list[tuple[list[str], bytes]]:
    """What a link told of these pieces: kinds of events, and bytes."""
    told: list[tuple[list[str], bytes]] = []

    def tell(events: Sequence[DeviceEvent], raw: bytes) -> None:
        told.append(([type(event).__name__ for event in events], raw))

    class Ports:
        async def open(self, device: str, driver: str) -> tuple[Wire, Codec]:
            if told:
                raise WireError(DeviceTrouble.MISSING, "it was unplugged")
            return Spoken(clock, pieces, goes=goes), DgtCodec()

        async def plugged(self, claimed: Collection[str]) -> tuple[Plugged, ...]:
            return ()

        async def present(self, device: str) -> bool:
            return True

        async def changed(self) -> None: ...

    clock = VirtualClock()

    async def linked() -> None:
        link = Link("serial:x", "dgt", Ports(), clock, lambda: 0, tell)
        running = asyncio.create_task(link.run())
        await clock.rest(seconds)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    run_virtually(linked())
    return [row for row in told if row[0] != ["LinkUp"]]


def test_a_message_byte_by_byte_is_one_row_with_all_its_bytes() -> None:
    pieces = [CHANGE, *(bytes([byte]) for byte in CHANGE)]

    assert rows(pieces, seconds=0.5) == [(["SquareChange"], CHANGE)] * 2


def test_what_is_never_made_whole_gets_a_row_of_its_own() -> None:
    told = rows([CHANGE, CHANGE[:3]], seconds=HELD_NS / 1e9 + 0.1)

    assert told == [(["SquareChange"], CHANGE), ([], CHANGE[:3])]


@pytest.mark.parametrize("goes", [True, False], ids=["unplugged", "stopped"])
def test_nothing_is_lost_where_the_session_ends_within_a_message(goes: bool) -> None:
    told = rows([CHANGE, CHANGE[:3]], seconds=0.5, goes=goes)

    assert (told[1], [raw for _, raw in told[2:] if raw]) == (([], CHANGE[:3]), [])
    assert [kinds for kinds, _ in told[2:] if kinds] == ([["LinkDown"]] if goes else [])


def test_of_a_message_without_an_end_no_more_is_held_than_fits() -> None:
    length = HELD_BYTES + 100
    head = bytes([0x96, length >> 7, length & 0x7F])
    body = [b"\0" * 10] * (length // 10 - 1)

    told = rows([CHANGE, head, *body], seconds=0.9 * HELD_NS / 1e9)

    assert b"".join(raw for _, raw in told).startswith(CHANGE + head)
    assert max(len(raw) for _, raw in told) <= HELD_BYTES + 10


def test_the_events_have_the_time_of_the_byte_that_made_them_whole() -> None:
    codec, again = DgtCodec(), DgtCodec()
    apart = [event for n, byte in enumerate(CHANGE) for event in codec.receive(bytes([byte]), n)]

    assert apart == again.receive(CHANGE, len(CHANGE) - 1) == [SquareChange(4, 52, ".")]
