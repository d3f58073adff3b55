"""What a page has to know of each game to ask for its acts: no page knows a game by its name."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from arbiterd.laws.docket.book import answered
from arbiterd.rules.registry import names, ruleset


class InstalledGame(Struct, frozen=True):
    """One rule set that is installed."""

    name: str
    example: str
    """A first half-move, as people of this game write it and as programs do: `Nh3, g1h3`."""
    claims: tuple[str, ...]
    """What can be claimed in it."""


@lru_cache
def games() -> tuple[InstalledGame, ...]:
    """All that a table may play, in the order of the register."""
    return tuple(map(_game, names()))


def _game(name: str) -> InstalledGame:
    rules = ruleset(name)
    start = rules.start()
    first = rules.legal_moves(start)[0]
    example = ", ".join(dict.fromkeys((rules.san(start, first), rules.wire(start, first))))
    return InstalledGame(name, example, answered("claim", rules.customs))
