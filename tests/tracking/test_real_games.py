"""Real games: the bytes of a real board, and 299 games played over by tidy hands."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from functools import cache

import chess.pgn
import pytest

from arbiterd.rules.chess import ChessRules
from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import Gap, IrregularEntered, KingsInCentre, OutOfTurn, Pressed
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.tracker import Tracker
from eboards.events import Sensing, SensingClass
from kept_beside import REAL_GAMES, RECORDED_GAME, RECORDED_MOVES, kept_beside

from .hands import MS, SECOND, Hands

LETTERS = ".PRNBKQprnbkq"
EVERY = 8
"""The default slice plays each eighth game; the slow one all."""


def messages() -> Iterator[bytes]:
    for line in kept_beside(RECORDED_GAME).read_text().split():
        yield base64.b64decode(line)


def test_the_recorded_game_of_a_real_board_is_told_exactly() -> None:
    rules = ChessRules()
    sensing = Sensing(SensingClass.IDENTITY, 200 * MS)
    tracker = Tracker(rules, sensing, TrackingSettings(), rules.start(), 0)
    at_ns, lever, ran, facts = 0, None, False, []
    for message in messages():
        kind, body = message[0], message[3:]
        at_ns = (at_ns // SECOND + 1) * SECOND if kind == 0x8D else at_ns + 30 * MS
        while tracker.due_at_ns is not None and tracker.due_at_ns <= at_ns:
            facts += tracker.due(tracker.due_at_ns)
        if kind == 0x8E:
            facts += tracker.changed(at_ns, body[0], LETTERS[body[1]])
        elif kind == 0x86:
            facts += tracker.scanned(at_ns, tuple(LETTERS[code] for code in body))
        elif body[0] & 15 != 10 and body[3] & 15 != 10:
            right_high = bool(body[6] & 2)
            if lever not in (None, right_high) and ran and body[6] & 1:
                presser = Colour.BLACK if right_high else Colour.WHITE
                facts += tracker.pressed(at_ns, presser, SECOND)
            lever, ran = right_high, bool(body[6] & 1)
    while tracker.due_at_ns is not None:
        facts += tracker.due(tracker.due_at_ns)

    words = kept_beside(RECORDED_MOVES).read_text().split()
    played = [word for word in words if word[0] in "abcdefgh"]
    assert len(played) == 57
    assert [ply.move for ply in tracker.record.plies] == played
    odd = (Gap, IrregularEntered, OutOfTurn)
    assert not [fact for fact in facts if isinstance(fact, odd)]
    presses = [fact for fact in facts if isinstance(fact, Pressed)]
    assert (presses[0].side, presses[0].move) == (Colour.BLACK, None), "it starts White's clock"
    assert all(fact.move for fact in presses[1:])
    assert [fact.result for fact in facts if isinstance(fact, KingsInCentre)] in (["1-0"], [])


@cache
def games() -> tuple[chess.pgn.Game, ...]:
    found = []
    for name in ("twic-232-games.pgn", "world-cup-2025-round-4.pgn"):
        with kept_beside(f"{REAL_GAMES}/{name}").open() as text:
            while (game := chess.pgn.read_game(text)) is not None:
                found.append(game)
    return tuple(found)


def played_over(game: chess.pgn.Game) -> Hands:
    """Every half-move lifted, set down, and two of three pressed."""
    board = game.board()
    hands = Hands(board.fen() if board.fen() != chess.STARTING_FEN else "")
    for number, move in enumerate(game.mainline_moves()):
        side = "white" if board.turn else "black"
        before = list(hands.pieces)
        board.push(move)
        after = tuple(str(board).replace(" ", "").replace("\n", ""))
        changed = [square for square in range(64) if before[square] != after[square]]
        names = hands.rules.geometry.names
        for square in changed:
            if after[square] == ".":
                hands.lift(names[square])
        for square in changed:
            if after[square] != ".":
                hands.show(names[square], after[square])
        if number % 3:
            hands.press(side)
    return hands.wait(10)


def assert_exact(game: chess.pgn.Game) -> None:
    hands = played_over(game)
    assert hands.moves == [move.uci() for move in game.mainline_moves()]
    assert hands.told == hands.moves
    assert not hands.empty_presses


def test_real_games_over_tidy_hands_are_exact() -> None:
    for game in games()[::EVERY]:
        assert_exact(game)


@pytest.mark.slow
def test_all_299_real_games_over_tidy_hands_are_exact() -> None:
    assert len(games()) == 299
    for game in games():
        assert_exact(game)
