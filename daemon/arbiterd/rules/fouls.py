"""What a rule set answers besides that follows `Custom.FOULS_LOSE`: how the event takes fouls, and
what becomes of kings that have entered the other camp."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

from arbiterd.rules.ruleset import Colour

PositionIn = TypeVar("PositionIn", bound=Hashable, contravariant=True)


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a declaration amounts to, with each condition apart."""

    king_entered: bool
    others_entered: int
    in_check: bool
    points: int
    needed: int
    result: str
    """1-0 and 0-1 as in the contract, `replay` for no decision."""


@runtime_checkable
class FoulsLose(Protocol[PositionIn]):
    """The questions."""

    @property
    def friendly(self) -> bool:
        """Players may agree to take a foul back."""
        ...

    @property
    def loses_after_end(self) -> bool:
        """A foul that is found after the end still loses."""
        ...

    @property
    def in_time_released(self) -> bool:
        """A move is in time that was released before the flag; else only one that was pressed."""
        ...

    @property
    def last_ply(self) -> int:
        """The half-move at which an impasse is ruled; 0: none."""
        ...

    def made_before(self, position: PositionIn) -> int:
        """Half-moves that led to this position, as its own counter has them."""
        ...

    def entered(self, position: PositionIn, side: Colour) -> bool:
        """The king of this side stands in the other camp."""
        ...

    def points(self, position: PositionIn, start: PositionIn, side: Colour) -> int:
        """What an impasse counts of this side in the game that began from there."""
        ...

    def declared(self, position: PositionIn, start: PositionIn) -> Declaration | None:
        """The side to move declares its entered king; None: this edition has no declaration."""
        ...

    def agreed(self, position: PositionIn, start: PositionIn) -> str | None:
        """The result of an impasse that both agree to; None: it cannot be agreed here."""
        ...
