"""Material that can never mate, whatever stands where. White is the side that is to mate.

Exact, from exhaustive enumeration up to four pieces and these arguments beyond:

- One knight against queens: the mated king stands at (0, 0), the knight at (1, 2). A queen on
  (1, 1) or (0, 1) takes the knight, one on (1, 0) takes it through the empty (1, 1); so White's
  king alone must hold all three squares, and from no square it may stand on can it.
- Bishops of one colour against pieces that stand on the other colour only when they move straight
  (rooks, queens) or on the same (bishops): the mated king stands on the bishops' colour. White's
  king cannot hold all its neighbours of the other colour, so a rook or queen must stand on one;
  no bishop pins it there, and it takes the bishop that checks or steps between. No legal move gives
  a double check by two bishops of one colour.
"""

from __future__ import annotations

from arbiterd.rules.bitboard import Position
from arbiterd.rules.bitboard_constants import FULL, LIGHT


def cannot_mate(pos: Position) -> bool:
    """Is White's material too little for any mate? Ask after mate on the board, never before."""
    pieces = pos.white & ~pos.kings & FULL
    if not pieces:
        return True
    if pieces & pos.knights == pieces:
        alone = pieces & (pieces - 1) == 0
        return alone and not pos.black & ~pos.kings & ~pos.queens & FULL
    if pieces & pos.bishops == pieces:
        one_coloured = not pos.bishops & LIGHT or not pos.bishops & ~LIGHT & FULL
        return one_coloured and not pos.knights | pos.pawns
    return False


_NAMES = ("queen", "rook", "bishop", "knight", "pawn")
_NUMBERS = ("no", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def army(pos: Position, pieces: int) -> str:
    """`king, queen and two bishops`."""
    boards = (pos.queens, pos.rooks, pos.bishops, pos.knights, pos.pawns)
    words = ["king"]
    for name, board in zip(_NAMES, boards, strict=True):
        count = (board & pieces).bit_count()
        if count == 1:
            words.append(name)
        elif count:
            words.append(f"{_NUMBERS[count] if count < len(_NUMBERS) else count} {name}s")
    if len(words) == 1:
        return "a bare king"
    return ", ".join(words[:-1]) + " and " + words[-1]
