"""What the Laws lead to: all that a table hears from its docket."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from arbiterd.laws.ruling import Certainty, Ruling
from arbiterd.rules.ruleset import Colour


class RulingChanged(Struct, frozen=True, gc=False):
    """A ruling opened, was revised or closed. Urgency 0 goes into the journal and no further."""

    ruling: Ruling


class ResultChanged(Struct, frozen=True, gc=False):
    """The game is over (or, with None, it is not after all)."""

    result: str | None
    """1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, 1-0F, 0-1F, 0-0F, replay."""
    reason: str
    article: str
    certainty: Certainty


class Ordered(Struct, frozen=True, gc=False):
    """An arbiter confirmed what board and clock shall show; the table brings it about."""

    fen: str | None = None
    """The position to restore; None: the board stays."""
    before_ply: int | None = None
    """Half-moves from this one on are void; None: the record stays."""
    play: str | None = None
    """A half-move that then stands by the order (a queen under 7.5.2), in wire form."""
    clock_delta_ms: tuple[tuple[Colour, int], ...] = ()
    """What each side gains."""
    pause: bool = False
    """Both clocks are to stand until the arbiter restarts."""


Decision: TypeAlias = RulingChanged | ResultChanged | Ordered
