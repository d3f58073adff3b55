"""Plans for `search`: where the kings should meet, and what the other pieces do for it.

White is the side that mates. A plan takes Black's king to a target square, most often a corner,
White's king two squares away from it, and lets the rest follow.
"""

from __future__ import annotations

from functools import cache

from arbiterd.rules.bitboard import Position
from arbiterd.rules.bitboard_attacks import step_attacks
from arbiterd.rules.bitboard_constants import (
    BISHOP,
    FILE_A,
    FULL,
    KNIGHT,
    LIGHT,
    PAWN,
    ROOK,
    square_table,
)
from arbiterd.rules.mating.dice import Dice
from arbiterd.rules.mating.search import Plan

CORNERS = (0, 7, 56, 63)
_SQUARE = square_table()
_ALL = range(64)
_NOWHERE = [0] * 64
_NO_WISH = [0] * 8
_CROWNS = [0, 0, 30, 30, 60, 150, 0, 0]
"""A queen; another only where play comes back to it."""
DISTANCE: list[list[int]] = [
    [max(abs((a & 7) - (b & 7)), abs((a >> 3) - (b >> 3))) for b in _ALL] for a in _ALL
]
"""King's moves between two squares of an empty board."""


def _knight_distances(start: int) -> list[int]:
    steps, ring = [-1] * 64, [start]
    steps[start] = 0
    for at in ring:
        for to in _ALL:
            if step_attacks(KNIGHT, at) >> to & 1 and steps[to] < 0:
                steps[to] = steps[at] + 1
                ring.append(to)
    return steps


_KNIGHT_DISTANCE = [_knight_distances(square) for square in _ALL]


def _towards(square: int, weight: int) -> list[int]:
    return [-weight * steps for steps in DISTANCE[square]]


def _forward(weight: int) -> list[int]:
    """White pawns up the board."""
    return [weight * (7 - (square >> 3)) for square in _ALL]


def _near_knight(square: int, weight: int) -> list[int]:
    return [-weight * steps for steps in _KNIGHT_DISTANCE[square]]


def _table(
    pawn: list[int],
    knight: list[int],
    bishop: list[int],
    rook: list[int],
    king: list[int],
    queen: list[int] | None = None,
) -> list[int]:
    """By piece number: none, pawn, knight, bishop, rook, queen (as the rook), king, castling."""
    return [*_NOWHERE, *pawn, *knight, *bishop, *rook, *(queen or rook), *king, *king]


def _king(pos: Position, pieces: int) -> int:
    return _SQUARE[(pos.kings & pieces) % 67]


def _below(square: int) -> int:
    """The squares behind this one, on its file, seen from White's promotion rank."""
    return FILE_A << (square & 7) & FULL & ~((1 << square + 1) - 1)


def shut_pawns(pos: Position) -> bool:
    """Has White only pawns, every one with a black pawn before it on its file?"""
    pieces = pos.white & ~pos.kings
    if not pieces or pieces & ~pos.pawns:
        return False
    shadow = 0
    for square in _ALL:
        if pos.pawns & pos.black & 1 << square:
            shadow |= _below(square)
    return not pieces & ~shadow


def lone_minor(pos: Position) -> bool:
    """Has White, beside the king, one knight or only bishops of one colour?"""
    pieces = pos.white & ~pos.kings
    if pieces & pos.knights:
        return pieces & (pieces - 1) == 0
    return pieces & pos.bishops == pieces and (not pieces & LIGHT or not pieces & ~LIGHT)


def meeting(pos: Position, corner: int, dice: Dice) -> Plan:
    """Both kings meet at a corner; White promotes what can be promoted."""
    white_king = _king(pos, pos.white)
    post = min(_ring(corner), key=DISTANCE[white_king].__getitem__)
    return _meeting(corner, post, 3 + dice.roll(4))


@cache
def _ring(target: int) -> tuple[int, ...]:
    """The squares two king's moves away."""
    return tuple(square for square in _ALL if DISTANCE[target][square] == 2)


@cache
def _meeting(corner: int, post: int, branch: int) -> Plan:
    pawn, king = _forward(16), _towards(post, 12)
    close = _towards(corner, 2)
    knight = [-4 * abs(steps - 2) for steps in _KNIGHT_DISTANCE[corner]]
    return Plan(
        _table(pawn, _NOWHERE, _NOWHERE, _NOWHERE, king),
        _table(pawn, knight, close, close, king),
        _table(_NOWHERE, _NOWHERE, _NOWHERE, _NOWHERE, _towards(corner, 20)),
        corner,
        takes=[12] * 8,
        crowns=_CROWNS,
        spare=60,
        promotes=_NO_WISH,
        promote=False,
        noise=6,
        branch=branch,
        depth=100,
    )


