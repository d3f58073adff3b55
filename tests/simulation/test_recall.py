"""The benchmark of rulings: an incident is found, an alarm without a cause is counted as vain."""

from __future__ import annotations

import pytest

from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import follow
from arbiterd.simulation.incidents import EPISODES, OWED
from arbiterd.simulation.recall import Called, Found, count, day_with, tried
from arbiterd.simulation.score import interval

LONG = FAMOUS[9]


def test_a_day_has_one_incident_of_its_kind_and_no_other_breach() -> None:
    for name in OWED:
        rates = dict(day_with(name).episodes)
        assert rates[name] == 1.0
        assert set(rates) & set(OWED) == {name}


@pytest.mark.parametrize("name", ["illegal-pressed", "press-no-move", "touched-then-other"])
def test_an_incident_in_a_famous_game_is_found(name: str) -> None:
    found = Found(name)
    for number in range(2):
        seed = f"found/{name}/{number}"
        count(found, *tried(follow(LONG), name, seed), seed)
    assert (found.owed, found.missed) == (2, [])


def test_what_nothing_justifies_is_counted_and_what_did_not_come_is_named() -> None:
    story, _ = tried(follow(LONG), "press-no-move", "vain")
    found = Found("press-no-move")
    count(found, story, [Called(story.begin_ns + 5, "flag-last-period", 1, 1)], "vain")
    assert found.false == {"flag-last-period": 1}
    assert (found.owed, found.found) == (1, 0)
    assert found.missed[0].startswith("vain, half-move")


def test_every_kind_that_is_owed_is_an_episode() -> None:
    assert set(OWED) <= set(EPISODES)
    assert interval(200, 200)[0] > 0.98, "two hundred of a kind say something"
