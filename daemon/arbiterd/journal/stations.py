"""How long the stations of the way take, and what happened at each bound: counted as it goes.

    byte read ─▶ heard ─▶ folded ─▶ journalled ─▶ sent ─▶ confirmed
                 `stations`                       `ages`, by kind of message

Times are those of the hall's clock. Counting takes less than a microsecond and keeps nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from enum import StrEnum
from itertools import accumulate

from arbiterd.edges import ServiceClock
from arbiterd.messages.topics import Rank

EDGES_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)
"""Upper bounds of what is counted together."""
SECOND_NS = 1_000_000_000


class Station(StrEnum):
    """A part of the way from a board to the broker."""

    HEARD = "heard"
    """From the read to the table: waiting for the loop, decoding."""
    FOLDED = "folded"
    """An input in its table: tracking, rules, laws, words, encoding."""
    JOURNALLED = "journalled"
    """From there until it is on the disk."""
    STATE = "state"
    """Making and encoding a table's state."""
    DUE = "due"
    """How late a table's own time was kept."""


class Left(StrEnum):
    """How far a message has come."""

    SENT = "sent"
    CONFIRMED = "confirmed"


class Met(StrEnum):
    """A bound that was reached, and what happened there."""

    NOT_RECORDED = "readings-not-recorded"
    """The journal was full: readings were counted and dropped."""
    NOT_SENT = "device-commands-dropped"
    READ_SLOWLY = "lines-read-slowly"
    COMMANDS_UNHEARD = "commands-unheard"


class Durations:
    """A histogram."""

    def __init__(self) -> None:
        self._counts = [0] * (len(EDGES_S) + 1)
        self.total_s = 0.0

    def add(self, seconds: float) -> None:
        seconds = max(0.0, seconds)
        self._counts[bisect_left(EDGES_S, seconds)] += 1
        self.total_s += seconds

    @property
    def count(self) -> int:
        return sum(self._counts)

    @property
    def buckets(self) -> list[tuple[str, float]]:
        """Upper bound in seconds, and how many were no longer than that."""
        bounds = [*(f"{edge:g}" for edge in EDGES_S), "+Inf"]
        return [*zip(bounds, map(float, accumulate(self._counts)), strict=True)]


class Stations:
    """Of one service."""

    def __init__(self, clock: ServiceClock) -> None:
        self._clock = clock
        self.stations: Mapping[Station, Durations] = {each: Durations() for each in Station}
        self.ages: Mapping[tuple[Rank, Left], Durations] = {
            (rank, left): Durations() for rank in Rank if rank is not Rank.HOME for left in Left
        }
        """Of messages, since what they follow from was stamped."""
        self.met: dict[Met, int] = dict.fromkeys(Met, 0)

    def now_ns(self) -> int:
        """To give to `took` later."""
        return self._clock.now_ns()

    def took(self, station: Station, since_ns: int) -> None:
        """Something took as long as from then to now."""
        self.stations[station].add((self._clock.now_ns() - since_ns) / SECOND_NS)

    def aged(self, rank: Rank, left: Left, at_ns: int) -> None:
        """A message that follows from what was stamped then has come so far."""
        self.ages[rank, left].add((self._clock.now_ns() - at_ns) / SECOND_NS)

    def reached(self, bound: Met, times: int = 1) -> None:
        self.met[bound] += times
