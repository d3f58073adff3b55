"""The public's side, a process of its own: it lives with the service, and knows what is public."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest

from containment.real import RealHall

ROUTES = (
    "healthz", "api/v1/tables", "api/v1/tables/1/state", "api/v1/tables/1/moves",
    "api/v1/tables/1/timeline", "pgn/round-1.pgn", "pgn/1.pgn", "overlay/1", "web/overlay.js",
)  # fmt: skip

NICEST = 19


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[RealHall]:
    hall = RealHall(2, 1, 4.0, tmp_path)
    async with hall.running():
        yield hall
    hall.close()


async def asked(hall: RealHall, path: str) -> tuple[int, str]:
    """0: nobody answers."""
    timeout = aiohttp.ClientTimeout(total=30)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as http,
            http.get(hall.public + path) as answer,
        ):
            return answer.status, await answer.text()
    except (aiohttp.ClientError, TimeoutError):
        return 0, ""


def children(hall: RealHall) -> list[int]:
    """Processes that serve the public for this hall."""
    assert hall.process is not None
    task = Path(f"/proc/{hall.process.pid}/task/{hall.process.pid}/children").read_text()
    return [
        pid
        for pid in map(int, task.split())
        if b"arbiterd.outlets.http.apart" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


def opened(pid: int) -> list[str]:
    """What a process has open."""
    return [str(each.readlink()) for each in Path(f"/proc/{pid}/fd").iterdir()]


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


async def until(enough: Callable[[], Awaitable[object]], within_s: float = 60.0) -> float:
    begin = time.monotonic()
    async with asyncio.timeout(within_s):
        while not await enough():  # noqa: ASYNC110  # It has no event of its own.
            await asyncio.sleep(0.1)
    return time.monotonic() - begin


async def test_it_tells_what_is_public_and_has_nothing_else(hall: RealHall) -> None:
    async def played() -> bool:
        return "1. e4" in (await asked(hall, "pgn/1.pgn"))[1]

    await until(played)
    for route in ROUTES:
        status, _ = await asked(hall, route)
        assert status == 200, route
    (pid,) = children(hall)
    files = [name for name in opened(pid) if name.startswith(str(hall.folder))]
    assert [Path(name).name for name in files] == ["arbiterd.log"], "no file of the hall"
    assert hall.process is not None
    ours, theirs = (os.getpriority(os.PRIO_PROCESS, each) for each in (hall.process.pid, pid))
    assert theirs > ours or ours == NICEST, "everything else comes first"
    for route in ("api/v1/rulings", "api/v1/tables/1/inputs", "metrics", "api/v1/status"):
        assert (await asked(hall, route))[0] == 404, route


async def test_one_that_dies_is_said_and_started_again(hall: RealHall) -> None:
    async def told() -> bool:
        return (await asked(hall, "api/v1/tables/1/timeline"))[0] == 200

    await until(told)
    (pid,) = children(hall)
    before = (await asked(hall, "api/v1/tables/1/timeline"))[1]
    os.kill(pid, signal.SIGKILL)

    async def said() -> bool:
        found = await hall.health()
        return found is not None and "the public's side" in found[1]

    said_s = await until(said)
    status, after = await asked(hall, "api/v1/tables/1/timeline")
    assert status == 200, "who asks meanwhile waits for the next one"
    assert after.startswith(before.removesuffix("]}"))
    (other,) = children(hall)
    assert other != pid

    async def well() -> bool:
        return await hall.health() == (200, "ok\n")

    print(f"killed: said after {said_s:.1f} s, well {await until(well):.1f} s later")


async def test_it_ends_with_the_service_however_that_ends(tmp_path: Path) -> None:
    hall = RealHall(2, 1, 4.0, tmp_path)
    with suppress(AssertionError):  # The service is killed: that is noticed.
        async with hall.running():
            (pid,) = children(hall)
            assert hall.process is not None
            hall.process.kill()
            await hall.process.wait()

    async def gone() -> bool:
        return not runs(pid)

    print(f"killed: its process is gone after {await until(gone, 10):.1f} s")
    assert (await asked(hall, "healthz"))[0] == 0
    async with hall.running():
        assert (await asked(hall, "healthz"))[0] == 200
    hall.close()


@pytest.mark.slow
async def test_one_that_stands_still_is_started_again(hall: RealHall) -> None:
    (pid,) = children(hall)
    os.kill(pid, signal.SIGSTOP)

    async def said() -> bool:
        found = await hall.health()
        return found is not None and "the public's side stands still" in found[1]

    said_s = await until(said)

    async def answered() -> bool:
        return (await asked(hall, "healthz"))[0] == 200

    print(f"stopped: said after {said_s:.1f} s, answers {await until(answered):.1f} s later")
