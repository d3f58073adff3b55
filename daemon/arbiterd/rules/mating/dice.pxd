# Types for the compiled twin of dice.py; nothing here changes what it does.
cimport cython
from libc.stdint cimport uint64_t

cdef uint64_t _MASK

@cython.final
cdef class Dice:
    cdef uint64_t _state
    @cython.locals(state=uint64_t)
    cpdef int roll(self, int sides)
