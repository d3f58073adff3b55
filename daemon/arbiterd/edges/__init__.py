"""The doors to the world, as the service sees them: time, links, disk, broker, workers, sleep.

Whoever runs the service hands real ones in (`edges.real`), a simulation hands in its own. No
other room asks the time, waits, starts a thread or opens a connection.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from eboards.codec import Codec
from eboards.transport import Wire

ResultT = TypeVar("ResultT")

MAKE_ROOM = "make room on its disk, or see that it may be written"
"""What people do about a disk that refuses."""


class ServiceClock(Protocol):
    """The service's own clock, which stamps all input. No player sees it."""

    speed: float
    """How many seconds pass on it in one second of the machine's."""

    def now_ns(self) -> int:
        """Nanoseconds since the epoch. Never goes back."""
        ...

    def not_before(self, at_ns: int) -> None:
        """From now on `now_ns` is at least this: what the journal already holds is past."""
        ...

    def not_after(self, at_ns: int) -> None:
        """It is no later than this: only at a start, before anything is stamped."""
        ...

    async def until(self, at_ns: int) -> None:
        """Return once `now_ns` has reached `at_ns`."""
        ...

    def wake_at(self, at_ns: int, wake: Callable[[], None]) -> asyncio.TimerHandle:
        """Calls `wake` in the running loop at about `at_ns`, and earlier where that is far off:
        whoever is called looks at the time again."""
        ...

    async def rest(self, seconds: float) -> None:
        """Wait in the machine's own seconds, whatever the speed: back-off, throttling."""
        ...

    def asleep_ns(self) -> int:
        """How long the machine has been suspended in all, since it was started."""
        ...

    def ahead_ns(self) -> int:
        """By how much `now_ns` is past the machine's own time of day; negative: it is behind.

        0 where they are not to agree: at another speed, in a simulation.
        """
        ...


class Store(Protocol):
    """Where the journal lies."""

    def connect(self) -> sqlite3.Connection:
        """The one connection that writes. Raises `StoreError`."""
        ...

    def connect_for_reading(self) -> sqlite3.Connection:
        """A connection that never writes and never checkpoints. Raises `StoreError`."""
        ...

    def heads(self) -> tuple[bytes, ...]:
        """What was noted beside the file, the newer and the older. Empty where nothing was."""
        ...

    def put_head(self, noted: bytes) -> None:
        """Note this, in the place of the older one. A disk that refuses it is no trouble."""
        ...

    def no_journal(self, error: Exception) -> StoreError:
        """What to say of a file that never was a journal."""
        ...

    def no_room(self, error: Exception) -> DiskError:
        """What to say of a disk that refuses."""
        ...

    def replacing(
        self, prepare: Callable[[sqlite3.Connection], None]
    ) -> AbstractContextManager[tuple[sqlite3.Connection, sqlite3.Connection]]:
        """The damaged journal, to read what can be read, and a new one. Raises `StoreError`.

        `prepare` makes the new file a journal.
        """
        ...

    def away(self) -> bool:
        """The file that is held open does not stand in its place any more."""
        ...

    def connect_again(self) -> sqlite3.Connection:
        """As `connect`, where another file stands in that place now. Raises `StoreError`."""
        ...

    def rescue(self, db: sqlite3.Connection) -> None:
        """The file is gone, its connection is not: write it out, for the next `connect`."""
        ...

    def put_back(self, db: sqlite3.Connection, noted: bytes) -> Path:
        """Another file stands in its place: write it out there, with what was `noted`; where the
        other one is now. Raises `StoreError`."""
        ...

    def set_aside(self) -> Path:
        """Keep the damaged journal under another name, which is given; the new one is in place."""
        ...


class StoreError(Exception):
    """The journal cannot be had; the message names it and the mend."""


class DamagedError(StoreError):
    """It is one of ours, and not as it was written."""


class ForeignError(StoreError):
    """It is the journal of another hall."""


class DiskError(StoreError):
    """Its disk is full, read-only or gone: what people can mend while the service waits."""


