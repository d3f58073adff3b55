"""Programs beside this one: started, waited for, and what they take."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeVar

from arbiterd.cli import FailedError
from arbiterd.edges.real import WallClock

PATIENCE_S, AT_MOST_S = 60.0, 600.0
"""So long nothing may go on, and so long it may take where something does: on a machine that is
busy with other things boards and service are late, and none of them is broken."""

T = TypeVar("T")


@asynccontextmanager
async def running_python(*words: str, out: Path | None = None) -> AsyncIterator[int]:
    """A Python of its own, by its process id; told to stop in the end."""
    with (out or Path(os.devnull)).open("w") as file:
        process = await asyncio.create_subprocess_exec(
            sys.executable, *words, stdout=file, stderr=file
        )
        try:
            yield process.pid
        finally:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGINT)
            await process.wait()


async def waited_for(
    look: Callable[[], T | None],
    clock: WallClock,
    missing: str,
    works: Callable[[], object] = lambda: None,
) -> T:
    """What is there in the end. Raises FailedError after a minute in which nothing works."""
    begun_ns = moved_ns = clock.now_ns()
    done = works()
    while (found := look()) is None:
        now_ns, before, done = clock.now_ns(), done, works()
        moved_ns = now_ns if done != before else moved_ns
        if now_ns - moved_ns > PATIENCE_S * 1e9 or now_ns - begun_ns > AT_MOST_S * 1e9:
            raise FailedError(missing)
        await clock.rest(0.1)
    return found


def cpu_ms(pid: int) -> float:
    """The processor time of a process, its threads included, without its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def descriptors(pid: int) -> int:
    """How many files and sockets a process holds open."""
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())


def memory(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
