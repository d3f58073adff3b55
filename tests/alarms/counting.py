"""Alarms counted as EEMUA 191 counts them for an operator: how many, how bunched, how long.

A ruling of urgency 1 or 2 is an alarm from its first event to the one that closes it. Notes are
none: they call nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

TEN_S: Final = 600.0
ACCEPTABLE, MANAGEABLE = 1.0, 2.0
"""EEMUA 191, alarms an operator in ten minutes of steady work: below the first very likely
acceptable, up to the second manageable."""
PEAK: Final = 10
"""In the ten minutes after an upset: an operator can follow so many."""
STANDING: Final = 10
"""So many may stand at any time."""


@dataclass(slots=True)
class Alarm:
    """One ruling, from when it was first told. Times in seconds since the count began."""

    ruling: str
    table: str
    kind: str
    urgency: int
    at_s: float
    closed_s: float | None = None
    right: bool = True
    """Something happened at the table from which it may follow."""


@dataclass(frozen=True, slots=True)
class Load:
    """What one arbiter, or the hall, had to bear."""

    urgent: int
    soon: int
    notes: int
    wrong: int
    per_ten: float
    most_in_ten: int
    repeated: int
    standing: int
    """Open for more than ten minutes, at the end."""
    kinds: tuple[tuple[str, int], ...]

    @property
    def band(self) -> str:
        """In the words of EEMUA 191."""
        if self.per_ten < ACCEPTABLE:
            return "very likely acceptable"
        return "manageable" if self.per_ten <= MANAGEABLE else "likely over-demanding"


def load(alarms: Iterable[Alarm], now_s: float) -> Load:
    """Of these, up to now."""
    told = sorted(alarms, key=lambda alarm: alarm.at_s)
    calls = [alarm for alarm in told if alarm.urgency < 3]
    last: dict[tuple[str, str], float] = {}
    repeated = 0
    for alarm in calls:
        before_s = last.get((alarm.table, alarm.kind))
        repeated += before_s is not None and alarm.at_s - before_s < TEN_S
        last[alarm.table, alarm.kind] = alarm.at_s
    windows = (
        sum(begin.at_s <= alarm.at_s < begin.at_s + TEN_S for alarm in calls) for begin in calls
    )
    return Load(
        urgent=sum(alarm.urgency == 1 for alarm in calls),
        soon=sum(alarm.urgency == 2 for alarm in calls),
        notes=len(told) - len(calls),
        wrong=sum(not alarm.right for alarm in calls),
        per_ten=len(calls) * TEN_S / now_s,
        most_in_ten=max(windows, default=0),
        repeated=repeated,
        standing=sum(alarm.closed_s is None and now_s - alarm.at_s > TEN_S for alarm in calls),
        kinds=tuple(Counter(alarm.kind for alarm in told).most_common()),
    )


def report(loads: Mapping[str, Load]) -> str:
    """A table for people, EEMUA's figures beside it."""
    head = f"{'':12}{'go now':>8}{'look soon':>11}{'notes':>7}{'in 10 min':>11}{'most':>6}"
    rows = [f"{head}{'again':>7}{'standing':>10}{'wrong':>7}"]
    for name, one in loads.items():
        rows.append(
            f"{name:12}{one.urgent:8}{one.soon:11}{one.notes:7}{one.per_ten:11.2f}"
            f"{one.most_in_ten:6}{one.repeated:7}{one.standing:10}{one.wrong:7}  {one.band}"
        )
    rows.append(f"{'EEMUA 191':38}{'< 1':>11}{f'<= {PEAK}':>6}{'':7}{f'< {STANDING}':>10}")
    return "\n".join(rows)
