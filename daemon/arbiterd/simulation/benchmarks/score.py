"""What was reported, held against what happened.

Three questions for every game: are the moves exactly those that were played; was anything
reported that did not happen; was anything missed that had to be reported. And for a game that
is not exact a fourth: did the reports say at the time that they were not sure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt
from types import MappingProxyType
from typing import Final

from arbiterd.simulation.benchmarks.calibration import Calibration, ToldPly
from arbiterd.simulation.profiles import SECOND
from arbiterd.simulation.world import Happened, Story
from arbiterd.tracking.facts import (
    BoardReset,
    Fact,
    GameBegun,
    Gap,
    IrregularEntered,
    KingsInCentre,
    Knocked,
    MoveMade,
    MoveReplaced,
    MoveWithdrawn,
    OutOfTurn,
    PlyCertainty,
    Pressed,
    Settled,
    TookBack,
)

GRACE_NS = 30 * SECOND
"""A report may come so long after what it reports is over."""

GAP_PLIES = 1
"""A gap is true where the record was wrong already, or is from one of the half-moves that were
awaited then, its reply among them."""

DISPLACED = frozenset({"knocked-piece", "sleeve", "board-knocked"})
PRESSED_WRONG = frozenset(
    "illegal-pressed own-piece-taken press-no-move piece-in-hand victim-off-only pawn-left"
    " passed-pawn-left king-alone rook-beside".split()
)
"""A clock pressed where no legal move was made."""
RIGHTLY: Final = MappingProxyType(
    {
        "press-without-move": DISPLACED | PRESSED_WRONG,
        "out-of-turn": DISPLACED | PRESSED_WRONG | {"out-of-turn"},
        "knocked": DISPLACED | {"set-up"},
        "gap": frozenset({"outage"}),
        "irregular-stands": frozenset(),
        "took-back": frozenset(),
        "kings-in-centre": frozenset({"kings-in-centre"}),
        "board-reset": frozenset({"set-up"}),
    }
)
"""Which episodes an alarm may speak of; any other is false."""
OWED: Final = MappingProxyType(
    dict.fromkeys(PRESSED_WRONG, "press-without-move")
    | {
        "kings-in-centre": "kings-in-centre",
        "board-knocked": "knocked",
        "out-of-turn": "out-of-turn",
    }
)
"""Episodes that have to be reported, and as what."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something reported beside the moves."""

    at_ns: int
    kind: str
    ply: int = 0
    """The half-move that was awaited on the record then; 0: not known."""


@dataclass(slots=True)
class RecordTold:
    """The record as the facts tell it, and what they say beside it."""

    moves: list[str] = field(default_factory=list)
    alarms: list[Alarm] = field(default_factory=list)
    unsure: list[int] = field(default_factory=list)
    """Half-moves of which something uncertain was said."""
    closed: bool = False
    played: tuple[str, ...] = ()
    """What was truly played: every telling is judged by it."""
    tried: tuple[Happened, ...] = ()
    """Half-moves that were made on the board, and taken back by who made them."""
    told: Calibration = field(default_factory=Calibration)

    def hear(self, facts: Iterable[Fact], ended_ns: int) -> None:
        """Facts in order. A game begun after the end of play closes the account."""
        for fact in facts:
            if isinstance(fact, GameBegun):
                self.closed = self.closed or fact.at_ns > ended_ns
            kind = alarm_of(fact)
            if kind is not None:
                self.alarms.append(Alarm(fact.at_ns, kind, len(self.moves) + 1))
            if not self.closed:
                self._moves(fact)

    def _moves(self, fact: Fact) -> None:
        match fact:
            case MoveMade() | MoveReplaced():
                self._judge(fact)
                self.moves[fact.ply - 1 :] = [fact.move, *self.moves[fact.ply :]]
                if fact.sureness is PlyCertainty.LIKELY or fact.alternatives:
                    self.unsure.append(fact.ply)
            case MoveWithdrawn():
                del self.moves[fact.ply - 1 :]
            case IrregularEntered():
                self.moves[fact.ply - 1 :] = [""]
                self.unsure.append(fact.ply)
            case GameBegun():
                self.moves.clear()
            case Gap() | Settled():
                self.unsure.append(fact.turn.ply)
            case _:
                pass

    def _judge(self, fact: MoveMade | MoveReplaced) -> None:
        before = fact.ply - 1
        if tuple(self.moves[:before]) != self.played[:before]:
            self.told.astray += 1
            return
        right = self.played[before : fact.ply] == (fact.move,)
        if not right and any(one.at_ns <= fact.at_ns <= one.until_ns for one in self.tried):
            self.told.taken_back += 1
            return
        certain = fact.sureness is PlyCertainty.CERTAIN
        self.told.said[ToldPly(round(1000 * fact.probability), certain, right)] += 1


