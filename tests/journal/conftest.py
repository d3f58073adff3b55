"""A journal on a real disk, written by the real writer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from arbiterd.edges.real import FileStore, Threads, WallClock
from arbiterd.journal.journal import Journal


@asynccontextmanager
async def _opened(path: Path) -> AsyncIterator[Journal]:
    """A running journal; on leaving, all is written and the file closed."""
    workers = Threads()
    journal = await Journal.open(FileStore(path), WallClock(), workers)
    running = asyncio.create_task(journal.run())
    try:
        yield journal
    finally:
        journal.close()
        await running
        workers.close()


@pytest.fixture
def opened() -> Callable[[Path], AbstractAsyncContextManager[Journal]]:
    return _opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"
