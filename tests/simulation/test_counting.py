"""What the weights of tracking speak of is counted from true play, on two halves kept apart."""

from __future__ import annotations

from dataclasses import replace

from click.testing import CliRunner

from arbiterd.cli.bench.fit import FIT, bench_fit
from arbiterd.simulation.benchmarks.counting import LISTED, MatcherCounts, counted
from arbiterd.simulation.benchmarks.trial import make_trial
from arbiterd.simulation.game import GameLine
from arbiterd.simulation.profiles import PROFILES, Habits, Profile

CLEAN = PROFILES["clean"]


def count(lines: list[GameLine], profile: Profile) -> MatcherCounts:
    counts = MatcherCounts()
    for number, line in enumerate(lines[:6]):
        counts.add(counted(make_trial(line, profile, f"count/{number}")))
    return counts


def test_where_nothing_goes_wrong_nothing_is_counted(famous_lines: list[GameLine]) -> None:
    counts = count(famous_lines, CLEAN)
    assert counts.of("UNWATCHED")[1] == sum(len(line.steps) for line in famous_lines[:6])
    assert {name: counts.of(name)[0] for name in LISTED} == dict.fromkeys(LISTED, 0)


def test_each_habit_is_counted_as_often_as_hands_have_it(famous_lines: list[GameLine]) -> None:
    """A tenth unpressed (and the press after it does nothing, so is none either), half of the
    direct captures dragged, some replies set down first."""
    habits = Habits(unpressed=0.1, drag=0.5)
    counts = count(famous_lines, replace(CLEAN, habits=habits))
    hits, tries = counts.of("UNPRESSED")
    assert 0.12 * tries < hits < 0.24 * tries
    hits, captures = counts.of("DRAGGED")
    assert 0.3 * captures < hits < 0.6 * captures
    assert (counts.nats("UNPRESSED") or 0) < 2.2
    assert counts.nats("OVERLAPPED") is None

    early = count(famous_lines, PROFILES["overlapping"])
    assert early.of("REVERSED")[0] > 0.15 * early.of("REVERSED")[1]


def test_what_is_shown_was_not_fitted_to() -> None:
    done = CliRunner().invoke(bench_fit, ["--games", "2"])
    assert done.exit_code == 0, done.output
    first, second, *rows = done.output.splitlines()
    fitted = {name for name in PROFILES if f" {name}" in first.replace(":", ",").replace(",", " ,")}
    assert fitted == set(FIT)
    assert not any(f" {name}," in second or f" {name}:" in second for name in FIT)
    assert [row.split()[0] for row in rows[2:]] == list(LISTED)
