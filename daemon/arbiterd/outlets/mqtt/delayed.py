"""What the delay gate lets through, onto `public/`: its events in order, its states as they are."""

from __future__ import annotations

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
    def retained(self) -> Mapping[str, bytes]: ...
    async def after(self, number: int, limit: int) -> Sequence[NumberedEvent]: ...
    async def changed(self, mark: int) -> None: ...
    def numbered(self, number: int) -> int: ...


async def deliver_public(gate: Gate, journal: Journal, session: BrokerSession, root: str) -> None:
    """For as long as the session lasts. Raises BrokerError."""
    sent: dict[str, bytes] = {}
    number = gate.numbered(journal.read.cursor(OUTLET))
    while True:
        mark = gate.mark
        for event in await gate.after(number, PAGE):
            retained = event.topic.endswith(f"/{topics.RESULT}")
            await session.publish(f"{root}/{event.topic}", event.payload, retained=retained)
            number = event.number
            journal.move_cursor(OUTLET, number)
        for topic, payload in gate.retained().items():
            if sent.get(topic) != payload and topic.endswith(f"/{topics.STATE}"):
                await session.publish(f"{root}/{topic}", payload, retained=True)
                sent[topic] = payload
        if not await gate.after(number, 1):
            await gate.changed(mark)
