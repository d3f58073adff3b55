"""Emulated boards in a process of their own that writes down when each of them said something.

    python -m arbiterd.cli.bench.measured.timed_boards FOLDER FIRST BOARDS PACE SEED SECONDS

In the folder: `board-1` …, and of this process (FIRST is the number of boards before its own)
`tables-FIRST.toml` and `said-FIRST`, a line for each write: table and time (ns).
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from typing import TextIO

from arbiterd.cli.boards import Asleep, configuration
from arbiterd.cli.stopping import when_told
from arbiterd.edges.real import WallClock
from arbiterd.simulation.dice import dice
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import follow
from arbiterd.simulation.hall import SimulatedSeat, hall
from arbiterd.simulation.hands.games_in_a_row import day_of, games_in_a_row
from arbiterd.simulation.profiles import CLEAN, SECOND, Pace, Profile
from eboards.emulator import Emulator
from eboards.transport.paced import PacedLine
from eboards.transport.pty import PtyServer

BLITZ_NS = 5 * SECOND
"""A half-move of blitz: five minutes a player, sixty half-moves each."""


class Timed:
    """An emulator whose words are noted as they are written."""

    def __init__(self, emulator: Emulator, table: str, said: TextIO) -> None:
        self._emulator, self._table, self._said = emulator, table, said

    @property
    def due_at_ns(self) -> int | None:
        return self._emulator.due_at_ns

    def receive(self, data: bytes, at_ns: int) -> None:
        self._emulator.receive(data, at_ns)

    def advance(self, at_ns: int) -> bytes:
        data = self._emulator.advance(at_ns)
        if data:
            self._said.write(f"{self._table} {at_ns}\n")
        return data


def pace_of(times: float) -> Pace:
    """Hands so many times as fast as in blitz, the clock's presses included."""
    ply_ns = int(BLITZ_NS / times)
    return Pace(ply_ns * 6 // 10, ply_ns // 6, ply_ns // 10, ply_ns // 10, published=False)


def seats_of(first: int, boards: int, pace: float, seed: int, seconds: int) -> list[SimulatedSeat]:
    """Each begins at a moment of its own: no two clocks of a hall count their seconds in step.
    One game follows another, for at least so many seconds."""
    hands = replace(CLEAN, pace=pace_of(pace))
    return [
        _all_day(seat, number, hands, seed, seconds * SECOND)
        for number in range(first, first + boards)
        for seat in hall(1, hands, seed, first=number, begin_ns=_phase_ns(seed, number))
    ]


def _all_day(
    seat: SimulatedSeat, number: int, hands: Profile, seed: int, lasts_ns: int
) -> SimulatedSeat:
    """The table with the games that follow its first."""
    begin_ns = seat.story.begin_ns
    lines = (follow(game) for game in islice(cycle(FAMOUS), number, None))
    rolls = dice(f"hall/{seed}/{number}")
    stories = tuple(games_in_a_row(lines, hands, rolls, begin_ns, begin_ns + lasts_ns))
    return replace(seat, story=day_of(stories, seat.rate))


def _phase_ns(seed: int, number: int) -> int:
    return dice(f"phase/{seed}/{number}").randrange(SECOND)


async def play(folder: Path, first: int, boards: int, pace: float, seed: int, seconds: int) -> None:
    """Until told to stop."""
    stop, clock = asyncio.Event(), WallClock()
    when_told(stop.set)
    seats = seats_of(first, boards, pace, seed, seconds)
    with (folder / f"said-{first}").open("w", encoding="ascii") as said:
        servers = [
            PtyServer(
                Timed(Asleep(PacedLine(s.emulated()), s.story.begin_ns), s.table, said),
                clock.now_ns,
                link=folder / f"board-{s.table}",
            )
            for s in seats
        ]
        devices = [f"serial:{server.port}" for server in servers]
        text = configuration(seats, devices, 1.0, seed)
        part = folder / f"part-{first}"
        part.write_text(text, encoding="utf-8")
        part.rename(folder / f"tables-{first}.toml")
        await stop.wait()
    for server in servers:
        server.close()


def main() -> None:
    folder, first, boards, pace, seed, seconds = sys.argv[1:]
    asyncio.run(play(Path(folder), int(first), int(boards), float(pace), int(seed), int(seconds)))


if __name__ == "__main__":
    main()
