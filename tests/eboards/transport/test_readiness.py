"""Lines of a loop are read together: few at once, many so many times a second, none lost."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from eboards.transport.descriptor import DescriptorWire
from eboards.transport.readiness import REST_EACH_S, REST_MAX_S, Readiness

HALL = round(REST_MAX_S / REST_EACH_S)
"""So many lines are looked at as seldom as any more of them."""


@contextmanager
def lines(count: int) -> Iterator[list[tuple[socket.socket, DescriptorWire]]]:
    with ExitStack() as opened:
        made = []
        for number in range(count):
            ours, theirs = map(opened.enter_context, map(closing, socket.socketpair()))
            ours.setblocking(False)
            wire = DescriptorWire(ours.fileno(), f"line {number}", time.time_ns, lambda: None)
            opened.enter_context(closing(wire))
            made.append((theirs, wire))
        yield made


async def said_in(seconds: float, count: int) -> tuple[int, int]:
    """One of so many lines says a byte each millisecond: bytes, and reads that brought them."""
    with lines(count) as hall:
        theirs, wire = hall[-1]
        heard = asyncio.create_task(all_of(wire))
        said = 1
        ends_s = time.monotonic() + seconds
        while time.monotonic() < ends_s:
            theirs.send(b"x")
            said += 1
            await asyncio.sleep(0.001)
        theirs.send(b".")
        async with asyncio.timeout(60):
            reads = await heard
    assert sum(map(len, reads)) == said
    return said, len(reads)


async def all_of(wire: DescriptorWire) -> list[bytes]:
    """What each read brought, up to a full stop."""
    reads = [b""]
    while not reads[-1].endswith(b"."):
        reads.append((await wire.read()).data)
    return reads[1:]


async def test_a_large_hall_is_looked_at_forty_times_a_second_and_loses_nothing() -> None:
    began_s = time.monotonic()
    _, reads = await said_in(0.5, HALL)

    assert reads <= (time.monotonic() - began_s) / REST_MAX_S + 2


async def test_a_single_line_is_heard_each_time_it_speaks() -> None:
    said, reads = await said_in(0.5, 1)

    assert reads > said * 0.9


async def test_after_a_silence_the_first_of_a_large_hall_is_heard_at_once() -> None:
    waited_s = []
    with lines(HALL) as hall:
        for theirs, wire in hall[:20]:
            await asyncio.sleep(2 * REST_MAX_S)
            said_s = time.monotonic()
            theirs.send(b"x")
            async with asyncio.timeout(60):
                await wire.read()
            waited_s.append(time.monotonic() - said_s)

    assert sorted(waited_s)[10] < REST_MAX_S / 4


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def test_lines_that_come_and_go_leave_no_descriptor_behind() -> None:
    before = descriptors()
    for _ in range(3):
        with lines(5) as hall:
            theirs, wire = hall[0]
            theirs.send(b"x")
            async with asyncio.timeout(60):
                assert (await wire.read()).data == b"x"

    assert descriptors() == before


async def test_one_that_was_read_may_close_another_that_waits() -> None:
    """A device that is pulled takes its second line with it while both have something to say."""
    failed: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, why: failed.append(why))
    here = Readiness.here()
    read = []
    with ExitStack() as opened:
        pairs = [tuple(map(opened.enter_context, map(closing, socket.socketpair()))) for _ in "ab"]
        first, second = (ours.fileno() for ours, _ in pairs)

        def closes(other: int, this: int) -> None:
            read.append(os.read(this, 1))
            here.remove(other)

        here.add(first, lambda: closes(second, first))
        here.add(second, lambda: closes(first, second))
        for _, theirs in pairs:
            theirs.send(b"x")
        await asyncio.sleep(10 * REST_EACH_S)
        here.remove(first)
        here.remove(second)

    assert len(read) == 1, "one of them, and the other was closed by then"
    assert not failed
