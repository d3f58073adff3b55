"""Whether the time of the service is still the time of day.

Its clock is set once, at the start, and never behind the journal: a computer that learns the right
time later, or had a wrong one when the journal was written, leaves the two apart. They come
together at a new start, but for one at which something would be public sooner than it was to be.
"""

from __future__ import annotations

import logging
from collections.abc import Collection

from arbiterd.edges import ServiceClock
from arbiterd.journal.delays import Delays
from arbiterd.journal.journal import Journal
from arbiterd.messages.topics import MOVES, RESULT

log = logging.getLogger(__name__)

MINUTE_NS = 60_000_000_000
APART_NS = MINUTE_NS
"""People compare times to the minute."""


def go_on(clock: ServiceClock, journal: Journal, delays: Delays, tables: Collection[str]) -> None:
    """The service's time at a new start, where its computer's was set ahead in the run before.

    What waits for its delay would be public at once, or the sooner by as much: until all of it is,
    time goes on as it was.
    """
    behind_ns = -journal.head.ahead_ns
    as_before_ns = clock.now_ns() - behind_ns
    if behind_ns > 0 and any(
        journal.read.told_ns(name, (MOVES, RESULT)) > delays.until_ns(name, as_before_ns)
        for name in tables
    ):
        clock.not_after(as_before_ns)


class TimeOfDay:
    """What to say of a service whose times are not those of its computer."""

    def __init__(self, clock: ServiceClock) -> None:
        self._clock = clock
        self._known = False
        """It has been said in the log that they are apart."""

    def notes(self) -> list[str]:
        """What to do about it, in a sentence, as `status` has it; in the log it is said once."""
        ahead_ns = self._clock.ahead_ns()
        said = _sentence(ahead_ns)
        if said and not self._known:
            log.warning("%s", said)
        self._known = bool(said)
        return [said] if said else []


def _sentence(ahead_ns: int) -> str:
    """Empty: they agree well enough."""
    said, apart = "", _interval(abs(ahead_ns))
    if ahead_ns >= APART_NS:
        # A new start would not help: no time goes back behind what the journal holds.
        said = (
            f"times here are {apart} ahead of this computer's, as those in the journal are; if the"
            " computer is right, give [journal] path another file before the next round"
        )
    elif ahead_ns <= -APART_NS:
        said = (
            f"times here are {apart} behind this computer's, which was set after the start; if the"
            " computer is right, start the service again once nobody plays and all is public"
        )
    return said


def _interval(ns: int) -> str:
    hours, minutes = divmod(round(ns / MINUTE_NS), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
