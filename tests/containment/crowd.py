"""Spectators and streams in a process of their own: crowd.py ADDRESS BOARDS SPECTATORS STREAMS.

Prints how many answers of each status and bytes of streams there were, each second.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from contextlib import suppress

import aiohttp

ROUTES = (
    "healthz", "api/v1/tables", "api/v1/tables/{t}/state", "api/v1/tables/{t}/moves",
    "api/v1/tables/{t}/timeline", "api/v1/tables/{t}/result", "pgn/round-1.pgn", "pgn/{t}.pgn",
    "overlay/{t}", "web/app.js",
)  # fmt: skip


async def spectate(
    http: aiohttp.ClientSession, public: str, number: int, boards: int, seen: Counter[str]
) -> None:
    """Every public route again and again, as fast as it is answered."""
    turn = number
    while True:
        turn += 1
        route = ROUTES[turn % len(ROUTES)].format(t=turn % boards + 1)
        with suppress(aiohttp.ClientError, TimeoutError):
            async with http.get(public + route) as answer:
                await answer.read()
                seen[str(answer.status)] += 1
                if answer.status == 503:
                    await asyncio.sleep(1.0)


async def follow(http: aiohttp.ClientSession, public: str, seen: Counter[str]) -> None:
    """From the beginning, as a page that was away since the morning."""
    async with http.get(public + "api/v1/events", headers={"Last-Event-ID": "0"}) as answer:
        async for chunk in answer.content.iter_any():
            seen["bytes of streams"] += len(chunk)


async def crowd(public: str, boards: int, spectators: int, streams: int) -> None:
    seen: Counter[str] = Counter()
    connector = aiohttp.TCPConnector(limit=0)
    timeout = aiohttp.ClientTimeout(total=None, sock_read=60)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout) as http:
        tasks = [
            asyncio.create_task(spectate(http, public, number, boards, seen))
            for number in range(spectators)
        ]
        tasks += [asyncio.create_task(follow(http, public, seen)) for _ in range(streams)]
        while True:
            await asyncio.sleep(1.0)
            print(dict(seen), flush=True)


if __name__ == "__main__":
    address, *numbers = sys.argv[1:]
    asyncio.run(crowd(address, *map(int, numbers)))
