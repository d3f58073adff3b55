"""Is the position dead (5.2.2)? Watched after every half-move at next to no cost.

The watch only tells that a position is certainly not dead; where it cannot, `can_mate` decides for
both sides. Two arguments, neither of which can skip a dead position:

- Taken back. The position before was not dead, and the half-move was a piece's quiet move: nothing
  taken, no pawn. The opponent has a quiet move after which the piece can go back and the opponent's
  piece too, all legal. So play can return to the position before, and from there to mate.
- Shown. A short walk has found a series of legal moves that ends in mate by one side. The series
  that was found last is followed first as far as it goes, and the walk begins there.

Rights to castle and to take en passant do not come back, so they are left out throughout: what
mates without them also mates with them. (A position whose only moves are such captures asks.)
"""

from __future__ import annotations

from dataclasses import dataclass, field

from arbiterd.rules.bitboard import (
    Position,
    legal_moves,
    mirrored,
    mirrored_move,
    piece,
    play,
    target,
    without_castling,
)
from arbiterd.rules.bitboard_constants import CASTLING, NO_SQUARE, PAWN
from arbiterd.rules.mating.ladder import Ladder, Mate
from arbiterd.rules.mating.retracing import MatingLine, followed, line_of

LOOK_NODES = 300
"""How far the walk for a mate goes, for each side."""
NEAR_NODES = 100
"""And from where an earlier line led."""
SHUTTLES = 4
"""So many of the opponent's quiet moves are tried."""


@dataclass(frozen=True, slots=True)
class DeadWatch:
    """What is kept between two half-moves of one table. Losing it costs time, nothing else."""

    may_be_dead: bool = False
    """The finding on the position last looked at: True asks for `can_mate`."""
    _alive: Position | None = field(default=None, repr=False, compare=False)
    """The position last looked at, if it is certainly not dead; without rights."""
    _line: MatingLine | None = field(default=None, repr=False, compare=False)
    """The line to mate that was found last."""

    def after(self, pos: Position) -> DeadWatch:
        """The watch after this position, reached by a half-move or set up.

        A position without a legal move is the affair of 5.1.1 and 5.2.1, not dead.
        """
        if not legal_moves(pos):
            return DeadWatch()
        pos = without_castling(pos, NO_SQUARE)
        if not legal_moves(pos):
            return DeadWatch(may_be_dead=True)
        if self._alive is not None and taken_back(self._alive, pos):
            return DeadWatch(_alive=pos, _line=self._line)
        line = _shown(pos, self._line)
        return DeadWatch(may_be_dead=True) if line is None else DeadWatch(_alive=pos, _line=line)


def taken_back(before: Position, pos: Position) -> bool:
    """Did one quiet move lead from `before` to `pos`, and can play return from there?"""
    if before.white_to_move == pos.white_to_move or before.pawns != pos.pawns:
        return False
    back = _way_back(before, pos)
    if not back:
        return False
    tries = 0
    for move in legal_moves(pos):
        if not _quiet(pos, move):
            continue
        tries += 1
        if tries > SHUTTLES:
            return False
        answered = play(pos, move)
        if back not in legal_moves(answered):
            continue
        undone = play(answered, back)
        if _reversed(move) not in legal_moves(undone):
            continue
        if play(undone, _reversed(move)).key() == before.key():
            return True
    return False


def _way_back(before: Position, pos: Position) -> int:
    """The move that would undo the mover's last, if that was one piece's step; else 0."""
    was, now = (before.white, pos.white) if before.white_to_move else (before.black, pos.black)
    left, reached = was & ~now, now & ~was
    if not left or left & (left - 1) or not reached or reached & (reached - 1):
        return 0
    for move in legal_moves(before):
        if 1 << (move & 63) == left and 1 << target(move) == reached:
            return _reversed(move) if _quiet(before, move) else 0
    return 0


def _quiet(pos: Position, move: int) -> bool:
    """One piece moves, and could move back as it came."""
    if piece(move) in {PAWN, CASTLING}:
        return False
    return not (pos.white | pos.black) >> target(move) & 1


def _reversed(move: int) -> int:
    return target(move) | (move & 63) << 6 | piece(move) << 12


def _shown(pos: Position, earlier: MatingLine | None) -> MatingLine | None:
    """A series of legal moves that ends in mate, if a short walk finds one.

    By the side of the earlier line; else by the side with more pieces that mate, or by the other.
    """
    assert pos.ep == NO_SQUARE
    if earlier is not None:
        reached, moves = followed(pos, earlier)
        rest = _mate(reached, earlier.white_mates, NEAR_NODES)
        if rest is not None:
            return line_of(pos, [*moves, *rest], white_mates=earlier.white_mates)
    strong = pos.queens | pos.rooks | pos.pawns
    white_first = (strong & pos.white).bit_count() >= (strong & pos.black).bit_count()
    for white in (white_first, not white_first):
        found = _mate(pos, white, LOOK_NODES)
        if found is not None:
            return line_of(pos, found, white_mates=white)
    return None


def _mate(pos: Position, white: bool, nodes: int) -> list[int] | None:
    """Moves to mate by that side, within so many nodes."""
    found = Ladder(pos if white else mirrored(pos), nodes).climb()
    if not isinstance(found, Mate):
        return None
    return list(found.line) if white else [mirrored_move(move) for move in found.line]
