"""Time controls as they stand in a configuration: `["40/90:00+30", "30:00+30"]`.

    [moves/]MM:SS[+increment | dDelay]        times in minutes and seconds, credit in seconds

The kinds follow Appendix A.1 and B.1: base minutes plus one per second of credit (60 moves).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    STANDARD = "standard"
    RAPID = "rapid"
    BLITZ = "blitz"


@dataclass(frozen=True, slots=True)
class Period:
    """A block of moves with its own time."""

    moves: int | None
    """None: all remaining moves."""
    base_ms: int
    increment_ms: int = 0
    delay_ms: int = 0


_PERIOD = re.compile(r"(?:(\d{1,3})/)?(\d{1,3}):([0-5]\d)(?:\+(\d{1,3})|d(\d{1,3}))?")


def read_period(text: str) -> Period:
    """One period from its text. Raises ValueError with a sentence."""
    match = _PERIOD.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no period of time; write for example 40/90:00+30 or 3:00d2")
    moves, minutes, seconds, increment, delay = match.groups()
    return Period(
        moves=int(moves) if moves else None,
        base_ms=(int(minutes) * 60 + int(seconds)) * 1000,
        increment_ms=int(increment or 0) * 1000,
        delay_ms=int(delay or 0) * 1000,
    )


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate of play: its kind, its supervision (A.4/B.2 or A.5/B.3), its periods."""

    kind: Kind = Kind.STANDARD
    supervised: bool = True
    periods: tuple[Period, ...] = ()
    """Empty: not known; nothing is then said about settings and credits."""

    @property
    def open_window(self) -> bool:
        """True where A.5 or B.3 applies: an illegal move stands once it is replied to."""
        return self.kind is not Kind.STANDARD and not self.supervised
