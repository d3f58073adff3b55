"""The tracking benchmark: many games under many profiles and seeds, counted.

Two parts. Exactness: every game under every profile and seed through tracking, in as many
processes as are given. Cost and baselines: a seeded sample in this one process, tracking and
baselines over the very same trials, CPU time of this thread alone.
"""

from __future__ import annotations

import gc
from array import array
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field

from arbiterd.simulation.benchmarks.calibration import Calibration
from arbiterd.simulation.benchmarks.score import Alarm
from arbiterd.simulation.benchmarks.trial import BASELINES, Outcome, make_trial, outcomes
from arbiterd.simulation.dice import dice
from arbiterd.simulation.game import GameLine, StagedGame, follow
from arbiterd.simulation.profiles import PROFILES

CHUNK = 25
"""Games in one piece of work."""
SAMPLE_DEEP = 3
"""Games a profile for depth two, which takes seconds a game."""


@dataclass(frozen=True, slots=True)
class Miss:
    """A game whose reports differ from its truth, with all it takes to see it again."""

    profile: str
    seed: int
    game: int
    first_wrong: int | None
    said_so: bool
    alarms: tuple[Alarm, ...]
    """The false ones."""
    missed: tuple[str, ...]


@dataclass(slots=True)
class Tally:
    """Counts over games of one profile."""

    profile: str
    games: int = 0
    exact: int = 0
    silent: int = 0
    """Not exact, and nothing said so at the time."""
    false_alarms: int = 0
    missed: int = 0
    owed: int = 0
    plies: int = 0
    placements: int = 0
    costs_ns: array[int] = field(default_factory=lambda: array("q"))
    misses: list[Miss] = field(default_factory=list)
    told: Calibration = field(default_factory=Calibration)

    def count(self, outcome: Outcome, seed: int, game: int) -> None:
        """Add one game."""
        held = outcome.score
        self.games += 1
        self.exact += held.exact
        self.silent += not held.said_so
        self.false_alarms += len(held.false_alarms)
        self.missed += len(held.missed)
        self.owed += held.owed
        self.plies += outcome.plies
        self.placements += outcome.placements
        self.costs_ns.extend(outcome.costs_ns)
        self.told.add(outcome.told)
        if not held.exact or held.false_alarms or held.missed:
            self.misses.append(
                Miss(
                    self.profile,
                    seed,
                    game,
                    held.first_wrong,
                    held.said_so,
                    held.false_alarms,
                    held.missed,
                )
            )

    def add(self, other: Tally) -> None:
        """Add what another process counted."""
        assert self.profile == other.profile, "a tally is of one profile"
        for name in ("games", "exact", "silent", "false_alarms", "missed", "owed", "plies"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.placements += other.placements
        self.costs_ns.extend(other.costs_ns)
        self.misses += other.misses
        self.told.add(other.told)


def seed_of(profile: str, seed: int, game: int) -> str:
    """The seed of one trial, as text: no two trials share their dice."""
    return f"{profile}/{seed}/{game}"


_LINES: dict[int, GameLine] = {}
_GAMES: list[StagedGame] = []


def use(games: list[StagedGame]) -> None:
    """Have these games at hand; every process calls it once."""
    _GAMES[:] = games
    _LINES.clear()
    _set_aside()


def _set_aside() -> None:
    """What the benchmark itself holds is no matcher's garbage to look through."""
    gc.collect()
    gc.freeze()


def line(number: int) -> GameLine:
    """A game in steps; worked out once a process."""
    if number not in _LINES:
        _LINES[number] = follow(_GAMES[number])
    return _LINES[number]


def exactness(profile: str, seed: int, numbers: tuple[int, ...]) -> Tally:
    """These games of one profile and seed through tracking."""
    tally = Tally(profile)
    for number in numbers:
        trial = make_trial(line(number), PROFILES[profile], seed_of(profile, seed, number))
        _set_aside()
        tally.count(outcomes([trial], "tracking")[0], seed, number)
    return tally


def all_exactness(
    games: list[StagedGame], profiles: list[str], seeds: list[int], jobs: int
) -> Iterator[Tally]:
    """Tallies as pieces of the work are done, in any order."""
    numbers = range(len(games))
    pieces = [
        (profile, seed, tuple(numbers[at : at + CHUNK]))
        for at in range(0, len(games), CHUNK)
        for profile in profiles
        for seed in seeds
    ]
    if jobs == 1:
        use(games)
        yield from (exactness(*piece) for piece in pieces)
        return
    with ProcessPoolExecutor(jobs, initializer=use, initargs=(games,)) as pool:
        for done in as_completed([pool.submit(exactness, *piece) for piece in pieces]):
            yield done.result()


def side_by_side(
    games: list[StagedGame], profile: str, seed: int, sample: int
) -> Iterator[tuple[str, Tally]]:
    """Tracking and each baseline over one seeded sample of games, in this process."""
    numbers = dice(f"sample/{profile}/{seed}").sample(range(len(games)), min(sample, len(games)))
    trials = {
        number: make_trial(line(number), PROFILES[profile], seed_of(profile, seed, number))
        for number in numbers
    }
    _set_aside()
    for matcher in ("tracking", *BASELINES):
        tally = Tally(profile)
        for number in numbers[:SAMPLE_DEEP] if matcher == "depth two" else numbers:
            tally.count(outcomes([trials[number]], matcher)[0], seed, number)
        yield matcher, tally


def quantile(costs_ns: array[int], share: float) -> int:
    """The cost that this share of placements stays under; 0 where there is none."""
    ordered = sorted(costs_ns)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0
