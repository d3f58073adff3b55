"""What may have happened between two faces of a clock: how many presses explain both.

A press between two readings is a change of the lever; two of them leave the lever as it was, and
only the times tell: the clock that stood has changed. Displays count whole seconds and readings
come late, so every comparison has its slack, and use is bounded from above only: a clock may have
stood still unseen, but it cannot have run faster than time.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

STILL_MS = 400
"""A clock that stands changes by no more than this in how it is read."""
DISPLAY_MS = 1_000
"""A display counts seconds."""
TICK_MS = 1_500
"""A clock that was seen ticking as it should, to within so much, is nothing new."""
BETWEEN_MAX = 40
"""More presses than this between two readings are not looked for."""
CREDIT_MAX_MS = 60_000
"""No time control in use credits more for one press."""
CLOCK_MAX_MS = 359_999_999
"""99:59:59.999, more than any clock shows."""


class SideTimes(Struct, frozen=True, gc=False):
    """One side of the clock, before and after; `credit` is the least and most a press gives."""

    before_ms: int
    after_ms: int
    credit: tuple[int, int]

    @property
    def gained_ms(self) -> int:
        return self.after_ms - self.before_ms

    def used(self, presses: int) -> tuple[int, int]:
        """The least and the most that this side used if it pressed so often."""
        least, most = self.credit
        return presses * least - self.gained_ms, presses * most - self.gained_ms


class Span(Struct, frozen=True, gc=False):
    """Two readings: the side that ran at the first one, the other, and the time between."""

    ran: SideTimes
    stood: SideTimes
    elapsed_ms: int
    late_ms: int

    @property
    def slack_ms(self) -> int:
        return DISPLAY_MS + self.late_ms

    @property
    def near_ms(self) -> int:
        """Who had no more than this left may have come to zero."""
        return self.elapsed_ms + self.slack_ms

    @property
    def standing_changed(self) -> bool:
        return abs(self.stood.gained_ms) > STILL_MS


def used_ms(span: Span, presses: int) -> int | None:
    """The least that both sides used, if they pressed so often, in turn, the running side first.

    None: so many presses cannot have led from the one face to the other.
    """
    least_ran, most_ran = span.ran.used((presses + 1) // 2)
    least_stood, most_stood = span.stood.used(presses // 2)
    if presses == 0 and span.standing_changed:
        return None
    if most_ran < -STILL_MS or most_stood < -STILL_MS:
        return None
    used = max(0, least_ran) + max(0, least_stood)
    return used if used <= span.elapsed_ms + span.slack_ms else None


def fits(span: Span, presses: int) -> bool:
    """Do so many presses explain both faces?"""
    return used_ms(span, presses) is not None


def presses_between(span: Span, odd: bool) -> int | None:
    """The smallest number of presses that explains both faces. None: no number does.

    A sign of presses that were not seen is a clock that changed though it stood, one that has
    more than the presses that were seen can have given, or time that nobody used up.
    """
    fewest = 1 if odd else 0
    most_given = span.ran.credit[1] if odd else 0
    stood = span.stood.gained_ms > STILL_MS if odd else span.standing_changed
    signs = stood or span.ran.gained_ms > most_given + STILL_MS
    if signs:
        found = next((n for n in range(fewest, BETWEEN_MAX + 1, 2) if fits(span, n)), None)
    else:
        found = fewest if fits(span, fewest) else None
    if found is None or not odd or _uses_up(span, found):
        return found
    more = (n for n in range(found + 2, BETWEEN_MAX + 1, 2) if _uses_up(span, n))
    return next(more, found)


def presses_with(span: Span, odd: bool, ran_ms: int, stood_ms: int) -> int | None:
    """The smallest number of presses that explains both faces where so much of what the two sides
    gained is the time of their next periods (6.3), which their presses brought. None: no number
    does.
    """
    ran = replace(span.ran, after_ms=span.ran.after_ms - ran_ms)
    stood = replace(span.stood, after_ms=span.stood.after_ms - stood_ms)
    fewest = (1 if odd else 0) + (2 if stood_ms else 0)
    less = Span(ran, stood, span.elapsed_ms, span.late_ms)
    return next((n for n in range(fewest, BETWEEN_MAX + 1, 2) if fits(less, n)), None)


def _uses_up(span: Span, presses: int) -> bool:
    """Do they leave no time that neither side used?"""
    used = used_ms(span, presses)
    return used is not None and used >= span.elapsed_ms - span.slack_ms


def credited_ms(span: Span) -> int:
    """What the one press of the span credited, in whole seconds, as near as it can be told."""
    used_after = max(0, -span.stood.gained_ms)
    used_before = min(max(0, span.elapsed_ms - used_after), span.elapsed_ms)
    return round((span.ran.gained_ms + used_before) / 1000) * 1000
