"""The benchmark of rulings: an incident is found, an alarm without a cause is counted as vain."""

from __future__ import annotations

from itertools import pairwise

import pytest

from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import follow
from arbiterd.simulation.incidents import EPISODES, OWED
from arbiterd.simulation.play import APART
from arbiterd.simulation.profiles import PROFILES
from arbiterd.simulation.recall import Called, Judged, Owed, day_with, judged, tried
from arbiterd.simulation.score import interval
from arbiterd.simulation.seeding import AT_ONCE, Plan

LONG = FAMOUS[9]


def test_a_day_has_the_incidents_asked_for_and_no_other_breach() -> None:
    rates = dict(day_with(OWED[:3]).episodes)
    assert set(rates) & set(OWED) == set(OWED[:3])
    assert all(rates[name] == 1.0 for name in OWED[:3])


@pytest.mark.parametrize("name", ["illegal-pressed", "press-no-move", "touched-then-other"])
def test_an_incident_in_a_famous_game_is_found(name: str) -> None:
    for number in range(2):
        seed = f"found/{name}/{number}"
        result = judged(*tried(follow(LONG), day_with([name]), seed), seed)
        assert [(owed.name, owed.found) for owed in result.owed] == [(name, True)]


def test_several_incidents_of_one_game_lie_apart() -> None:
    names = ("illegal-pressed", "press-no-move", "touched-then-other", "clock-paused")
    story, _ = tried(follow(LONG), day_with(names), "several")
    plies = sorted(happened.ply for happened in story.truth.happened if happened.must)
    assert len(plies) > 2
    assert all(after - before >= APART for before, after in pairwise(plies))


def test_what_nothing_justifies_is_counted_and_what_did_not_come_is_named() -> None:
    story, _ = tried(follow(LONG), day_with(["press-no-move"]), "vain")
    vain = Called(story.begin_ns + 5, "flag-last-period", 1, 1)
    result = judged(story, [vain], "vain")
    assert (result.calls, result.vain) == (1, (vain,))
    assert [(owed.name, owed.found) for owed in result.owed] == [("press-no-move", False)]


def test_a_game_is_played_again_only_for_a_kind_that_is_short_and_was_possible_in_it() -> None:
    rare, *common = OWED[:4]
    plan = Plan(OWED[:4], games=3, each=2)
    rounds = []
    for batch in plan.batches():
        rounds.append({assigned.game: assigned.names for assigned in batch})
        for assigned in batch:
            came = [name for name in assigned.names if name in common or assigned.game == 1]
            plan.hear(assigned, Judged("", tuple(Owed(name, 1, True) for name in came), 0, ()))
    assert list(rounds[0]) == [0, 1, 2]
    assert rounds[1:] == [{1: (rare,)}]
    assert max(len(names) for names in rounds[0].values()) <= AT_ONCE


def test_every_kind_that_is_owed_is_an_episode() -> None:
    assert set(OWED) <= set(EPISODES)
    assert interval(200, 200)[0] > 0.98, "two hundred of a kind say something"


@pytest.mark.parametrize("name", PROFILES)
def test_a_whole_table_calls_nobody_in_vain_on_any_day(name: str) -> None:
    """What hands, sensors and the day bring about in the games that are played as they were."""
    for number, game in enumerate(FAMOUS[::4]):
        seed = f"vain/{name}/{number}"
        result = judged(*tried(follow(game), PROFILES[name], seed), seed)
        assert result.vain == ()
