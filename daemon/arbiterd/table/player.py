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


def seated(was: tuple[str, Player], name: str) -> tuple[str, Player]:
    """Who plays a side once a new game names it; empty: it is not named, and whose it was plays."""
    return was if name in {"", was[0]} else (name, NOBODY)
