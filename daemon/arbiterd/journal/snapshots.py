"""The newest snapshot of each retained topic that is derived and not journalled."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping


class Snapshots:
    """A newer one takes the place of an older one: a slow reader gets the last, not all."""

    def __init__(self) -> None:
        self._newest: dict[tuple[str, str], tuple[int, bytes]] = {}
        self._count = 0
        self._news = asyncio.Event()

    def put(self, table: str, leaf: str, payload: bytes) -> None:
        """`leaf` is `state` or `device`; only what follows from committed inputs comes here."""
        self._count += 1
        self._newest[table, leaf] = (self._count, payload)
        news, self._news = self._news, asyncio.Event()
        news.set()

    def after(self, count: int) -> tuple[int, Mapping[tuple[str, str], bytes]]:
        """What is newer than `count`, and the count to ask with next time."""
        newer = {key: body for key, (number, body) in self._newest.items() if number > count}
        return self._count, newer

    def get(self, table: str, leaf: str) -> bytes | None:
        found = self._newest.get((table, leaf))
        return None if found is None else found[1]

    async def changed(self, count: int) -> None:
        """Returns once there is something newer than `count`."""
        while self._count <= count:
            await self._news.wait()
