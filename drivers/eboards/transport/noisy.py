"""A bad line between an emulator and whoever drives it: bytes lost, doubled, flipped.

Everything comes from the dice handed in, so one seed is one bad day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from eboards.emulator import Emulator

if TYPE_CHECKING:
    from random import Random


@dataclass(frozen=True, slots=True)
class LineNoise:
    """How often something happens to a byte, from 0 to 1."""

    lost: float = 0.0
    inserted: float = 0.0
    flipped: float = 0.0
    """One bit of it, any of the eight."""


class NoisyLine:
    """An emulator whose bytes do not all arrive as they were sent. What it hears is not touched."""

    def __init__(self, emulator: Emulator, noise: LineNoise, dice: Random) -> None:
        self.emulator = emulator
        self.noise = noise
        """May be replaced while the day goes on."""
        self._dice = dice

    @property
    def due_at_ns(self) -> int | None:
        return self.emulator.due_at_ns

    def receive(self, data: bytes, at_ns: int) -> None:
        self.emulator.receive(data, at_ns)

    def advance(self, at_ns: int) -> bytes:
        arrived = bytearray()
        for byte in self.emulator.advance(at_ns):
            if self._happens(self.noise.inserted):
                arrived.append(self._dice.randrange(256))
            if self._happens(self.noise.lost):
                continue
            flip = 1 << self._dice.randrange(8) if self._happens(self.noise.flipped) else 0
            arrived.append(byte ^ flip)
        return bytes(arrived)

    def _happens(self, rate: float) -> bool:
        return rate > 0 and self._dice.random() < rate
