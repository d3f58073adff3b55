"""What the rulings of a half-move cost, beside what tracking it costs.

A whole table plays a game of a hall's day; the doors of its tracker and of its docket are timed,
each call on the half-move that was the newest on the record. CPU time of this thread alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from time import thread_time_ns
from typing import Any, Final

from arbiterd.simulation.devices.board import heard
from arbiterd.simulation.devices.clock import rate_of
from arbiterd.simulation.dice import dice
from arbiterd.simulation.game import GameLine
from arbiterd.simulation.hands.play import play
from arbiterd.simulation.profiles import HALL
from arbiterd.table.playback import play as playback
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table

TRACKING: Final = ("changed", "scanned", "pressed", "clock", "link", "felt", "due")
RULINGS: Final = ("hear", "due", "act")


@dataclass(slots=True)
class Costs:
    """Nanoseconds by half-move, for one game or many."""

    tracking: list[int] = field(default_factory=list)
    rulings: list[int] = field(default_factory=list)
    scenes: list[int] = field(default_factory=list)
    """Of the rulings: putting together what the Laws may look at."""

    def add(self, other: Costs) -> None:
        self.tracking += other.tracking
        self.rulings += other.rulings
        self.scenes += other.scenes


class _Meter:
    """Adds what calls cost to the half-move that is the newest while they run."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._spent: dict[str, dict[int, int]] = {"tracking": {}, "rulings": {}, "scenes": {}}

    def time(self, owner: object, name: str, *purposes: str) -> None:
        """From now on the calls of this method count for these purposes."""
        called: Callable[..., Any] = getattr(owner, name)

        @wraps(called)
        def timed(*args: Any, **kwargs: Any) -> Any:
            with self._clocked(purposes):
                return called(*args, **kwargs)

        setattr(owner, name, timed)

    @contextmanager
    def _clocked(self, purposes: tuple[str, ...]) -> Iterator[None]:
        ply, began_ns = len(self._table.moves), thread_time_ns()
        yield
        spent_ns = thread_time_ns() - began_ns
        for purpose in purposes:
            of_plies = self._spent[purpose]
            of_plies[ply] = of_plies.get(ply, 0) + spent_ns

    def costs(self) -> Costs:
        """What comes before the first half-move counts with it."""
        plies = range(1, max(self._spent["tracking"], default=0) + 1)
        return Costs(*([self._of(purpose, ply) for ply in plies] for purpose in self._spent))

    def _of(self, purpose: str, ply: int) -> int:
        spent = self._spent[purpose]
        return spent.get(ply, 0) + (spent.get(0, 0) if ply == 1 else 0)


def costs_of(line: GameLine, seed: str) -> Costs:
    """One game of this line in a hall as most are."""
    rolls = dice(seed)
    story, rate = play(line, HALL, rolls), rate_of(HALL)
    events = heard(story, HALL, rate, rolls, geometry=line.rules.geometry, ticking=True)
    table = Table(TableSetup(rate=rate, orientation=0))
    meter = _Meter(table)
    for name in TRACKING:
        meter.time(table.view.tracker, name, "tracking")
    for name in RULINGS:
        meter.time(table.view.docket, name, "rulings")
    meter.time(table.view, "scene", "rulings", "scenes")
    for _ in playback(table, enumerate(events, 1)):
        pass
    return meter.costs()