class Workers(Protocol):
    """Work that would keep the loop waiting."""

    async def run(self, lane: str, work: Callable[[], ResultT]) -> ResultT:
        """Do it elsewhere. What shares a lane runs in order, one at a time."""
        ...


@dataclass(frozen=True, slots=True)
class Plugged:
    """A board that is there and answers."""

    device: str
    """The name `Links.open` takes, the same again after a replug where the board has a serial."""
    driver: str
    identity: str
    """What the board calls itself; empty if it did not say."""


class Links(Protocol):
    """Devices by their name in the configuration."""

    async def open(self, device: str, driver: str) -> tuple[Wire, Codec]:
        """The device, and a new codec that reads it; no driver: found by probing.

        Raises `WireError`.
        """
        ...

    async def plugged(self, claimed: Collection[str]) -> tuple[Plugged, ...]:
        """Boards that are plugged in, but for these: ports that are open already, and devices that
        are spoken for."""
        ...

    async def present(self, device: str) -> bool:
        """True if this is the name of something that discovery finds plugged in now.

        It is not opened, and asked nothing.
        """
        ...

    async def changed(self) -> None:
        """Returns when it is time to look again what is plugged in."""
        ...


class BrokerError(Exception):
    """The broker is away or refuses; the message is a sentence for people."""


class RefusedError(BrokerError):
    """The broker is there and says no: trying again at once would not help."""


@dataclass(frozen=True, slots=True)
class Received:
    """A message that came in."""

    topic: str
    payload: bytes
    retained: bool
    correlation: bytes = b""
    """MQTT 5 correlation data, to go back with the answer."""
    respond_to: str = ""
    """MQTT 5 response topic: where the sender wants the answer; empty: not said."""
    expiry_s: int | None = None
    """MQTT 5 message expiry: so much longer the sender wants this done; None: for ever."""


class BrokerSession(Protocol):
    """One connection to the broker."""

    def publish(
        self,
        topic: str,
        payload: bytes,
        *,
        retained: bool = False,
        correlation: bytes = b"",
        expiry_s: int | None = None,
    ) -> Awaitable[None]:
        """Send now, in call order, at QoS 1; the awaitable ends when the broker has confirmed.

        On MQTT 5 `correlation` goes with it, and after `expiry_s` the broker hands it to nobody
        any more. It raises `BrokerError` where the broker refuses or goes away.
        """
        ...

    async def subscribe(self, *filters: str) -> None:
        """Raises `BrokerError`."""
        ...

    async def unsubscribe(self, *filters: str) -> None:
        """Raises `BrokerError`."""
        ...

    def messages(self) -> AsyncIterator[Received]:
        """What comes in; ends with `BrokerError` when the broker goes away."""
        ...


class Broker(Protocol):
    """Where the messages go."""

    def connect(self, will_topic: str, will: bytes) -> AbstractAsyncContextManager[BrokerSession]:
        """A session with a retained will. Entering it raises `BrokerError`."""
        ...


class EventBroker(Protocol):
    """The broker that several halls share, for whoever comes without a hall of their own."""

    def visit(self, name: str = "", secret: str = "") -> AbstractAsyncContextManager[BrokerSession]:
        """A session by this login, or by our own. Of each topic the newest message is kept.

        Entering it raises `BrokerError`.
        """
        ...


class Wakefulness(Protocol):
    """Keeps the machine from going to sleep."""

    async def hold(self, why: str, /) -> str:
        """From now on, until `release`. What hinders it, in a sentence; empty: nothing does."""
        ...

    async def release(self) -> None:
        """It may sleep again. A second time does nothing."""
        ...


class Drowsy:
    """The machine sleeps when it likes."""

    async def hold(self, _why: str) -> str:
        return ""

    async def release(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Edges:
    """Everything the service is given of the world."""

    clock: ServiceClock
    links: Links
    store: Store
    broker: Broker
    workers: Workers
    awake: Wakefulness = field(default_factory=Drowsy)
    processes: bool = False
    """The service may start processes of its own, beside the broker."""
    event: EventBroker | None = None
    """None: this hall is alone."""
