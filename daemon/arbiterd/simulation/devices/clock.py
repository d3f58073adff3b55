"""A clock on the table: two times, a lever, and a voice that speaks once a second.

Left and right are the clock's own sides; White sits at its left (a board that is not turned).
A press moves the lever only while the presser's own clock runs, or while none does yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.profiles import MS, SECOND, Profile
from arbiterd.simulation.world import LeverPress, Put, Run, SetTime, StagedDeed, Stop
from arbiterd.timing.control import Rate, read_period
from eboards.events import ClockReading, Side

STANDARD = Rate(periods=(read_period("40/90:30+30"), read_period("30:00+30")))
"""Half a minute more than games are published with: a published time is the one before the
credit of its move, so a player may have used more than the time before it showed."""
BLITZ = Rate(periods=(read_period("3:00+2"),))


MINUTE = 60 * SECOND

SIDES = {Colour.WHITE: Side.LEFT, Colour.BLACK: Side.RIGHT}


def rate_of(profile: Profile) -> Rate:
    """The time control of a day: that of published games, or blitz."""
    return STANDARD if profile.pace.published else BLITZ


@dataclass(slots=True)
class TableClock:
    """Both times, who runs, where the lever is."""

    increment_ns: int
    left_ns: dict[Colour, int]
    periods_ns: dict[Colour, tuple[int, ...]]
    """Further periods, each added when the one before has run out."""
    running: Colour | None = None
    lever: Colour | None = None
    since_ns: int = 0

    @classmethod
    def set_up(cls, rate: Rate) -> TableClock:
        """As it stands before the game: the first period, and the credit of the first move."""
        first, *more = rate.periods
        increment_ns = first.increment_ms * MS
        start_ns = first.base_ms * MS + increment_ns
        periods_ns = tuple(period.base_ms * MS for period in more)
        return cls(increment_ns, dict.fromkeys(Colour, start_ns), dict.fromkeys(Colour, periods_ns))

    def advance(self, deed: StagedDeed) -> None:
        """What a deed does to the clock."""
        self.spend(deed.at_ns)
        if isinstance(deed, LeverPress):
            self._press(deed.side)
        elif isinstance(deed, Stop):
            self.running = None
        elif isinstance(deed, Run):
            self.running = self.lever = deed.side
        elif isinstance(deed, SetTime):
            self.left_ns[deed.side] += deed.delta_ms * MS

    def spend(self, at_ns: int) -> None:
        """Time goes on to here; a period that runs out brings the next, or stops the clock."""
        side = self.running
        if side is not None:
            self.left_ns[side] -= at_ns - self.since_ns
            while self.left_ns[side] <= 0 and self.periods_ns[side]:
                added_ns, *rest = self.periods_ns[side]
                self.left_ns[side] += added_ns
                self.periods_ns[side] = tuple(rest)
            if self.left_ns[side] <= 0:
                self.left_ns[side], self.running = 0, None
        self.since_ns = at_ns

    @property
    def runs_out_ns(self) -> int | None:
        """When the last period of the running side ends, if nothing is done; None: both stand."""
        if self.running is None:
            return None
        return self.since_ns + self.left_ns[self.running] + sum(self.periods_ns[self.running])

    def _press(self, side: Colour) -> None:
        if self.running is side:
            self.left_ns[side] += self.increment_ns
        elif self.running is not None or 0 in self.left_ns.values():
            return
        self.running = self.lever = side.other

    def reading(self, at_ns: int) -> ClockReading:
        """What a message of this moment says. Shown times are whole seconds, rounded up."""
        self.spend(at_ns)
        left, right = (
            -(-self.left_ns[side] // SECOND) * 1000 for side in (Colour.WHITE, Colour.BLACK)
        )
        return ClockReading(
            at_ns=at_ns,
            left_ms=left,
            right_ms=right,
            running=SIDES[self.running] if self.running else None,
            lever=SIDES[self.lever] if self.lever else None,
            left_flag=left == 0,
            right_flag=right == 0,
        )


def flag_fall_ns(deeds: tuple[StagedDeed, ...], rate: Rate) -> int | None:
    """When the first flag of the last period falls during these; None: it does not."""
    clock = TableClock.set_up(rate)
    for deed in deeds:
        out_ns = clock.runs_out_ns
        if out_ns is not None and out_ns <= deed.at_ns:
            return out_ns
        if not isinstance(deed, Put):
            clock.advance(deed)
    return None


def first_periods_over(deeds: tuple[StagedDeed, ...], rate: Rate) -> dict[Colour, int]:
    """When the first of several periods ran out for each side during these, if it did."""
    clock, over = TableClock.set_up(rate), dict[Colour, int]()
    further = dict(clock.periods_ns)
    for deed in deeds:
        side = clock.running
        if side is not None and side not in over and further[side]:
            out_ns = clock.since_ns + clock.left_ns[side]
            if out_ns <= deed.at_ns:
                over[side] = out_ns
        if not isinstance(deed, Put):
            clock.advance(deed)
    return over


def spoken(
    deeds: tuple[StagedDeed, ...], rate: Rate, phase_ns: int, end_ns: int, *, ticking: bool = True
) -> Iterator[ClockReading]:
    """The clock's messages: one a second while it runs, and one where anything changed.

    Without `ticking` one a minute, those that follow a deed, and the one before each: enough to
    tell how often the clock was pressed.
    """
    clock = TableClock.set_up(rate)
    waiting = [deed for deed in deeds if not isinstance(deed, Put)]
    at_ns = phase_ns
    said_ns: int | None = None
    while at_ns <= end_ns:
        changed = False
        if not ticking and said_ns is not None:
            for between_ns in (*range(said_ns + MINUTE, at_ns - SECOND, MINUTE), at_ns - SECOND):
                if between_ns > said_ns:
                    yield clock.reading(between_ns)
        while waiting and waiting[0].at_ns <= at_ns:
            clock.advance(waiting.pop(0))
            changed = True
        if changed or said_ns is None or (ticking and clock.running is not None):
            yield clock.reading(at_ns)
            said_ns = at_ns
        if ticking and clock.running is not None:
            at_ns += SECOND
        elif waiting:
            at_ns += max(1, -(-(waiting[0].at_ns - at_ns) // SECOND)) * SECOND
        else:
            return
