"""Where could each piece ever stand? More than the truth, so that "never" is certain.

White is the side that is to mate. A `RangedPieces` is a set of positions at once: for each piece
the squares it may stand on, and whether it may be gone. `settle` grows the squares to the least
fixpoint of the rules of movement, whoever has the move and however often; `mate_conceivable` then
asks whether the grown squares leave room for a mate. Every simplification errs towards "perhaps".

In a settlement the walls may fall: pawns move, take and are taken. With `still` they do not: pawns
stay where they are and nobody takes one. What ends the stillness is listed by `outbreaks`.

Rules of growth, beside the plain movement of a piece:

- a piece that stands for certain on one square, where no enemy can take it, is fixed: its own side
  never enters that square, pawns never push onto it, and what it attacks at arm's length the
  enemy's king never enters;
- a pawn takes where an enemy other than the king may stand (en passant too: the square passed over
  is one the pawn that is taken may stand on);
- two pawns that face each other on a file do not pass, as long as neither can leave it and
  the other cannot be taken;
- a pawn that may promote may be anything anywhere.
"""

from __future__ import annotations

from arbiterd.rules.bitboard import Position, plain_castling
from arbiterd.rules.bitboard_attacks import (
    black_pawn_attacks,
    knight_attacks,
    spread,
    white_pawn_attacks,
)
from arbiterd.rules.bitboard_constants import (
    BISHOP,
    FILE_A,
    FULL,
    KING,
    KNIGHT,
    NO_SQUARE,
    ONE,
    PAWN,
    QUEEN,
    ROOK,
    square_table,
)

_SQUARE: list[int] = square_table()
ANY: int = 7
"""The kind of a promoted pawn: it moves as it likes."""
_ANY = ANY
PIECES_MAX = 32
_NOBODY = [0] * PIECES_MAX

_NOT_A = FULL ^ 0x0101010101010101
_NOT_H = FULL ^ 0x8080808080808080
_LAST_RANKS = 0xFF000000000000FF


class RangedPieces:
    """For each piece: kind, colour, the squares it may stand on, whether it is there for
    certain."""

    __slots__ = ("count", "fixed_black", "fixed_white", "kind", "reach", "sure", "white")

    def __init__(self) -> None:
        self.count = 0
        self.kind = list(_NOBODY)
        self.white = list(_NOBODY)
        self.reach = list(_NOBODY)
        self.sure = list(_NOBODY)
        self.fixed_white = 0
        self.fixed_black = 0

    def add(self, kind: int, white: int, reach: int, sure: int) -> None:
        at = self.count
        assert at < PIECES_MAX, "no position of play has more than 32 pieces"
        self.kind[at] = kind
        self.white[at] = white
        self.reach[at] = reach
        self.sure[at] = sure
        self.count = at + 1

    def without(self, gone: int, mover: int, kind: int, squares: int) -> RangedPieces:
        """A copy: piece `gone` (-1: nobody) off the board, `mover` now a `kind` on `squares`."""
        copy = RangedPieces()
        for i in range(self.count):
            if i == mover:
                copy.add(kind, self.white[i], squares, 1)
            elif i != gone:
                copy.add(self.kind[i], self.white[i], self.reach[i], self.sure[i])
        return copy

    def doubt(self, i: int) -> None:
        """The piece may have been taken meanwhile."""
        self.sure[i] = 0

    def copy(self) -> RangedPieces:
        return self.without(-1, -1, 0, 0)

    def key(self) -> tuple[tuple[int, int, int, int], ...]:
        """Equal for equal pieces, in whatever order they are listed."""
        return tuple(
            sorted(
                (self.kind[i], self.white[i], self.reach[i], self.sure[i])
                for i in range(self.count)
            )
        )


def pieces_of(pos: Position) -> RangedPieces | None:
    """The pieces of one position. None where a fact beyond their squares matters.

    That is a pawn that may be taken en passant now, and castling in the manner of Chess960; plain
    castling is covered by single steps of king and rook.
    """
    if pos.ep != NO_SQUARE or not plain_castling(pos):
        return None
    occupied = pos.white | pos.black
    if occupied.bit_count() > PIECES_MAX:
        return None
    pieces = RangedPieces()
    for kind, board in (
        (PAWN, pos.pawns),
        (KNIGHT, pos.knights),
        (BISHOP, pos.bishops),
        (ROOK, pos.rooks),
        (QUEEN, pos.queens),
        (KING, pos.kings),
    ):
        while board:
            bit = board & -board
            board ^= bit
            pieces.add(kind, 1 if pos.white & bit else 0, bit, 1)
    return pieces