def _frame(corner: int, turned: int) -> tuple[int, int]:
    """Steps along the two edges away from the corner; `turned` exchanges them."""
    x, y = (1 if corner & 7 == 0 else -1), (8 if corner < 8 else -8)
    return (y, x) if turned else (x, y)


def paired(pos: Position, corner: int, dice: Dice) -> Plan:
    """Two minor pieces mate in the corner: seen from it, White's king on (1, 2), a knight or bishop
    that guards (1, 0) arriving while Black's king stands there, the other piece giving mate."""
    x, y = _frame(corner, dice.roll(2))
    # Beside a bishop (2, 2) does best by far.
    posts = (2 * y, 3 * x + y, *([2 * x + 2 * y] * (4 if pos.white & pos.bishops else 1)))
    guard = corner + posts[dice.roll(len(posts))]
    king = _towards(corner + x + 2 * y, 10)
    # Of two knights the second waits a jump away from giving mate on (2, 1).
    check = _KNIGHT_DISTANCE[corner + 2 * x + y]
    knight = [-4 * min(_KNIGHT_DISTANCE[guard][s], abs(check[s] - 1) + 1) for s in _ALL]
    guards = {corner + step * x + (step - 1) * y for step in range(2, 8)}
    bishop = [8 if s in guards and not pos.white & pos.knights else 0 for s in _ALL]
    near = _table(_forward(8), knight, bishop, _NOWHERE, king)
    knight = [-4 * min(abs(_KNIGHT_DISTANCE[guard][s] - 1), abs(check[s] - 1)) for s in _ALL]
    far = _table(_forward(8), knight, _NOWHERE, _NOWHERE, king)
    between = [-12 * min(DISTANCE[corner][s], DISTANCE[corner + x][s]) for s in _ALL]
    # The kings go first: a piece that guards the corner early keeps Black's out.
    return Plan(
        far,
        near,
        _table(_NOWHERE, _NOWHERE, _NOWHERE, _NOWHERE, between),
        corner,
        takes=[20] * 8,
        crowns=_CROWNS,
        spare=80,
        promotes=_NO_WISH,
        promote=False,
        noise=6,
        branch=4,
        depth=80,
    )


def helped(pos: Position, dice: Dice) -> Plan:
    """A lone minor mates a king that one of its own pieces, the helper, shuts in.

    Seen from the corner: the helper on (1, 0), White's king where it holds (0, 1) and (1, 1) and
    the helper does not attack it, then the knight or bishop gives mate from where the helper
    cannot take it or step between.
    """
    found = _helpers(pos)
    kind, corner = found[dice.roll(len(found))]
    # A pawn helps on its seventh rank, behind the king; then the frame is turned.
    turned = 1 if kind == PAWN else dice.roll(2)
    x, y = _frame(corner, turned)
    beside, far = corner + x + 2 * y, corner + 2 * y
    helper, post, check = corner + x, beside, corner + 2 * x + y
    if kind == ROOK or (kind in {PAWN, BISHOP} and dice.roll(2)):
        post = far
    if kind == BISHOP and pos.white & pos.knights:
        post, check = far, beside
    knight = [-5 * abs(steps - 1) for steps in _KNIGHT_DISTANCE[check]]
    bishop = _towards(corner + 2 * x, 3) if kind == KNIGHT else _NOWHERE
    white = _table(_NOWHERE, knight, bishop, _NOWHERE, _towards(post, 10))
    apart = [2 * steps for steps in DISTANCE[corner]]
    pawn = _towards(helper, 7) if kind == PAWN else [6 * (square >> 3) for square in _ALL]
    wish = [0, 0, -60, -60, -60, -60, 0, 0]
    wish[kind] = 40
    takes = [0, -20, 20, 20, 20, 60, 0, 0]
    takes[kind] = -60
    return Plan(
        white,
        white,
        _table(
            pawn,
            _near_knight(helper, 7) if kind == KNIGHT else apart,
            _towards(helper, 7) if kind == BISHOP else apart,
            _towards(helper, 7) if kind == ROOK else apart,
            _towards(corner, 12),
            apart,
        ),
        corner,
        takes=takes,
        spare=80,
        promotes=wish,
        crowns=_CROWNS,
        promote=False,
        noise=5,
        branch=5,
        depth=80,
    )


