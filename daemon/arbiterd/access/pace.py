"""How often somebody may do something: a burst at once, then so many a second, each for itself."""

from __future__ import annotations

from dataclasses import dataclass, field

SECOND_NS = 1_000_000_000
NAMES_MAX = 1024
"""Beyond so many names the one heard of longest ago begins anew."""


@dataclass(slots=True)
class RateLimit:
    """`allows` takes one; what is not taken grows back."""

    per_s: float
    burst: int
    _left: dict[str, tuple[float, int]] = field(default_factory=dict)
    """By name: how many were left, and when."""

    def allows(self, name: str, at_ns: int) -> bool:
        """True if one more is within the pace, and takes it."""
        left = self.left(name, at_ns)
        self._left.pop(name, None)
        self._left[name] = (left - (left >= 1), at_ns)
        if len(self._left) > NAMES_MAX:
            del self._left[next(iter(self._left))]
        return left >= 1

    def left(self, name: str, at_ns: int) -> float:
        """So many are left now."""
        left, then_ns = self._left.get(name, (float(self.burst), at_ns))
        grown = max(0, at_ns - then_ns) / SECOND_NS * self.per_s
        return min(float(self.burst), left + grown)
