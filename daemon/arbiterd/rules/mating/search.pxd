# Types for the compiled twin of search.py; nothing here changes what it does.
cimport cython
from libc.stdint cimport uint64_t

from arbiterd.rules.bitboard cimport Position, has_flight, in_check, kind_at, legal_moves, play, seed
from arbiterd.rules.bitboard_attacks cimport (
    between,
    bishop_attacks,
    pawn_targets,
    rook_attacks,
    step_attacks,
)
from arbiterd.rules.mating.dice cimport Dice
from arbiterd.rules.mating.material cimport cannot_mate

cdef int[67] _SQUARE
cdef int PAWN
cdef int KNIGHT
cdef int BISHOP
cdef int ROOK
cdef int QUEEN
cdef int KING
cdef uint64_t FULL
cdef int _MOVE
cdef int _SCORE_ZERO
cdef int _CHANCE

@cython.final
cdef class Plan:
    cdef int[512] far
    cdef int[512] near
    cdef int[512] black
    cdef int[8] promotes
    cdef readonly int target
    cdef int[8] takes
    cdef int[8] crowns
    cdef readonly int spare
    cdef readonly bint promote
    cdef readonly int noise
    cdef readonly int loose
    cdef readonly int branch
    cdef readonly int depth

@cython.final
cdef class Walk:
    cdef readonly Dice dice
    cdef readonly int goal
    cdef readonly int limit
    cdef readonly list line
    cdef readonly int nodes
    cdef int noise
    cdef readonly Plan plan
    cdef readonly Position reached
    cdef set seen
    @cython.locals(pos=Position, positions=list, choices=list, tried=list, moves=list, choice=list,
                   move=int, key=uint64_t)
    cpdef bint run(self, Position start) except -1
    cdef list liked(self, Position pos)
    @cython.locals(plan=Plan, dice=Dice, occupied=uint64_t, enemy=uint64_t, king=int,
                   diagonal=uint64_t, straight=uint64_t, knightly=uint64_t, pawnly=uint64_t,
                   hidden=uint64_t, is_near=bint, found=list, move=int, at=int, to=int, kind=int,
                   became=int, liking=long, best=long, checks=uint64_t, reply=Position)
    cdef list white_moves(self, Position pos)
    @cython.locals(plan=Plan, found=list, move=int, at=int, liking=long, best=long)
    cdef list black_moves(self, Position pos)

cdef bint _taken(Position before, Position pos) noexcept
cdef bint _beside(int a, int b) noexcept
@cython.locals(occupied=uint64_t, snipers=uint64_t, found=uint64_t, shield=uint64_t)
cdef uint64_t _discoverers(Position pos, int king) noexcept
