"""What goes wrong in a rehearsal: a list of troubles, drawn from a seed.

Each trouble has a number and dice of its own, so a script with some of them left out is the same
bad day with less in it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random
from typing import Final

from arbiterd.simulation.dice import dice

BEGIN_S: Final = 20.0
"""Troubles come no sooner, so that a hall has begun."""
CALM_S: Final = 150.0
"""At the end there are none for so long: what was kept back leaves, and all is well again."""
GAP_S: Final = 40.0
"""One trouble, or an arbiter's act, in so many seconds."""
BOARDS_MAX: Final = 500


class TroubleKind(StrEnum):
    """What can happen."""

    LOST = "bytes lost"
    FLIPPED = "bits flipped"
    DOUBLED = "bytes doubled"
    LATE = "bytes late"
    UNPLUGGED = "port gone"
    FULL = "disk full"
    REFUSED = "commits refused"
    UNANSWERED = "commits done but reported as failed"
    SLOW_DISK = "disk slow"
    CUT = "broker away"
    FORGETS = "broker away, with all it kept"
    DEAF = "broker confirms nothing"
    SLOW_BROKER = "broker slow"
    KILL = "killed"
    KILL_AT_COMMIT = "killed at a commit"
    POWER = "power gone at a commit"
    KILL_AT_SEND = "killed at a send"
    STOP = "stopped and started"
    STEP = "wall clock stepped"
    ACT = "arbiter's act"


OF_A_LINE: Final = (
    TroubleKind.LOST,
    TroubleKind.FLIPPED,
    TroubleKind.DOUBLED,
    TroubleKind.LATE,
    TroubleKind.UNPLUGGED,
)
DEATHS: Final = (
    TroubleKind.KILL,
    TroubleKind.KILL_AT_COMMIT,
    TroubleKind.POWER,
    TroubleKind.KILL_AT_SEND,
    TroubleKind.STOP,
)
LASTING: Final = {
    TroubleKind.LOST: 60.0,
    TroubleKind.FLIPPED: 60.0,
    TroubleKind.DOUBLED: 60.0,
    TroubleKind.LATE: 60.0,
    TroubleKind.UNPLUGGED: 40.0,
    TroubleKind.FULL: 60.0,
    TroubleKind.REFUSED: 20.0,
    TroubleKind.UNANSWERED: 10.0,
    TroubleKind.SLOW_DISK: 60.0,
    TroubleKind.CUT: 90.0,
    TroubleKind.FORGETS: 30.0,
    TroubleKind.DEAF: 120.0,
    TroubleKind.SLOW_BROKER: 90.0,
    **dict.fromkeys(DEATHS, 8.0),
}
"""At most so many seconds, mostly less; a death: until the next start."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that goes wrong, or one act of an arbiter."""

    number: int
    at_s: float
    kind: TroubleKind
    table: str = ""
    lasts_s: float = 0.0
    amount: float = 0.0
    """Share of the bytes, or seconds of a clock's step."""

    def __str__(self) -> str:
        where = f" at table {self.table}" if self.table else ""
        lasts = f", for {self.lasts_s:.1f} s" if self.lasts_s else ""
        amount = f", {self.amount:.4g}" if self.amount else ""
        return f"{self.number:4}  {self.at_s:9.3f} s  {self.kind}{where}{lasts}{amount}"


@dataclass(frozen=True, slots=True)
class Script:
    """A whole bad day."""

    seed: int
    hours: float
    boards: int
    troubles: tuple[Trouble, ...]

    @property
    def end_s(self) -> float:
        return self.hours * 3600

    def dice(self, what: object) -> Random:
        """Dice for one thing of this day, whatever else it has."""
        return dice(f"rehearsal/{self.seed}/{what}")

    def only(self, numbers: Collection[int]) -> Script:
        """The same day with these troubles alone."""
        return replace(self, troubles=tuple(t for t in self.troubles if t.number in numbers))


def draw(seed: int, hours: float, boards: int, kinds: Collection[TroubleKind] = ()) -> Script:
    """The day of this seed. Where no kinds are named half of them are off on any one day."""
    fate = dice(f"rehearsal/{seed}")
    today = sorted(kinds or fate.sample(sorted(TroubleKind), len(TroubleKind) // 2))
    last_s = hours * 3600 - CALM_S
    troubles: list[Trouble] = []
    at_s = BEGIN_S
    while (at_s := at_s + fate.expovariate(1 / GAP_S)) < last_s:
        kind = fate.choice(today)
        lasts_s = min(fate.uniform(0.3, 1.0) ** 3 * LASTING.get(kind, 0.0), last_s - at_s)
        table = str(fate.randrange(boards) + 1) if kind in (*OF_A_LINE, TroubleKind.ACT) else ""
        when = len(troubles) + 1, round(at_s, 3)
        troubles.append(Trouble(*when, kind, table, round(lasts_s, 3), _amount(kind, fate)))
    return Script(seed, hours, boards, tuple(troubles))


def _amount(kind: TroubleKind, fate: Random) -> float:
    if kind in (TroubleKind.LOST, TroubleKind.FLIPPED, TroubleKind.DOUBLED):
        return fate.choice((0.001, 0.01, 0.1))
    if kind is TroubleKind.LATE:
        return fate.choice((0.2, 1.0, 4.0))
    if kind is TroubleKind.STEP:
        return fate.choice((-86_400.0, -3_600.0, -2.0, 2.0, 3_600.0))
    return 0.0
