"""The newest snapshot of each retained topic that is derived and not journalled."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile

from arbiterd.journal.pulse import Pulse


class Snapshots:
    """A newer one takes the place of an older one: a slow reader gets the last, not all."""

    def __init__(self, pulse: Pulse) -> None:
        self._newest: dict[str, tuple[int, bytes]] = {}
        """In the order in which they came."""
        self._count = 0
        self._pulse = pulse

    def put(self, topic: str, payload: bytes) -> None:
        """`topic` is relative to the hall; only what follows from committed inputs comes here."""
        self._count += 1
        self._newest.pop(topic, None)
        self._newest[topic] = (self._count, payload)
        self._pulse.beat()

    def after(self, count: int) -> tuple[int, Mapping[str, bytes]]:
        """What is newer than `count`, and the count to ask with next time."""
        newer = [*takewhile(lambda kept: kept[1][0] > count, reversed(self._newest.items()))]
        return self._count, {topic: body for topic, (_, body) in reversed(newer)}

    async def changed(self, count: int) -> None:
        """Returns once there is something newer than `count`."""
        while self._count <= count:
            await self._pulse.changed(self._pulse.mark)
