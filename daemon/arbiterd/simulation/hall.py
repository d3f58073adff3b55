"""A hall of emulated boards: who plays what at which table, and when.

The demo hall gives its tables the famous games in their order; other halls the games they are
given. Each table has dice of its own, drawn from one seed, so that a hall is the same hall
again, and the same table whatever the number of its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from arbiterd.simulation.devices.clock import rate_of
from arbiterd.simulation.devices.emulated import EmulatedTable
from arbiterd.simulation.dice import dice
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import StagedGame, follow
from arbiterd.simulation.hands.play import play
from arbiterd.simulation.profiles import SECOND, Profile
from arbiterd.simulation.world import Story
from arbiterd.timing.control import Rate
from eboards.dgt.emulator import Badge

FIRST_SERIAL = 30_001
"""Serial numbers of emulated boards begin here: five digits, as old boards have them."""
APART_NS = SECOND // 3
"""Tables begin so much after one another, as in a hall."""


@dataclass(frozen=True, slots=True)
class SimulatedSeat:
    """One table of a simulated hall."""

    table: str
    game: StagedGame
    story: Story
    rate: Rate
    serial: str

    def emulated(self, on_ns: int | None = None) -> EmulatedTable:
        """Its board and clock, new. Switched on at this time; None: as its story begins."""
        return EmulatedTable(self.story, self.rate, Badge(serial=self.serial), on_ns=on_ns)


def hall(
    boards: int,
    profile: Profile,
    seed: int,
    *,
    games: Sequence[StagedGame] = FAMOUS,
    begin_ns: int = 0,
    first: int = 0,
) -> tuple[SimulatedSeat, ...]:
    """So many tables, each with its game, hands and clock; `first`: that many are left out."""
    return tuple(
        SimulatedSeat(
            table=str(number + 1),
            game=game,
            story=play(
                follow(game),
                profile,
                dice(f"hall/{seed}/{number}"),
                begin_ns + number * APART_NS,
            ),
            rate=rate_of(profile),
            serial=str(FIRST_SERIAL + number),
        )
        for number, game in enumerate(islice(cycle(games), first, first + boards), first)
    )
