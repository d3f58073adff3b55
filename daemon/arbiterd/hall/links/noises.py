"""Faults of one line, counted: a few are told as they come, many once a second with their number.

What comes with them and is no fault is told at once, and after what was held back before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arbiterd.hall.links.budget import NOISE_KEPT, SECOND_NS, LineBudget
from eboards.events import DeviceEvent, Fault, Noise


class Noises:
    """Between a codec and its table."""

    def __init__(self, budget: LineBudget) -> None:
        self._budget = budget
        self._held: dict[Noise, Fault] = {}
        self._raw = b""
        self.due_at_ns: int | None = None
        """When what is held back is to be told."""

    def heard(
        self, events: Sequence[DeviceEvent], raw: bytes, at_ns: int
    ) -> tuple[list[DeviceEvent], bytes]:
        """What of it is told now, with its bytes."""
        if not self._held and not any(isinstance(event, Fault) for event in events):
            return list(events), raw
        only_noise = bool(events) and all(_is_noise(event) for event in events)
        if only_noise and not self._budget.may_tell_faults(at_ns):
            self._hold(events, raw, at_ns)
            return [], b""
        held, held_raw = self.let_go(at_ns)
        return [*held, *summed(events)], held_raw + raw

    def let_go(self, at_ns: int) -> tuple[list[DeviceEvent], bytes]:
        """What was held back, each kind of fault once, with how often it was."""
        held = [replace(fault, at_ns=at_ns) for fault in self._held.values()]
        raw = self._raw
        self._held, self._raw, self.due_at_ns = {}, b"", None
        return list(held), raw

    def _hold(self, events: Sequence[DeviceEvent], raw: bytes, at_ns: int) -> None:
        for event in events:
            assert isinstance(event, Fault), "only noise is held back"
            known = self._held.get(event.noise)
            self._held[event.noise] = event if known is None else _one_more(known, event)
        self._raw = (self._raw + raw)[:NOISE_KEPT]
        if self.due_at_ns is None:
            self.due_at_ns = at_ns + SECOND_NS


def summed(events: Sequence[DeviceEvent]) -> list[DeviceEvent]:
    """Faults of one kind in one read are one, where the first was, with their number."""
    told: list[DeviceEvent] = []
    places: dict[Noise, int] = {}
    for event in events:
        if not isinstance(event, Fault) or not _is_noise(event):
            told.append(event)
        elif event.noise in places:
            first = told[places[event.noise]]
            assert isinstance(first, Fault), "a fault is where it was put"
            told[places[event.noise]] = _one_more(first, event)
        else:
            places[event.noise] = len(told)
            told.append(event)
    return told


def _is_noise(event: DeviceEvent) -> bool:
    """A silence is no noise: of it the link's loss tells."""
    return isinstance(event, Fault) and event.noise is not Noise.SILENT


def _one_more(known: Fault, event: DeviceEvent) -> Fault:
    """Bytes are those of the first. Of several notes none is told: each differs from the next."""
    assert isinstance(event, Fault), "a fault is summed with faults"
    note = known.note if known.note == event.note else ""
    return replace(known, count=known.count + event.count, note=note)
