# Types for the compiled twin of mobility.py; nothing here changes what it does.
cimport cython
from libc.stdint cimport uint64_t

from arbiterd.rules.bitboard cimport Position
from arbiterd.rules.bitboard_attacks cimport (
    black_pawn_attacks,
    knight_attacks,
    spread,
    white_pawn_attacks,
)

cdef uint64_t FULL
cdef uint64_t _NOT_A
cdef uint64_t _NOT_H
cdef uint64_t _LAST_RANKS
cdef int _ANY
cdef uint64_t ONE
cdef uint64_t FILE_A
cdef int[67] _SQUARE
cdef int PAWN
cdef int KNIGHT
cdef int BISHOP
cdef int ROOK
cdef int QUEEN
cdef int KING

@cython.final
cdef class RangedPieces:
    cdef public int count
    cdef readonly int[32] kind
    cdef readonly int[32] white
    cdef readonly uint64_t[32] reach
    cdef readonly int[32] sure
    cdef public uint64_t fixed_white
    cdef public uint64_t fixed_black
    cpdef int add(self, int kind, int white, uint64_t reach, int sure) except -1
    @cython.locals(copy=RangedPieces, i=int)
    cpdef RangedPieces without(self, int gone, int mover, int kind, uint64_t squares)
    cpdef int doubt(self, int i) except -1
    cpdef RangedPieces copy(self)

@cython.locals(occupied=uint64_t, pieces=RangedPieces, kind=int, board=uint64_t, bit=uint64_t)
cpdef RangedPieces pieces_of(Position pos)
cdef uint64_t _straight(uint64_t squares) noexcept
cdef uint64_t _diagonal(uint64_t squares) noexcept
cpdef uint64_t steps(int kind, uint64_t squares) noexcept
@cython.locals(squares=uint64_t, i=int)
cpdef uint64_t taking(RangedPieces pieces, int white, bint still) noexcept
@cython.locals(reach=uint64_t)
cpdef bint is_fixed(RangedPieces pieces, int i, uint64_t taken, bint still) noexcept
@cython.locals(taken=uint64_t, fixed=uint64_t, attacked=uint64_t, i=int, reach=uint64_t)
cpdef uint64_t fix_side(RangedPieces pieces, int white, bint still) noexcept
@cython.locals(grown=bint, by_white=uint64_t, by_black=uint64_t, pawns=uint64_t, i=int, white=int,
               before=uint64_t, barred=uint64_t, after=uint64_t, wider=uint64_t)
cpdef bint settle(RangedPieces pieces, bint still) except -1
@cython.locals(white=int, reach=uint64_t, prey=uint64_t, j=int, barred=uint64_t)
cdef uint64_t _pawn_growth(RangedPieces pieces, int i) noexcept
@cython.locals(white=int, reach=uint64_t, file=uint64_t, taken=uint64_t, beyond=uint64_t, j=int,
               other=uint64_t, start=uint64_t)
cdef uint64_t _faced(RangedPieces pieces, int i) noexcept
cdef uint64_t _highest(uint64_t squares) noexcept
@cython.locals(walls=uint64_t, found=uint64_t, i=int, kind=int, reach=uint64_t)
cpdef uint64_t attackable(RangedPieces pieces) except? 0
@cython.locals(up=uint64_t, down=uint64_t, found=uint64_t, front=uint64_t, back=uint64_t)
cdef uint64_t _rays(uint64_t squares, uint64_t walls, int step) noexcept
@cython.locals(attacked=uint64_t, king=uint64_t, white_king=uint64_t, i=int, squares=uint64_t,
               bit=uint64_t, around=uint64_t, flights=uint64_t)
cpdef bint mate_conceivable(RangedPieces pieces) except -1
@cython.locals(near=uint64_t, bit=uint64_t, rest=uint64_t)
cdef bint _all_covered(RangedPieces pieces, uint64_t flights, uint64_t king_squares) noexcept
cdef bint _blockable(RangedPieces pieces, uint64_t flights) noexcept
@cython.locals(bit=uint64_t, i=int)
cdef bint _place(RangedPieces pieces, uint64_t flights, uint64_t used) noexcept
