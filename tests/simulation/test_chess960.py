"""Chess960 in the benchmarks: drawn games, castling done wrong from many arrays, and exactness."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from arbiterd.cli.bench.tracking import games_of
from arbiterd.rules.chess960 import first_rank
from arbiterd.rules.registry import ruleset
from arbiterd.simulation.benchmarks.recall import day_with, judged, tried
from arbiterd.simulation.benchmarks.trial import make_trial, outcomes
from arbiterd.simulation.dice import dice
from arbiterd.simulation.drawn_games import shuffled_game
from arbiterd.simulation.game import GameLine, StagedGame, follow, read_games, step_of
from arbiterd.simulation.profiles import PROFILES

RULES = ruleset("chess960")
ARRAYS = range(5, 960, 120)
BEFORE = ("a2a3", "a7a6", "h2h3", "h7h6", "b2b3", "b7b6", "g2g3", "g7g6")
AFTER = ("c2c3", "c7c6", "f2f3", "f7f6")


def castled_line(number: int, which: int) -> GameLine:
    """Kings, rooks and pawns of this array: a few pawns go, both sides castle, more pawns go."""
    rank = "".join(piece if piece in "KR" else "1" for piece in first_rank(number))
    files = "".join(f for f, piece in zip("abcdefgh", rank, strict=True) if piece == "R")
    start = f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w {files.upper() + files} - 0 1"
    game = StagedGame("", "", BEFORE, ruleset="chess960", start=start)
    position = follow(game).positions[-1]
    moves = [
        step.move
        for step in (step_of(RULES, position, move) for move in RULES.legal_moves(position))
        if step.castling
    ]
    white = sorted(moves)[which % len(moves)]
    black = white.replace("1", "8")
    return follow(dataclasses.replace(game, moves=(*BEFORE, white, black, *AFTER)))


def test_a_drawn_game_is_the_same_from_the_same_dice() -> None:
    assert shuffled_game(dice("960/1")) == shuffled_game(dice("960/1"))


def test_drawn_games_begin_from_many_arrays_and_castle_in_every_way() -> None:
    games = games_of("chess960", ())
    castlings = [step for game in games[:30] for step in follow(game).steps if step.castling]
    ways = {tuple(carry.before.upper() for carry in step.carries) for step in castlings}
    assert len({game.start for game in games}) > 50
    assert ways == {("K", "R"), ("K",), ("R",)}


def test_games_given_as_files_are_played_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "one.pgn").write_text("1. e4 e5 *\n")
    (game,) = games_of("chess960", (tmp_path,))
    assert (game.ruleset, game.moves) == ("chess", ("e2e4", "e7e5"))


def test_a_pgn_of_chess960_is_read_with_its_array() -> None:
    fen = "nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKNR w KQkq - 0 1"
    head = f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n'
    (game,) = read_games(head + "1. Nf3 Nf6 2. O-O O-O *\n")
    assert (game.ruleset, game.start) == ("chess960", fen)
    assert game.moves == ("g1f3", "g8f6", "f1h1", "f8h8")
    assert len(follow(game).steps) == 4


@pytest.mark.parametrize(
    ("fen", "move", "carries", "castling"),
    [
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "R", (62, 63)),
        ("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1f1", "K", (60, 61)),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "KR", (61, 62)),
    ],
    ids=["the king stays", "the rook stays", "they change places"],
)
def test_a_castling_is_the_kings_though_it_may_stay(
    fen: str, move: str, carries: str, castling: tuple[int, int]
) -> None:
    position = RULES.start(fen)
    step = step_of(RULES, position, RULES.parse(position, move))
    assert "".join(carry.before for carry in step.carries) == carries
    assert (step.castling, step.mover) == (castling, castling[0])
    assert step.taken_up == set(castling)


@pytest.mark.parametrize(
    "name", ["king-alone", "rook-beside", "rook-before-castling", "castled-unlawfully"]
)
def test_castling_done_wrong_is_found_whatever_the_array(name: str) -> None:
    """`arbiterd bench rulings --rules chess960` puts each kind into whole games."""
    owed: list[tuple[str, bool]] = []
    day = dataclasses.replace(day_with([name], 4.0), episodes=((name, 4.0),))
    for number in ARRAYS:
        for which in (0, 1):
            line = castled_line(number, which)
            if name == "castled-unlawfully":
                start = " ".join([line.game.start.split()[0], "w - - 0 1"])
                line = follow(dataclasses.replace(line.game, moves=BEFORE + AFTER, start=start))
            seed = f"960/{name}/{number}/{which}"
            result = judged(*tried(line, day, seed), seed)
            assert result.vain == (), seed
            owed += [(seed, one.found) for one in result.owed if one.name == name]
    assert [seed for seed, found in owed if not found] == []
    assert len(owed) > 5


@pytest.mark.parametrize("profile", ["blitz-scramble", "overlapping", "occupancy"])
def test_both_sides_castle_and_the_record_is_exact(profile: str) -> None:
    for number in ARRAYS:
        for which in (0, 1):
            seed = f"960/{profile}/{number}/{which}"
            trial = make_trial(castled_line(number, which), PROFILES[profile], seed)
            (outcome,) = outcomes([trial], "tracking")
            assert outcome.score.exact, seed
            assert not outcome.score.false_alarms, seed
