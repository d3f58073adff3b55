# Types for the compiled twin of bitboard_attacks.py; nothing here changes what it does.
cimport cython
from libc.stdint cimport uint64_t

cdef uint64_t FULL
cdef uint64_t FILE_A
cdef uint64_t _NOT_A
cdef uint64_t _NOT_H
cdef uint64_t _INNER_FILE_A
cdef uint64_t[64] _KING
cdef uint64_t[64] _KNIGHT
cdef uint64_t[64] _WHITE_PAWN
cdef uint64_t[64] _BLACK_PAWN
cdef uint64_t[512] _RANK
cdef uint64_t[4096] _UP
cdef uint64_t[4096] _DOWN
cdef uint64_t[4096] _FILE
cdef uint64_t[64] _UP_INNER
cdef uint64_t[64] _DOWN_INNER
cdef uint64_t[4096] _BETWEEN
cdef uint64_t[4096] _LINE

cpdef uint64_t spread(uint64_t squares) noexcept
cpdef uint64_t white_pawn_attacks(uint64_t pawns) noexcept
cpdef uint64_t black_pawn_attacks(uint64_t pawns) noexcept
@cython.locals(one=uint64_t, two=uint64_t)
cpdef uint64_t knight_attacks(uint64_t knights) noexcept
@cython.locals(up=int, down=int)
cpdef uint64_t bishop_attacks(int square, uint64_t occupied) noexcept
@cython.locals(row=int, column=int)
cpdef uint64_t rook_attacks(int square, uint64_t occupied) noexcept
cpdef uint64_t between(int a, int b) noexcept
cpdef uint64_t line(int a, int b) noexcept
cpdef uint64_t pawn_targets(int square, bint white) noexcept
cpdef uint64_t step_attacks(int piece, int square) noexcept
