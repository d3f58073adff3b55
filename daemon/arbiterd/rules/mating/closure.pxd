# Types for the compiled twin of closure.py; nothing here changes what it does.
cimport cython

from arbiterd.rules.bitboard cimport Position, in_check, legal_moves, play
from arbiterd.rules.mating.material cimport cannot_mate
from arbiterd.rules.mating.mobility cimport pieces_of
from arbiterd.rules.mating.mobility cimport RangedPieces, pieces_of
from arbiterd.rules.mating.regions cimport prove

@cython.final
cdef class Closure:
    cdef readonly list positions
    cdef readonly list regions
    cdef readonly int nodes
    cdef readonly list line
    cdef list _came_from
    cdef list _came_by
    cdef set _known
    cdef int _next
    cdef set _walls
    cdef readonly list doors
    @cython.locals(limit=int, pos=Position, moves=list, move=int)
    cpdef bint grow(self, int nodes, int settlements) except -1
    @cython.locals(child=Position, key=tuple, wall=tuple, changed=bint, pieces=RangedPieces, spent=int)
    cdef object _meet(self, Position pos, int move, int settlements)

cdef tuple _wall(Position pos)
cdef bint _fewer(Position child, Position pos) except -1