def _straight(squares: int) -> int:
    return (squares & _NOT_H) << 1 | (squares & _NOT_A) >> 1 | squares >> 8 | (squares << 8 & FULL)


def _diagonal(squares: int) -> int:
    return white_pawn_attacks(squares) | black_pawn_attacks(squares)


def steps(kind: int, squares: int) -> int:
    """One step of this kind of piece (not a pawn) from any of the squares."""
    if kind == KNIGHT:
        return knight_attacks(squares)
    if kind == BISHOP:
        return _diagonal(squares)
    if kind == ROOK:
        return _straight(squares)
    return spread(squares)


def taking(pieces: RangedPieces, white: int, still: bool) -> int:
    """Squares on which that side may take."""
    squares = 0
    for i in range(pieces.count):
        if pieces.white[i] != white:
            continue
        if pieces.kind[i] == _ANY:
            return FULL
        if pieces.kind[i] != PAWN:
            squares |= pieces.reach[i]
        elif not still:
            squares |= (
                white_pawn_attacks(pieces.reach[i])
                if white
                else black_pawn_attacks(pieces.reach[i])
            )
    return squares


def is_fixed(pieces: RangedPieces, i: int, taken: int, still: bool) -> bool:
    """Does this piece stand on its square for ever? `taken`: where the enemy may take."""
    reach = pieces.reach[i]
    if not pieces.sure[i] or reach & (reach - 1) or pieces.kind[i] == _ANY:
        return False
    if pieces.kind[i] == KING or (still and pieces.kind[i] == PAWN):
        return True
    return not reach & taken


def fix_side(pieces: RangedPieces, white: int, still: bool) -> int:
    """Note that side's fixed squares; return what it attacks for ever."""
    taken = taking(pieces, 1 - white, still)
    fixed = 0
    attacked = 0
    for i in range(pieces.count):
        if pieces.white[i] != white or not is_fixed(pieces, i, taken, still):
            continue
        reach = pieces.reach[i]
        fixed |= reach
        if pieces.kind[i] == PAWN:
            attacked |= white_pawn_attacks(reach) if white else black_pawn_attacks(reach)
        else:
            attacked |= steps(pieces.kind[i], reach)
    if white:
        pieces.fixed_white = fixed
    else:
        pieces.fixed_black = fixed
    return attacked


def settle(pieces: RangedPieces, still: bool) -> bool:
    """Grow to the least fixpoint. False as soon as a white pawn may promote: nothing is proven."""
    grown = True
    while grown:
        by_white = fix_side(pieces, 1, still)
        by_black = fix_side(pieces, 0, still)
        pawns = 0
        if still:
            for i in range(pieces.count):
                if pieces.kind[i] == PAWN:
                    pawns |= pieces.reach[i]
        grown = False
        for i in range(pieces.count):
            white = pieces.white[i]
            before = pieces.reach[i]
            barred = pawns | (pieces.fixed_white if white else pieces.fixed_black)
            if pieces.kind[i] == PAWN:
                if still:
                    continue
                after = _pawn_growth(pieces, i)
                if after & _LAST_RANKS:
                    if white:
                        return False
                    pieces.kind[i] = _ANY
                    grown = True
                    after = FULL & ~pieces.fixed_black | before
            elif pieces.kind[i] == _ANY:
                after = FULL & ~barred | before
            elif pieces.kind[i] == KING:
                barred |= by_black if white else by_white
                after = before | spread(before) & ~barred & FULL
            else:
                after = before | steps(pieces.kind[i], before) & ~barred & FULL
                while pieces.kind[i] != KNIGHT:
                    wider = after | steps(pieces.kind[i], after) & ~barred & FULL
                    if wider == after:
                        break
                    after = wider
            if after != before:
                pieces.reach[i] = after
                grown = True
    return True


def _pawn_growth(pieces: RangedPieces, i: int) -> int:
    """Pushes and captures, one step from each square."""
    white = pieces.white[i]
    reach = pieces.reach[i]
    prey = 0
    for j in range(pieces.count):
        if pieces.white[j] != white and pieces.kind[j] != KING:
            prey |= pieces.reach[j]
    barred = pieces.fixed_white | pieces.fixed_black | _faced(pieces, i)
    if white:
        return reach | reach >> 8 & ~barred & FULL | white_pawn_attacks(reach) & prey
    return reach | reach << 8 & ~barred & FULL | black_pawn_attacks(reach) & prey


