"""What one input led to, in the order in which it may leave."""

from __future__ import annotations

from msgspec import Struct

from eboards.codec import DeviceCommand


class Output(Struct, frozen=True, gc=False):
    """A message of one table, ready for the journal and then for the outlets."""

    topic: str
    """Relative to the table: `moves`, `rulings/12-0812`, `reply/ana`."""
    payload: bytes
    """UTF-8 JSON; empty clears a retained topic."""
    retained: bool = False
    seq: int | None = None
    """Set on events, null on snapshots, replies and clearings."""
    urgency: int | None = None
    """Of a ruling; lets a reader filter without reading the payload."""


class Step(Struct, frozen=True, gc=False):
    """1. into the journal, synced; 2. to the board or clock; 3. call again by then."""

    outputs: tuple[Output, ...] = ()
    commands: tuple[DeviceCommand, ...] = ()
    due_at_ns: int | None = None
