"""Games as they are read, made and taken apart for hands."""

from __future__ import annotations

from random import Random

import chess
import pytest

from arbiterd.rules.registry import ruleset
from arbiterd.simulation.drawn_games import made_game
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import Carry, StagedGame, follow, read_games, step_of


@pytest.mark.parametrize("game", FAMOUS, ids=lambda game: game.name)
def test_a_famous_game_is_legal_and_ends_as_it_says(game: StagedGame) -> None:
    board = chess.Board()
    for move in game.moves:
        assert chess.Move.from_uci(move) in board.legal_moves
        board.push_uci(move)
    if board.is_checkmate():
        assert game.result == ("1-0" if board.turn is chess.BLACK else "0-1")
    assert game.result in ("1-0", "0-1")


@pytest.mark.parametrize("game", FAMOUS, ids=lambda game: game.name)
def test_made_clocks_never_run_dry(game: StagedGame) -> None:
    assert len(game.clock_ms) == len(game.moves)
    assert all(shown is not None and shown > 0 for shown in game.clock_ms)


def test_a_pgn_with_clock_comments_is_read() -> None:
    (game,) = read_games('[White "A"]\n[Black "B"]\n\n1. e4 {[%clk 1:30:26]} e5 {x} 2. Nf3 *\n')
    assert game.moves == ("e2e4", "e7e5", "g1f3")
    assert game.clock_ms == (5_426_000, None, None)
    assert game.name == "A – B"


def test_a_game_made_from_dice_is_the_same_from_the_same_dice() -> None:
    assert made_game(Random(4), 60) == made_game(Random(4), 60)
    assert follow(made_game(Random(4), 60)).steps


@pytest.mark.parametrize(
    ("fen", "move", "carries", "victim"),
    [
        ("8/8/8/8/8/8/4P3/K6k w - - 0 1", "e2e4", (Carry(52, 36, "P", "P"),), None),
        ("k7/8/8/3pP3/8/8/8/7K w - d6 0 1", "e5d6", (Carry(28, 19, "P", "P"),), 27),
        ("1n5k/P7/8/8/8/8/8/7K w - - 0 1", "a7b8q", (Carry(8, 1, "P", "Q"),), 1),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "e1g1",
            (Carry(60, 62, "K", "K"), Carry(63, 61, "R", "R")),
            None,
        ),
    ],
    ids=["quiet", "en passant", "promotion by capture", "castling"],
)
def test_a_half_move_is_taken_apart_for_hands(
    fen: str, move: str, carries: tuple[Carry, ...], victim: int | None
) -> None:
    rules = ruleset("chess")
    position = rules.start(fen)
    step = step_of(rules, position, rules.parse(position, move))
    assert (step.carries, step.victim) == (carries, victim)


def test_chess960_castling_where_the_king_lands_on_the_rook_is_two_carries() -> None:
    rules = ruleset("chess960")
    position = rules.start("4k3/8/8/8/8/8/8/5KR1 w G - 0 1")
    step = step_of(rules, position, rules.parse(position, "f1g1"))
    assert step.carries == (Carry(61, 62, "K", "K"), Carry(62, 61, "R", "R"))