def _faced(pieces: RangedPieces, i: int) -> int:
    """Squares this pawn cannot push onto because an enemy pawn will always be in the way."""
    white = pieces.white[i]
    reach = pieces.reach[i]
    file = FILE_A << (_SQUARE[(reach & -reach) % 67] & 7)
    if reach & ~file & FULL:
        return 0
    taken = taking(pieces, white, still=False)
    beyond = 0
    for j in range(pieces.count):
        if pieces.white[j] == white or pieces.kind[j] != PAWN or not pieces.sure[j]:
            continue
        other = pieces.reach[j]
        if other & ~file & FULL or other & taken:
            continue
        if white:
            # The facing pawn began on its highest square (the lowest bit), ours below it.
            start = other & -other
            if reach & ~(start | (start - 1)) & FULL == reach:
                beyond |= start | (start - 1)
        else:
            start = _highest(other)
            if reach & (start - 1) == reach:
                beyond |= FULL & ~(start - 1)
    return beyond


def _highest(squares: int) -> int:
    """The last bit that is set."""
    while squares & (squares - 1):
        squares &= squares - 1
    return squares


def attackable(pieces: RangedPieces) -> int:
    """All squares that a white piece other than the king could ever attack, promotions aside."""
    walls = pieces.fixed_white | pieces.fixed_black
    found = 0
    for i in range(pieces.count):
        kind = pieces.kind[i]
        if not pieces.white[i] or kind == KING:
            continue
        assert kind != _ANY, "a white promotion ends the analysis before"
        reach = pieces.reach[i]
        if kind == PAWN:
            found |= white_pawn_attacks(reach)
        elif kind == KNIGHT:
            found |= knight_attacks(reach)
        else:
            if kind != ROOK:
                found |= _rays(reach, walls, 7) | _rays(reach, walls, 9)
            if kind != BISHOP:
                found |= _rays(reach, walls, 1) | _rays(reach, walls, 8)
    return found


def _rays(squares: int, walls: int, step: int) -> int:
    """Both ways along one line from all the squares, stopped behind the first wall."""
    # A step that leaves the board at one side comes in at the other, one row on.
    up = _NOT_A if step in {1, 9} else _NOT_H if step == 7 else FULL
    down = _NOT_H if step in {1, 9} else _NOT_A if step == 7 else FULL
    found, front = 0, squares
    while front:
        front = (front & up) >> step & ~found
        found |= front
        front &= ~walls & FULL
    back, front = 0, squares
    while front:
        front = (front & down) << step & FULL & ~back
        back |= front
        front &= ~walls & FULL
    return found | back


def mate_conceivable(pieces: RangedPieces) -> bool:
    """Could a mate of Black be built from what `settle` left? False is certain."""
    attacked = attackable(pieces)
    king = 0
    white_king = 0
    for i in range(pieces.count):
        if pieces.kind[i] == KING:
            if pieces.white[i]:
                white_king = pieces.reach[i]
            else:
                king = pieces.reach[i]
    squares = attacked & king
    while squares:
        bit = squares & -squares
        squares ^= bit
        around = spread(bit) ^ bit
        flights = around & king & ~attacked & FULL
        if _all_covered(pieces, flights, white_king & ~spread(bit) & FULL):
            return True
    return False


def _all_covered(pieces: RangedPieces, flights: int, king_squares: int) -> bool:
    """Can White's king on one of its squares and black pieces hold all the flights?"""
    if _blockable(pieces, flights):
        return True
    near = king_squares & spread(flights)
    while near:
        bit = near & -near
        near ^= bit
        rest = flights & ~spread(bit) & FULL
        if _blockable(pieces, rest):
            return True
    return False


def _blockable(pieces: RangedPieces, flights: int) -> bool:
    """Are there distinct black pieces for these squares?"""
    return _place(pieces, flights, 0)


def _place(pieces: RangedPieces, flights: int, used: int) -> bool:
    if not flights:
        return True
    bit = flights & -flights
    for i in range(pieces.count):
        if pieces.white[i] or pieces.kind[i] == KING or used >> i & 1:
            continue
        if pieces.reach[i] & bit and _place(pieces, flights ^ bit, used | ONE << i):
            return True
    return False
