"""What a driver fulfils: a pure machine between one wire and the events of `events`.

    bytes read ──▶ receive(data, at_ns) ──▶ events
                   due_at_ns, due(at_ns) ──▶ bytes to write (start-up, polls, repeats, keep-alive)
    command    ──▶ send(command, at_ns)  ──▶ bytes to write now, or later through due

A codec has no clock, no thread and no descriptor. It never raises on bad bytes: they become a
`Fault`. The shell around it (`transport`) is a dozen lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

from eboards.events import DeviceEvent, Sensing, Side


class Standing(StrEnum):
    """How far a driver has been proven."""

    WRITTEN = "written"
    """From documents."""
    RECORDED = "recorded"
    """Against the bytes of a real device."""
    PLAYED = "played"
    """In a tournament."""


@dataclass(frozen=True, slots=True)
class AskBoard:
    """Show the whole board."""


@dataclass(frozen=True, slots=True)
class AskClock:
    """Show the clock."""


@dataclass(frozen=True, slots=True)
class SetClock:
    """Set the clock's times. Only on an arbiter's command, never during play."""

    left_ms: int
    right_ms: int
    running: Side | None
    increment_ms: int = 0
    """What each press is to give, for clocks that take it with the times."""


@dataclass(frozen=True, slots=True)
class ShowText:
    """Put a short text on the clock. Only on an arbiter's command, never during play."""

    text: str


@dataclass(frozen=True, slots=True)
class AskLog:
    """Send what the board remembers of the time nobody listened."""


DeviceCommand: TypeAlias = AskBoard | AskClock | SetClock | ShowText | AskLog


class Codec(Protocol):
    """One device on one wire. Made anew for every session of a link."""

    driver: str
    standing: Standing

    @property
    def sensing(self) -> Sensing: ...

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        """What these bytes say, wherever the read happened to end."""
        ...

    def send(self, command: DeviceCommand, at_ns: int) -> bytes:
        """The bytes to write now; empty if it must wait its turn or cannot be said."""
        ...

    @property
    def due_at_ns(self) -> int | None:
        """When `due` wants to be called if nothing happens before. None: never."""
        ...

    def due(self, at_ns: int) -> tuple[bytes, list[DeviceEvent]]:
        """What is to be written at this time, and what the silence means (a `Fault`)."""
        ...
