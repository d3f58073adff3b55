"""The watch skips no dead position."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import chess
import pytest

from arbiterd.rules.bitboard import Position, legal_moves, play, without_castling
from arbiterd.rules.bitboard_constants import NO_SQUARE
from arbiterd.rules.bitboard_text import read_fen, uci
from arbiterd.rules.mating import CanMate, can_mate
from arbiterd.rules.mating.retracing import followed, line_of
from arbiterd.rules.mating.watch import DeadWatch
from arbiterd.rules.ruleset import Colour
from rules.mating.positions import composed, examples, pieces, random_play, walled


def is_dead(fen: str) -> bool:
    return all(can_mate(fen, side).answer is CanMate.IMPOSSIBLE for side in Colour)


def test_every_dead_position_of_the_collections_is_asked_about() -> None:
    seen = 0
    for fen, white, black in [*examples(), *composed()]:
        if white is black is CanMate.IMPOSSIBLE and any(chess.Board(f"{fen} 0 1").legal_moves):
            seen += 1
            assert DeadWatch().after(read_fen(fen)).may_be_dead, fen
    assert seen >= 20


def asks_about_the_dead(boards: Iterable[chess.Board]) -> int:
    """Each position set up anew and with the watch of the one before; how many were dead."""
    dead = 0
    carried = DeadWatch()
    for board in boards:
        pos = read_fen(board.fen())
        carried = carried.after(pos)
        if any(board.legal_moves) and is_dead(board.fen()):
            dead += 1
            assert carried.may_be_dead, board.fen()
            assert DeadWatch().after(pos).may_be_dead, board.fen()
    return dead


@pytest.mark.parametrize("name", ["N", "B", "BB", "B:B", "N:B", "PP:P"])
def test_every_dead_position_of_few_pieces_is_asked_about(name: str) -> None:
    dice = Random(3)
    white, _, black = name.partition(":")
    dead = asks_about_the_dead(pieces(dice, white, black) for _ in range(40))

    assert dead or name not in {"N", "B", "BB", "B:B"}


@pytest.mark.slow
@pytest.mark.timeout(6000)
@pytest.mark.parametrize("part", range(20))
def test_every_dead_position_of_random_play_is_asked_about(part: int) -> None:
    """Those whose verdicts `test_random_play` verifies, and walls."""
    dice = Random(2000 + part)
    assert asks_about_the_dead(random_play(Random(1000 + part), 1000)) > 0
    assert asks_about_the_dead(walled(dice) for _ in range(100)) > 0


def test_it_lets_no_dead_position_pass_in_play() -> None:
    """Played on from walls and from sparse boards, the watch carried along."""
    dice = Random(1)
    starts = [walled(dice) for _ in range(25)]
    starts += [board for board in random_play(dice, 60) if len(board.piece_map()) < 6]
    starts += [chess.Board(f"{fen} 0 1") for fen, _, _ in composed()[::3]]
    dead = 0
    for board in starts:
        watch = DeadWatch().after(read_fen(board.fen()))
        for _ in range(10):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(dice.choice(moves))
            watch = watch.after(read_fen(board.fen()))
            if any(board.legal_moves) and is_dead(board.fen()):
                dead += 1
                assert watch.may_be_dead, board.fen()
    assert dead > 20


def test_a_line_is_followed_by_legal_moves_only() -> None:
    """What was a line in one position, held against any other."""
    dice = Random(2)
    boards = list(random_play(dice, 120)) + [walled(dice) for _ in range(20)]
    lines = []
    for board in boards:
        pos = without_castling(read_fen(board.fen()), NO_SQUARE)
        for side in Colour:
            line = can_mate(pos, side, 300).line
            if line:
                moves = [move_of(pos, line[0])]
                at = play(pos, moves[0])
                for text in line[1:]:
                    moves.append(move_of(at, text))
                    at = play(at, moves[-1])
                lines.append(line_of(pos, moves, white_mates=side is Colour.WHITE))
    played = 0
    for board in boards:
        board.castling_rights, board.ep_square = 0, None
        for line in dice.sample(lines, 6):
            after = board.copy(stack=False)
            reached, moves = followed(read_fen(board.fen()), line)
            for move in moves:
                told = chess.Move.from_uci(uci(move))
                assert told in after.legal_moves, (board.fen(), told)
                after.push(told)
            assert read_fen(after.fen()).key() == reached.key()
            played += len(moves)
    assert played > 200


def move_of(pos: Position, text: str) -> int:
    return next(move for move in legal_moves(pos) if uci(move) == text)


def test_a_move_that_can_be_taken_back_costs_no_search() -> None:
    board = chess.Board()
    watch = DeadWatch().after(read_fen(board.fen()))
    for text in ("g1f3", "g8f6", "f3g1", "f6g8"):
        board.push_uci(text)
        watch = watch.after(read_fen(board.fen()))
        assert not watch.may_be_dead


def test_mate_and_stalemate_are_not_its_affair() -> None:
    assert not DeadWatch().after(read_fen("7k/5Q2/8/8/8/8/8/K7 b - -")).may_be_dead
    assert not DeadWatch().after(read_fen("7k/6Q1/6K1/8/8/8/8/8 b - -")).may_be_dead
