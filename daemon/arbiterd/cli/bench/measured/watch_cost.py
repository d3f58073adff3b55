"""What the watch for dead positions costs, beside all else that a half-move costs its table.

Real games are played by quiet hands at simulated boards; the whole table listens: tracking, clock,
rulings, messages. The watch then looks at the same half-moves by itself.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from arbiterd.cli.bench.measured.speeds import run_apart
from arbiterd.rules.bitboard_text import read_fen
from arbiterd.rules.mating.watch import DeadWatch
from arbiterd.simulation.devices.board import heard
from arbiterd.simulation.dice import dice
from arbiterd.simulation.game import follow, read_games
from arbiterd.simulation.hall import SimulatedSeat, hall
from arbiterd.simulation.profiles import CLEAN
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table

SEED = 6
TABLES_EVERY = 10
"""The whole table is a hundred times the watch, so of the games it plays every tenth."""


def told_of_watch(speed: str, files: list[Path], every: int) -> str:
    """One line: cost and share at this speed."""
    lines = "".join(f"{every} {file}\n" for file in files)
    parts = run_apart(speed, "arbiterd.cli.bench.measured.watch_cost", "play_files", lines)
    total = {key: sum(int(str(part[key])) for part in parts) for key in parts[0]}
    watch_ms = total["watch_ns"] / total["plies"] / 1e6
    table_ms = total["table_ns"] / total["table_plies"] / 1e6
    return (
        f"{speed} watch: {watch_ms:.3f} ms a half-move over {total['plies']}, "
        f"{total['asked']} times it asked; the whole table takes {table_ms:.3f} ms a half-move "
        f"over {total['table_plies']}: the watch is {100 * watch_ms / table_ms:.1f} % of it"
    )


def play_files() -> None:
    """The child's part: a file of games and of them every n-th, a line each."""
    for line in sys.stdin:
        every, _, name = line.strip().partition(" ")
        games = list(read_games(Path(name).read_text("utf-8", errors="replace")))[:: int(every)]
        seats = hall(len(games), CLEAN, SEED, games=games)
        told = {"watch_ns": 0, "plies": 0, "asked": 0, "table_ns": 0, "table_plies": 0}
        for seat in seats:
            _watched(seat, told)
        for seat in seats[::TABLES_EVERY]:
            _at_a_table(seat, told)
        print(json.dumps(told))


def _watched(seat: SimulatedSeat, told: dict[str, int]) -> None:
    watch, line = DeadWatch(), follow(seat.game)
    for position in line.positions[1:]:
        begun = time.process_time_ns()
        watch = watch.after(read_fen(line.rules.fen(position)))
        told["watch_ns"] += time.process_time_ns() - begun
        told["plies"] += 1
        told["asked"] += watch.may_be_dead


def _at_a_table(seat: SimulatedSeat, told: dict[str, int]) -> None:
    events = heard(seat.story, CLEAN, seat.rate, dice(f"{SEED} {seat.table}"))
    table = Table(TableSetup(table=seat.table, rate=seat.rate))
    begun = time.process_time_ns()
    for number, event in enumerate(events, 1):
        table.take(number, event)
    told["table_ns"] += time.process_time_ns() - begun
    told["table_plies"] += len(seat.game.moves)
