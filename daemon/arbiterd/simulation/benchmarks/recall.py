"""A real game with incidents through a whole table: which rulings came, and which in vain.

Each game has some incidents far from one another and the usual restlessness of a hall. The
arbiter comes when the story says so: pauses, dismisses the ruling (play is to go on), has the
pieces put right and sets the clock going. Counted are incidents whose ruling came, and rulings that
nothing in the story justifies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import merge
from types import MappingProxyType
from typing import Final

import msgspec

from arbiterd.laws.act import Act
from arbiterd.messages.step import Output
from arbiterd.messages.topics import LOG, RULINGS
from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.devices.board import heard
from arbiterd.simulation.devices.clock import first_periods_over, flag_fall_ns, rate_of
from arbiterd.simulation.dice import dice
from arbiterd.simulation.game import GameLine, StagedGame
from arbiterd.simulation.hands.play import play
from arbiterd.simulation.profiles import HALL, SECOND, Profile
from arbiterd.simulation.world import Happened, Run, Stop, Story
from arbiterd.table.health import Health
from arbiterd.table.inputs import Input
from arbiterd.table.playback import play as playback
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from arbiterd.timing.control import Rate

FLAG: Final = ("flag-last-period", "flag-unwinnable")
PERIOD_OVER: Final = ("flag-period-short", "flag-unwinnable", "flag-piece-in-hand")
"""What is told where a period ran out and its moves were not completed (6.4)."""
GRACE_NS: Final = 60 * SECOND
"""A ruling may come so long after its incident: some wait for the next half-move."""
CALLS: Final = frozenset({1, 2})
"""Urgencies for which an arbiter is called."""
ENDS: Final = frozenset(
    "clock-paused-by-player clock-paused-long result-missing result-board-reset"
    " paused-board-changes resign-signal end-checkmate end-stalemate end-dead end-fivefold"
    " sh-mate sh-no-legal-move gu-mate gu-stalemate gu-dead"
    " end-seventyfive end-played-on result-mismatch start-setup-wrong-before".split()
)
"""What the true end of a game raises, and what follows it."""
FOLLOWS: Final = MappingProxyType({"move-released-then-changed": "move-released-changed-pressed"})
"""A second ruling about the same thing, once play has gone on."""
STOPPED: Final = frozenset({"clock-paused-by-player", "resign-signal", "promo-pause-for-piece"})
"""What clocks that were stopped raise: nobody sees whose hand it was."""
UNPRESSED: Final = frozenset({"clock-counter-mismatch", "flag-count-uncertain"})
"""What a forgotten press raises, much later."""
LOST: Final = frozenset({"tech-board-lost", "tech-gap", "illegal-position-before-unknown"})
"""What a cable that was out raises."""


@dataclass(frozen=True, slots=True)
class Called:
    """A ruling that was opened, or told for the journal alone."""

    at_ns: int
    kind: str
    ply: int
    urgency: int


@dataclass(frozen=True, slots=True)
class Owed:
    """An incident that a ruling had to follow."""

    name: str
    ply: int
    found: bool
    instead: tuple[str, ...] = ()
    """Where it was not found: what was said meanwhile."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One game's rulings beside what happened in it."""

    seed: str
    """With it the same game is played again."""
    owed: tuple[Owed, ...]
    calls: int
    """Rulings for which an arbiter was called."""
    vain: tuple[Called, ...]
    """Of those: nothing in the story justifies them."""


def day_with(names: Sequence[str], times: float = 1.0) -> Profile:
    """A hall's day on which a game has each of these incidents, and no other breach of the Laws."""
    habits = tuple(pair for pair in HALL.episodes if pair[0] != "illegal-pressed")
    incidents = tuple((name, times) for name in names)
    return replace(HALL, episodes=(*habits, *incidents), kings_signal=0.0, set_up=0.0)


def verdict(line: GameLine, profile: Profile, seed: str) -> Judged:
    """One game of such a day, judged."""
    story, opened = tried(line, profile, seed)
    story = with_periods_over(story, rate_of(profile))
    return judged(story, opened, seed, flag_fall_ns(story.deeds, rate_of(profile)))


def tried(
    line: GameLine, profile: Profile, seed: str, health: Health | None = None
) -> tuple[Story, list[Called]]:
    """One game of such a day, and the rulings that a table opened; with `health`, on a board of
    which so much was learnt, and that learns on."""
    story, inputs = at_the_table(line, profile, seed)
    opened = []
    for at_ns, output in answers(inputs, profile, line.game, health):
        if output.topic == LOG or (output.topic == RULINGS and output.seq is not None):
            said = msgspec.json.decode(output.payload)
            if output.topic == LOG or (said["state"] == "open" and said["revision"] == 1):
                opened.append(Called(at_ns, said["kind"], said["ply"], output.urgency or 0))
    return story, opened


def at_the_table(line: GameLine, profile: Profile, seed: str) -> tuple[Story, list[Input]]:
    """One game of such a day, and what board, clock and arbiter say during it."""
    rolls = dice(seed)
    story = play(line, profile, rolls)
    geometry = line.rules.geometry
    events = heard(story, profile, rate_of(profile), rolls, geometry=geometry, ticking=True)
    return story, list(merge(events, _arbiter(story), key=lambda item: item.at_ns))


