"""What a side has left, from what each of its half-moves took and the time control.

A source that counts time used and shows no clock (a feed of records) is read with this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arbiterd.timing.control import Period, Rate

MINUTE_MS = 60_000


def left_after(rate: Rate, spent_ms: Sequence[int]) -> int | None:
    """Milliseconds a clock shows after these half-moves of one side; 0 where one took more than
    there was. None: the time control is not known.
    """
    if rate.initial_ms is None:
        return None
    run = _Run(rate.periods, MINUTE_MS if rate.whole_minutes else 1)
    for ms in spent_ms:
        if not run.take(ms):
            return 0
    return run.left_ms


@dataclass(slots=True)
class _Run:
    """One side's clock, a half-move at a time."""

    periods: Sequence[Period]
    unit_ms: int
    """Less than this of main time is not counted."""
    number: int = -1
    left_ms: int = 0
    made: int = 0
    """Half-moves in this period, or since its byo-yomi was last full."""
    counting: bool = False
    """The main time of the period is gone: its byo-yomi runs."""

    def __post_init__(self) -> None:
        self._open()
        self.left_ms += self.periods[0].increment_ms

    def _open(self) -> None:
        """The next period begins."""
        self.number, self.made = self.number + 1, 0
        period = self.periods[self.number]
        self.left_ms += period.opening_ms
        self.counting = not period.base_ms and bool(period.byoyomi_ms)

    @property
    def _last(self) -> bool:
        return self.number + 1 == len(self.periods)

    def take(self, ms: int) -> bool:
        """A half-move that took so long. False: more than there was."""
        self.left_ms -= ms if self.counting else ms - ms % self.unit_ms
        while self.left_ms <= 0:
            if not self._opens_more():
                return False
        self.made += 1
        period = self.periods[self.number]
        if self.counting:
            if self.made == (period.moves or 1):
                self.left_ms, self.made = period.byoyomi_ms, 0
            return True
        self.left_ms += period.increment_ms + min(ms, period.delay_ms)
        if self.made == period.moves and not self._last:
            self._open()
        return True

    def _opens_more(self) -> bool:
        """Time is up: what comes next, if anything does."""
        period = self.periods[self.number]
        if period.byoyomi_ms and not self.counting:
            self.counting, self.made = True, 0
            self.left_ms += period.byoyomi_ms
            return True
        if self._last or (period.moves is not None and not self.counting):
            return False
        self._open()
        return True
