"""What many presses credited in all: one of them is known to two seconds, ten to a fraction of one.

What both sides have left falls by the time that passes and rises by what presses credit. Presses
that were not seen make this look like more than it is, so only a clock that gives less is told.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from arbiterd.timing.control import Period
from arbiterd.timing.face import MS, Face

PRESSES_MIN = 8
"""With fewer, readings that come late weigh too much."""
PRESSES_MAX = 60
"""Then it is counted anew: a clock need not go as ours does."""
LACKS_MIN_MS, LACKS_EACH_MS = 8_000, 750
"""So much less than the time control gives, in all and for each press, is no matter of readings."""


class Balance(Struct, frozen=True, gc=False):
    """The time both sides had at one reading, and the presses since."""

    at_ns: int
    total_ms: int
    presses: int = 0


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
