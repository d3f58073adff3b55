"""The question at its edges: odd positions, 9.6, plain values for a worker."""

from __future__ import annotations

import chess
import pytest

from arbiterd.rules.bitboard_text import read_fen
from arbiterd.rules.mating import CanMate, MatingQuestion, ProofKind, answered, can_mate
from arbiterd.rules.mating.reach import unreachable
from arbiterd.rules.ruleset import Colour

UNDEFINED = [
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "k7/8/8/8/8/8/8/8 w - - 0 1",
    "kk6/8/8/8/8/8/8/KK6 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K2P w - - 0 1",
    "4k2p/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
    "8/8/8/3kK3/8/8/8/8 w - - 0 1",
]
UNREACHABLE = [
    "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
    "4k3/8/3N1N2/8/8/8/8/4K3 b - - 0 1",
]


@pytest.mark.parametrize("fen", UNDEFINED)
def test_where_the_laws_define_no_moves_nothing_is_proven(fen: str) -> None:
    for side in Colour:
        assert can_mate(fen, side).answer is CanMate.NOT_PROVEN
    assert unreachable(read_fen(fen), fen)


@pytest.mark.parametrize("fen", UNREACHABLE)
def test_out_of_reach_is_said_and_answered_all_the_same(fen: str) -> None:
    assert unreachable(read_fen(fen), fen)
    for side in Colour:
        assert can_mate(fen, side).answer is not CanMate.NOT_PROVEN


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"])
def test_what_play_reaches_is_not_flagged(fen: str) -> None:
    assert not unreachable(read_fen(fen), fen)


def test_mate_is_seen_before_material() -> None:
    """Stage by stage: a mate on the board counts although what is left could never mate again."""
    assert can_mate("kb6/8/1K6/3B4/8/8/8/8 b - - 0 1", Colour.WHITE).line == ()
    stalemate = can_mate("k7/8/1Q6/8/8/8/8/7K b - - 0 1", Colour.WHITE)
    assert stalemate.proof is not None
    assert stalemate.proof.kind is ProofKind.TERMINAL


def test_proofs_can_be_read() -> None:
    knight = can_mate("8/8/8/4k3/8/3q4/4K3/6N1 w - - 0 1", Colour.WHITE).proof
    wall = can_mate("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", Colour.WHITE).proof
    forced = can_mate("8/8/8/8/8/4k3/6q1/7K w - - 0 1", Colour.BLACK).proof

    assert knight is not None
    assert knight.text == (
        "White: king and knight; Black: king and queen: no mate by White exists."
    )
    assert wall is not None
    assert wall.text == (
        "The pawns are blocked for ever, and no piece of White can ever attack a square that "
        "Black's king can reach."
    )
    assert forced is not None
    assert forced.text.startswith("Only one series of moves exists, h1-g2.")


def test_a_line_says_whether_it_keeps_within_the_75_moves() -> None:
    mate_in_one = "k7/8/1K6/8/8/8/8/7R w - - {} 90"
    assert can_mate(mate_in_one.format(10), Colour.WHITE).within_9_6
    assert can_mate(mate_in_one.format(149), Colour.WHITE).within_9_6
    far = can_mate("8/8/8/8/3k4/8/8/R6K w - - 149 120", Colour.WHITE)
    assert far.answer is CanMate.POSSIBLE
    assert far.within_9_6 is False


def test_castling_and_en_passant_are_moves_like_others() -> None:
    """The pawn just passed is the only thing Black could take."""
    fen = "8/8/8/8/pP6/8/8/k1K5 b - b3 0 1"
    verdict = can_mate(fen, Colour.WHITE)
    assert verdict.answer is not CanMate.NOT_PROVEN
    assert can_mate("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", Colour.BLACK).line


def test_a_worker_gets_and_gives_plain_values() -> None:
    question = MatingQuestion("8/8/8/4k3/8/3q4/4K3/6N1 w - - 0 1", Colour.WHITE, 5000)
    told = answered(question)

    assert told.question == question
    assert told.answer is CanMate.IMPOSSIBLE
    assert told.proof_kind is ProofKind.MATERIAL
    assert answered(question) == told
