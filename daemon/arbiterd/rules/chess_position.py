"""A chess position as a value, and its FEN.

The board is one string of 64 letters in reading order (a8 first): hashed once, compared at the
speed of memory. `en_passant` is set only where a capture on that square is legal, so that equal
values are equal positions in the sense of Laws 9.2.3 (apart from the two counters).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from arbiterd.rules.ruleset import COUNTER_DIGITS, counter_field, read_board_field, read_counter
from eboards.events import CHESS_BOARD

START = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
CORNERS = (63, 56, 7, 0)
FENS_CACHED = 1024
"""FENs that were read last, over all tables of one service: each is asked about several times."""
RANKS_CACHED = 1024
"""Outer ranks whose castling field is remembered, over all tables of one service."""
GAPS = tuple(("." * width, str(width)) for width in range(8, 0, -1))
"""Empty squares in a row, and how a FEN counts them."""


class ChessPosition(NamedTuple):
    """Never changed in place; the position after a move is another one."""

    board: str
    white: bool
    """True where White has the move."""
    castling: tuple[int, ...]
    """The squares of the rooks that may still castle: h1, a1, h8, a8 in chess."""
    en_passant: int
    """The square passed over, if a pawn can legally capture there now; else -1."""
    quiet: int
    number: int


def row(square: int) -> int:
    """0 is the eighth rank."""
    return square >> 3


def file(square: int) -> int:
    """0 is the a-file."""
    return square & 7


def write_fen(position: ChessPosition) -> str:
    """Six fields; castling as X-FEN has it (a file's letter where KQkq would not be clear)."""
    board = position.board
    field = "/".join([board[n : n + 8] for n in range(0, 64, 8)])
    for gap, digit in GAPS:
        field = field.replace(gap, digit)
    rooks = position.castling
    castling = _castling_field(rooks, board[:8], board[56:]) if rooks else "-"
    passed = "-" if position.en_passant < 0 else CHESS_BOARD.names[position.en_passant]
    side = "w" if position.white else "b"
    quiet, number = counter_field(position.quiet), counter_field(position.number)
    return f"{field} {side} {castling} {passed} {quiet} {number}"


@lru_cache(maxsize=RANKS_CACHED)
def _castling_field(rooks: tuple[int, ...], eighth: str, first: str) -> str:
    text = ""
    for rook in rooks:
        rank = first if row(rook) else eighth
        piece = rank[file(rook)]
        king = rank.find("K" if piece == "R" else "k")
        outermost = rank.rfind(piece) if file(rook) > king else rank.find(piece)
        short, long = ("K", "Q") if piece == "R" else ("k", "q")
        if file(rook) == outermost:
            text += short if file(rook) > king else long
        else:
            letter = "abcdefgh"[file(rook)]
            text += letter.upper() if piece == "R" else letter
    return text


@lru_cache(maxsize=FENS_CACHED)
def read_fen(text: str) -> ChessPosition:
    """Four or six fields, taken as they stand, also where no play could lead there.

    The square of the en passant field is as written; whether it can be used is for the rules.
    Raises ValueError with a sentence.
    """
    fields = text.split()
    if len(fields) not in (4, 5, 6):
        raise ValueError(f"the FEN {text!r} has {len(fields)} fields; write four or six")
    board = "".join(read_board_field(CHESS_BOARD, fields[0]))
    if strange := sorted(set(board) - set(".PNBRQKpnbrqk")):
        raise ValueError(
            f"the FEN {text!r} has {strange[0]!r} on its board; write PNBRQK or pnbrqk"
        )
    if fields[1] not in ("w", "b"):
        raise ValueError(f"the FEN {text!r} has {fields[1]!r} to move; write w or b")
    passed = -1
    if fields[3] != "-":
        if fields[3] not in CHESS_BOARD.names:
            raise ValueError(
                f"the FEN {text!r} has {fields[3]!r} for en passant; write a square or -"
            )
        passed = CHESS_BOARD.square(fields[3])
    counters = [*fields[4:], "0", "1"][: max(2, len(fields) - 4)] if len(fields) < 6 else fields[4:]
    quiet, number = (read_counter(counter) for counter in counters[:2])
    if quiet is None or number is None:
        raise ValueError(
            f"the FEN {text!r} has counters that are no numbers of at most {COUNTER_DIGITS} digits;"
            " write for example 0 1"
        )
    castling = _read_castling(board, fields[2], text)
    return ChessPosition(board, fields[1] == "w", castling, passed, quiet, max(1, number))


def _read_castling(board: str, field: str, text: str) -> tuple[int, ...]:
    """KQkq is the outermost rook on that side of the king; a letter is the rook on that file."""
    rooks: set[int] = set()
    for letter in "" if field == "-" else field:
        white = letter.isupper()
        base = 56 if white else 0
        rank = board[base : base + 8]
        king, piece = rank.find("K" if white else "k"), "R" if white else "r"
        if letter in "Kk":
            at = rank.rfind(piece)
            at = at if at > king else -1
        elif letter in "Qq":
            at = rank.find(piece)
            at = at if at < king else -1
        elif letter.lower() in "abcdefgh":
            at = "abcdefgh".index(letter.lower())
        else:
            raise ValueError(f"the FEN {text!r} has {letter!r} for castling; write KQkq or files")
        if king >= 0 and at >= 0 and rank[at] == piece:
            rooks.add(base + at)
    return tuple(sorted(rooks, reverse=True))
