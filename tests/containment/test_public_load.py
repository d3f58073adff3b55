"""What the public asks costs the arbiters nothing they would notice.

`python -m pytest tests/containment/test_public_load.py -m slow -s -n 0` prints the figures.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from pathlib import Path
from time import perf_counter

import aiohttp
import pytest

from .real import Arbiter, RealHall, percentile, told

ROUTES = (
    "healthz", "api/v1/tables", "api/v1/tables/{t}/state", "api/v1/tables/{t}/moves",
    "api/v1/tables/{t}/timeline", "api/v1/tables/{t}/result", "pgn/round-1.pgn", "pgn/{t}.pgn",
    "overlay/{t}", "web/app.js",
)  # fmt: skip
TWICE = 2.0
FLOOR_S = 0.02
"""Below this nobody tells two latencies apart."""


async def spectate(
    http: aiohttp.ClientSession, public: str, number: int, boards: int, seen: Counter[int]
) -> None:
    """Every public route again and again, as fast as it is answered."""
    turn = number
    while True:
        turn += 1
        route = ROUTES[turn % len(ROUTES)].format(t=turn % boards + 1)
        with suppress(aiohttp.ClientError, TimeoutError):
            async with http.get(public + route) as answer:
                seen[answer.status] += len(await answer.read()) >= 0
                if answer.status == 503:
                    await asyncio.sleep(1.0)


async def follow_stream(http: aiohttp.ClientSession, public: str, frames: Counter[str]) -> None:
    """From the beginning, as a page that was away since the morning."""
    async with http.get(public + "api/v1/events", headers={"Last-Event-ID": "0"}) as answer:
        async for line in answer.content:
            if line.startswith(b"event:"):
                frames[line.decode().split()[1]] += 1


async def loaded(
    boards: int, spectators: int, streams: int, seconds: float, folder: Path
) -> tuple[list[float], list[float], str]:
    hall = RealHall(boards, 1, 1.0, folder)
    tables = [seat.table for seat in hall.seats]
    seen: Counter[int] = Counter()
    frames: Counter[str] = Counter()
    async with hall.running():
        await asyncio.sleep(10.0)
        async with Arbiter(hall, tables).at_work(0.15) as quiet:
            await asyncio.sleep(seconds)
        connector = aiohttp.TCPConnector(limit=0)
        timeout = aiohttp.ClientTimeout(total=None, sock_read=60)
        async with aiohttp.ClientSession(connector=connector, timeout=timeout) as http:
            crowd = [
                asyncio.create_task(spectate(http, hall.public, number, boards, seen))
                for number in range(spectators)
            ]
            crowd += [
                asyncio.create_task(follow_stream(http, hall.public, frames))
                for _ in range(streams)
            ]
            await asyncio.sleep(3.0)
            began, before = perf_counter(), sum(seen.values())
            async with Arbiter(hall, tables).at_work(0.15) as busy:
                await asyncio.sleep(seconds)
            rate = (sum(seen.values()) - before) / (perf_counter() - began)
            for task in crowd:
                task.cancel()
            await asyncio.gather(*crowd, return_exceptions=True)
        status, _ = await hall.health() or (0, "")
        assert status == 200, "and it is well"
    hall.close()
    said = f"{rate:.0f} requests a second answered {dict(seen)}; {sum(frames.values())} frames"
    return quiet.latencies_s, busy.latencies_s, said


def compare(quiet: list[float], busy: list[float], said: str, what: str) -> None:
    ratio = percentile(busy, 0.95) / percentile(quiet, 0.95)
    print(f"\n{what}: quiet {told(quiet)}; with them {told(busy)}; ratio {ratio:.2f}; {said}")
    assert percentile(busy, 0.95) <= max(TWICE * percentile(quiet, 0.95), FLOOR_S)


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_two_hundred_spectators_and_fifty_streams_of_a_round(tmp_path: Path) -> None:
    compare(*await loaded(64, 200, 50, 45.0, tmp_path), "200 spectators, 50 streams, 64 boards")
