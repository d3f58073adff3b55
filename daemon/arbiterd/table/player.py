"""Who sits at a table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Player:
    """What a tournament knows of a player beside the name; 0 or empty: not known."""

    title: str = ""
    rating: int = 0
    fide_id: int = 0
    federation: str = ""
    team: str = ""


NOBODY = Player()
