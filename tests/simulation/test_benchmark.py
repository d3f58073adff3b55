"""The benchmark counts right, its baselines are what they are said to be, and tracking holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import chess
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from arbiterd.cli.bench.tracking import tracking
from arbiterd.rules.ruleset import Colour, board_field
from arbiterd.simulation.benchmarks.baselines import (
    SETTLE_NS,
    AnyEarlier,
    DepthTwo,
    LookUp,
    Matcher,
)
from arbiterd.simulation.benchmarks.calibration import Calibration, ToldPly
from arbiterd.simulation.benchmarks.score import (
    Alarm,
    RecordTold,
    first_difference,
    interval,
    score,
)
from arbiterd.simulation.benchmarks.tracking import all_exactness
from arbiterd.simulation.benchmarks.trial import BASELINES, make_trial, matched, tracked
from arbiterd.simulation.dice import dice
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import GameLine, follow
from arbiterd.simulation.hands.play import play
from arbiterd.simulation.profiles import CLEAN, CLUB, PROFILES
from arbiterd.simulation.world import Happened
from arbiterd.tracking.facts import How, MoveMade, PlyCertainty, Turn
from eboards.events import CHESS_BOARD, Placement


def show(matcher: Matcher, *fens: str) -> None:
    """Board after board, each at rest."""
    for number, fen in enumerate(fens):
        matcher.scanned(number * 2 * SETTLE_NS, _placement(fen))
        assert matcher.due_at_ns is not None
        matcher.due(matcher.due_at_ns)


def _placement(fen: str) -> Placement:
    board = chess.Board(fen)
    return tuple(
        piece.symbol() if (piece := board.piece_at(chess.square_mirror(square))) else "."
        for square in range(64)
    )


def after(*moves: str) -> str:
    board = chess.Board()
    for move in moves:
        board.push_uci(move)
    return board.fen()


def test_a_placement_reads_the_same_to_python_chess_and_to_us() -> None:
    fen = after("e2e4", "c7c5", "g1f3")
    assert board_field(CHESS_BOARD, _placement(fen)) == chess.Board(fen).board_fen()


@pytest.mark.parametrize("kind", [LookUp, AnyEarlier, DepthTwo])
def test_every_baseline_follows_plain_play(kind: type[Matcher]) -> None:
    matcher = kind()
    show(matcher, after(), after("e2e4"), after("e2e4", "e7e5"), after("e2e4", "e7e5", "g1f3"))
    assert matcher.line == ["e2e4", "e7e5", "g1f3"]


def test_the_look_up_stops_for_good_at_the_first_lost_half_move() -> None:
    matcher = LookUp()
    show(matcher, after(), after("e2e4", "e7e5"), after("e2e4", "e7e5", "g1f3"))
    assert matcher.line == []


def test_any_earlier_finds_a_move_taken_back() -> None:
    matcher = AnyEarlier()
    show(matcher, after("e2e4"), after("e2e4", "e7e5"), after("e2e4", "c7c5"))
    assert matcher.line == ["e2e4", "c7c5"]


def test_depth_two_survives_an_overlapped_reply_and_dies_at_a_move_taken_back() -> None:
    matcher = DepthTwo()
    show(matcher, after("e2e4", "e7e5"), after("e2e4", "e7e5", "f1c4"))
    assert matcher.line == ["e2e4", "e7e5", "f1c4"]
    show(matcher, after("e2e4", "e7e5", "f1b5"))
    assert matcher.line == ["e2e4", "e7e5", "f1c4"]


@pytest.mark.parametrize("name", BASELINES)
def test_the_baselines_are_exact_where_nothing_goes_wrong(name: str) -> None:
    trial = make_trial(follow(FAMOUS[13]), CLEAN, "1")
    assert matched(trial, BASELINES[name]).score.exact


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.name)
def test_a_trial_is_the_same_from_the_same_seed(profile, famous_lines: list[GameLine]) -> None:
    first, again = (make_trial(famous_lines[0], profile, "3") for _ in range(2))
    assert (first.story, first.told) == (again.story, again.told)


def test_a_score_names_the_first_difference_the_false_and_the_missed() -> None:
    line = follow(FAMOUS[0])
    story = play(line, CLUB, dice("with kings in the centre 1"))
    moves = list(story.truth.moves)
    owed = [happened for happened in story.truth.happened if happened.must]
    right = [Alarm(happened.until_ns, happened.name) for happened in owed]

    held = score(story, moves, right, [])
    assert (held.exact, held.said_so, held.false_alarms, held.missed) == (True, True, (), ())

    held = score(story, [*moves[:10], "a1a1", *moves[11:]], [Alarm(5, "out-of-turn")], [])
    assert (held.exact, held.first_wrong, held.said_so) == (False, 11, False)
    assert held.false_alarms == (Alarm(5, "out-of-turn"),)
    assert len(held.missed) == len(owed)

    assert score(story, moves[:-1], right, [len(moves) - 1]).said_so


@given(st.lists(st.text("ab", max_size=1)), st.lists(st.text("ab", max_size=1)))
def test_the_first_difference_is_the_first(played: list[str], told: list[str]) -> None:
    number = first_difference(tuple(played), tuple(told))
    if number is None:
        assert played == told
    else:
        assert played[: number - 1] == told[: number - 1]
        assert played[number - 1 : number] != told[number - 1 : number]


@given(st.integers(1, 5000), st.data())
def test_an_interval_holds_its_share_and_never_leaves_nought_to_one(
    tries: int, data: st.DataObject
) -> None:
    hits = data.draw(st.integers(0, tries))
    low, high = interval(hits, tries)
    assert 0 <= low <= hits / tries + 1e-12
    assert hits / tries - 1e-12 <= high <= 1
    assert low < high


def test_tracking_is_exact_and_quiet_over_the_famous_games() -> None:
    """The slice of `arbiterd bench tracking` that every test run plays."""
    for tally in all_exactness(list(FAMOUS), ["club", "hall", "broken-coil"], [1], 1):
        assert tally.misses == []


def _mean(costs_ns: Sequence[int]) -> float:
    return sum(costs_ns) / len(costs_ns)


def test_tracking_costs_a_fraction_of_the_look_up(famous_lines: list[GameLine]) -> None:
    """The quickest of three runs each: a busy machine makes both slower, and not alike."""
    ours, theirs = 0.0, 0.0
    for number, line in enumerate(famous_lines[:6]):
        trial = make_trial(line, CLUB, f"cost/{number}")
        ours += min(_mean(tracked(trial).costs_ns) for _ in range(3))
        theirs += min(_mean(matched(trial, LookUp).costs_ns) for _ in range(3))
    assert ours * 3 < theirs, "the benchmark prints the ratio; a third is a regression"


@pytest.fixture
def pgn(tmp_path: Path) -> str:
    """A file with one short game."""
    file = tmp_path / "short.pgn"
    file.write_text('[White "A"]\n[Black "B"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n', "utf-8")
    return str(file)


def test_the_command_prints_its_seeds_and_shares(pgn: str) -> None:
    arguments = ["--pgn", pgn, "--profiles", "clean", "--sample", "1"]
    result = CliRunner().invoke(tracking, arguments)
    assert result.exit_code == 0, result.output
    assert "seeds [1, 2, 3, 4, 5, " in result.output
    assert "100.00 %" in result.output
    assert "look-up to tracking: mean" in result.output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--profiles", "cleen"], "'cleen' is no profile; choose from clean, club"),
        (["--seeds", "one"], "'one' are no seeds; write numbers as 1,2,3"),
    ],
)
def test_a_wrong_option_is_named_with_its_mend(
    arguments: list[str], sentence: str, pgn: str
) -> None:
    result = CliRunner().invoke(tracking, ["--pgn", pgn, *arguments])
    assert result.exit_code == 2
    assert sentence in " ".join(result.output.split())


def test_a_thinker_loses_on_time_at_the_end() -> None:
    from dataclasses import replace

    story = play(follow(FAMOUS[4]), replace(CLEAN, flag_falls=1.0), dice("flag"))
    (fell,) = (happened for happened in story.truth.happened if happened.name == "flag-fall")
    assert fell.at_ns > story.truth.ended_ns


def test_every_telling_is_judged_where_the_record_before_it_is_right() -> None:
    """A right one and a wrong one count where they were told; what rests on a wrong one does not,
    nor does what was made so and taken back."""
    account = RecordTold(played=("e2e4", "e7e5", "g1f3"), tried=(Happened("take-back", 30, 40, 3),))
    account.hear([_made(1, "e2e4", 10), _made(3, "g1h3", 35)], 100)
    account.hear([_made(2, "e7e6", 20, 0.85), _made(3, "g1f3", 25), _made(3, "g1f3", 26)], 100)
    account.hear([_made(2, "e7e5", 45, 0.85)], 100)

    told = account.told
    assert [(low, right, tries) for low, right, tries in told.bins() if tries] == [
        (0.8, 1, 2),
        (0.999, 1, 1),
    ]
    assert told.certain() == (1, 3)
    assert (told.astray, told.taken_back) == (3, 0)

    account = RecordTold(played=("e2e4",), tried=(Happened("take-back", 30, 40, 1),))
    account.hear([_made(1, "d2d4", 35)], 100)
    assert (account.told.judged, account.told.taken_back) == (0, 1)


def test_a_curve_falls_with_its_margin_and_begins_with_all() -> None:
    told = Calibration(Counter({ToldPly(500, False, True): 3, ToldPly(999, True, False): 1}))
    assert told.curve()[0] == (-2, 3, 1)
    assert told.curve()[-1] == (7, 0, 1)


def _made(ply: int, move: str, at_ns: int, probability: float = 0.999) -> MoveMade:
    turn = Turn(ply, Colour.WHITE, "", 0, (), (), ())
    return MoveMade(
        at_ns, ply, Colour.WHITE, move, at_ns, None, How.SETTLED, PlyCertainty.CERTAIN, (), turn,
        probability,
    )  # fmt: skip
