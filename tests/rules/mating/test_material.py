"""The whole table of small material: up to three pieces exhaustively, four pieces sampled."""

from __future__ import annotations

from collections import Counter
from random import Random

import chess
import pytest

from arbiterd.rules.bitboard import in_check, legal_moves, piece, promotion, target
from arbiterd.rules.bitboard_text import read_fen
from arbiterd.rules.mating import CanMate, can_mate
from arbiterd.rules.mating.checker import fault
from arbiterd.rules.ruleset import Colour
from rules.mating.positions import pieces

pytestmark = pytest.mark.timeout(900)
"""The hardest positions take pure Python some seconds, and machines are busy."""

THREE_PIECES = {
    # Ongoing positions, and those with a help-mate for White; White to move, Black to move.
    "N": (205_496, 0, 223_904, 0),
    "B": (193_284, 0, 223_808, 0),
    "P": (163_324, 163_324, 168_006, 167_996),
    "R": (175_168, 175_168, 223_660, 223_248),
    "Q": (144_508, 144_508, 222_708, 220_288),
}
FOUR_PIECES = ("NN", "BB", "BN", "N:P", "N:N", "N:B", "N:R", "N:Q", "B:P", "B:N", "B:B", "B:R")
FOUR_PIECES += ("B:Q", "R:N", "R:B", "R:R", "Q:R", "Q:Q", "P:P", "P:R", "P:Q", "RP", "QN", "PP")
DEAD = {"N:Q", "B:R", "B:Q"}
"""No position of these has a help-mate for White."""
ALIVE = {"N:N"}
"""Every position of these in which the side to move has a legal move has one."""


def three_pieces(letter: str, turn: str, *, reduced: bool) -> list[str]:
    """Every position in which the side to move has a legal move; `reduced` up to symmetry."""
    kings = [a | b << 3 for b in range(8) for a in range(4)] if reduced else range(64)
    if reduced and letter != "P":
        kings = [a | b << 3 for a in range(4) for b in range(a + 1)]
    found = []
    for king in kings:
        for third in range(64):
            if third == king or (letter == "P" and third >> 3 in {0, 7}):
                continue
            for other in range(64):
                if other in {king, third} or chess.square_distance(king, other) == 1:
                    continue
                board = ["."] * 64
                board[king], board[third], board[other] = "K", letter, "k"
                rows = "/".join("".join(board[at : at + 8]) for at in range(0, 64, 8))
                fen = f"{_counted(rows)} {turn} - -"
                pos = read_fen(fen)
                if not in_check(pos, not pos.white_to_move) and legal_moves(pos):
                    found.append(fen)
    return found


def _counted(rows: str) -> str:
    for gap in range(8, 0, -1):
        rows = rows.replace("." * gap, str(gap))
    return rows


def mate_exists(letter: str, fen: str) -> bool:
    """By the theorem for these: always, unless Black's only moves take the piece."""
    if letter in "NB":
        return False
    pos = read_fen(fen)
    if pos.white_to_move:
        return True
    return any(not pos.white >> target(move) & 1 for move in legal_moves(pos))


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("letter", sorted(THREE_PIECES))
def test_the_theorem_counts_what_the_table_counts(letter: str) -> None:
    counts: list[int] = []
    for turn in "wb":
        fens = three_pieces(letter, turn, reduced=False)
        counts += [len(fens), sum(mate_exists(letter, fen) for fen in fens)]

    assert tuple(counts) == THREE_PIECES[letter]


@pytest.mark.slow
@pytest.mark.timeout(6000)
@pytest.mark.parametrize("turn", ["w", "b"])
@pytest.mark.parametrize("letter", sorted(THREE_PIECES))
def test_three_pieces_exhaustively(letter: str, turn: str) -> None:
    """Every position up to symmetry is answered as the theorem says."""
    for fen in three_pieces(letter, turn, reduced=True):
        wanted = CanMate.POSSIBLE if mate_exists(letter, fen) else CanMate.IMPOSSIBLE
        assert can_mate(fen, Colour.WHITE).answer is wanted, fen


def _verify(classes: tuple[str, ...], each: int, seed: int) -> Counter[str]:
    dice = Random(seed)
    told: Counter[str] = Counter()
    for name in classes:
        white, _, black = name.partition(":")
        for _ in range(each):
            fen = pieces(dice, white, black).fen()
            verdict = can_mate(fen, Colour.WHITE)
            assert verdict.answer is not CanMate.NOT_PROVEN, fen
            assert fault(fen, verdict) is None, fen
            if name in DEAD and chess.Board(fen).legal_moves:
                assert verdict.answer is CanMate.IMPOSSIBLE, fen
            if name in ALIVE and chess.Board(fen).legal_moves:
                assert verdict.answer is CanMate.POSSIBLE, fen
            told[verdict.answer] += 1
    return told


def test_a_sample_of_three_and_four_pieces() -> None:
    told = _verify((*THREE_PIECES, *FOUR_PIECES), 25, seed=1)

    assert min(told.values()) > 100


@pytest.mark.slow
@pytest.mark.timeout(20_000)
@pytest.mark.parametrize("name", FOUR_PIECES)
def test_four_pieces_sampled(name: str) -> None:
    """200,000 positions in all, each verdict verified by the checker."""
    _verify((name,), 200_000 // len(FOUR_PIECES) + 1, seed=2)


def test_the_loser_under_promotes_where_a_lone_minor_needs_a_helper() -> None:
    verdict = can_mate("8/8/8/8/4B3/8/p7/2k4K b - - 0 1", Colour.WHITE)

    assert verdict.line is not None
    assert any(len(move) == 5 and move[4] != "q" for move in verdict.line)


def test_piece_numbers_are_what_moves_say() -> None:
    pos = read_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1")

    assert {promotion(move) for move in legal_moves(pos) if piece(move) == 1} == {2, 3, 4, 5}
