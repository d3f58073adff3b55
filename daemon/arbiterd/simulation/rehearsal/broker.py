"""A broker with a memory, a slow line to it, and a habit of going away.

It outlives the service. What it has taken it tells the hall's readers in its order.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random

from aiomqtt import Topic

from arbiterd.edges import BrokerError, Received, ServiceClock
from arbiterd.simulation.rehearsal.disk import KilledError

TakeMessage = Callable[[str, bytes], None]
"""Takes a topic and a payload."""

ON_THE_WAY_S = (0.0005, 0.01)
CONNECTS_S = 0.02


@dataclass(slots=True)
class _Sent:
    topic: str
    payload: bytes
    retained: bool
    confirmed: asyncio.Future[None]


class SimulatedBroker:
    """One of a hall."""

    def __init__(self, dice: Random, hear: TakeMessage, clock: ServiceClock) -> None:
        self._dice, self._hear, self._clock = dice, hear, clock
        self.retained: dict[str, bytes] = {}
        self.away = False
        self.deaf = False
        """It takes what is sent and confirms nothing."""
        self.slow_s = 0.0
        self.deadly = ""
        """The service dies at its next send: "before" or "after" it has left."""
        self.breaking: Callable[[], None] | None = None
        """What happens while its next message flies."""
        self.session: SimulatedSession | None = None

    @asynccontextmanager
    async def connect(self, will_topic: str, will: bytes) -> AsyncIterator[SimulatedSession]:
        await self._clock.rest(CONNECTS_S)
        if self.away:
            raise BrokerError("the broker cannot be reached")
        session = self.session = SimulatedSession(self, (will_topic, will), self._dice)
        try:
            yield session
        finally:
            session.ended("the connection was closed")
            if self.session is session:
                self.session = None

    def take(self, topic: str, payload: bytes, *, retained: bool) -> None:
        """A message has arrived."""
        if retained and payload:
            self.retained[topic] = payload
        elif retained:
            self.retained.pop(topic, None)
        self._hear(topic, payload)
        if self.session is not None:
            self.session.tell(topic, payload)

    def cut(self) -> None:
        """The connection breaks: of what flies some arrives, and no more is confirmed."""
        session, self.session = self.session, None
        if session is not None:
            session.broken(self._dice.randint(0, session.flying))

    def forget(self) -> None:
        """It starts again, with nothing in its memory."""
        self.cut()
        self.retained.clear()


class SimulatedSession:
    """`edges.BrokerSession` to it."""

    def __init__(self, broker: SimulatedBroker, will: tuple[str, bytes], dice: Random) -> None:
        self._broker, self._will, self._dice = broker, will, dice
        self._loop = asyncio.get_running_loop()
        self._flying: deque[_Sent] = deque()
        self._unconfirmed: deque[_Sent] = deque()
        self._inbox: asyncio.Queue[Received | None] = asyncio.Queue()
        self._filters: tuple[str, ...] = ()
        self._why = ""
        self._last_s = 0.0
        self.most = 0
        """So many events and answers were on their way and not confirmed, at most."""

    @property
    def flying(self) -> int:
        """Sent, and not at the broker yet."""
        return len(self._flying)

    # What the service calls.

    def publish(
        self,
        topic: str,
        payload: bytes,
        *,
        retained: bool = False,
        correlation: bytes = b"",
        expiry_s: int | None = None,
    ) -> asyncio.Future[None]:
        del correlation, expiry_s  # It speaks MQTT 3.1.1.
        confirmed: asyncio.Future[None] = self._loop.create_future()
        # Whoever has stopped waiting need not hear of it.
        confirmed.add_done_callback(lambda done: done.cancelled() or done.exception())
        if self._why:
            confirmed.set_exception(BrokerError(self._why))
            return confirmed
        if self._broker.deadly == "before":
            self._broker.deadly = ""
            raise KilledError
        self._flying.append(_Sent(topic, payload, retained, confirmed))
        events = sum(not sent.retained for sent in (*self._flying, *self._unconfirmed))
        self.most = max(self.most, events)
        self._loop.call_at(self._next_s(), self._arrive)
        if self._broker.breaking is not None:
            self._loop.call_later(self._dice.uniform(0.0, ON_THE_WAY_S[1]), self._broker.breaking)
            self._broker.breaking = None
        if self._broker.deadly == "after":
            self._broker.deadly = ""
            raise KilledError
        return confirmed

    def _next_s(self) -> float:
        way_s = self._dice.uniform(*ON_THE_WAY_S) + self._broker.slow_s
        self._last_s = max(self._last_s, self._loop.time() + way_s)
        return self._last_s

    async def subscribe(self, *filters: str) -> None:
        if self._why:
            raise BrokerError(self._why)
        self._filters = (*self._filters, *filters)
        for topic, payload in self._broker.retained.items():
            if any(Topic(topic).matches(each) for each in filters):
                self._inbox.put_nowait(Received(topic, payload, retained=True))

    async def unsubscribe(self, *filters: str) -> None:
        if self._why:
            raise BrokerError(self._why)
        self._filters = tuple(each for each in self._filters if each not in filters)

    def messages(self) -> AsyncIterator[Received]:
        return self

    def __aiter__(self) -> SimulatedSession:
        return self

    async def __anext__(self) -> Received:
        received = await self._inbox.get()
        if received is None:
            raise BrokerError(self._why)
        return received

    # What the broker does.

    def _arrive(self) -> None:
        if not self._flying:
            return
        sent = self._flying.popleft()
        self._broker.take(sent.topic, sent.payload, retained=sent.retained)
        self._unconfirmed.append(sent)
        if not self._broker.deaf:
            self._loop.call_at(self._next_s(), self._confirm)

    def _confirm(self) -> None:
        if self._unconfirmed and not self._broker.deaf:
            confirmed = self._unconfirmed.popleft().confirmed
            if not confirmed.done():
                confirmed.set_result(None)

    def hears_again(self) -> None:
        """A broker that was deaf confirms all it has taken, once it is not."""
        for _ in range(len(self._unconfirmed)):
            self._loop.call_at(self._next_s(), self._confirm)

    def _wants(self, topic: str) -> bool:
        return any(Topic(topic).matches(each) for each in self._filters)

    def tell(self, topic: str, payload: bytes) -> None:
        """Something for whoever has subscribed."""
        if self._wants(topic):
            self._inbox.put_nowait(Received(topic, payload, retained=False))

    def broken(self, arrive: int) -> None:
        """So many of what flies arrive, then the connection is gone, and the will is done."""
        for _ in range(arrive):
            sent = self._flying.popleft()
            self._broker.take(sent.topic, sent.payload, retained=sent.retained)
            self._unconfirmed.append(sent)
        self.ended("the connection to the broker was lost")
        topic, will = self._will
        self._broker.take(topic, will, retained=True)

    def ended(self, why: str) -> None:
        """Nothing goes through any more."""
        if self._why:
            return
        self._why = why
        left = [*self._unconfirmed, *self._flying]
        self._flying.clear()
        self._unconfirmed.clear()
        if not self._loop.is_running():
            return  # The service is gone; nobody waits.
        for sent in left:
            if not sent.confirmed.done():
                sent.confirmed.set_exception(BrokerError(why))
        self._inbox.put_nowait(None)