def _helpers(pos: Position) -> list[tuple[int, int]]:
    """Kinds of pieces that Black has, or can promote to, each with a corner where it can help."""
    ours = pos.white & pos.bishops
    found = []
    for corner in CORNERS:
        shade = LIGHT if LIGHT >> corner & 1 else ~LIGHT & FULL
        if ours and not ours & shade:
            continue
        if pos.black & (pos.knights | pos.pawns):
            found.append((KNIGHT, corner))
        if corner >= 56 and pos.black & pos.pawns & FILE_A << (corner & 7):
            found.append((PAWN, corner))
        if pos.black & pos.bishops & ~shade:
            found.append((BISHOP, corner))
        if pos.black & pos.rooks and not ours:
            found.append((ROOK, corner))
    return found or [(KNIGHT, corner) for corner in CORNERS]


def promoting(pos: Position, dice: Dice) -> Plan:
    """White takes what blocks a pawn and promotes; that is the goal, the mate comes after."""
    pawns = [square for square in _ALL if pos.pawns & pos.black & 1 << square]
    facing = [square for square in pawns if pos.pawns & pos.white & _below(square)]
    if facing and dice.roll(4):
        pawns = facing
    prey = pawns[dice.roll(len(pawns))] if pawns else _king(pos, pos.black)
    away = min(CORNERS, key=lambda corner: -DISTANCE[corner][prey])
    # The king beside its prey is content: once it has eaten it stands in its pawn's way.
    king = [-8 * max(steps, 1) for steps in DISTANCE[prey]]
    some = _towards(prey, 2)
    back = [-3 * (square >> 3) for square in _ALL]
    white = _table(_forward(12), _NOWHERE, some, some, king)
    black = _table(back, _NOWHERE, _NOWHERE, _NOWHERE, _towards(away, 8))
    return Plan(
        white,
        white,
        black,
        prey,
        takes=[60] * 8,
        crowns=_CROWNS,
        spare=40,
        promotes=_NO_WISH,
        promote=True,
        noise=8,
        branch=5,
        depth=80,
    )


def offering(pos: Position, dice: Dice) -> Plan:
    """Black's pieces, new ones too, let a white pawn take them, so that it passes and promotes."""
    pawns = [square for square in _ALL if pos.pawns & pos.white & 1 << square]
    pawn = pawns[dice.roll(len(pawns))] if pawns else _king(pos, pos.white)
    side = 1 if pawn & 7 == 0 else -1 if pawn & 7 == 7 else 2 * dice.roll(2) - 1
    offer = max(pawn - 8 + side, 0)
    to_offer = _towards(offer, 5)
    knight = _near_knight(offer, 5)
    king = _towards(dice.roll(64), dice.roll(10))
    other_king = _towards(dice.roll(64), dice.roll(10))
    white = _table(_forward(12), _NOWHERE, _NOWHERE, _NOWHERE, king)
    black = _table([6 * (s >> 3) for s in _ALL], knight, to_offer, to_offer, other_king)
    return Plan(
        white,
        white,
        black,
        offer,
        takes=[60] * 8,
        crowns=_CROWNS,
        spare=dice.roll(3) * 20 - 20,
        promotes=_NO_WISH,
        promote=True,
        noise=8,
        branch=5,
        depth=80,
    )


def wild(dice: Dice, *, squares: list[int]) -> Plan:
    """Weights at random; the target among these squares."""
    target = squares[dice.roll(len(squares))]
    ring = _ring(target)
    post = ring[dice.roll(len(ring))]
    pawn, king = _forward(dice.roll(16) - 4), _towards(post, dice.roll(12))
    close = _towards(target, dice.roll(8))
    some = _towards(dice.roll(64), dice.roll(5))
    slope = dice.roll(9) - 4
    other_pawn = [slope * (square >> 3) for square in _ALL]
    return Plan(
        _table(pawn, some, some, some, king),
        _table(pawn, close, close, close, king),
        _table(other_pawn, some, some, some, _towards(target, 12)),
        target,
        takes=[dice.roll(60) - 20] * 8,
        crowns=[0, 0, 30, 30, 60, dice.roll(200) - 40, 0, 0],
        spare=dice.roll(90) - 20,
        promotes=[0, 0, dice.roll(60), dice.roll(60), dice.roll(40), dice.roll(40), 0, 0],
        promote=False,
        noise=3 + dice.roll(20),
        loose=dice.roll(4),
        branch=2 + dice.roll(12),
        depth=20 + dice.roll(100),
    )
