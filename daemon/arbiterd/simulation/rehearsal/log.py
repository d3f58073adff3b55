"""Rehearsals of many seeds as a log that is gone on with: which were run, and what they came to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final, Self

from arbiterd.simulation.dice import dice
from arbiterd.simulation.rehearsal.findings import RehearsalReport
from arbiterd.simulation.rehearsal.script import Script, draw

BOARDS_LEAST: Final = 2
DOUBLINGS: Final = 5
"""The largest hall has 64 boards."""
HOURS_LEAST: Final = 0.1
HOURS_MOST: Final = 0.5
ROUND_HOURS: Final = 4.0
ROUNDS: Final = 0.03
"""Share of days that last as long as a round, at the pace of one."""

LINE: Final = re.compile(
    r"seed (?P<seed>\d+): (?P<boards>\d+) boards, (?P<hours>[\d.]+) h, "
    r".* (?P<findings>\d+) findings,"
)


def drawn_day(seed: int) -> Script:
    """The day of a seed that draws its hall too: 2 to 64 boards, most halls small.

    A short day has a board-hour, but six minutes at least and half an hour at most: games that are
    played in a hurry. One day in thirty is long: game after game, as long as people think.
    """
    fate = dice(f"rehearsal/{seed}/hall")
    boards = round(BOARDS_LEAST * 2 ** (DOUBLINGS * fate.random() ** 4))
    if fate.random() < ROUNDS:
        return draw(seed, ROUND_HOURS, boards)
    return draw(seed, min(max(1 / boards, HOURS_LEAST), HOURS_MOST), boards)


def told(script: Script, report: RehearsalReport, took_s: float) -> str:
    """A day in one line: what was played, what it came to, and the digest it has each time."""
    tables = f"{report.exact} records exact, {report.doubted} doubted, {report.accused} accused"
    return (
        f"seed {script.seed}: {script.boards} boards, {report.seconds / 3600:.2f} h,"
        f" {len(script.troubles)} troubles, {report.lives} lives, {report.messages} messages,"
        f" {report.half_moves} half-moves, {tables}, {len(report.findings)} findings,"
        f" {took_s:.1f} s, run {report.digest[:16]}"
    )


@dataclass(frozen=True, slots=True)
class RehearsalLog:
    """What the lines of a log come to. Lines of another kind are remarks."""

    seeds: frozenset[int] = frozenset()
    board_hours: float = 0.0
    failed: frozenset[int] = frozenset()

    @classmethod
    def read(cls, lines: Iterable[str]) -> Self:
        """A seed that stands there twice counts once, as its last line has it."""
        days = {int(found["seed"]): found for line in lines if (found := LINE.match(line))}
        return cls(
            frozenset(days),
            sum(int(found["boards"]) * float(found["hours"]) for found in days.values()),
            frozenset(seed for seed, found in days.items() if int(found["findings"])),
        )

    def missing(self) -> Iterator[int]:
        """Seeds that it does not have, from 1 on, without end."""
        return (seed for seed in count(1) if seed not in self.seeds)

    def __str__(self) -> str:
        return (
            f"{len(self.seeds)} seeds, {self.board_hours:,.0f} board-hours,"
            f" {len(self.failed)} of them with a finding"
        )
