"""What many presses credited in all: one of them is known to two seconds, ten to a fraction of one.

What both sides have left falls by the time that passes and rises by what presses credit. Presses
that were not seen make this look like more than it is, so only a clock that gives less is told.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from arbiterd.timing.control import Period
from arbiterd.timing.face import MS, Face

PRESSES_MIN = 8
"""With fewer, readings that come late weigh too much."""
PRESSES_MAX = 60
"""Then it is counted anew: a clock need not go as ours does."""
LATE_MS = 2_500
"""No clock loses more than this in no time, whole seconds and all: older readings came late."""
LACKS_MIN_MS, LACKS_EACH_MS = 8_000, 750
"""So much less than the time control gives, in all and for each press, is no matter of readings."""


class Balance(Struct, frozen=True, gc=False):
    """The time both sides had at one reading, and the presses since."""

    at_ns: int
    total_ms: int
    presses: int = 0
    newest: tuple[int, int] | None = None
    """When the newest reading came, and the time both sides had then."""
    late_ms: int = 0
    """So much more than passed went since the newest press: what came first came late, as readings
    do that lay behind a board's memory on its line."""

    def at(self, now: Balance, presses: int) -> Balance:
        """After another reading, which told so many presses. What came late is no base."""
        at_ns, total_ms = self.newest or (self.at_ns, self.total_ms)
        lost_ms = total_ms - now.total_ms - (now.at_ns - at_ns) // MS
        late_ms = 0 if presses else max(0, self.late_ms + lost_ms)
        if late_ms > LATE_MS:
            return now
        newest = now.at_ns, now.total_ms
        return replace(self, presses=self.presses + presses, newest=newest, late_ms=late_ms)


def balance_of(face: Face) -> Balance | None:
    """Counted from this face on. None: a time is not known or over, or no clock runs."""
    if not face.white_ms or not face.black_ms or face.running is None:
        return None
    return Balance(face.at_ns, face.white_ms + face.black_ms)


def lacking_ms(balance: Balance, now: Balance, increment_ms: int) -> int:
    """How much less its presses credited than they should; 0 where that cannot be said."""
    if balance.presses < PRESSES_MIN:
        return 0
    elapsed_ms = (now.at_ns - balance.at_ns) // MS
    credited_ms = now.total_ms - balance.total_ms + elapsed_ms
    lacks = balance.presses * increment_ms - credited_ms
    return lacks if lacks >= max(LACKS_MIN_MS, balance.presses * LACKS_EACH_MS) else 0


def even_increment_ms(periods: Sequence[Period]) -> int:
    """What every press of the game credits; 0 where there is no such time."""
    if any(period.delay_ms or period.byoyomi_ms for period in periods):
        return 0
    given = {period.increment_ms for period in periods}
    return given.pop() if len(given) == 1 else 0
