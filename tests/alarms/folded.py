"""A whole round folded in virtual time: every alarm with what stands behind it.

Nobody goes to the tables here: what is counted is what is told, by kind and by cause.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from alarms.counting import Alarm
from arbiterd.simulation.devices.board import heard
from arbiterd.simulation.dice import dice
from arbiterd.simulation.hall import SimulatedSeat
from arbiterd.simulation.profiles import SECOND, Profile
from arbiterd.simulation.world import Happened
from arbiterd.table.playback import play
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table

PLIES: Final = 2
"""A ruling is about the half-move at which something happened, or one so near."""
THE_SAME: Final = {"move-released-changed-pressed": "move-released-then-changed"}
"""A story knows what its hands did, not whether it is told before the press or after it."""
ENDS: Final = ("end-", "result-", "flag-", "illegal-v-flag")
OF_DEVICES: Final = ("tech-", "clock-")
UNPRESSED: Final = ("move-next-without-press",)


@dataclass(slots=True)
class Round:
    """What was told in it."""

    hours: float = 0.0
    """Of tables, summed."""
    plies: int = 0
    alarms: list[Alarm] = field(default_factory=list)
    causes: Counter[tuple[str, int, str]] = field(default_factory=Counter)
    """(kind, urgency, what stands behind it) -> how often; "nothing": nothing does."""


def cause(kind: str, ply: int, happened: Iterable[Happened]) -> str:
    """What in the story stands behind a ruling about this half-move."""
    if kind.startswith(ENDS):
        return "the game's end"
    if kind.startswith(OF_DEVICES):
        return "cable or clock"
    if kind in UNPRESSED:
        return "clock not pressed"
    found = [
        one.name
        for one in happened
        if abs(one.ply - ply) <= PLIES and THE_SAME.get(kind, kind) in (*one.raises, *one.allows)
    ]
    return found[-1] if found else "nothing"


def fold(seats: Sequence[SimulatedSeat], day: Profile) -> Round:
    """Every table's game from its first press to its last."""
    told = Round()
    for seat in seats:
        truth = seat.story.truth
        told.hours += (seat.story.end_ns - seat.story.begin_ns) / (3600 * SECOND)
        told.plies += len(truth.plies)
        for at_ns, payload in _rulings(seat, day):
            kind, urgency = payload["kind"], payload["urgency"]
            why = cause(kind, payload["ply"], truth.happened)
            told.causes[kind, urgency, why] += 1
            told.alarms.append(
                Alarm(
                    payload["id"], seat.table, kind, urgency, at_ns / SECOND, right=why != "nothing"
                )
            )
    return told


def _rulings(seat: SimulatedSeat, day: Profile) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each ruling as it is first told."""
    events = heard(seat.story, day, seat.rate, dice(f"alarms/{seat.table}"), ticking=True)
    table = Table(TableSetup(table=seat.table, rate=seat.rate, orientation=0))
    known = set()
    for at_ns, step in play(table, enumerate(events, 1)):
        for output in step.outputs:
            if output.topic != "rulings":
                continue
            said = json.loads(output.payload)
            if said["id"] not in known:
                known.add(said["id"])
                yield at_ns, said


def described(told: Round, boards_each: float) -> str:
    """The table of causes, and what an arbiter with so many boards had in ten minutes."""
    calls = [alarm for alarm in told.alarms if alarm.urgency < 3]
    each = len(calls) / told.hours * boards_each / 6
    head = f"{told.hours:.0f} hours of tables, {told.plies} half-moves, {len(calls)} alarms"
    rows = [f"{head}: {each:.2f} in ten minutes an arbiter of {boards_each:g} boards"]
    by_cause: Counter[str] = Counter()
    for (_, urgency, why), count in told.causes.items():
        by_cause[why] += count if urgency < 3 else 0
    rows += [
        f"  {count / told.hours * boards_each / 6:5.2f}  {why}"
        for why, count in by_cause.most_common()
        if count
    ]
    rows += ["how often, urgency, kind, cause:"]
    rows += [
        f"  {count:4} u{urgency} {kind:32} {why}"
        for (kind, urgency, why), count in told.causes.most_common()
    ]
    return "\n".join(rows)
