"""The question at its edges: odd positions, 9.6, plain values for a worker."""

from __future__ import annotations

import chess
import pytest

from arbiterd.rules.bitboard_text import read_fen
from arbiterd.rules.mating import CanMate, MatingQuestion, ProofKind, answered, can_mate
from arbiterd.rules.mating.checker import fault
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


NOW_OR_NEVER = [
    ("4k3/8/8/p1p1p1p1/PpP1P1P1/1P6/8/4K3 b - a3", "b4a3"),
    ("8/4k3/8/6p1/1p1p1pP1/1P1P1P2/7b/4K3 b - g3", "f4g3"),
    ("8/8/3p3k/2pPp1p1/1pP1PpPp/1P1K1P1P/5b2/b7 b - g3", "h4g3 f4g3"),
    ("3b1k2/8/8/p1p1p3/PpP1Pp1p/1P3P1P/1K6/4b3 b - c3", "b4c3"),
    ("k3B3/8/1p1p1p1p/1P1PpP1P/4P3/8/7K/7B w - e6", "d5e6 f5e6"),
]
"""Walls that only a capture en passant can open, and those captures."""


@pytest.mark.parametrize(("fen", "captures"), NOW_OR_NEVER)
def test_a_wall_that_only_a_capture_in_passing_opens(fen: str, captures: str) -> None:
    """It is now or never, so the nodes a ruling has at once are many times enough."""
    for side in Colour:
        verdict = can_mate(fen, side, 3000)

        assert verdict.answer is CanMate.POSSIBLE
        assert fault(fen, verdict) is None
    refused = " ".join(fen.split()[:3])
    shut = [can_mate(f"{refused} -", side, 3000).answer for side in Colour]
    assert CanMate.IMPOSSIBLE in shut
    openers = [v.line[0] for v in (can_mate(fen, side) for side in Colour) if v.line]
    assert set(openers) & set(captures.split())


@pytest.mark.parametrize(
    ("fen", "side"),
    [
        ("8/5kB1/p7/P1p1p1p1/2P1P1P1/8/1K6/8 b - -", Colour.BLACK),
        ("5k2/2p5/8/6p1/p1p1p1P1/P1P1P3/2K5/3b4 w - -", Colour.WHITE),
        ("4kB2/8/8/5p2/4pP1p/1p1pP2P/1P1P4/7K b - -", Colour.BLACK),
    ],
)
def test_a_wall_that_a_bishop_opens_by_being_given_up(fen: str, side: Colour) -> None:
    """The side with pawns alone mates: answered with the nodes that a ruling has at once."""
    verdict = can_mate(fen, side, 60_000)

    assert verdict.answer is CanMate.POSSIBLE
    assert fault(fen, verdict) is None


def test_where_the_capture_in_passing_helps_neither_the_proof_has_both_ways() -> None:
    """Black is in check: White's last pawn is taken by the king, or in passing."""
    fen = "8/1K6/8/kp6/pP6/3p4/3p4/8 b - b3"
    verdict = can_mate(fen, Colour.WHITE, 3000)

    assert verdict.answer is CanMate.IMPOSSIBLE
    assert fault(fen, verdict) is None


def test_a_worker_gets_and_gives_plain_values() -> None:
    question = MatingQuestion("8/8/8/4k3/8/3q4/4K3/6N1 w - - 0 1", Colour.WHITE, 5000)
    told = answered(question)

    assert told.question == question
    assert told.answer is CanMate.IMPOSSIBLE
    assert told.proof_kind is ProofKind.MATERIAL
    assert answered(question) == told
