"""What the delay gate lets through, onto `public/`: its events in order, its states as they are."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol

from arbiterd.edges import BrokerSession
from arbiterd.journal.journal import Journal
from arbiterd.journal.live import NumberedEvent
from arbiterd.messages import topics

OUTLET = "mqtt-public"
PAGE = 100


class Gate(Protocol):
    """Messages that are old enough. Topics begin with `public/`."""

    @property
    def mark(self) -> int: ...
    async def settled(self) -> None: ...
    def retained(self) -> Mapping[str, bytes]: ...
    async def after(self, number: int, limit: int) -> Sequence[NumberedEvent]: ...
    async def changed(self, mark: int) -> None: ...
    def numbered(self, number: int) -> int: ...


async def deliver_public(gate: Gate, journal: Journal, session: BrokerSession, root: str) -> None:
    """For as long as the session lasts. Raises BrokerError."""
    await gate.settled()
    sent: dict[str, bytes] = {}
    number = gate.numbered(journal.read.cursor(OUTLET))
    while True:
        mark = gate.mark
        for event in await gate.after(number, PAGE):
            retained = event.topic.endswith(f"/{topics.RESULT}")
            await session.publish(f"{root}/{event.topic}", event.payload, retained=retained)
            if retained:
                sent[event.topic] = event.payload
            number = event.number
            journal.move_cursor(OUTLET, number)
        caught_up = not await gate.after(number, 1)
        for topic, payload in gate.retained().items():
            # A broker may have lost a result that was told before; one that is new comes as event.
            now = caught_up or topic.endswith(f"/{topics.STATE}")
            if now and sent.get(topic) != payload:
                await session.publish(f"{root}/{topic}", payload, retained=True)
                sent[topic] = payload
        if caught_up:
            await gate.changed(mark)


async def clear_old(
    gate: Gate, session: BrokerSession, root: str, kept: asyncio.Queue[str]
) -> None:
    """What a broker keeps of another day, or of tables that are no more, goes.

    `kept`: topics of the public's that it has something of. Raises BrokerError.
    """
    await gate.settled()
    while True:
        topic = await kept.get()
        if topic not in gate.retained():
            await session.publish(f"{root}/{topic}", b"", retained=True)
