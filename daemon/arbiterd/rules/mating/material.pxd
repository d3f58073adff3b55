# Types for the compiled twin of material.py; nothing here changes what it does.
cimport cython
from libc.stdint cimport uint64_t

from arbiterd.rules.bitboard cimport Position

cdef uint64_t FULL
cdef uint64_t LIGHT

@cython.locals(pieces=uint64_t, alone=bint, one_coloured=bint)
cpdef bint cannot_mate(Position pos) noexcept
