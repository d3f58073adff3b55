"""Dead positions of the river game. The orthodox table is wrong here: no king ever crosses.

Errs on the side of a live game: squares are reached as if nothing else stood on the board, and
as long as a pawn can still become a plank the whole river counts as passable.
"""

from __future__ import annotations

from arbiterd.rules.chess_moves import KING_STEPS, KNIGHT_STEPS, SLANTED_RAYS, STRAIGHT_RAYS
from arbiterd.rules.guadalete_moves import Waters
from arbiterd.rules.guadalete_position import DEFAULT_RIVER, GuadaletePosition
from eboards.events import CHESS_BOARD

NO_MATE_ALONE = frozenset(("", "N", "B", "R", "Q", "BN"))
"""Pieces beside the king that mate no bare king on its bank, even with every plank down
(an exhaustive search over the default river). Where the river bends, a bank has corners in which
one queen mates."""
_STRAIGHT = frozenset(map(CHESS_BOARD.square, DEFAULT_RIVER))


def is_dead(waters: Waters, position: GuadaletePosition) -> bool:
    """Neither side can ever mate. False where it is not known."""
    return not (can_mate(waters, position, True) or can_mate(waters, position, False))


def can_mate(waters: Waters, position: GuadaletePosition, white: bool) -> bool:
    """False only where it is certain."""
    dry = _passable_ever(waters, position)
    bank = _bank_of_king(waters, position, not white)
    threats = [
        piece.upper()
        for square, piece in enumerate(position.board)
        if piece.isalpha() and piece.isupper() == white and piece not in "Kk"
        for kind in [_kind_at_best(waters, piece)]
        if _attacks_any(kind, _reach(kind, square, dry), dry, bank)
    ]
    if not threats:
        return False
    if waters.river != _STRAIGHT:
        return True
    others = [m for m in position.board if m.isalpha() and m.isupper() != white and m not in "Kk"]
    return bool(others) or "P" in threats or "".join(sorted(threats)) not in NO_MATE_ALONE


def _kind_at_best(waters: Waters, piece: str) -> str:
    """A pawn that may promote counts as a queen; in the default river none does."""
    if piece in "Pp":
        return "Q" if _pawns_cross(waters) else "P"
    return piece.upper()


def _pawns_cross(waters: Waters) -> bool:
    """Whether some pawn could get past its own first river square: a river of one rank, or bent
    so that a file has a plank of the other side's before it."""
    per_file = [sum(square % 8 == f for square in waters.river) for f in range(8)]
    orderly = all(number == 2 for number in per_file)
    return not orderly or waters.choices.pawn_on_plank != "stay"


def _passable_ever(waters: Waters, position: GuadaletePosition) -> frozenset[int]:
    pawns_left = any(piece in "Pp" for piece in position.board)
    wet = frozenset() if pawns_left else waters.river - frozenset(position.planks)
    return frozenset(range(64)) - wet


def _bank_of_king(waters: Waters, position: GuadaletePosition, white: bool) -> frozenset[int]:
    """Every square the king of this side can ever stand on."""
    king = position.board.find("K" if white else "k")
    if king < 0:
        return frozenset()
    reached, edge = {king}, [king]
    while edge:
        for at in KING_STEPS[edge.pop()]:
            if at not in waters.river and at not in reached:
                reached.add(at)
                edge.append(at)
    return frozenset(reached)


def _attacks(kind: str, square: int, dry: frozenset[int]) -> set[int]:
    """Squares it could attack from here on an empty board; a queen's where a pawn will be one."""
    if kind == "P":
        return set()
    if kind == "N":
        return {at for at in KNIGHT_STEPS[square] if at in dry}
    rays: tuple[tuple[int, ...], ...] = ()
    if kind in "RQ":
        rays += STRAIGHT_RAYS[square]
    if kind in "BQ":
        rays += SLANTED_RAYS[square]
    found: set[int] = set()
    for ray in rays:
        for at in ray:
            if at not in dry:
                break
            found.add(at)
    return found


def _reach(kind: str, square: int, dry: frozenset[int]) -> frozenset[int]:
    reached, edge = {square}, [square]
    while edge:
        for at in sorted(_attacks(kind, edge.pop(), dry)):
            if at not in reached:
                reached.add(at)
                edge.append(at)
    return frozenset(reached)


def _attacks_any(
    kind: str, reach: frozenset[int], dry: frozenset[int], bank: frozenset[int]
) -> bool:
    return any(_attacks(kind, square, dry) & bank for square in reach)
