"""Orthodox chess on plain integers: positions and legal moves, several times the speed of a
general library, for what must look at very many positions.

The whole face: `Position` (its fields, `key`), `legal_moves`, `play`, `in_check`, `attackers`,
`has_flight`, `kind_at`, `mirrored`; moves are `int`s taken apart by `origin`, `target`,
`promotion`. Reading and writing text is `bitboard_text`. Squares and bitboards are as in
`bitboard_attacks`. Castling is general: any king and rook squares of Chess960; the move is written
king takes own rook.
"""

from __future__ import annotations

from arbiterd.rules.bitboard_attacks import (
    between,
    bishop_attacks,
    black_pawn_attacks,
    knight_attacks,
    line,
    pawn_targets,
    rook_attacks,
    step_attacks,
    white_pawn_attacks,
)
from arbiterd.rules.bitboard_constants import (
    BISHOP,
    CASTLING,
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
_CORNERS = 0x8100000000000081
_ODD = 0x9E3779B97F4A7C15


class Position:
    """What decides which moves are legal, now and later. Never changed once made.

    `castling` holds the rooks that may still castle; `ep` the square a pawn may be taken on en
    passant, kept only where an enemy pawn stands ready to (the king's safety not looked at).
    """

    __slots__ = (
        "bishops",
        "black",
        "castling",
        "ep",
        "kings",
        "knights",
        "pawns",
        "queens",
        "rooks",
        "white",
        "white_to_move",
    )

    def __init__(
        self,
        pawns: int,
        knights: int,
        bishops: int,
        rooks: int,
        queens: int,
        kings: int,
        white: int,
        black: int,
        white_to_move: bool,
        castling: int = 0,
        ep: int = 64,
    ) -> None:
        self.pawns = pawns
        self.knights = knights
        self.bishops = bishops
        self.rooks = rooks
        self.queens = queens
        self.kings = kings
        self.white = white
        self.black = black
        self.white_to_move = white_to_move
        self.castling = castling
        self.ep = ep

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def key(self) -> tuple[int, ...]:
        """Equal exactly for equal positions."""
        return (
            self.pawns,
            self.knights | self.queens,
            self.bishops | self.queens,
            self.rooks,
            self.kings,
            self.white,
            self.castling,
            self.ep << 1 | self.white_to_move,
        )


def origin(move: int) -> int:
    return move & 63


def target(move: int) -> int:
    """The square arrived at; in castling the square of the king's own rook."""
    return move >> 6 & 63


def piece(move: int) -> int:
    return move >> 12 & 7


def promotion(move: int) -> int:
    """The piece number a pawn becomes, or 0."""
    return move >> 15


def kind_at(pos: Position, square: int) -> int:
    """The number of the piece on the square, 0 on an empty one."""
    if pos.pawns >> square & 1:
        return PAWN
    if pos.knights >> square & 1:
        return KNIGHT
    if pos.bishops >> square & 1:
        return BISHOP
    if pos.rooks >> square & 1:
        return ROOK
    if pos.queens >> square & 1:
        return QUEEN
    return KING if pos.kings >> square & 1 else 0


def attackers(pos: Position, square: int, by: int, occupied: int) -> int:
    """The pieces among `by` (all White's or all Black's) that attack the square."""
    found = step_attacks(KNIGHT, square) & pos.knights | step_attacks(KING, square) & pos.kings
    found |= bishop_attacks(square, occupied) & (pos.bishops | pos.queens)
    found |= rook_attacks(square, occupied) & (pos.rooks | pos.queens)
    # A pawn attacks this square from where a pawn of the other colour here would attack it.
    found |= pawn_targets(square, by != pos.white) & pos.pawns
    return found & by


def _attacked(pos: Position, square: int, by: int, occupied: int) -> bool:
    """As `attackers`, the likely and the cheap first."""
    if step_attacks(KNIGHT, square) & pos.knights & by:
        return True
    if pawn_targets(square, by != pos.white) & pos.pawns & by:
        return True
    if step_attacks(KING, square) & pos.kings & by:
        return True
    sliders = (pos.bishops | pos.queens) & by
    if sliders and bishop_attacks(square, occupied) & sliders:
        return True
    sliders = (pos.rooks | pos.queens) & by
    return bool(sliders and rook_attacks(square, occupied) & sliders)


def _guarded(pos: Position, by: int, occupied: int) -> int:
    """All squares that the pieces among `by` (all White's or all Black's) attack."""
    found = step_attacks(KING, _SQUARE[(pos.kings & by) % 67])
    pawns = pos.pawns & by
    if pawns:
        found |= white_pawn_attacks(pawns) if by == pos.white else black_pawn_attacks(pawns)
    if pos.knights & by:
        found |= knight_attacks(pos.knights & by)
    pieces = (pos.bishops | pos.queens) & by
    while pieces:
        found |= bishop_attacks(_SQUARE[(pieces & -pieces) % 67], occupied)
        pieces &= pieces - 1
    pieces = (pos.rooks | pos.queens) & by
    while pieces:
        found |= rook_attacks(_SQUARE[(pieces & -pieces) % 67], occupied)
        pieces &= pieces - 1
    return found


def in_check(pos: Position, white: bool) -> bool:
    """Is that side's king attacked?"""
    own = pos.white if white else pos.black
    by = pos.black if white else pos.white
    return _attacked(pos, _SQUARE[(pos.kings & own) % 67], by, pos.white | pos.black)


def _pinned(pos: Position, king: int, own: int, enemy: int) -> int:
    """Own pieces that alone stand between their king and an enemy slider."""
    occupied = own | enemy
    snipers = rook_attacks(king, enemy) & (pos.rooks | pos.queens) & enemy
    snipers |= bishop_attacks(king, enemy) & (pos.bishops | pos.queens) & enemy
    found = 0
    while snipers:
        shield = between(king, _SQUARE[(snipers & -snipers) % 67]) & occupied
        if shield & (shield - 1) == 0:
            found |= shield & own
        snipers &= snipers - 1
    return found


def has_flight(pos: Position) -> bool:
    """Can the king of the side to move go to any square? (Castling left out.)"""
    own, enemy = (pos.white, pos.black) if pos.white_to_move else (pos.black, pos.white)
    king_bit = pos.kings & own
    squares = step_attacks(KING, _SQUARE[king_bit % 67]) & ~own & FULL
    return bool(squares & ~_guarded(pos, enemy, (own | enemy) ^ king_bit))


def legal_moves(pos: Position) -> list[int]:
    """Every legal move, in an order that depends on the position alone."""
    own, enemy = (pos.white, pos.black) if pos.white_to_move else (pos.black, pos.white)
    occupied = own | enemy
    king_bit = pos.kings & own
    king = _SQUARE[king_bit % 67]
    moves: list[int] = []

    guarded = _guarded(pos, enemy, occupied ^ king_bit)
    squares = step_attacks(KING, king) & ~(own | guarded) & FULL
    code = king | KING << 12
    while squares:
        moves.append(code | _SQUARE[(squares & -squares) % 67] << 6)
        squares &= squares - 1

    checkers = attackers(pos, king, enemy, occupied) if guarded & king_bit else 0
    allowed = ~own & FULL
    if checkers:
        if checkers & (checkers - 1):
            return moves
        allowed = checkers | between(king, _SQUARE[checkers % 67])
    elif pos.castling & own:
        _castlings(pos, king, own, enemy, moves)
    pinned = _pinned(pos, king, own, enemy)
    _piece_moves(pos, king, own, allowed, pinned, moves)
    if pos.pawns & own:
        _pawn_moves(pos, king, own, enemy, allowed, pinned, moves)
    return moves


def _piece_moves(
    pos: Position, king: int, own: int, allowed: int, pinned: int, moves: list[int]
) -> None:
    """Moves of knights and sliders. A pinned knight never moves, a pinned slider on its line."""
    occupied = pos.white | pos.black
    pieces = own & ~(pos.pawns | pos.kings)
    while pieces:
        bit = pieces & -pieces
        pieces ^= bit
        at = _SQUARE[bit % 67]
        if bit & pos.knights:
            if bit & pinned:
                continue
            squares = step_attacks(KNIGHT, at) & allowed
            code = at | KNIGHT << 12
        elif bit & pos.bishops:
            squares = bishop_attacks(at, occupied) & allowed
            code = at | BISHOP << 12
        elif bit & pos.rooks:
            squares = rook_attacks(at, occupied) & allowed
            code = at | ROOK << 12
        else:
            squares = (bishop_attacks(at, occupied) | rook_attacks(at, occupied)) & allowed
            code = at | QUEEN << 12
        if bit & pinned:
            squares &= line(king, at)
        while squares:
            moves.append(code | _SQUARE[(squares & -squares) % 67] << 6)
            squares &= squares - 1


def _pawn_moves(
    pos: Position, king: int, own: int, enemy: int, allowed: int, pinned: int, moves: list[int]
) -> None:
    free = FULL ^ (own | enemy)
    forward = -8 if pos.white_to_move else 8
    pieces = own & pos.pawns
    while pieces:
        bit = pieces & -pieces
        pieces ^= bit
        at = _SQUARE[bit % 67]
        to = at + forward
        squares = pawn_targets(at, pos.white_to_move) & enemy
        if free >> to & 1:
            squares |= ONE << to
            if at >> 3 == (6 if pos.white_to_move else 1) and free >> to + forward & 1:
                squares |= ONE << to + forward
        squares &= allowed
        if bit & pinned:
            squares &= line(king, at)
        code = at | PAWN << 12
        while squares:
            to = _SQUARE[(squares & -squares) % 67]
            squares &= squares - 1
            if 8 <= to < 56:
                moves.append(code | to << 6)
            else:
                for became in (QUEEN, ROOK, BISHOP, KNIGHT):
                    moves.append(code | to << 6 | became << 15)
    if pos.ep != NO_SQUARE:
        _en_passant(pos, own, moves)


def _en_passant(pos: Position, own: int, moves: list[int]) -> None:
    """Two pieces leave their rank at once, so each capture is tried out."""
    pieces = pawn_targets(pos.ep, not pos.white_to_move) & pos.pawns & own
    while pieces:
        move = _SQUARE[(pieces & -pieces) % 67] | pos.ep << 6 | PAWN << 12
        if not in_check(play(pos, move), pos.white_to_move):
            moves.append(move)
        pieces &= pieces - 1


def _castlings(pos: Position, king: int, own: int, enemy: int, moves: list[int]) -> None:
    """The king is not in check here. Squares passed are empty of other pieces and not attacked."""
    rooks = pos.castling & own
    row = king & 56
    while rooks:
        rook = _SQUARE[(rooks & -rooks) % 67]
        rooks &= rooks - 1
        king_to = row | (6 if rook > king else 2)
        rook_to = row | (5 if rook > king else 3)
        others = (own | enemy) & ~(ONE << king | ONE << rook) & FULL
        path = between(king, king_to) | ONE << king_to
        if (path | between(rook, rook_to) | ONE << rook_to) & others:
            continue
        # The rook has moved when the king arrives: in Chess960 it may have been a shield.
        if not _attacked(pos, king_to, enemy, others | ONE << rook_to) and not _any_attacked(
            pos, path & ~(ONE << king) & FULL, enemy, others | ONE << rook
        ):
            moves.append(king | rook << 6 | CASTLING << 12)


def _any_attacked(pos: Position, squares: int, by: int, occupied: int) -> bool:
    while squares:
        if _attacked(pos, _SQUARE[(squares & -squares) % 67], by, occupied):
            return True
        squares &= squares - 1
    return False


def play(pos: Position, move: int) -> Position:
    """The position after a move that `legal_moves` gave."""
    at, to, kind, became = move & 63, move >> 6 & 63, move >> 12 & 7, move >> 15
    leaves, arrives = ONE << at, ONE << to
    if kind == CASTLING:
        return _castle(pos, at, to)
    white = pos.white_to_move
    own, enemy = (pos.white, pos.black) if white else (pos.black, pos.white)
    taken = arrives & enemy
    ep = NO_SQUARE
    if kind == PAWN:
        if to == pos.ep:
            taken = ONE << (to + 8 if white else to - 8)
        elif at - to in {16, -16}:
            passed = (at + to) >> 1
            if pawn_targets(passed, white) & pos.pawns & enemy:
                ep = passed
    stays = FULL ^ (leaves | taken)
    pawns, knights, bishops = pos.pawns & stays, pos.knights & stays, pos.bishops & stays
    rooks, queens, kings = pos.rooks & stays, pos.queens & stays, pos.kings & stays
    castling = pos.castling & stays
    kind = became or kind
    if kind == PAWN:
        pawns |= arrives
    elif kind == KNIGHT:
        knights |= arrives
    elif kind == BISHOP:
        bishops |= arrives
    elif kind == ROOK:
        rooks |= arrives
    elif kind == QUEEN:
        queens |= arrives
    else:
        kings |= arrives
        castling &= ~own & FULL
    own = own ^ leaves | arrives
    enemy &= stays
    # Filled field by field: called with its fields, the compiled class would box each of them.
    after = Position.__new__(Position)
    after.pawns = pawns
    after.knights = knights
    after.bishops = bishops
    after.rooks = rooks
    after.queens = queens
    after.kings = kings
    after.white = own if white else enemy
    after.black = enemy if white else own
    after.white_to_move = not white
    after.castling = castling
    after.ep = ep
    return after


def _castle(pos: Position, king: int, rook: int) -> Position:
    row = king & 56
    king_to = ONE << (row | (6 if rook > king else 2))
    rook_to = ONE << (row | (5 if rook > king else 3))
    own = pos.white if pos.white_to_move else pos.black
    castled = own ^ (ONE << king | ONE << rook) | king_to | rook_to
    return Position(
        pos.pawns,
        pos.knights,
        pos.bishops,
        pos.rooks ^ ONE << rook | rook_to,
        pos.queens,
        pos.kings ^ ONE << king | king_to,
        castled if pos.white_to_move else pos.white,
        pos.black if pos.white_to_move else castled,
        not pos.white_to_move,
        pos.castling & ~own & FULL,
        NO_SQUARE,
    )


def flipped(squares: int) -> int:
    """The board seen from the other side: rank 1 for rank 8."""
    squares = squares >> 8 & 0x00FF00FF00FF00FF | (squares & 0x00FF00FF00FF00FF) << 8
    squares = squares >> 16 & 0x0000FFFF0000FFFF | (squares & 0x0000FFFF0000FFFF) << 16
    return squares >> 32 | (squares & 0xFFFFFFFF) << 32


def mirrored(pos: Position) -> Position:
    """The same position with the colours changed."""
    return Position(
        flipped(pos.pawns),
        flipped(pos.knights),
        flipped(pos.bishops),
        flipped(pos.rooks),
        flipped(pos.queens),
        flipped(pos.kings),
        flipped(pos.black),
        flipped(pos.white),
        not pos.white_to_move,
        flipped(pos.castling),
        pos.ep if pos.ep == NO_SQUARE else pos.ep ^ 56,
    )


def mirrored_move(move: int) -> int:
    """The move in the mirrored position."""
    return move ^ 0o7070


def plain_castling(pos: Position) -> bool:
    """Are the rights to castle those of orthodox chess: king on the e-file, corner rooks?"""
    if pos.castling & ~_CORNERS:
        return False
    for own, home in ((pos.white, 1 << 60), (pos.black, 1 << 4)):
        if pos.castling & own and not pos.kings & own & home:
            return False
    return True


def without_castling(pos: Position, ep: int) -> Position:
    """The same pieces without rights to castle, and this square to take on en passant."""
    return Position(
        pos.pawns,
        pos.knights,
        pos.bishops,
        pos.rooks,
        pos.queens,
        pos.kings,
        pos.white,
        pos.black,
        pos.white_to_move,
        0,
        ep,
    )


def seed(pos: Position) -> int:
    """A number of 64 bits that mixes the whole position, for dice and for sets that may err.

    The piece numbers go in as three planes of bits.
    """
    mixed = (pos.ep << 1 | (1 if pos.white_to_move else 0)) * _ODD & FULL
    mixed = (mixed ^ pos.castling) * _ODD & FULL
    mixed = (mixed ^ mixed >> 29 ^ (pos.pawns | pos.bishops | pos.queens)) * _ODD & FULL
    mixed = (mixed ^ mixed >> 32 ^ (pos.knights | pos.bishops | pos.kings)) * _ODD & FULL
    mixed = (mixed ^ mixed >> 29 ^ (pos.rooks | pos.queens | pos.kings)) * _ODD & FULL
    mixed = (mixed ^ mixed >> 32 ^ pos.white) * _ODD & FULL
    return mixed ^ mixed >> 29