def alarm_of(fact: Fact) -> str | None:
    """What a fact reports that is no move; None: nothing to look into."""
    match fact:
        case Pressed():
            return "press-without-move" if fact.move is None else None
        case IrregularEntered():
            return "irregular-stands" if fact.sureness is PlyCertainty.CERTAIN else None
        case OutOfTurn():
            return "out-of-turn"
        case Knocked():
            return "knocked"
        case Gap():
            return "gap"
        case TookBack():
            return "took-back"
        case KingsInCentre():
            return "kings-in-centre"
        case BoardReset():
            return "board-reset"
        case _:
            return None


@dataclass(frozen=True, slots=True)
class MatcherScore:
    """One game of one matcher."""

    exact: bool
    said_so: bool
    """It was exact, or the reports were unsure near where it went wrong."""
    false_alarms: tuple[Alarm, ...]
    missed: tuple[str, ...]
    owed: int
    """So many episodes had to be reported."""
    first_wrong: int | None
    """The first half-move that differs."""


def score(story: Story, moves: list[str], alarms: list[Alarm], unsure: list[int]) -> MatcherScore:
    """Hold one game's reports against its truth."""
    played = story.truth.moves
    wrong = first_difference(played, tuple(moves))
    false = [alarm for alarm in alarms if not _justified(story, alarm, wrong)]
    owed = [(h, OWED[h.name]) for h in story.truth.happened if h.must and h.name in OWED]
    missed = [
        happened.name
        for happened, kind in owed
        if not any(
            alarm.kind == kind and happened.at_ns <= alarm.at_ns <= happened.until_ns + GRACE_NS
            for alarm in alarms
        )
    ]
    said_so = wrong is None or any(ply >= wrong - 2 for ply in unsure)
    return MatcherScore(wrong is None, said_so, tuple(false), tuple(missed), len(owed), wrong)


def first_difference(played: tuple[str, ...], told: tuple[str, ...]) -> int | None:
    """The number of the first half-move that differs, from 1; None: the same."""
    if played == told:
        return None
    pairs = zip(played, told, strict=False)
    same = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(played), len(told)))
    return same + 1


def _justified(story: Story, alarm: Alarm, wrong: int | None) -> bool:
    if alarm.kind == "gap" and wrong is not None and wrong <= alarm.ply + GAP_PLIES:
        return True
    names = RIGHTLY.get(alarm.kind, frozenset())
    if "outage" in names and any(
        o.from_ns <= alarm.at_ns <= o.to_ns + GRACE_NS for o in story.outages
    ):
        return True
    return any(
        happened.name in names and happened.at_ns <= alarm.at_ns <= happened.until_ns + GRACE_NS
        for happened in story.truth.happened
    )


def interval(hits: int, tries: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson's)."""
    if tries == 0:
        return 0.0, 1.0
    z, share = 1.959964, hits / tries
    middle = share + z * z / (2 * tries)
    spread = z * sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries))
    scale = 1 + z * z / tries
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
