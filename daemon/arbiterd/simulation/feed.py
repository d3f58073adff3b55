"""Device events as the calls a table makes of its tracker: changes, frames, presses, links.

Presses are read from the lever as a DGT clock shows it. The table uses the whole clock model;
for what tracking sees of it, these few lines are the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from arbiterd.rules.ruleset import Colour
from eboards.events import (
    ClockReading,
    DeviceEvent,
    LinkDown,
    LinkUp,
    Scan,
    Side,
    SquareChange,
)

COLOURS = {Side.LEFT: Colour.WHITE, Side.RIGHT: Colour.BLACK}


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a matcher: which input, when, with what."""

    name: str
    at_ns: int
    args: tuple[Any, ...]

    @property
    def is_placement(self) -> bool:
        return self.name in ("changed", "scanned")


def calls(events: Iterable[DeviceEvent]) -> list[Call]:
    """In order; nothing for what a tracker is not told."""
    out: list[Call] = []
    before: ClockReading | None = None
    for event in events:
        match event:
            case SquareChange():
                out.append(Call("changed", event.at_ns, (event.square, event.piece)))
            case Scan():
                out.append(Call("scanned", event.at_ns, (event.placement,)))
            case LinkUp():
                out.append(Call("link", event.at_ns, (True, event.sensing)))
            case LinkDown():
                out.append(Call("link", event.at_ns, (False, None)))
            case ClockReading():
                out += _clock(before, event)
                before = event
            case _:
                pass
    return out


def _clock(before: ClockReading | None, now: ClockReading) -> list[Call]:
    """A press, where the lever went over while a clock ran, and which clock runs now."""
    out = []
    if (
        before is not None
        and before.running is not None
        and now.lever is not None
        and now.lever is not before.lever
        and now.running is not None
    ):
        presser = COLOURS[now.lever].other
        out.append(Call("pressed", now.at_ns, (presser, now.late_ns)))
    if before is None or before.running is not now.running:
        running = COLOURS[now.running] if now.running else None
        out.append(Call("clock", now.at_ns, (running, True)))
    return out
