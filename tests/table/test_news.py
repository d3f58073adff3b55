"""A table says itself when its state may be new: only then is it made and compared."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from arbiterd.cli.bench.tracking import games_from
from arbiterd.cli.laws.situations import packaged
from arbiterd.simulation.devices.board import heard
from arbiterd.simulation.devices.clock import rate_of
from arbiterd.simulation.dice import dice
from arbiterd.simulation.game import follow
from arbiterd.simulation.hands.play import play as played
from arbiterd.simulation.profiles import HALL
from arbiterd.table.inputs import Input
from arbiterd.table.playback import StateChanges, play
from arbiterd.table.scenario import read_scenario
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table

GAMES = 3


def without_news(setup: TableSetup, inputs: Iterable[Input]) -> tuple[list[int], int]:
    """Times at which a state was new and the table did not say so; how often neither was."""
    table, changes, known = Table(setup), StateChanges(), -1
    unsaid, quiet = [], 0
    for at_ns, _ in play(table, enumerate(inputs, 1)):
        changed = changes.changed(table.state(max(at_ns, table.at_ns)))
        if table.news == known:
            unsaid += [at_ns] if changed else []
            quiet += not changed
        known = table.news
    return unsaid, quiet


def test_whatever_a_state_shows_anew_is_news_in_every_situation() -> None:
    for situation in packaged():
        scenario = read_scenario(situation.scenario())

        unsaid, _ = without_news(scenario.setup, scenario.inputs)
        assert not unsaid, f"{situation.name} {situation.number}"


def test_a_clock_that_only_ticks_is_no_news_in_a_hall() -> None:
    quiet = 0
    for number, game in enumerate(games_from(())[:GAMES]):
        rolls, rate = dice(f"news/{number}"), rate_of(HALL)
        story = played(follow(game), HALL, rolls)
        events = heard(story, HALL, rate, rolls, ticking=True)

        unsaid, ticks = without_news(TableSetup(rate=rate, orientation=0), events)
        assert not unsaid, f"game {number}"
        quiet += ticks
    assert quiet > 1000


HEAD = (
    '{"scenario":"clock","moves":["e2e4","e7e5"],'
    '"clock":{"white_ms":600000,"black_ms":600000,"running":"white"}}\n'
)


@pytest.mark.parametrize(
    ("line", "white_ms"),
    [
        ('{"act":{"action":"set-clock","white_ms":720000,"running":"white","by":"ana"}', 720_000),
        ('{"clock":{"white_ms":718000,"black_ms":600000,"running":"white"}', 718_000),
        ('{"clock":{"white_ms":480000,"black_ms":600000,"running":"white"}', 480_000),
    ],
    ids=["an arbiter's word", "two minutes more on the clock", "two minutes less"],
)
def test_another_time_for_the_side_that_runs_is_told(line: str, white_ms: int) -> None:
    """Whoever lets its clock tick on from the last state would be two minutes off until a press."""
    text = HEAD + f'{line},"t":5000}}\n'
    for seconds in range(1, 30):
        shows = white_ms - 1000 * seconds
        clock = f'{{"white_ms":{shows},"black_ms":600000,"running":"white"}}'
        text += f'{{"t":{5000 + 1000 * seconds},"clock":{clock}}}\n'
    scenario = read_scenario(text)
    table, changes = Table(scenario.setup), StateChanges()
    told: list[tuple[int, int | None]] = []
    for at_ns, _ in play(table, enumerate(scenario.inputs, 1)):
        state = table.state(max(at_ns, table.at_ns))
        if changes.changed(state) and state.clock is not None:
            told.append((at_ns // 1_000_000, state.clock.white_ms))
    unsaid, _ = without_news(scenario.setup, scenario.inputs)

    assert told[-1] == (5000, white_ms), "told at once, and then it only ticks"
    assert not unsaid
