"""When to look again: as soon as something appears or goes under /dev, and now and then anyway.

The kernel says so by inotify, which costs nothing while nothing happens. What it may miss (a
folder that did not exist yet, an overflow) the regular look finds.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

RECONCILE_SECONDS: Final = 10.0
SETTLE_SECONDS: Final = 0.3
"""After a plug the node comes first, its group and its links a moment later."""

_CREATE, _DELETE, _ATTRIB, _MOVED_TO = 0x100, 0x200, 0x004, 0x080
_EVENTS = _CREATE | _DELETE | _ATTRIB | _MOVED_TO
_ONLY_FOLDERS = 0x01000000


class PlugWatch:
    """Wakes whoever waits when devices may have come or gone."""

    def __init__(
        self,
        folders: tuple[Path, ...] = (Path("/dev"), Path("/dev/serial/by-id")),
        *,
        reconcile_seconds: float = RECONCILE_SECONDS,
    ) -> None:
        self._folders = folders
        self._reconcile_seconds = reconcile_seconds
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._descriptor: int = self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._descriptor >= 0:
            self._loop.add_reader(self._descriptor, self._readable)
        self._attend()

    async def changed(self) -> bool:
        """Return when it is time to look. True: something happened; False: only as a precaution."""
        self._attend()
        try:
            async with asyncio.timeout(self._reconcile_seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        # Whatever else belongs to the same plug arrives within this time.
        settled = self._loop.create_future()
        self._loop.call_later(SETTLE_SECONDS, settled.set_result, None)
        await settled
        self._news.clear()
        return True

    def close(self) -> None:
        """A second time does nothing."""
        if self._descriptor >= 0:
            self._loop.remove_reader(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = -1

    def _attend(self) -> None:
        """Watch every folder that exists by now; watching one twice changes nothing."""
        if self._descriptor < 0:
            return
        for folder in self._folders:
            name = os.fsencode(folder)
            self._libc.inotify_add_watch(self._descriptor, name, _EVENTS | _ONLY_FOLDERS)

    def _readable(self) -> None:
        with suppress(BlockingIOError):
            os.read(self._descriptor, 65_536)
        self._news.set()
