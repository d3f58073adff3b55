"""What the clock tells the rooms above, as frozen values. Clock times are milliseconds.

A DGT clock speaks once a second: what it shows happened within `late_ns` before `at_ns`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from msgspec import Struct

from arbiterd.rules.ruleset import Colour


class ClockShown(Struct, frozen=True, gc=False):
    """The clock's face. None: unknown."""

    at_ns: int
    white_ms: int | None
    black_ms: int | None
    running: Colour | None
    flag: Colour | None
    """The side whose flag is shown first; see `both_flags`."""
    both_flags: bool = False
    known: bool = True
    """False: no clock has been heard at all, or it was lost."""


@dataclass(frozen=True, slots=True)
class Press:
    """`side` stopped its own clock and started the other's."""

    at_ns: int
    late_ns: int
    side: Colour
    shown: ClockShown
    """Right after the press, the increment included."""
    restart: bool = False
    """From a standing start: the game's first start, or after a pause."""
    seen: bool = True
    """False: the lever went over and back between two messages, and only the times tell of it."""


@dataclass(frozen=True, slots=True)
class Paused:
    """Both clocks stand, though one ran. Not by a flag."""

    at_ns: int
    late_ns: int
    ran: Colour
    shown: ClockShown
    said: bool = False
    """The source itself says so. False: a reading in which both stand, as at most games' ends."""


@dataclass(frozen=True, slots=True)
class Restarted:
    """A clock runs again (or for the first time)."""

    at_ns: int
    late_ns: int
    runs: Colour
    shown: ClockShown


@dataclass(frozen=True, slots=True)
class FlagFell:
    """The clock shows this side's flag, or has shown that its time ran out."""

    at_ns: int
    late_ns: int
    side: Colour
    stopped: bool
    """The clock froze with it."""
    second: bool
    """The other side's flag was shown before."""
    order_known: bool
    shown: ClockShown
    ran: Colour | None = None
    """Whose clock ran until then. None: both stood, or it is not known."""
    standing: bool = False
    """Both clocks stood when it was shown."""
    presses: int = 0
    """How often this side has pressed since the game began, as far as the clock told."""
    period: int = 0
    """The period that ran out on this side, counted from 0."""
    other_period: int = 0
    """The period that the other side is in."""
    pressing: bool = False
    """It pressed between the same two readings: perhaps in time."""


@dataclass(frozen=True, slots=True)
class TimeJumped:
    """A shown time changed by more than what elapsed, and no act or period explains it."""

    at_ns: int
    side: Colour
    expected_ms: int
    shown_ms: int
    shown: ClockShown


@dataclass(frozen=True, slots=True)
class Edited:
    """Times were set while both clocks stood."""

    at_ns: int
    white_delta_ms: int
    black_delta_ms: int
    shown: ClockShown


@dataclass(frozen=True, slots=True)
class CreditOdd:
    """What a press credited is not what the time control says."""

    at_ns: int
    side: Colour
    credited_ms: int
    expected_ms: int
    times_running: int
    """How many presses in a row showed the same."""


@dataclass(frozen=True, slots=True)
class PeriodAdded:
    """The time of the next period appeared on a side's clock."""

    at_ns: int
    side: Colour
    added_ms: int
    at_zero: bool
    ran_out: FlagFell | None = None
    """The end of the period before, where its time came at zero and neither flag nor zero was
    shown."""


@dataclass(frozen=True, slots=True)
class SettingWrong:
    """Before the first move the clock does not show what the time control says."""

    at_ns: int
    shown: ClockShown
    expected_ms: int


@dataclass(frozen=True, slots=True)
class SettingRight:
    """It shows what the time control says after all, and nobody has pressed yet."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class ClockLost:
    at_ns: int
    shown: ClockShown
    """The last that was known."""


@dataclass(frozen=True, slots=True)
class ClockBack:
    at_ns: int
    shown: ClockShown
    corrected: bool = False
    """An arbiter has said meanwhile what it shows: the last that was known holds no more."""


ClockFact: TypeAlias = (
    Press
    | Paused
    | Restarted
    | FlagFell
    | TimeJumped
    | Edited
    | CreditOdd
    | PeriodAdded
    | SettingWrong
    | SettingRight
    | ClockLost
    | ClockBack
)
