"""How often half-moves that were told with a probability were so.

Every telling of a half-move is one statement: the first, and each that replaced it. It is judged
where the record before it was right: what rests on a wrong half-move is counted apart.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import exp
from typing import Final

EDGES: Final = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99, 0.995, 0.999)
"""A bin goes from one edge to the next; the last goes to 1."""
MARGINS: Final = (-2, -1, 0, 1, 2, 3, 4, 5, 6, 7)
"""In nats: by how much a half-move is likelier than all else together."""


@dataclass(frozen=True, slots=True)
class ToldPly:
    """One telling of a half-move."""

    thousandths: int
    """Its probability."""
    certain: bool
    right: bool


@dataclass(slots=True)
class Calibration:
    """Statements of many games, counted."""

    said: Counter[ToldPly] = field(default_factory=Counter)
    astray: int = 0
    """Not judged: the record before them was wrong."""
    taken_back: int = 0
    """Not judged: it was made so, and taken back before its press."""

    def add(self, other: Calibration) -> None:
        """Add what was counted elsewhere."""
        self.said.update(other.said)
        self.astray += other.astray
        self.taken_back += other.taken_back

    def bins(self) -> list[tuple[float, int, int]]:
        """For each bin: where it begins, how many statements were right, how many there were."""
        found = []
        for low, high in zip(EDGES, (*EDGES[1:], 2.0), strict=True):
            within = [said for said in self.said if low <= said.thousandths / 1000 < high]
            found.append((low, self._right(within), self._all(within)))
        return found

    def certain(self) -> tuple[int, int]:
        """Of what was told as certain: how much was wrong, how much there was."""
        told = [said for said in self.said if said.certain]
        return self._all(told) - self._right(told), self._all(told)

    def curve(self) -> list[tuple[int, int, int]]:
        """For each margin: how many statements are told at least so surely, right and wrong."""
        found = []
        for margin in MARGINS:
            least = 1 / (1 + exp(-margin))
            told = [said for said in self.said if said.thousandths / 1000 >= least - 0.0005]
            found.append((margin, self._right(told), self._all(told) - self._right(told)))
        return found

    @property
    def judged(self) -> int:
        """All statements that were judged."""
        return self._all(list(self.said))

    def _right(self, which: list[ToldPly]) -> int:
        return sum(self.said[said] for said in which if said.right)

    def _all(self, which: list[ToldPly]) -> int:
        return sum(self.said[said] for said in which)
