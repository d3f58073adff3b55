"""What really happens at a table: squares change, the lever goes over, the arbiter stops a clock.

Nothing here is a message. A `Story` is the truth that sensors sample and reports are held
against: everything in it lies in the order of time, and its `truth` says what it meant.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from arbiterd.rules.ruleset import Colour
from eboards.events import Piece, Placement, Square


@dataclass(frozen=True, slots=True)
class Put:
    """From now on this piece, or nothing, is on the square."""

    at_ns: int
    square: Square
    piece: Piece


@dataclass(frozen=True, slots=True)
class LeverPress:
    """A hand comes down on this side's lever. It does something only while this side's clock runs,
    or while none does."""

    at_ns: int
    side: Colour


@dataclass(frozen=True, slots=True)
class Stop:
    """Both clocks are stopped."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class Run:
    """This side's clock is set going again."""

    at_ns: int
    side: Colour


@dataclass(frozen=True, slots=True)
class SetTime:
    """The arbiter gives a side this much more (or less)."""

    at_ns: int
    side: Colour
    delta_ms: int


StagedDeed: TypeAlias = Put | LeverPress | Stop | Run | SetTime


@dataclass(frozen=True, slots=True)
class PlyPlayed:
    """One half-move as it really was."""

    ply: int
    move: str
    begun_ns: int
    """Its first change."""
    made_ns: int
    """Its last change."""
    pressed_ns: int | None
    """None: never, only after the reply, or the lever was down on this side already."""


@dataclass(frozen=True, slots=True)
class Happened:
    """An episode beside the moves, to hold reports against."""

    name: str
    at_ns: int
    until_ns: int
    ply: int
    """The half-move whose turn it was."""
    raises: tuple[str, ...] = ()
    """Rulings that may rightly follow, by their catalogue ids."""
    must: bool = False
    """True: one of them has to follow, or it was missed."""
    allows: tuple[str, ...] = ()
    """What else may follow from it, rightly."""


class LinkLoss(StrEnum):
    """What a broken link loses."""

    CHANGES = "changes"
    """Some messages; the link itself stays up."""
    ALL = "all"
    """The cable is out: board and clock are not heard."""


@dataclass(frozen=True, slots=True)
class Outage:
    """From when to when nothing of this kind arrives."""

    loss: LinkLoss
    from_ns: int
    to_ns: int


@dataclass(frozen=True, slots=True)
class Truth:
    """The moves that were played, and all that happened beside them."""

    plies: tuple[PlyPlayed, ...]
    happened: tuple[Happened, ...]
    ended_ns: int
    """The last half-move was made; what follows is no play."""

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(ply.move for ply in self.plies)


@dataclass(frozen=True, slots=True)
class Story:
    """One game from the first hand to the last."""

    before: Placement
    deeds: tuple[StagedDeed, ...]
    truth: Truth
    begin_ns: int
    outages: tuple[Outage, ...] = field(default=())

    @property
    def puts(self) -> tuple[Put, ...]:
        return tuple(deed for deed in self.deeds if isinstance(deed, Put))

    @property
    def end_ns(self) -> int:
        return max(self.deeds[-1].at_ns if self.deeds else 0, self.truth.ended_ns)
