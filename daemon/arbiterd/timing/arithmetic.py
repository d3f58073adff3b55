"""What may have happened between two faces of a clock: how many presses explain both.

A press between two readings is a change of the lever; two of them leave the lever as it was, and
only the times tell: the clock that stood has changed. Displays count whole seconds and readings
come late, so every comparison has its slack, and use is bounded from above only: a clock may have
stood still unseen, but it cannot have run faster than time.
"""

from __future__ import annotations

from dataclasses import dataclass

STILL_MS = 400
"""A clock that stands changes by no more than this in how it is read."""
DISPLAY_MS = 1_000
"""A display counts seconds."""
PRESSES_MAX = 40
"""More presses than this between two readings are not looked for."""
CREDIT_MAX_MS = 60_000
"""No time control in use credits more for one press."""


@dataclass(frozen=True, slots=True)
class Side:
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


@dataclass(frozen=True, slots=True)
class Span:
    """Two readings: the side that ran at the first one, the other, and the time between."""

    ran: Side
    stood: Side
    elapsed_ms: int
    late_ms: int

    @property
    def slack_ms(self) -> int:
        return DISPLAY_MS + self.late_ms

    @property
    def standing_changed(self) -> bool:
        return abs(self.stood.gained_ms) > STILL_MS


def fits(span: Span, presses: int) -> bool:
    """Do so many presses, in turn and the running side first, explain both faces?"""
    least_ran, most_ran = span.ran.used((presses + 1) // 2)
    least_stood, most_stood = span.stood.used(presses // 2)
    if presses == 0 and span.standing_changed:
        return False
    uncredited = presses < 2
    if most_ran < -DISPLAY_MS or most_stood < (-STILL_MS if uncredited else -DISPLAY_MS):
        return False
    return max(0, least_ran) + max(0, least_stood) <= span.elapsed_ms + span.slack_ms


def presses_between(span: Span, odd: bool) -> int | None:
    """The smallest number of presses that explains both faces. None: no number does.

    A sign of presses that were not seen is a clock that changed though it stood, or one that has
    more than the presses that were seen can have given.
    """
    fewest = 1 if odd else 0
    most_given = span.ran.credit[1] if odd else 0
    stood = span.stood.gained_ms > STILL_MS if odd else span.standing_changed
    if not stood and span.ran.gained_ms <= most_given + STILL_MS:
        return fewest if fits(span, fewest) else None
    return next((n for n in range(fewest, PRESSES_MAX + 1, 2) if fits(span, n)), None)


def credited_ms(span: Span) -> int:
    """What the one press of the span credited, in whole seconds, as near as it can be told."""
    used_after = max(0, -span.stood.gained_ms)
    used_before = min(max(0, span.elapsed_ms - used_after), span.elapsed_ms)
    return round((span.ran.gained_ms + used_before) / 1000) * 1000
