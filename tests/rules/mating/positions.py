"""Positions the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import chess

from arbiterd.rules.mating import CanMate

EXAMPLES = """
8/8/8/4k3/8/3q4/4K3/6N1 w - - | no | yes
8/8/8/4k3/8/3r4/4K3/6N1 w - - | yes | yes
8/8/8/4k3/3r4/8/4K3/5B2 w - - | no | yes
7k/8/7K/2Bb4/8/8/8/8 b - - | yes | yes
8/8/8/8/8/8/p1K5/k1N5 w - - | yes | yes
4k3/4p3/4P3/8/8/8/8/4KB2 w - - | yes | yes
7k/6pP/6Pb/8/8/8/8/4KB2 w - - | no | no
r7/K1k5/8/8/8/8/8/8 w - - | no | no
4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - | no | no
5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - | yes | no
1b3kBR/4pP1P/1p1pP2P/1P1P4/8/K5p1/6P1/1B6 b - - | yes | no
k7/1pK3p1/6Pb/1p4pB/bP4P1/Bp6/1P4P1/8 b - - | yes | yes
8/1p2p1p1/1P2P1P1/Bp2pBp1/1P2P1P1/7k/1P2P3/7K b - - | yes | no
k1b5/1p1p4/1P1P4/8/8/4p1p1/4P1P1/5B1K w - - | no | no
"""
"""Known positions of the subject with their answers for White and for Black."""

WORDS = {"yes": CanMate.POSSIBLE, "no": CanMate.IMPOSSIBLE}
Case = tuple[str, CanMate, CanMate]


def examples() -> list[Case]:
    return [_case(line) for line in EXAMPLES.strip().splitlines()]


def composed() -> list[Case]:
    """`composed.txt` without its arguments."""
    lines = (Path(__file__).parent / "composed.txt").read_text().splitlines()
    return [_case(line) for line in lines if line and not line.startswith("#")]


def _case(line: str) -> Case:
    fen, white, black = (part.strip() for part in line.split("|")[:3])
    if len(fen.split()) == 2:
        fen += " - -"
    return fen, WORDS[white], WORDS[black]


def random_play(dice: Random, wanted: int) -> Iterator[chess.Board]:
    """Positions of playouts from many starts: the 960, and short openings of legal moves."""
    told = 0
    while told < wanted:
        board = chess.Board()
        if dice.random() < 0.3:
            board.set_board_fen(chess.Board.from_chess960_pos(dice.randrange(960)).board_fen())
            board.castling_rights = 0
        for _ in range(dice.randrange(10, 400)):
            moves = list(board.legal_moves)
            if not moves or (board.is_insufficient_material() and dice.random() < 0.1):
                break
            board.push(dice.choice(moves))
            if told < wanted and dice.random() < 0.03:
                told += 1
                yield board.copy(stack=False)
        if told < wanted:
            told += 1
            yield board.copy(stack=False)


def walled(dice: Random) -> chess.Board:
    """Kings and a few pieces, mostly behind their own side of locked pawns."""
    while True:
        board = chess.Board(None)
        rank, gap = dice.choice((2, 3, 3, 4)), dice.choice((0.0, 0.0, 0.1, 0.2, 0.4))
        for file in range(8):
            rank = min(5, max(1, rank + dice.choice((-1, -1, 0, 1, 1))))
            if dice.random() >= gap:
                board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, chess.WHITE))
                board.set_piece_at(
                    chess.square(file, rank + 1), chess.Piece(chess.PAWN, chess.BLACK)
                )
        free = [square for square in chess.SQUARES if board.piece_at(square) is None]
        dice.shuffle(free)
        low = [square for square in free if chess.square_rank(square) < 2]
        high = [square for square in free if chess.square_rank(square) > 5]
        white, black = dice.choice(low or free), dice.choice(high or free)
        if white == black:
            continue
        board.set_piece_at(white, chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(black, chess.Piece(chess.KING, chess.BLACK))
        for _ in range(dice.choice((0, 0, 1, 1, 2, 3))):
            square = free.pop()
            if square not in {white, black}:
                kind = dice.choice((chess.BISHOP, chess.BISHOP, chess.BISHOP, chess.KNIGHT))
                board.set_piece_at(square, chess.Piece(kind, dice.random() < 0.5))
        board.turn = dice.random() < 0.5
        if board.is_valid():
            return board


def pieces(dice: Random, white: str, black: str) -> chess.Board:
    """A legal position of these pieces, kings left out of the names."""
    while True:
        board = chess.Board(None)
        letters = ["K", "k", *white.upper(), *black.lower()]
        for square, letter in zip(dice.sample(range(64), len(letters)), letters, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.turn = dice.random() < 0.5
        if board.is_valid():
            return board
