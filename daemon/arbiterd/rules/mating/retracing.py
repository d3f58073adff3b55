"""A line to mate from an earlier position, followed from a later one.

Play went another way, yet most of the line can still be played: its kings walk where they
walked. What is left to find from where it ends is short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arbiterd.rules.bitboard import Position, in_check, kind_at, piece, play, seed, target
from arbiterd.rules.bitboard_attacks import between
from arbiterd.rules.bitboard_constants import CASTLING, PAWN


@dataclass(frozen=True, slots=True)
class MatingLine:
    """Moves that once ended in mate, each side's in their order."""

    white_mates: bool
    white: tuple[int, ...]
    black: tuple[int, ...]


def line_of(pos: Position, moves: Sequence[int], *, white_mates: bool) -> MatingLine:
    """The line that these moves are from this position."""
    first, second = tuple(moves[::2]), tuple(moves[1::2])
    if pos.white_to_move:
        return MatingLine(white_mates, first, second)
    return MatingLine(white_mates, second, first)


def followed(pos: Position, line: MatingLine) -> tuple[Position, list[int]]:
    """The moves of the line that are legal, one after the other, and where they lead.

    What cannot be played yet is tried again at the side's next turn. No position comes twice.
    """
    left = {True: list(line.white), False: list(line.black)}
    seen = {seed(pos)}
    moves: list[int] = []
    while True:
        waiting = left[pos.white_to_move]
        for move in waiting:
            after = _played(pos, move)
            if after is not None and seed(after) not in seen:
                break
        else:
            return pos, moves
        waiting.remove(move)
        moves.append(move)
        pos = after
        seen.add(seed(pos))


def _played(pos: Position, move: int) -> Position | None:
    """The position after the move if it is legal here; it was legal somewhere for this piece."""
    at, to, kind = move & 63, target(move), piece(move)
    own, enemy = (pos.white, pos.black) if pos.white_to_move else (pos.black, pos.white)
    if kind == CASTLING or not own >> at & 1 or own >> to & 1 or kind_at(pos, at) != kind:
        return None
    if between(at, to) & (own | enemy):
        return None
    if kind == PAWN and (enemy >> to & 1 or to == pos.ep) == (at & 7 == to & 7):
        return None
    after = play(pos, move)
    return None if in_check(after, pos.white_to_move) else after
