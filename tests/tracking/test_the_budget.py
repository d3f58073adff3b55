"""A search stops where its budget ends: positions are counted as they are looked at, and not by
what the budget says of itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

from arbiterd.simulation.benchmarks.tracking import seed_of
from arbiterd.simulation.benchmarks.trial import make_trial, track
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import follow
from arbiterd.simulation.profiles import PROFILES
from arbiterd.tracking import on_change, on_press, search
from arbiterd.tracking.sensors import Seen
from arbiterd.tracking.snapshot import Effort


@dataclass
class Counted:
    """The budget each search began with, and the positions that were looked at for it."""

    budgets: dict[int, int] = field(default_factory=dict)
    looked_at: Counter[int] = field(default_factory=Counter)
    held: list[Effort] = field(default_factory=list)
    """So that no two have one identity."""
    now: list[int] = field(default_factory=list)

    def passed(self) -> list[tuple[int, int]]:
        """Budgets that were passed, with what was looked at."""
        both = ((self.budgets[of], number) for of, number in self.looked_at.items())
        return [(budget, number) for budget, number in both if number > budget]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    counts = Counted()
    follow_on, moves_to = search.Search._follow, Seen.moves_to

    def following(self: Any, before: Any, differs: Any, plies: int, line: Any, *rest: Any) -> None:
        effort = self.look.effort
        if id(effort) not in counts.budgets:
            counts.budgets[id(effort)] = effort.left
            counts.held.append(effort)
        # The position that a search begins from is known, and one half-move before the end all
        # that is looked at is the index of its moves.
        counts.looked_at[id(effort)] += plies > 1 and line != ()
        counts.now.append(id(effort) if plies == 1 else 0)
        follow_on(self, before, differs, plies, line, *rest)
        counts.now.pop()

    def indexed(self: Any, *args: Any) -> Any:
        if counts.now and counts.now[-1]:
            counts.looked_at[counts.now[-1]] += 1
        return moves_to(self, *args)

    monkeypatch.setattr(search.Search, "_follow", following)
    monkeypatch.setattr(Seen, "moves_to", indexed)
    return counts


def played(profile: str, seed: int, game: int) -> None:
    track(make_trial(follow(FAMOUS[game]), PROFILES[profile], seed_of(profile, seed, game)))


@pytest.mark.parametrize("profile", PROFILES)
def test_no_search_looks_at_more_positions_than_its_budget(profile: str, counted: Counted) -> None:
    played(profile, 1, 8)

    assert counted.passed() == []


@pytest.mark.parametrize("budget", [0, 1, 2, 5])
def test_nor_where_the_budget_ends_before_the_search(
    budget: int, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    for room, name in ((on_change, "POSITIONS_AT_ONCE"), (on_press, "POSITIONS_JUDGED")):
        monkeypatch.setattr(room, name, budget)

    played("blitz-scramble", 1, 2)

    assert any(effort.spent for effort in counted.held)
    assert counted.passed() == []


@pytest.mark.slow
@pytest.mark.parametrize("profile", PROFILES)
def test_nor_over_the_whole_benchmark(profile: str, counted: Counted) -> None:
    for seed in range(1, 9):
        for game in range(len(FAMOUS)):
            played(profile, seed, game)
        assert counted.passed() == []
        counted.budgets.clear()
        counted.looked_at.clear()
        counted.held.clear()
