"""The four doors to the world, as the service sees them: time, links, disk, broker; and workers.

Whoever runs the service hands real ones in (`edges.real`), a simulation hands in its own. No
other room asks the time, waits, starts a thread or opens a connection.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar

ResultT = TypeVar("ResultT")


class Clock(Protocol):
    """The one clock that stamps all input."""

    speed: float
    """How many seconds pass on it in one second of the machine's."""

    def now_ns(self) -> int:
        """Nanoseconds since the epoch. Never goes back."""
        ...

    def not_before(self, at_ns: int) -> None:
        """From now on `now_ns` is at least this: what the journal already holds is past."""
        ...

    async def until(self, at_ns: int) -> None:
        """Return once `now_ns` has reached `at_ns`."""
        ...

    async def rest(self, seconds: float) -> None:
        """Wait in the machine's own seconds, whatever the speed: back-off, throttling."""
        ...


class Store(Protocol):
    """Where the journal lies."""

    def connect(self) -> sqlite3.Connection:
        """The one connection that writes. Raises `StoreError`."""
        ...

    def connect_for_reading(self) -> sqlite3.Connection:
        """A connection that never writes and never checkpoints. Raises `StoreError`."""
        ...


class StoreError(Exception):
    """The journal cannot be opened; the message names the file and the mend."""


class Workers(Protocol):
    """Work that would keep the loop waiting."""

    async def run(self, lane: str, work: Callable[[], ResultT]) -> ResultT:
        """Do it elsewhere. What shares a lane runs in order, one at a time."""
        ...


class LinkTrouble(StrEnum):
    """Why a device cannot be opened, in the words people see."""

    MISSING = "is not there; plug the board in"
    BUSY = "is in use by another program; close it"
    FORBIDDEN = "may not be opened; add the service's user to the group that owns it"
    WRONG = "cannot be used"


class LinkError(Exception):
    """A device cannot be opened or is gone. The message is a sentence for people."""

    def __init__(self, trouble: LinkTrouble, sentence: str) -> None:
        super().__init__(sentence)
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class Heard:
    """What one read brought, and when it was read."""

    at_ns: int
    data: bytes


class Wire(Protocol):
    """An open device."""

    port: str

    async def read(self) -> Heard:
        """The next bytes. Raises `LinkError` once the device is gone."""
        ...

    def write(self, data: bytes) -> None:
        """Send, without waiting. Raises `LinkError` once the device is gone."""
        ...

    def close(self) -> None: ...


class Links(Protocol):
    """Devices by their name in the configuration."""

    async def open(self, device: str) -> Wire:
        """Raises `LinkError`."""
        ...


class BrokerError(Exception):
    """The broker is away or refuses; the message is a sentence for people."""


@dataclass(frozen=True, slots=True)
class Received:
    """A message that came in."""

    topic: str
    payload: bytes
    retained: bool
    correlation: bytes = b""
    """MQTT 5 correlation data, to go back with the answer."""
    expired: bool = False


class Session(Protocol):
    """One connection to the broker."""

    def publish(
        self, topic: str, payload: bytes, *, retained: bool = False, correlation: bytes = b""
    ) -> Awaitable[None]:
        """Send now, in call order, at QoS 1; the awaitable ends when the broker has confirmed.

        It raises `BrokerError` where the broker refuses or goes away.
        """
        ...

    async def subscribe(self, *filters: str) -> None:
        """Raises `BrokerError`."""
        ...

    def messages(self) -> AsyncIterator[Received]:
        """What comes in; ends with `BrokerError` when the broker goes away."""
        ...


class Broker(Protocol):
    """Where the messages go."""

    def connect(self, will_topic: str, will: bytes) -> AbstractAsyncContextManager[Session]:
        """A session with a retained will. Entering it raises `BrokerError`."""
        ...


@dataclass(frozen=True, slots=True)
class Edges:
    """Everything the service is given of the world."""

    clock: Clock
    links: Links
    store: Store
    broker: Broker
    workers: Workers
