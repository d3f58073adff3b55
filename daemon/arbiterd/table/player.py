"""Who sits at a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypedDict


@dataclass(frozen=True, slots=True)
class Player:
    """What a tournament knows of a player beside the name; 0 or empty: not known."""

    title: str = ""
    rating: int = 0
    fide_id: int = 0
    federation: str = ""
    team: str = ""


NOBODY = Player()


class Players(TypedDict):
    """Both sides, as keywords of whatever has them."""

    white: str
    black: str
    white_player: Player
    black_player: Player


NO_PLAYERS = Players(white="", black="", white_player=NOBODY, black_player=NOBODY)


class Paired(Protocol):
    """What says who plays: a set-up, a pairing, names put right."""

    @property
    def white(self) -> str: ...
    @property
    def black(self) -> str: ...
    @property
    def white_player(self) -> Player: ...
    @property
    def black_player(self) -> Player: ...


def players_of(paired: Paired) -> Players:
    return Players(
        white=paired.white,
        black=paired.black,
        white_player=paired.white_player,
        black_player=paired.black_player,
    )


def players_named(before: Paired, white: str, black: str) -> Players:
    """Once a new game names them; empty: a side is not named, and whose it was plays it."""
    named = players_of(before)
    if white not in {"", before.white}:
        named["white"], named["white_player"] = white, NOBODY
    if black not in {"", before.black}:
        named["black"], named["black_player"] = black, NOBODY
    return named
