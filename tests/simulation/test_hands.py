"""Hands: whatever they do on the way, the pieces stand where the game has them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from arbiterd.simulation.devices.board import heard
from arbiterd.simulation.devices.clock import STANDARD
from arbiterd.simulation.devices.sensors import draw_masks, sense
from arbiterd.simulation.dice import dice
from arbiterd.simulation.drawn_games import made_game
from arbiterd.simulation.game import GameLine, follow
from arbiterd.simulation.hands.incidents import EPISODES
from arbiterd.simulation.hands.play import play
from arbiterd.simulation.hands.strokes import Hand, stroke
from arbiterd.simulation.profiles import BLITZ_SCRAMBLE, HALL, MS, PROFILES, SECOND, Profile
from arbiterd.simulation.world import LinkLoss, Put, Story
from eboards.events import EMPTY, ClockReading, Scan, SquareChange


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.name)
def test_every_stroke_of_every_hand_ends_in_the_position_after_it(profile: Profile) -> None:
    for seed in range(12):
        line = follow(made_game(Random(seed), 80))
        hand = Hand(Random(seed), profile, line.rules.geometry)
        for number, step in enumerate(line.steps):
            board = list(line.placements[number])
            puts = stroke(hand, step, line.placements[number], 1_000)
            for put in sorted(puts, key=lambda put: put.at_ns):
                board[put.square] = put.piece
            assert tuple(board) == line.placements[number + 1]
            assert puts[-1].at_ns == max(put.at_ns for put in puts)


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.name)
def test_the_same_dice_tell_the_same_story(profile: Profile, famous_lines: list[GameLine]) -> None:
    for line in famous_lines[:4]:
        assert play(line, profile, dice("7")) == play(line, profile, dice("7"))
        assert play(line, profile, dice("7")) != play(line, profile, dice("8"))


@pytest.mark.parametrize("name", sorted(EPISODES))
def test_an_episode_leaves_the_pieces_as_it_found_them(
    name: str, famous_lines: list[GameLine]
) -> None:
    busy = replace(PROFILES["clean"], episodes=((name, 4.0),))
    done = 0
    for number, line in enumerate(famous_lines):
        story = play(line, busy, dice(f"{name}/{number}"))
        board = list(story.before)
        deeds = list(story.puts)
        for ply in story.truth.plies:
            while deeds and deeds[0].at_ns < ply.begun_ns:
                _apply(board, deeds.pop(0))
            assert tuple(board) == line.placements[ply.ply - 1], f"before half-move {ply.ply}"
            while deeds and deeds[0].at_ns <= ply.made_ns:
                _apply(board, deeds.pop(0))
        done += sum(happened.name in (name, "adjust") for happened in story.truth.happened)
    assert done, "it happened at least once"


def _apply(board: list[str], put: Put) -> None:
    board[put.square] = put.piece


def test_what_the_sensors_show_in_the_end_is_what_stands_there(
    famous_lines: list[GameLine],
) -> None:
    for profile in PROFILES.values():
        for number, line in enumerate(famous_lines):
            story = play(line, profile, dice(f"{number}"))
            first, shown = sense(story, profile, line.rules.geometry, dice("sensors"))
            image, board = list(first), list(story.before)
            for event in shown:
                if isinstance(event, Scan):
                    image = list(event.placement)
                else:
                    image[event.square] = event.piece
            for put in story.puts:
                _apply(board, put)
            occupied = [piece != EMPTY for piece in board]
            assert [piece != EMPTY for piece in image] == occupied
            assert [event.at_ns for event in shown] == sorted(event.at_ns for event in shown)


def test_the_hall_is_as_bad_as_real_halls_are_or_worse(famous_lines: list[GameLine]) -> None:
    """The measured figures of real boards (DGT reference 10) hold of what is reported here."""
    counts: Counter[str] = Counter()
    for seed in range(12):
        for number, line in enumerate(famous_lines):
            story = play(line, HALL, dice(f"{seed}/{number}"))
            counts["games"] += 1
            counts["half-moves lost"] += len(story.outages)
            for happened in story.truth.happened:
                counts[happened.name] += 1
            _count(counts, line, story, seed)
    plies, captures, games = counts["half-moves"], counts["captures"], counts["games"]
    assert counts["there and back"] >= 0.07 * plies
    assert counts["placed before lifted"] >= 0.01 * plies
    assert counts["direct captures"] >= 0.70 * captures
    assert counts["overlapped"] >= 0.02 * plies
    assert counts["adjust"] >= 3 * games
    assert counts["take-back"] >= 0.99 * games, "a game of forced moves may have none"
    assert counts["half-moves lost"] >= games / 3


def _count(counts: Counter[str], line: GameLine, story: Story, seed: int) -> None:
    _, shown = sense(story, HALL, line.rules.geometry, dice(f"sensors/{seed}"))
    changes = [event for event in shown if isinstance(event, SquareChange)]
    plies = story.truth.plies
    for number, (ply, step) in enumerate(zip(plies, line.steps, strict=True)):
        counts["half-moves"] += 1
        if number and ply.begun_ns < (plies[number - 1].pressed_ns or 0):
            counts["overlapped"] += 1
        until_ns = ply.made_ns + HALL.scan_ns
        mine = [change for change in changes if ply.begun_ns <= change.at_ns <= until_ns]
        squares = Counter(change.square for change in mine)
        others = set(squares) - step.squares
        counts["there and back"] += any(squares[square] >= 2 for square in others)
        (first, *_), target = step.carries, step.carries[0].target
        order = [change.square for change in mine if change.square in (first.origin, target)]
        if len(step.carries) == 1 and order:
            counts["placed before lifted"] += order[0] == target and step.victim is None
        if step.victim is not None and step.victim == target:
            counts["captures"] += 1
            emptied = any(change.square == target and change.piece == EMPTY for change in mine)
            counts["direct captures"] += not emptied


def test_a_lost_half_move_shows_in_a_later_dump(famous_lines: list[GameLine]) -> None:
    lossy = replace(PROFILES["clean"], lost_changes=1.0, cable_out=1.0)
    for number, line in enumerate(famous_lines):
        rolls = dice(f"{number}")
        story = play(line, lossy, rolls)
        events = heard(story, lossy, STANDARD, rolls)
        assert len(story.outages) == 2
        scans = [event for event in events if isinstance(event, Scan)]
        assert len(scans) >= 2, "the first picture, and one after the loss"
        image = list(scans[0].placement)
        for event in events:
            if isinstance(event, Scan):
                image = list(event.placement)
            elif isinstance(event, SquareChange):
                image[event.square] = event.piece
        assert tuple(image) == line.placements[-1]
        assert [event.at_ns for event in events] == sorted(event.at_ns for event in events)


def test_nothing_is_heard_while_the_cable_is_out(famous_lines: list[GameLine]) -> None:
    """Not where messages of the same half-move are lost besides, either."""
    lossy = replace(PROFILES["clean"], lost_changes=6.0, cable_out=6.0, cable_plies=2)
    both = 0
    for number, line in enumerate(famous_lines):
        rolls = dice(f"{number}")
        story = play(line, lossy, rolls)
        events = heard(story, lossy, STANDARD, rolls, ticking=True)
        assert [event.at_ns for event in events] == sorted(event.at_ns for event in events)
        out = [outage for outage in story.outages if outage.loss is LinkLoss.ALL]
        both += len({outage.from_ns for outage in story.outages}) < len(story.outages)
        for event in events:
            if isinstance(event, ClockReading | SquareChange):
                assert not any(outage.from_ns <= event.at_ns < outage.to_ns for outage in out)
    assert both, "in some games both are lost at once"


def test_a_hand_is_in_one_place_at_a_time(famous_lines: list[GameLine]) -> None:
    """However early the replies: who moves has come back from the last half-move and its press."""
    hurry = replace(BLITZ_SCRAMBLE, habits=replace(BLITZ_SCRAMBLE.habits, overlap=0.9))
    for number, line in enumerate(famous_lines):
        story = play(line, hurry, dice(f"{number}"))
        assert any(happened.name == "early-reply" for happened in story.truth.happened)
        for before, ply in zip(story.truth.plies, story.truth.plies[2:], strict=False):
            assert ply.begun_ns >= max(before.made_ns, before.pressed_ns or 0) + 250_000_000
        for before, ply in pairwise(story.truth.plies):
            assert ply.begun_ns >= before.begun_ns + 150_000_000


def test_a_press_shows_what_was_lost_though_pieces_keep_changing(
    famous_lines: list[GameLine],
) -> None:
    """The driver asks for the board at each press it hears of, and not only once all is quiet."""
    line, hurry = famous_lines[0], replace(BLITZ_SCRAMBLE, lost_changes=3.0)
    for seed in range(10):
        rolls = dice(f"{seed}")
        story = play(line, hurry, rolls)
        events = heard(story, hurry, STANDARD, rolls)
        scans = [event.at_ns for event in events if isinstance(event, Scan)]
        levers = [event for event in events if isinstance(event, ClockReading)]
        for outage in story.outages:
            next_ns = next(
                now.at_ns
                for before, now in pairwise(levers)
                if now.at_ns > outage.to_ns and now.lever is not before.lever
            )
            assert any(outage.from_ns < at_ns <= next_ns + 80_000_000 for at_ns in scans)


def test_a_quarter_of_overlapping_replies_is_set_down_first(famous_lines: list[GameLine]) -> None:
    """Before the half-move that they reply to; and never on a square of it."""
    first = replies = 0
    for seed in range(8):
        for number, line in enumerate(famous_lines):
            plies = play(line, PROFILES["overlapping"], dice(f"{seed}/{number}")).truth.plies
            for before, reply in pairwise(plies):
                replies += 1
                if reply.made_ns < before.made_ns:
                    first += 1
                    steps = line.steps[before.ply - 1], line.steps[reply.ply - 1]
                    assert steps[0].squares.isdisjoint(steps[1].squares)
                    assert reply.begun_ns > before.begun_ns
    assert 0.20 <= first / replies <= 0.30


def test_ghosts_lose_pieces_that_nobody_is_near(famous_lines: list[GameLine]) -> None:
    """For 0.25 to 0.7 s, and above all on three coils of each board."""
    for number, line in enumerate(famous_lines):
        story = play(line, PROFILES["ghosts"], dice(f"{number}"))
        masks = draw_masks(story, PROFILES["ghosts"], 64, dice("sensors"))
        assert all(250 * MS <= mask.to_ns - mask.from_ns <= 700 * MS for mask in masks)
        for put in story.puts:
            near = [m for m in masks if m.square == put.square]
            assert all(abs(put.at_ns - m.from_ns) >= 2 * SECOND for m in near)
        if len(masks) > 20:
            worst = Counter(mask.square for mask in masks).most_common(3)
            assert sum(times for _, times in worst) >= len(masks) / 2
