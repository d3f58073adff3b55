"""A journal's inputs with what devices said read again from their raw bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from arbiterd.hall.links.drivers import DRIVERS, new_codec
from arbiterd.journal.again import stored
from arbiterd.journal.rows import InputRow, Unread
from arbiterd.table.inputs import Input
from arbiterd.table.setup import TableSetup
from eboards.codec import Codec
from eboards.events import DeviceEvent, Fault, LinkDown, LinkUp, Noise

BY_TIME = frozenset({Noise.SILENT, Noise.LATE, Noise.TOO_MUCH})
"""Faults that are told because time has passed."""


def decoded(rows: Iterable[InputRow]) -> Iterator[tuple[int, Input | TableSetup]]:
    """The inputs with what devices said read again from their raw bytes.

    What no bytes said (a loss, a silence) stays as it was told.
    """
    codec: Codec | None = None
    for read in _reads(rows):
        first = read[0]
        if isinstance(first.item, LinkUp):
            driver = first.item.driver
            codec = new_codec(driver) if driver in DRIVERS else None
        if first.raw and codec is not None:
            yield from _read_again(read, codec.receive(first.raw, first.at_ns))
        else:
            yield from stored(read)


def _reads(rows: Iterable[InputRow]) -> Iterator[list[InputRow]]:
    """The rows of each read together: one with the bytes, and those of all else that they said."""
    read: list[InputRow] = []
    for row in rows:
        if not (read and read[0].raw and _goes_on(read[-1], row)):
            if read:
                yield read
            read = []
        read.append(row)
    if read:
        yield read


def _goes_on(before: InputRow, row: InputRow) -> bool:
    """Rows of one read are numbered in one go, and stamped with its time."""
    together = row.number == before.number + 1 and row.at_ns == before.at_ns
    return together and not row.raw and _from_wire(row) and not isinstance(row.item, LinkUp)


def _read_again(
    read: Sequence[InputRow], events: Sequence[DeviceEvent]
) -> Iterator[tuple[int, Input | TableSetup]]:
    """What one read says now, under the numbers it had; more than it said then, under the last."""
    by_time = [(row.number, row.item) for row in read if _by_time(row.item, events)]
    apart = {number for number, _ in by_time}
    numbers = [row.number for row in read if row.number not in apart] or [read[0].number]
    for place, event in enumerate(events):
        yield numbers[min(place, len(numbers) - 1)], event
    for number, item in by_time:
        assert not isinstance(item, Unread | None), "only what a device or its link said"
        yield number, item


def _by_time(item: object, events: Sequence[DeviceEvent]) -> bool:
    """The link said it, or the codec when it was due: the bytes do not say it again."""
    if not isinstance(item, Fault):
        return isinstance(item, LinkDown)
    again = [event.noise for event in events if isinstance(event, Fault)]
    return item.noise in BY_TIME and item.noise not in again


def _from_wire(row: InputRow) -> bool:
    return type(row.item).__module__ == "eboards.events"
