"""Plans for `search`: where the kings should meet, and what the other men do for it.

White is the side that mates. A plan takes Black's king to a target square, most often a corner,
White's king two squares away from it, and lets the rest follow.
"""

from __future__ import annotations

from arbiterd.rules.bitboard import SQUARE, Position
from arbiterd.rules.bitboard_attacks import KNIGHT as KNIGHT_STEPS
from arbiterd.rules.bitboard_attacks import LIGHT
from arbiterd.rules.mating.dice import Dice
from arbiterd.rules.mating.search import Plan

CORNERS = (0, 7, 56, 63)
_ALL = range(64)
_NOWHERE = [0] * 64
DISTANCE: list[list[int]] = [
    [max(abs((a & 7) - (b & 7)), abs((a >> 3) - (b >> 3))) for b in _ALL] for a in _ALL
]
"""King's moves between two squares of an empty board."""


def _knight_distances(start: int) -> list[int]:
    steps, ring = [-1] * 64, [start]
    steps[start] = 0
    for at in ring:
        for to in _ALL:
            if KNIGHT_STEPS[at] >> to & 1 and steps[to] < 0:
                steps[to] = steps[at] + 1
                ring.append(to)
    return steps


_KNIGHT_DISTANCE = [_knight_distances(square) for square in _ALL]


def _towards(square: int, weight: int) -> list[int]:
    return [-weight * steps for steps in DISTANCE[square]]


def _forward(weight: int) -> list[int]:
    """White pawns up the board."""
    return [weight * (7 - (square >> 3)) for square in _ALL]


def _table(pawn: list[int], knight: list[int], others: list[int], king: list[int]) -> list[int]:
    """By piece number: none, pawn, knight, bishop, rook, queen, king, castling king."""
    return [*_NOWHERE, *pawn, *knight, *others, *others, *others, *king, *king]


def _king(pos: Position, men: int) -> int:
    return SQUARE[(pos.kings & men) % 67]


def lone_minor(pos: Position) -> bool:
    """Has White, beside the king, one knight or only bishops of one colour?"""
    men = pos.white & ~pos.kings
    if men & pos.knights:
        return men & (men - 1) == 0
    return men & pos.bishops == men and (not men & LIGHT or not men & ~LIGHT)


def meeting(pos: Position, corner: int, dice: Dice, *, weight: int = 8) -> Plan:
    """Both kings meet at a corner; White promotes what can be promoted."""
    white_king = _king(pos, pos.white)
    ring = [square for square in _ALL if DISTANCE[corner][square] == 2]
    post = min(ring, key=lambda square: DISTANCE[white_king][square])
    pawn, king = _forward(8), _towards(post, weight)
    close = _towards(corner, 3)
    knight = [-4 * abs(steps - 2) for steps in _KNIGHT_DISTANCE[corner]]
    return Plan(
        _table(pawn, _NOWHERE, _NOWHERE, king),
        _table(pawn, knight, close, king),
        _table(_NOWHERE, _NOWHERE, _NOWHERE, _towards(corner, 20)),
        corner,
        takes=12,
        spare=60,
        under_promote=0,
        promote=False,
        noise=6,
        branch=3 + dice.roll(4),
        depth=100,
    )


def helped(corner: int, shape: int) -> Plan:
    """A lone minor mates a king that one of its own men shuts in.

    Seen from the corner (0, 0): the helper beside it, White's king covering the other two
    squares, the knight coming to (2, 1) or the bishop onto the diagonal. `shape` chooses which
    of the two neighbours the helper takes and where the king stands.
    """
    dx, dy = (1 if corner & 7 == 0 else -1), (8 if corner < 8 else -8)
    if shape & 1:
        dx, dy = dy, dx
    helper = corner + dx
    post = (corner + dx + 2 * dy, corner + 2 * dy, corner + 2 * dy + 2 * dx)[(shape >> 1) % 3]
    knight = [-5 * abs(steps - 2) for steps in _KNIGHT_DISTANCE[corner]]
    king = _towards(post, 10)
    white = _table(_forward(4), knight, _NOWHERE, king)
    beside = [-7 * steps for steps in DISTANCE[helper]]
    black_knight = [-7 * steps for steps in _KNIGHT_DISTANCE[helper]]
    pawn = [6 * (square >> 3) for square in _ALL]
    return Plan(
        white,
        white,
        _table(pawn, black_knight, beside, _towards(corner, 12)),
        corner,
        takes=-60,
        spare=80,
        under_promote=40,
        promote=False,
        noise=5,
        branch=5,
        depth=80,
    )


def promoting(pos: Position, dice: Dice) -> Plan:
    """White takes what blocks a pawn and promotes; that is the goal, the mate comes after."""
    pawns = [square for square in _ALL if pos.pawns & pos.black & 1 << square]
    prey = pawns[dice.roll(len(pawns))] if pawns else _king(pos, pos.black)
    away = min(CORNERS, key=lambda corner: -DISTANCE[corner][prey])
    # The king beside its prey is content: once it has eaten it stands in its pawn's way.
    king = [-8 * max(steps, 1) for steps in DISTANCE[prey]]
    white = _table(_forward(12), _NOWHERE, _towards(prey, 2), king)
    black = _table([-3 * (s >> 3) for s in _ALL], _NOWHERE, _NOWHERE, _towards(away, 8))
    return Plan(
        white,
        white,
        black,
        prey,
        takes=60,
        spare=40,
        under_promote=0,
        promote=True,
        noise=8,
        branch=5,
        depth=80,
    )


def wild(dice: Dice, *, squares: list[int]) -> Plan:
    """Weights at random; the target among these squares."""
    target = squares[dice.roll(len(squares))]
    ring = [square for square in _ALL if DISTANCE[target][square] == 2]
    post = ring[dice.roll(len(ring))]
    pawn, king = _forward(dice.roll(16) - 4), _towards(post, dice.roll(12))
    close = _towards(target, dice.roll(8))
    some = _towards(dice.roll(64), dice.roll(5))
    return Plan(
        _table(pawn, some, some, king),
        _table(pawn, close, close, king),
        _table([(dice.roll(9) - 4) * (s >> 3) for s in _ALL], some, some, _towards(target, 12)),
        target,
        takes=dice.roll(60) - 20,
        spare=dice.roll(90) - 20,
        under_promote=dice.roll(60),
        promote=False,
        noise=3 + dice.roll(20),
        branch=2 + dice.roll(12),
        depth=20 + dice.roll(100),
    )
