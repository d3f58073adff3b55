"""The rulings benchmark: incidents are put into real games until each kind came often enough.

    Plan ──▶ batch of assignments ──▶ tried, in any number of processes ──▶ Plan.hear

A game takes a few kinds at once. All games are played once; then those in which a kind that is
still short was possible, again, under other dice. What is played depends on the seed and on what
was judged so far, never on how many processes there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from arbiterd.simulation.benchmarks.recall import Judged, day_with, verdict
from arbiterd.simulation.benchmarks.tracking import line, use
from arbiterd.simulation.game import StagedGame
from arbiterd.simulation.profiles import Profile

AT_ONCE: Final = 6
"""So many kinds a game."""
BATCH: Final = 24
"""So many games between two looks at what is still short."""
ROUNDS: Final = 60
"""So often is a game played at most; after that a kind is left short."""


@dataclass(frozen=True, slots=True)
class SeededGame:
    """A game to be played, and what is to happen in it."""

    game: int
    round: int
    names: tuple[str, ...]

    def seed(self, seed: int) -> str:
        """All that it takes to play it again, as text."""
        return f"rulings/{seed}/{self.round}/{self.game}/{'+'.join(self.names)}"

    @classmethod
    def read(cls, text: str) -> SeededGame:
        """The assignment of a seed that `seed` wrote.

        Raises:
            ValueError: it is no such seed.
        """
        match text.split("/"):
            case ["rulings", str(seed), number, game, names] if (seed + number + game).isdecimal():
                return cls(int(game), int(number), tuple(names.split("+")))
        raise ValueError(f"{text!r} is no case: write rulings/SEED/ROUND/GAME/NAME+NAME as printed")

    @property
    def day(self) -> Profile:
        """The hall's day on which it is played."""
        # In a game that is played again the kinds are rare: twice, where there is room.
        return day_with(self.names, 2.0 if self.round else 1.0)


@dataclass(slots=True)
class SeedingPlan:
    """What is still to be played."""

    names: Sequence[str]
    games: int
    each: int
    had: dict[str, int] = field(default_factory=dict)
    """How often each kind has come."""
    able: dict[str, set[int]] = field(default_factory=dict)
    """In which games."""

    def short(self) -> list[str]:
        """Kinds that have not come often enough, the rarest first."""
        lacking = [name for name in self.names if self.had.get(name, 0) < self.each]
        return sorted(lacking, key=lambda name: self.had.get(name, 0))

    def batches(self) -> Iterator[list[SeededGame]]:
        """What to play next; each batch after `hear` was called for the one before."""
        for number in range(ROUNDS):
            for at in range(0, self.games, BATCH):
                numbers = range(at, min(at + BATCH, self.games))
                batch = [self._assign(game, number) for game in numbers]
                todo = [assigned for assigned in batch if assigned.names]
                if todo:
                    yield todo

    def _assign(self, game: int, number: int) -> SeededGame:
        short = self.short()
        if number:
            short = [name for name in short if game in self.able.get(name, ())]
        # Of kinds that are as rare as one another, each game begins with another.
        turned = [*short[game % len(short) :], *short[: game % len(short)]] if short else []
        rarest = sorted(turned, key=lambda name: self.had.get(name, 0))
        return SeededGame(game, number, tuple(rarest[:AT_ONCE]))

    def hear(self, assigned: SeededGame, result: Judged) -> None:
        """What came of it."""
        for owed in result.owed:
            self.had[owed.name] = self.had.get(owed.name, 0) + 1
            self.able.setdefault(owed.name, set()).add(assigned.game)


def seeded(
    games: list[StagedGame], names: Sequence[str], seed: int, each: int, jobs: int
) -> Iterator[Judged]:
    """Every game that is played for these kinds, judged, in the order of the plan."""
    plan = SeedingPlan(names, len(games), each)
    with ProcessPoolExecutor(jobs, initializer=use, initargs=(games,)) as pool:
        for batch in plan.batches():
            for assigned, result in zip(batch, pool.map(partial(_play, seed), batch), strict=True):
                plan.hear(assigned, result)
                yield result


def _play(seed: int, assigned: SeededGame) -> Judged:
    text = assigned.seed(seed)
    try:
        return verdict(line(assigned.game), assigned.day, text)
    except Exception as error:
        error.add_note(f"in the case {text}")
        raise
