"""What shogi leaves to the event: two editions and their single choices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ShogiChoices:
    """The defaults are those of the Japan Shogi Association; `seed` is the other edition."""

    stalemate: Literal["loss", "draw"] = "loss"
    """What a side without a legal move, not in check, has."""
    sennichite: Literal["replay", "points"] = "replay"
    """The fourth occurrence: no decision and a new game with colours exchanged, or a count."""
    both_reach_24: Literal["replay", "more_points"] = "replay"
    """An agreed impasse in which both have 24 points."""
    agreed_points: Literal["24", "27"] = "24"
    """How an agreed impasse is counted: 24 are needed, or more wins and gote wins where equal."""
    time_stops_at: Literal["release", "press"] = "release"
    """What is in time: a move released before the flag, or only one that was pressed."""
    impasse: Literal["none_entered", "one_entered", "both_entered"] = "one_entered"
    """How many kings must have entered for an agreed impasse."""
    declaration: Literal["24", "27", "none"] = "27"
    """Which declaration an entered king may make."""
    handicap_points: Literal["credit_giver", "none"] = "credit_giver"
    """Whether the points of the pieces left out are counted for the side that gave them."""
    handicaps: bool = False
    """Any usual handicap array that is set up begins a game (komaochi); else it is a wrong one."""
    foul_after_end: Literal["loses", "stands"] = "loses"
    """A foul found after the end (since October 2019 the offender loses even then)."""
    friendly: bool = False
    """Players may agree to take a foul back."""
    last_ply: int = 500
    """Impasse when this half-move is reached and a king has entered; 0: no such rule."""


JSA = ShogiChoices()
SEED = ShogiChoices(
    stalemate="draw",
    sennichite="points",
    both_reach_24="more_points",
    impasse="both_entered",
    declaration="none",
    last_ply=0,
)
