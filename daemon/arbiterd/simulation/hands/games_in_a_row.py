"""One game after another at one table, as on a day of rounds.

game ─▶ clocks stopped ─▶ pieces set up again ─▶ clock set again ─▶ the next game
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random

from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.devices.clock import TableClock
from arbiterd.simulation.game import GameLine
from arbiterd.simulation.hands.play import play
from arbiterd.simulation.profiles import MS, SECOND, Profile
from arbiterd.simulation.world import SetTime, StagedDeed, Story
from arbiterd.timing.control import Rate

BETWEEN_NS = 180 * SECOND
"""So long after the last hand of one game the next one begins."""


def games_in_a_row(
    lines: Iterable[GameLine], profile: Profile, dice: Random, begin_ns: int, until_ns: int
) -> Iterator[Story]:
    """Games of these lines, the last of which begins before `until_ns`."""
    tidy = replace(profile, set_up=1.0)
    for line in lines:
        if begin_ns >= until_ns:
            return
        story = play(line, tidy, dice, begin_ns)
        yield story
        begin_ns = story.end_ns + BETWEEN_NS


def day_of(stories: Sequence[Story], rate: Rate) -> Story:
    """All of them as one story of hands; before each but the first the clock is set again.

    Its truth is that of the first game: whoever judges looks at the games.
    """
    deeds: list[StagedDeed] = []
    for story in stories:
        if deeds:
            deeds += _clock_set(deeds, rate, story.begin_ns)
        deeds += story.deeds
    return replace(stories[0], deeds=tuple(deeds))


def _clock_set(deeds: Sequence[StagedDeed], rate: Rate, at_ns: int) -> Iterator[StagedDeed]:
    """Both times as they were before the first game."""
    clock, fresh = TableClock.set_up(rate), TableClock.set_up(rate)
    for deed in deeds:
        clock.advance(deed)
    for side in Colour:
        yield SetTime(at_ns, side, (fresh.left_ns[side] - clock.left_ns[side]) // MS)
