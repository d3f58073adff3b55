"""Device events as the calls a table makes of its tracker: changes, frames, presses, links.

Presses are read by the table's own clock model from what a DGT clock shows: the lever, and credits
of presses that nobody saw. Setting the clock going again is no press.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from arbiterd.rules.ruleset import Colour
from arbiterd.timing.clock import ClockModel
from arbiterd.timing.control import Rate
from arbiterd.timing.face import Reading
from arbiterd.timing.facts import Press
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


def calls(events: Iterable[DeviceEvent], rate: Rate) -> list[Call]:
    """In order; nothing for what a tracker is not told."""
    out: list[Call] = []
    clock = ClockModel(rate)
    ran: tuple[Colour | None, bool] = (None, False)
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
                told = clock.read(_read(event))
                presses = [fact for fact in told if isinstance(fact, Press) and not fact.restart]
                for after, press in zip(range(len(presses))[::-1], presses, strict=True):
                    args = (press.side, press.late_ns, after, press.seen)
                    out.append(Call("pressed", press.at_ns, args))
                shown = clock.shown(event.at_ns)
                runs = shown.running, shown.known
                if runs != ran:
                    out.append(Call("clock", event.at_ns, runs))
                ran = runs
            case _:
                pass
    return out


def _read(event: ClockReading) -> Reading:
    """White sits at the clock's left."""
    return Reading(
        event.at_ns,
        white_ms=event.left_ms,
        black_ms=event.right_ms,
        running=COLOURS[event.running] if event.running else None,
        lever=COLOURS[event.lever] if event.lever else None,
        white_flag=event.left_flag,
        black_flag=event.right_flag,
        late_ns=event.late_ns,
    )
