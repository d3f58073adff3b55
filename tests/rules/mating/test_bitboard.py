"""The fast engine against python-chess, and against the known counts."""

from __future__ import annotations

from random import Random

import chess
import pytest

from arbiterd.rules.bitboard import in_check, legal_moves, mirrored, mirrored_move, play
from arbiterd.rules.bitboard_text import START, read_fen, uci, write_fen

COUNTS = [
    (START, [20, 400, 8902]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", [48, 2039]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", [6, 264, 9467]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1486]),
]


def count(fen: str, depth: int) -> int:
    level = [read_fen(fen)]
    for _ in range(depth - 1):
        level = [play(pos, move) for pos in level for move in legal_moves(pos)]
    return sum(len(legal_moves(pos)) for pos in level)


@pytest.mark.parametrize(("fen", "counts"), COUNTS)
def test_it_counts_what_everybody_counts(fen: str, counts: list[int]) -> None:
    assert [count(fen, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_random_play_is_the_same_game_in_python_chess(seed: int, chess960: bool) -> None:
    dice = Random(seed)
    board = chess.Board()
    if chess960:
        board = chess.Board.from_chess960_pos(dice.randrange(960))
    pos = read_fen(board.shredder_fen() if chess960 else board.fen())
    for _ in range(200):
        theirs = sorted(board.uci(move, chess960=chess960) for move in board.legal_moves)
        ours = {uci(move, chess960=chess960): move for move in legal_moves(pos)}
        assert sorted(ours) == theirs, board.fen()
        assert in_check(pos, pos.white_to_move) == board.is_check()
        assert read_fen(write_fen(pos)).key() == pos.key()
        turned = mirrored(pos)
        assert sorted(map(mirrored_move, legal_moves(turned))) == sorted(legal_moves(pos))
        if not theirs:
            break
        text = dice.choice(theirs)
        board.push(board.parse_uci(text))
        pos = play(pos, ours[text])
        fen = board.shredder_fen(en_passant="fen") if chess960 else board.fen(en_passant="fen")
        assert read_fen(fen).key() == pos.key(), board.fen()


@pytest.mark.parametrize(
    ("fen", "why"),
    [
        ("", "six fields, or four; this has 0"),
        ("8/8/8/8/8/8/8/8 w -", "six fields, or four; this has 3"),
        ("8/8/8/8/8/8/8 w - -", "7 ranks; write 8"),
        ("8/8/8/8/8/8/8/9 w - -", "'9' is no piece"),
        ("8/8/8/8/8/8/8/7 w - -", "has 7 squares; write 8"),
        ("8/8/8/8/8/8/8/44k w - -", "has 9 squares; write 8"),
        ("8/8/8/8/8/8/8/8 x - -", "side to move is 'x'"),
        ("8/8/8/8/8/8/8/8 w ! -", "'!' is no right to castle"),
        ("8/8/8/8/8/8/8/8 w - e9", "'e9' is no square"),
        ("8/8/8/8/8/8/8/8 w - - x 1", "half-move clock is 'x'"),
        ("8/8/8/8/8/8/8/8 w - - 0 -1", "move number is '-1'"),
    ],
)
def test_bad_text_is_refused_with_a_sentence(fen: str, why: str) -> None:
    with pytest.raises(ValueError, match=why.replace("(", r"\(")):
        read_fen(fen)
