"""Games on emulated boards whose cables lead into an emulated machine, played in real time.

Hands, board and clock are those of a simulated hall (arbiterd.simulation), the moves from dice.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from arbiterd.simulation.devices.clock import STANDARD
from arbiterd.simulation.devices.emulated import EmulatedTable
from arbiterd.simulation.dice import dice
from arbiterd.simulation.drawn_games import made_game
from arbiterd.simulation.game import StagedGame
from arbiterd.simulation.hall import SimulatedSeat, hall
from arbiterd.simulation.profiles import CLEAN, MS, SECOND, Pace, Profile
from hardware.usb_boards import UsbBoard
from hardware.usb_device import Badge

PLIES: Final = 600
DRAWN: Final = 60
"""Of so many games made the longest is played."""


@dataclass(frozen=True, slots=True)
class Play:
    """A board on a cable, and the truth of what hands do on it."""

    board: UsbBoard
    seat: SimulatedSeat

    @property
    def moves(self) -> tuple[str, ...]:
        return self.seat.story.truth.moves

    def made(self, before_ns: int | None = None) -> int:
        """So many half-moves have been made by now, or were by then."""
        by_ns = time.monotonic_ns() if before_ns is None else before_ns
        return sum(ply.made_ns <= by_ns for ply in self.seat.story.truth.plies)


def profile(think_s: float) -> Profile:
    """Nothing but moves, each after so long."""
    pace = Pace(round(think_s * SECOND), carry_ns=500 * MS, press_ns=400 * MS, rest_ns=300 * MS)
    return replace(CLEAN, pace=pace)


def long_games(boards: int, seed: int) -> list[StagedGame]:
    """A long one for each board."""
    return [
        max(
            (made_game(dice(f"machine/{seed}/{board}/{number}"), PLIES) for number in range(DRAWN)),
            key=lambda game: len(game.moves),
        )
        for board in range(boards)
    ]


def plays(
    games: Sequence[StagedGame], seed: int, think_s: float, lead_s: float
) -> tuple[Play, ...]:
    """A board for each game, which begins in so many seconds."""
    begin_ns = time.monotonic_ns() + round(lead_s * SECOND)
    seats = hall(len(games), profile(think_s), seed, games=games, begin_ns=begin_ns)
    return tuple(Play(_board(seat), seat) for seat in seats)


def _board(seat: SimulatedSeat) -> UsbBoard:
    emulated = EmulatedTable(seat.story, STANDARD, seat.emulated().badge, on_ns=time.monotonic_ns())
    return UsbBoard(emulated, Badge(serial=f"00{seat.serial}"))
