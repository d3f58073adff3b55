"""Device events as the calls a table makes of its tracker: changes, frames, presses, links.

Presses are read by the table's own clock model from what a DGT clock shows: the lever, and credits
of presses that nobody saw. Setting the clock going again is no press: the Laws have no half-move in
view there, whatever a table tells its tracker.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from arbiterd.rules.ruleset import Colour
from arbiterd.table.board import Board
from arbiterd.table.readings import reading_of
from arbiterd.timing.clock import ClockModel
from arbiterd.timing.control import Rate
from arbiterd.timing.facts import Press
from eboards.events import (
    ClockReading,
    DeviceEvent,
    LinkDown,
    LinkUp,
    Scan,
    SquareChange,
)


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
    clock, board = ClockModel(rate), Board(fixed=True)
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
                told = clock.read(reading_of(event, board))
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
