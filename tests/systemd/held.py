"""The service, of which one thing stops for good a while after its first start.

held.py WHAT MARK arguments of arbiterd …      WHAT: loop, proof, writer, process, nothing
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from arbiterd.cli import main
from arbiterd.journal.journal import Journal
from arbiterd.service.service import Service

AFTER_S = 15.0
HOLDING: list[asyncio.Future[bool]] = []


def hold(what: str, service: Service) -> None:
    if what == "loop":
        time.sleep(100_000)
    if what == "writer":
        stuck = threading.Event()
        work = service.journal._workers.run("journal", stuck.wait)
        HOLDING.append(asyncio.ensure_future(work))
    if what == "proof":

        async def never(_journal: Journal) -> None:
            await asyncio.get_running_loop().create_future()

        Journal.prove = never  # type: ignore[method-assign]
    if what == "process":
        os.kill(os.getpid(), signal.SIGSTOP)


def held_once(what: str, mark: Path) -> None:
    real = Service.run

    async def run(self: Service, started: Callable[[], None] = lambda: None) -> None:
        loop = asyncio.get_running_loop()

        def holding() -> None:
            mark.write_text(f"{time.time()}")
            hold(what, self)

        def first() -> None:
            started()
            if not mark.exists():
                loop.call_later(AFTER_S, holding)

        await real(self, first)

    Service.run = run  # type: ignore[method-assign]


if __name__ == "__main__":
    what, mark, *arguments = sys.argv[1:]
    held_once(what, Path(mark))
    sys.argv = ["arbiterd", *arguments]
    main()
