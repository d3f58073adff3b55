"""What one line may cost the hall: rows and bytes a second, after a burst.

A board that is played on stays far below: hands make ten rows a second at most, a board that comes
back shows itself at once. A line that says more is read more slowly; what it still has to say
waits at its own end, and nobody else notices.
"""

from __future__ import annotations

from dataclasses import dataclass

from arbiterd.messages.limits import Limit

SECOND_NS = 1_000_000_000
ROWS_PER_S, ROWS_AT_ONCE = 50, 600
BYTES_PER_S, BYTES_AT_ONCE = 16 * 1024, 128 * 1024
"""A serial line of 115,200 baud brings 11,520."""
FAULTS_PER_S, FAULTS_AT_ONCE = 2, 20
"""Rows of nothing but faults; beyond, they are told once a second with their number."""
NOISE_KEPT = 1024
"""Bytes kept of a second of such noise."""
NO_NEWS = 0.25
"""What a row costs that tells nothing: two boards on a bus answer 60 times a second that nothing
has changed."""

LIMITS = (
    Limit("a board's line", "rows", "a second", f"{ROWS_PER_S}, {ROWS_AT_ONCE} at once",
          "the line is read more slowly, and the board marked as degraded"),
    Limit("a board's line", "bytes", "a second", f"{BYTES_PER_S}, {BYTES_AT_ONCE} at once",
          "the line is read more slowly, and the board marked as degraded"),
    Limit("a board's line", "faults alone", "rows a second",
          f"{FAULTS_PER_S}, {FAULTS_AT_ONCE} at once",
          f"summed once a second with their number; {NOISE_KEPT} of their bytes are kept"),
)  # fmt: skip


@dataclass(slots=True)
class Allowance:
    """So many a second; what is spent beyond it has to be waited for."""

    per_s: int
    at_once: int
    _left: float = 0.0
    _then_ns: int | None = None

    def spend(self, much: float, at_ns: int) -> None:
        self._left = self._now(at_ns) - much
        if self._then_ns is None or at_ns > self._then_ns:
            self._then_ns = at_ns

    def free_at_ns(self, at_ns: int) -> int:
        """From then on there is something left; `at_ns` itself where there is."""
        if self._then_ns is None or self._left > 0:
            return at_ns  # It only grows until it is spent.
        left = self._now(at_ns)
        return at_ns if left > 0 else at_ns + int((1 - left) / self.per_s * SECOND_NS)

    def _now(self, at_ns: int) -> float:
        if self._then_ns is None:
            return float(self.at_once)
        if at_ns <= self._then_ns or self._left >= self.at_once:
            return self._left
        grown = (at_ns - self._then_ns) / SECOND_NS * self.per_s
        return min(float(self.at_once), self._left + grown)


class LineBudget:
    """Of one line, for one session."""

    def __init__(self) -> None:
        self._rows = Allowance(ROWS_PER_S, ROWS_AT_ONCE)
        self._bytes = Allowance(BYTES_PER_S, BYTES_AT_ONCE)
        self._faults = Allowance(FAULTS_PER_S, FAULTS_AT_ONCE)

    def read(self, data: bytes, at_ns: int) -> None:
        self._bytes.spend(len(data), at_ns)

    def told(self, news: int, at_ns: int) -> None:
        """What was read is a row for each of its `news`, and one where it has none."""
        self._rows.spend(news or NO_NEWS, at_ns)

    def may_tell_faults(self, at_ns: int) -> bool:
        """True while faults are news; takes one."""
        if self._faults.free_at_ns(at_ns) > at_ns:
            return False
        self._faults.spend(1, at_ns)
        return True

    def free_at_ns(self, at_ns: int) -> int:
        """When the next bytes may be looked at."""
        return max(self._rows.free_at_ns(at_ns), self._bytes.free_at_ns(at_ns))
