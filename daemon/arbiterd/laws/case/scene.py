"""What a law may look at: one table at one moment, read-only."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from arbiterd.laws.case.casefile import CaseFile
from arbiterd.laws.catalogue import row
from arbiterd.laws.catalogue.unseen import unseen
from arbiterd.laws.settings import LawSettings
from arbiterd.rules.ruleset import Colour, RuleSet
from arbiterd.rules.sensed import as_known, signalled
from arbiterd.timing.control import Rate
from arbiterd.timing.facts import ClockShown
from arbiterd.tracking.facts import Turn
from arbiterd.tracking.record import Record
from eboards.events import EMPTY, Placement, Sensing, SensingClass

MISSED_SCANS = 3
"""So many scans in a row may miss a piece that stands there, on a board that misses reads."""

TELL_KINDS = (SensingClass.IDENTITY, SensingClass.IDENTITY_NOISY)
"""Boards that tell which piece stands on a square; `?` is one that they cannot read."""


class Scene(Struct, frozen=True, eq=False, gc=False):
    """Everything a law is given besides the fact it hears."""

    at_ns: int
    rules: RuleSet[Any, Any]
    rate: Rate
    settings: LawSettings
    sensing: Sensing
    record: Record
    turn: Turn
    shown: ClockShown
    status: str
    """waiting, playing, paused or ended."""
    result: str | None = None
    round_started_ns: int | None = None
    file: CaseFile = field(default_factory=CaseFile)
    """Put in by the docket."""
    damaged_ns: int | None = None
    """When bytes of the board last came damaged."""
    missed_ns: int | None = None
    """When a picture of the board last showed that several messages had been lost."""

    @property
    def placement(self) -> Placement:
        """What the board shows now."""
        return self.turn.placement

    @property
    def position(self) -> Any:
        """After the record: the position in which the side to move is to play."""
        return self.record.positions(self.rules)[-1]

    @property
    def wanted(self) -> Placement:
        """What perfect sensors would show of that position."""
        return self.rules.placement(self.position)

    def known(self, shown: Placement, wanted: Placement | None = None) -> Placement:
        """What the board shows, with pieces whose kind it does not sense taken for those that are
        `wanted` there; None: by the position after the record."""
        before = self.wanted if wanted is None else wanted
        return as_known(self.rules, before, shown, self.sensing.kind)

    @property
    def signal(self) -> str | None:
        """The result that kings in the centre stand for, where they are there."""
        cleared = {seen.square for seen in self.turn.changes if seen.after == EMPTY}
        return signalled(self.rules, self.wanted, self.placement, self.sensing.kind, cleared)

    @property
    def signal_begun(self) -> bool:
        """A king was put in the centre: the other one may follow."""
        wanted, shown = self.wanted, self.known(self.placement)
        return any(shown[s] != wanted[s] for s in self.rules.kings_in_centre(shown))

    @property
    def playing(self) -> bool:
        return self.status in ("playing", "paused")

    def with_file(self, file: CaseFile) -> Scene:
        """The same scene before another file. By hand: this is done for every fact."""
        return Scene(
            self.at_ns,
            self.rules,
            self.rate,
            self.settings,
            self.sensing,
            self.record,
            self.turn,
            self.shown,
            self.status,
            self.result,
            self.round_started_ns,
            file,
            self.damaged_ns,
            self.missed_ns,
        )

    def unseen(self, kind: str) -> str:
        """Why this board cannot show that row of the catalogue; empty where it can."""
        return unseen(row(kind), self.sensing.kind, clocked=self.shown.known)

    @property
    def held_ns(self) -> int:
        """For so long a piece may still be shown after it has left: where reads are missed, several
        in a row have to show nothing."""
        missed = self.sensing.kind is SensingClass.IDENTITY_NOISY
        return MISSED_SCANS * self.sensing.scan_ns if missed else 0

    @property
    def loses_turns(self) -> bool:
        """Pieces are only counted and no clock is there: a capture looks like a piece in the
        air."""
        return self.sensing.kind is SensingClass.OCCUPANCY and not self.shown.known

    def stands(self, ply: int, move: str) -> bool:
        """The record has this half-move there. What was told may have been told anew since, even
        within one input."""
        return ply <= len(self.record.plies) and self.record.plies[ply - 1].move == move

    def before(self, ply: int) -> Any:
        """The position before this half-move of the record (1 is the first)."""
        return self.record.positions(self.rules)[ply - 1]

    def moved_before(self, side: Colour) -> int:
        """How many moves this side had made when the record begins, by the start's own number."""
        fields = self.record.start.split()
        if len(fields) < 6 or not fields[5].isdigit():
            return 0
        begun = side is Colour.WHITE and fields[1] == "b"
        return max(1, int(fields[5])) - 1 + begun

    def move_number(self, ply: int) -> int:
        """Which move of its side this half-move is, from the first of the game."""
        side = self.side_of(ply)
        own = sum(self.side_of(number) is side for number in range(1, ply + 1))
        return self.moved_before(side) + own

    def side_of(self, ply: int) -> Colour:
        """Who plays this half-move. The sides need not take turns on the record: an arbiter can
        say that play goes on from a position with the same side to move."""
        positions = self.record.positions(self.rules)
        known = min(ply, len(positions))
        side = self.rules.turn(positions[known - 1])
        return side if (ply - known) % 2 == 0 else side.other
