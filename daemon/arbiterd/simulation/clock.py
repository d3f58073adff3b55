"""A clock on the table: two times, a lever, and a voice that speaks once a second.

Left and right are the clock's own sides; White sits at its left (a board that is not turned).
A press moves the lever only while the presser's own clock runs, or while none does yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.profiles import MS, SECOND
from arbiterd.simulation.world import Deed, Press, Put, Run, SetTime, Stop
from arbiterd.timing.control import Rate, read_period
from eboards.events import ClockReading, Side

STANDARD = Rate(periods=(read_period("40/90:00+30"), read_period("30:00+30")))
BLITZ = Rate(periods=(read_period("3:00+2"),))

SIDES = {Colour.WHITE: Side.LEFT, Colour.BLACK: Side.RIGHT}


@dataclass(slots=True)
class TableClock:
    """Both times, who runs, where the lever is."""

    rate: Rate
    left_ns: dict[Colour, int]
    pressed: dict[Colour, int]
    running: Colour | None = None
    lever: Colour | None = None
    since_ns: int = 0

    @classmethod
    def set_up(cls, rate: Rate, credit_first: bool = True) -> TableClock:
        """As it stands before the game; the first credit is on the clock already (FIDE)."""
        first = rate.periods[0]
        start_ns = (first.base_ms + (first.increment_ms if credit_first else 0)) * MS
        return cls(rate, dict.fromkeys(Colour, start_ns), dict.fromkeys(Colour, 0))

    def left_at(self, side: Colour, at_ns: int) -> int:
        """What the clock shows for a side then, in nanoseconds; never below nothing."""
        spent = at_ns - self.since_ns if self.running is side else 0
        return max(0, self.left_ns[side] - spent)

    def advance(self, deed: Deed) -> None:
        """What a deed does to the clock."""
        for side in Colour:
            self.left_ns[side] = self.left_at(side, deed.at_ns)
        self.since_ns = deed.at_ns
        if isinstance(deed, Press):
            self._press(deed.side)
        elif isinstance(deed, Stop):
            self.running = None
        elif isinstance(deed, Run):
            self.running = self.lever = deed.side
        elif isinstance(deed, SetTime):
            self.left_ns[deed.side] += deed.delta_ms * MS

    def _press(self, side: Colour) -> None:
        if self.running is side:
            self.pressed[side] += 1
            self.left_ns[side] += self._credit_ms(side) * MS
        elif self.running is not None or self.left_ns[side.other] == 0:
            return
        self.running = self.lever = side.other

    def _credit_ms(self, side: Colour) -> int:
        """The increment, and the time of the next period at the press that reaches it."""
        reached = 0
        for period, following in zip(
            self.rate.periods, (*self.rate.periods[1:], None), strict=True
        ):
            if period.moves is None or following is None:
                return period.increment_ms
            reached += period.moves
            if self.pressed[side] < reached:
                return period.increment_ms
            if self.pressed[side] == reached:
                return period.increment_ms + following.base_ms
        return 0

    def reading(self, at_ns: int) -> ClockReading:
        """What a message of this moment says. Shown times are whole seconds, rounded up."""
        left, right = (
            -(-self.left_at(side, at_ns) // SECOND) * 1000 for side in (Colour.WHITE, Colour.BLACK)
        )
        if self.running is not None and self.left_at(self.running, at_ns) == 0:
            self.left_ns[self.running], self.running = 0, None
        return ClockReading(
            at_ns=at_ns,
            left_ms=left,
            right_ms=right,
            running=SIDES[self.running] if self.running else None,
            lever=SIDES[self.lever] if self.lever else None,
            left_flag=left == 0,
            right_flag=right == 0,
        )


def spoken(
    deeds: tuple[Deed, ...], rate: Rate, phase_ns: int, end_ns: int, *, ticking: bool = True
) -> Iterator[ClockReading]:
    """The clock's messages: one a second while it runs, and one where anything changed.

    Without `ticking` only those that follow a deed: enough where nobody looks at the times.
    """
    clock = TableClock.set_up(rate)
    waiting = [deed for deed in deeds if not isinstance(deed, Put)]
    at_ns = phase_ns
    said: tuple[Side | None, Side | None] | None = None
    while at_ns <= end_ns:
        changed = False
        while waiting and waiting[0].at_ns <= at_ns:
            clock.advance(waiting.pop(0))
            changed = True
        if changed or said is None or (ticking and clock.running is not None):
            reading = clock.reading(at_ns)
            if ticking or (reading.running, reading.lever) != said:
                yield reading
            said = (reading.running, reading.lever)
        if ticking and clock.running is not None:
            at_ns += SECOND
        elif waiting:
            at_ns += max(1, -(-(waiting[0].at_ns - at_ns) // SECOND)) * SECOND
        else:
            return
