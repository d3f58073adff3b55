"""A few dice of our own: the same position rolls the same numbers on every machine."""

from __future__ import annotations

_MASK = (1 << 64) - 1


class Dice:
    """Marsaglia's xorshift, 64 bits."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = (seed * 0x9E3779B97F4A7C15 ^ 0x2545F4914F6CDD1D) & _MASK or 1

    def roll(self, sides: int) -> int:
        """A number from 0 to `sides` - 1."""
        state = self._state
        state ^= state << 13 & _MASK
        state ^= state >> 7
        state ^= state << 17 & _MASK
        self._state = state
        return (state >> 16) % sides
