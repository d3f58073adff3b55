"""The cable was out while hands were quick: play goes on, and the game is soon in sight again."""

from __future__ import annotations

from dataclasses import replace
from itertools import product, takewhile
from statistics import mean

import pytest

from arbiterd.simulation.benchmarks.feed import Call
from arbiterd.simulation.benchmarks.trial import Trial, make_trial, track
from arbiterd.simulation.dice import dice
from arbiterd.simulation.game import GameLine
from arbiterd.simulation.profiles import (
    BLITZ_SCRAMBLE,
    OCCUPANCY,
    OVERLAPPING,
    RFID,
    SECOND,
    Profile,
)
from eboards.events import EMPTY, Piece, Placement, Square

PLACEMENTS_LOST = 20
"""Some seven half-moves."""
PLACEMENTS_BEFORE, PLACEMENTS_AFTER = 20, 40
DAYS = 5
DAYS_AWAY = (0, 4)
SOON_NS = 60 * SECOND


def with_the_cable_out(trial: Trial, seed: str) -> tuple[Trial, int]:
    """The same hands; nothing is heard while so many placements are shown, then a picture tells
    what stands there. And when that is."""
    shown_by = [n for n, call in enumerate(trial.told) if call.is_placement]
    number = dice(seed).randrange(PLACEMENTS_BEFORE, len(shown_by) - PLACEMENTS_AFTER)
    out, back = shown_by[number], shown_by[number + PLACEMENTS_LOST]
    out_ns, back_ns = trial.told[out].at_ns, trial.told[back].at_ns
    told = [
        *trial.told[:out],
        Call("link", out_ns, (False, None)),
        Call("link", back_ns, (True, None)),
        Call("scanned", back_ns, (_placement(trial.told[: back + 1]),)),
        *trial.told[back + 1 :],
    ]
    return replace(trial, told=told), back_ns


def _placement(told: list[Call]) -> Placement:
    shown: dict[Square, Piece] = {}
    for call in told:
        if call.name == "scanned":
            shown = dict(enumerate(call.args[0]))
        elif call.name == "changed":
            shown[call.args[0]] = call.args[1]
    return tuple(shown.get(square, EMPTY) for square in range(len(shown)))


def out_of_sight(line: GameLine, profile: Profile, seed: str) -> int:
    """So many half-moves after the picture are not on the record as they were played."""
    trial, back_ns = with_the_cable_out(make_trial(line, profile, seed), seed)
    told, _ = track(trial)
    played = trial.story.truth.plies
    pairs = zip(reversed([ply.move for ply in played]), reversed(told.moves), strict=False)
    found = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return max(0, sum(ply.made_ns > back_ns for ply in played) - found)


@pytest.mark.parametrize(("profile", "plies"), [(BLITZ_SCRAMBLE, 1.5), (OVERLAPPING, 3.2)])
def test_a_quick_game_is_soon_found_again(
    profile: Profile, plies: float, famous_lines: list[GameLine]
) -> None:
    """After so many half-moves, on an average of these days."""
    lost = [
        out_of_sight(line, profile, f"found again {day} {number}")
        for day in range(DAYS)
        for number, line in enumerate(famous_lines)
        if len(line.steps) >= PLACEMENTS_BEFORE + PLACEMENTS_AFTER
    ]
    print(profile.name, sorted(lost))
    assert mean(lost) <= plies


@pytest.mark.parametrize("profile", [RFID, OCCUPANCY], ids=lambda profile: profile.name)
def test_what_a_board_shows_that_was_away_is_nobodys_offence(
    profile: Profile, famous_lines: list[GameLine]
) -> None:
    """Boards that only ever show the whole: nobody saw what was done while they were away."""
    said: list[str] = []
    for day, (number, line) in product(DAYS_AWAY, enumerate(famous_lines)):
        if len(line.steps) >= PLACEMENTS_BEFORE + PLACEMENTS_AFTER:
            seed = f"away {day} {number}"
            trial, back_ns = with_the_cable_out(make_trial(line, profile, seed), seed)
            told, _ = track(trial)
            soon = (alarm for alarm in told.alarms if 0 < alarm.at_ns - back_ns < SOON_NS)
            said += [alarm.kind for alarm in soon if alarm.kind != "gap"]
    assert said == []