def answers(
    inputs: Iterable[Input], profile: Profile, game: StagedGame, health: Health | None = None
) -> Iterator[tuple[int, Output]]:
    """Everything that a table of this game says of them, each with its time."""
    rate = rate_of(profile)
    table = Table(TableSetup(ruleset=game.ruleset, start=game.start, rate=rate, orientation=0))
    if health is not None:
        table.view.board.health = health
        table.view.tracker.distrust(table.view.weak)
    for at_ns, step in playback(table, enumerate(inputs, 1)):
        for output in step.outputs:
            yield at_ns, output


def _arbiter(story: Story) -> Iterator[Act]:
    """The arbiter comes to every incident at which the clocks were stopped."""
    stops = [deed.at_ns for deed in story.deeds if isinstance(deed, Stop)]
    runs = [deed.at_ns for deed in story.deeds if isinstance(deed, Run)]
    for stop_ns, run_ns in zip(stops, runs, strict=False):
        yield Act(stop_ns + 2 * SECOND, "pause", "arbiter", id=f"pause-{stop_ns}")
        for happened in story.truth.happened:
            if happened.must and happened.until_ns == stop_ns:
                for kind in happened.raises:
                    when_ns = stop_ns + 3 * SECOND
                    yield Act(when_ns, "dismiss", "arbiter", f"{kind}-{stop_ns}", ruling=kind)
        yield Act(run_ns, "resume", "arbiter", id=f"resume-{run_ns}")


def judged(story: Story, opened: Sequence[Called], seed: str, flag_ns: int | None = None) -> Judged:
    """Hold one game's rulings against its truth.

    Games are played on as they were though a flag has fallen, at `flag_ns`: that has to be told.
    What is done later, beside a clock that stands and tells of no press, is owed no ruling.
    """
    story = _with_flag(story, flag_ns)
    owed = tuple(_owed(happened, opened) for happened in story.truth.happened if happened.must)
    calls = [call for call in opened if call.urgency in CALLS]
    vain = tuple(call for call in calls if not _justified(call, story))
    return Judged(seed, owed, len(calls), vain)


def _with_flag(story: Story, flag_ns: int | None) -> Story:
    """The story with its flag-fall, and with nothing that is owed after it."""
    if flag_ns is None:
        return story
    truth = story.truth
    ply = sum(played.made_ns <= flag_ns for played in truth.plies) + 1
    fell = Happened("flag-fall", flag_ns, flag_ns, ply, FLAG, must=True)
    happened = (
        one if one.until_ns < flag_ns else replace(one, must=False) for one in truth.happened
    )
    return replace(story, truth=replace(truth, happened=(*happened, fell)))


def with_periods_over(story: Story, rate: Rate) -> Story:
    """The story with each first period that ran out before its moves were made. Play goes on; where
    both sides' did, the second is told with the first, and owed no ruling of its own."""
    moves, truth, found = rate.periods[0].moves, story.truth, list[Happened]()
    over = first_periods_over(story.deeds, rate)
    for side, at_ns in sorted(over.items(), key=lambda ended: ended[1]):
        made = [played.ply for played in truth.plies if played.made_ns <= at_ns]
        own = sum(ply % 2 == (side is Colour.WHITE) for ply in made)
        if moves is not None and own < moves:
            ply, must = len(made) + 1, not found
            found.append(Happened("period-over", at_ns, at_ns, ply, PERIOD_OVER, must=must))
    return replace(story, truth=replace(truth, happened=(*truth.happened, *found)))


def _owed(happened: Happened, opened: Sequence[Called]) -> Owed:
    found = any(_speaks_of(call, happened, happened.raises) for call in opened)
    said = [call.kind for call in opened if _speaks_of(call, happened, (call.kind,))]
    return Owed(happened.name, happened.ply, found, () if found else tuple(dict.fromkeys(said)))


def _speaks_of(call: Called, happened: Happened, kinds: tuple[str, ...]) -> bool:
    in_time = happened.at_ns <= call.at_ns <= happened.until_ns + GRACE_NS
    return call.kind in kinds and (in_time or call.ply == happened.ply)


def _justified(call: Called, story: Story) -> bool:
    if call.at_ns >= story.truth.ended_ns and call.kind in ENDS:
        return True
    if call.kind in LOST:
        return bool(story.outages)
    if call.kind in UNPRESSED:
        return any(ply.pressed_ns is None for ply in story.truth.plies)
    if call.kind in STOPPED:
        stops = [deed.at_ns for deed in story.deeds if isinstance(deed, Stop)]
        return any(0 <= call.at_ns - stop_ns < GRACE_NS for stop_ns in stops)
    return any(
        _speaks_of(call, happened, (*happened.raises, *happened.allows))
        or any(
            FOLLOWS.get(kind) == call.kind and call.at_ns >= happened.at_ns
            for kind in (*happened.raises, *happened.allows)
        )
        for happened in story.truth.happened
    )
