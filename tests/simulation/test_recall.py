"""The benchmark of rulings: an incident is found, an alarm without a cause is counted as vain."""

from __future__ import annotations

import dataclasses
from itertools import pairwise

import pytest
from msgspec.structs import replace

from arbiterd.cli.bench.measured.rulings_case import printed
from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.benchmarks.recall import (
    Called,
    Judged,
    Owed,
    day_with,
    judged,
    tried,
    with_periods_over,
)
from arbiterd.simulation.benchmarks.score import interval
from arbiterd.simulation.benchmarks.seeding import AT_ONCE, SeededGame, SeedingPlan
from arbiterd.simulation.devices.clock import BLITZ, first_periods_over, flag_fall_ns
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import StagedGame, follow
from arbiterd.simulation.hands.incidents import EPISODES, OWED
from arbiterd.simulation.hands.play import APART
from arbiterd.simulation.profiles import PROFILES, SECOND
from arbiterd.simulation.world import LeverPress, Stop
from arbiterd.table.health import Health
from arbiterd.timing.control import Rate, read_period

LONG = FAMOUS[9]


def test_a_day_has_the_incidents_asked_for_and_no_other_breach() -> None:
    rates = dict(day_with(OWED[:3]).episodes)
    assert set(rates) & set(OWED) == set(OWED[:3])
    assert all(rates[name] == 1.0 for name in OWED[:3])


NEEDS_A_PAWN_NEAR_ITS_GOAL = {
    "pawn-left",
    "nothing-placed",
    "enemy-queen-placed",
    "king-placed",
    "exchanged-early",
    "passed-pawn-left",
}
"""Kinds that few of these games have room for."""


@pytest.mark.parametrize("name", OWED)
def test_an_incident_in_a_famous_game_is_found(name: str) -> None:
    """`arbiterd bench rulings` puts two hundred of each into real games; here a few."""
    owed: list[tuple[str, bool]] = []
    for number, game in enumerate((*FAMOUS[1::3], LONG)):
        seed = f"found/{name}/{number}"
        result = judged(*tried(follow(game), day_with([name], 2.0), seed), seed)
        assert result.vain == (), seed
        owed += [(seed, one.found) for one in result.owed if one.name == name]
    assert [seed for seed, found in owed if not found] == []
    assert owed or name in NEEDS_A_PAWN_NEAR_ITS_GOAL


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


def test_a_rook_that_fell_just_before_castling_may_be_asked_about() -> None:
    """No sensor tells whether it fell or was touched first (4.4.2)."""
    moves = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1", "d7d6")
    day = dataclasses.replace(PROFILES["clean"], episodes=(("knocked-piece", 8.0),))
    for seed in ("knocked/7", "knocked/17", "knocked/26"):
        story, opened = tried(follow(StagedGame("", "", moves)), day, seed)
        assert "castle-rook-first-pressed" in [call.kind for call in opened]
        assert judged(story, opened, seed).vain == ()


def test_a_flag_that_falls_has_to_be_told_and_nothing_is_owed_after_it() -> None:
    """Games are played on as they were; beside a clock that stands no press is heard."""
    day = day_with(["press-no-move", "illegal-pressed"])
    story, opened = tried(follow(LONG), day, "flag")
    owed = [happened for happened in story.truth.happened if happened.must]
    fell_ns = owed[0].until_ns + 60 * SECOND
    call = Called(fell_ns + SECOND, "flag-last-period", owed[0].ply + 2, 1)

    result = judged(story, [*opened, call], "flag", fell_ns)
    unseen = judged(story, opened, "flag", fell_ns)

    assert [(one.name, one.found) for one in result.owed] == [
        (owed[0].name, True),
        ("flag-fall", True),
    ]
    assert call not in result.vain
    assert [one.found for one in unseen.owed] == [True, False]
    assert judged(story, [call], "flag").vain == (call,)


def test_the_clock_of_a_story_tells_when_its_flag_falls() -> None:
    start = LeverPress(0, Colour.BLACK)
    assert flag_fall_ns((start, Stop(100 * SECOND)), BLITZ) is None
    assert flag_fall_ns((start, Stop(200 * SECOND)), BLITZ) == 182 * SECOND
    pressed = (start, LeverPress(10 * SECOND, Colour.WHITE), Stop(250 * SECOND))
    assert flag_fall_ns(pressed, BLITZ) == 192 * SECOND


def test_a_period_that_runs_out_before_its_moves_are_made_is_owed_a_ruling() -> None:
    """Ten minutes for forty moves each, and more at zero: White's run out at once, or after all."""
    rate = Rate(periods=(read_period("40/10:00"), read_period("10:00")))
    story, _ = tried(follow(LONG), PROFILES["clean"], "period/1")
    start, ended_ns = LeverPress(0, Colour.BLACK), story.truth.ended_ns
    early = dataclasses.replace(story, deeds=(start, Stop(601 * SECOND)))
    after = (LeverPress(ended_ns, Colour.BLACK), Stop(ended_ns + 601 * SECOND))
    late = dataclasses.replace(story, deeds=after)

    assert first_periods_over(early.deeds, rate) == {Colour.WHITE: 600 * SECOND}
    assert [one.name for one in with_periods_over(early, rate).truth.happened] == ["period-over"]
    assert first_periods_over(late.deeds, rate) == {Colour.WHITE: ended_ns + 600 * SECOND}
    assert not with_periods_over(late, rate).truth.happened


def test_a_game_is_played_again_only_for_a_kind_that_is_short_and_was_possible_in_it() -> None:
    rare, *common = OWED[:4]
    plan = SeedingPlan(OWED[:4], games=3, each=2)
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


@pytest.mark.parametrize("name", [name for name in PROFILES if name != "ghosts"])
def test_a_whole_table_calls_nobody_in_vain_on_any_day(name: str) -> None:
    """What hands, sensors and the day bring about in the games that are played as they were."""
    for number, game in enumerate(FAMOUS[::4]):
        seed = f"vain/{name}/{number}"
        result = judged(*tried(follow(game), PROFILES[name], seed), seed)
        assert result.vain == ()


def test_pieces_that_coils_lose_with_nobody_near_are_no_touches_once_that_is_known() -> None:
    """A board that loses pieces all over is found out within minutes: two calls in vain in twenty
    games on new boards, none in forty of later rounds; 61 in forty where nothing is learnt."""
    health, vain = Health(), []
    for number, game in enumerate(FAMOUS[::4]):
        seed = f"vain/ghosts/{number}"
        found = judged(*tried(follow(game), PROFILES["ghosts"], seed, health), seed)
        vain += found.vain
        health = replace(health, last_ns=0, weak=dict.fromkeys(health.weak, 0))
    assert len(vain) <= 1
    assert health.weak


def test_a_case_that_the_benchmark_listed_is_played_again_alone() -> None:
    assigned = SeededGame(9, 1, ("press-no-move", "clock-paused"))
    text = assigned.seed(3)
    assert SeededGame.read(text) == assigned
    lines = list(printed(list(FAMOUS), text))
    story, _ = tried(follow(LONG), assigned.day, text)
    owed = [happened for happened in story.truth.happened if happened.must]
    assert len(owed) > 1
    assert [line for line in lines if line.endswith(": found")] == [
        f"{happened.name} at half-move {happened.ply}: found" for happened in owed
    ]
    assert any("hand    press white" in line for line in lines)


@pytest.mark.parametrize("text", ["", "rulings/1/2", "rulings/1/x/3/clock-paused", "clean/1/4/7/x"])
def test_what_is_no_case_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no case"):
        SeededGame.read(text)
