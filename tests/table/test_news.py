"""A table says itself when its state may be new: only then is it made and compared."""

from __future__ import annotations

from collections.abc import Iterable

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
