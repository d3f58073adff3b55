# Types for the compiled twin of bitboard.py; nothing here changes what it does.
cimport cython
from libc.stdint cimport uint64_t

from arbiterd.rules.bitboard_attacks cimport (
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

cdef uint64_t FULL
cdef uint64_t _CORNERS
cdef uint64_t _ODD
cdef uint64_t ONE
cdef int[67] _SQUARE
cdef int PAWN
cdef int KNIGHT
cdef int BISHOP
cdef int ROOK
cdef int QUEEN
cdef int KING
cdef int CASTLING
cdef int NO_SQUARE

@cython.final
@cython.freelist(64)
cdef class Position:
    cdef readonly uint64_t pawns
    cdef readonly uint64_t knights
    cdef readonly uint64_t bishops
    cdef readonly uint64_t rooks
    cdef readonly uint64_t queens
    cdef readonly uint64_t kings
    cdef readonly uint64_t white
    cdef readonly uint64_t black
    cdef readonly bint white_to_move
    cdef readonly uint64_t castling
    cdef readonly int ep
    cpdef tuple key(self)

cpdef int kind_at(Position pos, int square) noexcept
@cython.locals(found=uint64_t)
cpdef uint64_t attackers(Position pos, int square, uint64_t by, uint64_t occupied) noexcept
@cython.locals(sliders=uint64_t)
cdef bint _attacked(Position pos, int square, uint64_t by, uint64_t occupied) noexcept
@cython.locals(found=uint64_t, pawns=uint64_t, pieces=uint64_t)
cdef uint64_t _guarded(Position pos, uint64_t by, uint64_t occupied) noexcept
@cython.locals(own=uint64_t, by=uint64_t)
cpdef bint in_check(Position pos, bint white) noexcept
@cython.locals(occupied=uint64_t, snipers=uint64_t, found=uint64_t, shield=uint64_t)
cdef uint64_t _pinned(Position pos, int king, uint64_t own, uint64_t enemy) noexcept
@cython.locals(own=uint64_t, enemy=uint64_t, king_bit=uint64_t, squares=uint64_t)
cpdef bint has_flight(Position pos) noexcept
@cython.locals(own=uint64_t, enemy=uint64_t, occupied=uint64_t, king_bit=uint64_t, king=int,
               guarded=uint64_t, squares=uint64_t, code=int, checkers=uint64_t, allowed=uint64_t,
               pinned=uint64_t, moves=list)
cpdef list legal_moves(Position pos)
@cython.locals(occupied=uint64_t, pieces=uint64_t, bit=uint64_t, at=int, squares=uint64_t, code=int)
cdef int _piece_moves(Position pos, int king, uint64_t own, uint64_t allowed, uint64_t pinned,
                      list moves) except -1
@cython.locals(free=uint64_t, forward=int, pieces=uint64_t, bit=uint64_t, at=int, to=int,
               squares=uint64_t, code=int, became=int)
cdef int _pawn_moves(Position pos, int king, uint64_t own, uint64_t enemy, uint64_t allowed,
                     uint64_t pinned, list moves) except -1
@cython.locals(pieces=uint64_t, move=int)
cdef int _en_passant(Position pos, uint64_t own, list moves) except -1
@cython.locals(rooks=uint64_t, row=int, rook=int, king_to=int, rook_to=int, others=uint64_t,
               path=uint64_t)
cdef int _castlings(Position pos, int king, uint64_t own, uint64_t enemy, list moves) except -1
cdef bint _any_attacked(Position pos, uint64_t squares, uint64_t by, uint64_t occupied) noexcept
@cython.locals(at=int, to=int, kind=int, became=int, leaves=uint64_t, arrives=uint64_t, white=bint,
               own=uint64_t, enemy=uint64_t, taken=uint64_t, ep=int, passed=int, stays=uint64_t,
               pawns=uint64_t, knights=uint64_t, bishops=uint64_t, rooks=uint64_t,
               queens=uint64_t, kings=uint64_t, castling=uint64_t, after=Position)
cpdef Position play(Position pos, int move)
@cython.locals(row=int, king_to=uint64_t, rook_to=uint64_t, own=uint64_t, castled=uint64_t)
cdef Position _castle(Position pos, int king, int rook)
cpdef uint64_t flipped(uint64_t squares) noexcept
cpdef Position mirrored(Position pos)
cpdef Position without_castling(Position pos, int ep)
@cython.locals(mixed=uint64_t)
cpdef uint64_t seed(Position pos) noexcept
