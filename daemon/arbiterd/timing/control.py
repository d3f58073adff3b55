"""Time controls as they stand in a configuration: `["40/90:00+30", "30:00+30"]`.

    [moves/]MM:SS[+increment | dDelay | bByoyomi]     minutes and seconds; credits in seconds

- increment   added for every move, the first before the game starts (Laws 6.3, Fischer)
- delay       given back up to what the move used (Bronstein), or main time waits so long (US):
              to the arithmetic they are the same
- byo-yomi    once the main time is gone, so long for every move, full again after each; with a
              number of moves before it (`25/0:00b600`, Canadian) full again after so many

The kinds follow Appendix A.1 and B.1: base minutes plus one per second of credit (60 moves).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    STANDARD = "standard"
    RAPID = "rapid"
    BLITZ = "blitz"


COUNTED_MOVES = 60
"""A.1 and B.1 class a rate of play by the time it gives for so many moves."""


@dataclass(frozen=True, slots=True)
class Period:
    """A block of moves with its own time."""

    moves: int | None
    """None: all remaining moves."""
    base_ms: int
    increment_ms: int = 0
    delay_ms: int = 0
    byoyomi_ms: int = 0

    @property
    def credit_ms(self) -> tuple[int, int]:
        """The least and the most that a press may credit in this period."""
        if self.delay_ms or self.byoyomi_ms:
            return 0, self.delay_ms + self.byoyomi_ms
        return self.increment_ms, self.increment_ms

    @property
    def opening_ms(self) -> int:
        """What the period adds when it begins; the first move's increment is in it (5.1)."""
        return self.base_ms or self.byoyomi_ms


_PERIOD = re.compile(r"(?:(\d{1,3})/)?(\d{1,3}):([0-5]\d)(?:\+(\d{1,3})|d(\d{1,3})|b(\d{1,3}))?")


def read_period(text: str) -> Period:
    """One period from its text. Raises ValueError with a sentence."""
    match = _PERIOD.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no period of time; write for example 40/90:00+30 or 3:00d2")
    moves, minutes, seconds, increment, delay, byoyomi = match.groups()
    period = Period(
        moves=int(moves) if moves else None,
        base_ms=(int(minutes) * 60 + int(seconds)) * 1000,
        increment_ms=int(increment or 0) * 1000,
        delay_ms=int(delay or 0) * 1000,
        byoyomi_ms=int(byoyomi or 0) * 1000,
    )
    if period.moves == 0:
        raise ValueError(f"{text!r} asks for no moves; write 1/ or more, or leave the number out")
    if not period.opening_ms and not period.increment_ms:
        raise ValueError(f"{text!r} gives no time; write minutes and seconds, as in 3:00+2")
    return period


def endless(periods: Sequence[Period]) -> Iterator[int]:
    """Periods, counted from 0, that never end though another follows.

    One for all moves ends with its time where byo-yomi follows it.
    """
    for number, period in enumerate(periods[:-1]):
        if period.moves is None and not periods[-1].byoyomi_ms:
            yield number


def cut_short(periods: Sequence[Period]) -> bool:
    """Nothing follows the moves of the last period; a flag after them would end no game.

    Byo-yomi for so many moves begins again after them.
    """
    return bool(periods) and periods[-1].moves is not None and not periods[-1].byoyomi_ms


def read_periods(texts: Sequence[str]) -> tuple[Period, ...]:
    """All periods of a rate. Raises ValueError with a sentence."""
    periods = tuple(read_period(text) for text in texts)
    for text in (texts[number] for number in endless(periods)):
        raise ValueError(f"{text!r} is for all moves, yet a period follows; write 40/{text}")
    if cut_short(periods):
        raise ValueError(f"{texts[-1]!r} is the last period; leave its number of moves out")
    return periods


def kind_of(periods: Sequence[Period]) -> Kind:
    """What A.1 and B.1 call these periods: the time that 60 moves have, delays counted too."""
    total_ms, moves = 0, 0
    for period in periods:
        here = COUNTED_MOVES - moves if period.moves is None else period.moves
        here = max(0, min(here, COUNTED_MOVES - moves))
        total_ms += period.base_ms + here * (
            period.increment_ms + period.delay_ms + period.byoyomi_ms
        )
        moves += here
    minutes = total_ms / 60_000
    if minutes >= 60:
        return Kind.STANDARD
    return Kind.RAPID if minutes > 10 else Kind.BLITZ


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate of play: its kind, its supervision (A.4/B.2 or A.5/B.3), its periods."""

    kind: Kind = Kind.STANDARD
    supervised: bool = True
    periods: tuple[Period, ...] = ()
    """Empty: not known; nothing is then said about settings and credits."""
    whole_minutes: bool = False
    """Where a recorder counts the time used: only whole minutes of main time are taken off."""

    @property
    def open_window(self) -> bool:
        """True where A.5 or B.3 applies: an illegal move stands once it is replied to."""
        return self.kind is not Kind.STANDARD and not self.supervised

    @property
    def initial_ms(self) -> int | None:
        """What both sides show before the first move, its increment included. None: not known."""
        if not self.periods:
            return None
        first = self.periods[0]
        return first.opening_ms + first.increment_ms

    def period(self, number: int) -> Period | None:
        """The period of this number, counted from 0; beyond the last one, the last."""
        return self.periods[min(number, len(self.periods) - 1)] if self.periods else None

    def follows(self, number: int) -> bool:
        """Does more time follow when that of this period is gone: a period, or its byo-yomi?

        The number after the last one is the byo-yomi that follows a main time in one period.
        """
        if number + 1 != len(self.periods):
            return number < len(self.periods)
        return bool(self.periods[-1].base_ms and self.periods[-1].byoyomi_ms)

    def required_moves(self, number: int) -> int | None:
        """Moves to be completed by the end of this period, from the first move of the game.

        None: all of them, or the periods are not known.
        """
        moves = 0
        for period in self.periods[: number + 1]:
            if period.moves is None:
                return None
            moves += period.moves
        return moves if self.periods else None

    def period_of_move(self, completed: int) -> int:
        """The period that a side is in which has completed so many moves."""
        for number in range(len(self.periods)):
            required = self.required_moves(number)
            if required is None or completed < required:
                return number
        return max(0, len(self.periods) - 1)
