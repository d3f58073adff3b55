# Types for the compiled twin of regions.py; nothing here changes what it does.
cimport cython
from libc.stdint cimport uint64_t

from arbiterd.rules.bitboard_attacks cimport black_pawn_attacks, white_pawn_attacks
from arbiterd.rules.mating.mobility cimport (
    RangedPieces,
    fix_side,
    mate_conceivable,
    settle,
    steps,
    taking,
)

cdef uint64_t FULL
cdef uint64_t _LAST_RANKS
cdef int KING
cdef int PAWN
cdef int ANY

@cython.locals(start=RangedPieces, settled=RangedPieces, spent=int)
cpdef tuple prove(RangedPieces pieces, int limit)
@cython.locals(i=int)
cdef tuple _listed(RangedPieces pieces)
@cython.locals(i=int)
cpdef list outbreaks(RangedPieces pieces)
@cython.locals(white_takes=uint64_t, black_takes=uint64_t, i=int)
cdef RangedPieces _with_doubts(RangedPieces pieces)
@cython.locals(white=int, at=uint64_t, forward=uint64_t, walls=uint64_t, twice=uint64_t,
               attacks=uint64_t, prey=uint64_t, square=uint64_t, j=int, gone=int, promoted=bint)
cdef list _pawn_moves(RangedPieces pieces, int i)
cdef uint64_t _ahead(uint64_t square, int white) noexcept
@cython.locals(at=uint64_t, j=int)
cdef list _taken_in_passing(RangedPieces pieces, int i, uint64_t passed)
@cython.locals(kind=int, reached=uint64_t, p=int)
cdef list _pawns_taken(RangedPieces pieces, int i, uint64_t guarded)
