"""What the HTTP room asks of others. Topics are relative to `arbiterd/<hall>/`.

Payloads are handed on byte for byte, so that HTTP and MQTT never differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from arbiterd.journal.live import NumberedEvent
from arbiterd.journal.roster import Match
from arbiterd.messages.commands import Command


class MessageReader(Protocol):
    """Messages of one audience. The live one reads the journal, the public one the delay gate."""

    def retained(self) -> Mapping[str, bytes]:
        """The newest payload of each retained topic; cleared topics are not in it.

        The same mapping may come again as long as nothing has changed, and only then.
        """
        ...

    @property
    def last(self) -> int:
        """The number of the newest event, 0 before the first."""
        ...

    async def after(self, number: int, limit: int) -> Sequence[NumberedEvent]:
        """Events after `number`, in order, `limit` at most."""
        ...

    async def timeline(self, table: str, after_seq: int, limit: int) -> Sequence[NumberedEvent]:
        """Events of one table whose `seq` is greater, in order, `limit` at most."""
        ...

    @property
    def mark(self) -> int:
        """Changes with every event and every retained message."""
        ...

    async def changed(self, mark: int) -> None:
        """Return as soon as `mark` is another one."""
        ...


class CommandIntake(Protocol):
    """Where acts enter the journal."""

    async def submit(self, table: str, command: Command, user: str) -> bytes:
        """Journal the command, have it applied once for its id, return the reply's payload."""
        ...

    async def submit_round(self, command: Command, user: str) -> bytes:
        """The same for a command about a round, which belongs to no table."""
        ...


class Others(MessageReader, Protocol):
    """The other halls of an event; topics begin with a hall's name.

    `<hall>/heard` says how each is heard: `hall`, `page`, `link`, `heard`, `silent_s`.
    """

    def names(self) -> Sequence[str]:
        """In the order of the configuration."""
        ...

    async def submit_at(self, hall: str, table: str, command: Command, user: str) -> bytes:
        """Send a command by this login, return that hall's reply. Raises BrokerError."""
        ...


@dataclass(frozen=True, slots=True)
class BoardSeen:
    """A board that a table can have."""

    device: str
    """As `assign-device` names it."""
    driver: str
    identity: str
    """What it calls itself; empty if it did not say."""
    table: str | None
    """Where it is now; None: it is plugged in and free."""


class EvidenceInputs(Protocol):
    """The inputs a ruling rests on."""

    async def inputs(self, table: str, first: int, last: int) -> Sequence[bytes]:
        """Inputs of the table with these journal numbers, one JSON object each, in order."""
        ...

    def match(self, table: str, number: int) -> Match | None:
        """Whose game this input is of, by their names as they are known now; None: of none."""
        ...


class Scores(Protocol):
    """The games as PGN."""

    async def of_round(self, number: int) -> str | None:
        """None: no such round."""
        ...

    async def of_table(self, table: str) -> str | None:
        """The table's present game. None: no such table or no game."""
        ...


class PageClock(Protocol):
    """The time that pages are shown; a simulation may let it run faster."""

    @property
    def speed(self) -> float:
        """How many seconds pass on it in one second of the machine's."""
        ...

    def now_ns(self) -> int:
        """Nanoseconds since the epoch. The public's is as far behind as what it is shown."""
        ...

    async def rest(self, seconds: float) -> None:
        """Wait in the machine's own seconds."""
        ...
