"""One game of one profile and seed, told to the tracker or to a baseline, scored and timed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from time import thread_time_ns
from typing import Final

from arbiterd.simulation.benchmarks.baselines import AnyEarlier, DepthTwo, LookUp, Matcher
from arbiterd.simulation.benchmarks.calibration import Calibration
from arbiterd.simulation.benchmarks.feed import Call, calls
from arbiterd.simulation.benchmarks.score import Alarm, MatcherScore, RecordTold, score
from arbiterd.simulation.devices.board import heard
from arbiterd.simulation.devices.clock import rate_of
from arbiterd.simulation.dice import dice
from arbiterd.simulation.game import GameLine
from arbiterd.simulation.hands.play import play
from arbiterd.simulation.profiles import SECOND, Profile
from arbiterd.simulation.world import Story
from arbiterd.tracking.facts import Fact, KingsInCentre
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.tracker import Tracker
from eboards.events import Sensing

BASELINES: Final[dict[str, Callable[[], Matcher]]] = {
    "look-up": LookUp,
    "any earlier": AnyEarlier,
    "depth two": DepthTwo,
}

CONFIRMED_NS = 10 * SECOND
"""So soon after the kings are in the centre an arbiter has confirmed the result."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A story and what a table would be told of it."""

    line: GameLine
    profile: Profile
    story: Story
    told: list[Call]

    @property
    def placements(self) -> int:
        return sum(call.is_placement for call in self.told)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One matcher's way through one trial."""

    score: MatcherScore
    costs_ns: tuple[int, ...]
    """CPU time of each placement, with everything up to the next."""
    placements: int
    plies: int
    told: Calibration = field(default_factory=Calibration)
    """What tracking said of its half-moves, judged; a baseline says nothing."""


def make_trial(line: GameLine, profile: Profile, seed: str) -> Trial:
    """The same line, profile and seed give the same trial in every process."""
    rolls = dice(seed)
    story = play(line, profile, rolls)
    geometry = line.rules.geometry
    rate = rate_of(profile)
    events = heard(story, profile, rate, rolls, geometry=geometry)
    return Trial(line, profile, story, calls(events, rate))


def track(trial: Trial) -> tuple[RecordTold, tuple[int, ...]]:
    """Everything a tracker makes of a trial, and the cost of each placement."""
    tracker: Tracker = Tracker(
        trial.line.rules,
        Sensing(trial.profile.sensing, trial.profile.scan_ns, trial.line.rules.geometry),
        TrackingSettings(),
        trial.line.positions[0],
        trial.story.begin_ns,
    )
    truth = trial.story.truth
    tried = tuple(one for one in truth.happened if one.name == "take-back")
    account, ended_ns = RecordTold(played=truth.moves, tried=tried), truth.ended_ns
    signalled = any(h.name == "kings-in-centre" for h in trial.story.truth.happened)
    confirm_ns: int | None = None
    costs: list[int] = []
    for call in [*trial.told, None]:
        began_ns = thread_time_ns()
        facts = _until(tracker, call.at_ns if call else trial.story.end_ns + 60 * SECOND)
        if call is not None:
            facts += getattr(tracker, call.name)(call.at_ns, *call.args)
        spent_ns = thread_time_ns() - began_ns
        if call is not None and call.is_placement:
            costs.append(spent_ns)
        elif costs:
            costs[-1] += spent_ns
        account.hear(facts, ended_ns)
        if signalled and any(isinstance(fact, KingsInCentre) for fact in facts):
            confirm_ns = facts[-1].at_ns + CONFIRMED_NS
        if confirm_ns is not None and call is not None and call.at_ns > confirm_ns:
            tracker.end_game(call.at_ns)
            confirm_ns, signalled = None, False
    return account, tuple(costs)


def _until(tracker: Tracker, at_ns: int) -> list[Fact]:
    facts: list[Fact] = []
    while (due_ns := tracker.due_at_ns) is not None and due_ns <= at_ns:
        facts += tracker.due(due_ns)
    return facts


def tracked(trial: Trial) -> Outcome:
    """Ours."""
    account, costs = track(trial)
    held = score(trial.story, account.moves, account.alarms, account.unsure)
    return Outcome(held, costs, trial.placements, len(trial.line.steps), account.told)


def matched(trial: Trial, kind: Callable[[], Matcher]) -> Outcome:
    """A baseline's. Its costs are those of settled placements alone."""
    matcher = kind()
    for call in trial.told:
        if matcher.due_at_ns is not None and matcher.due_at_ns <= call.at_ns:
            matcher.due(matcher.due_at_ns)
        if call.at_ns > trial.story.truth.ended_ns + 4 * SECOND:
            break
        getattr(matcher, call.name)(call.at_ns, *call.args)
    if matcher.due_at_ns is not None:
        matcher.due(matcher.due_at_ns)
    alarms = [Alarm(at_ns, "press-without-move") for at_ns, _ in matcher.alarms]
    held = score(trial.story, matcher.line, alarms, [])
    return Outcome(held, tuple(matcher.costs_ns), trial.placements, len(trial.line.steps))


def outcomes(trials: Iterable[Trial], matcher: str) -> list[Outcome]:
    """Every trial through `tracking` or one of the baselines, by name."""
    if matcher == "tracking":
        return [tracked(trial) for trial in trials]
    return [matched(trial, BASELINES[matcher]) for trial in trials]
