"""The pieces stood ready for the next game, and the one before was never said to be over."""

from __future__ import annotations

from msgspec.structs import replace

from arbiterd.tracking.belief import Belief
from arbiterd.tracking.facts import Fact
from arbiterd.tracking.on_change import agreed
from arbiterd.tracking.phases import LEAP_MAX, LinesFound, shortest
from arbiterd.tracking.propose import ranked
from arbiterd.tracking.snapshot import Effort

POSITIONS_OF_A_BEGINNING = 800
"""So many positions may be looked at among the first half-moves of a game."""


def see_next_game(belief: Belief, at_ns: int) -> list[Fact]:
    """The pieces stood ready for the next game before, and its first half-moves lead to what is
    shown. That the clocks stand, or stood until now, is of the game before."""
    games = [(0.0, start) for start in belief.next_games]
    if not games or belief.agrees or belief.status.ended or belief.status.left_over:
        return []
    look = replace(belief.snapshot(at_ns, 0), effort=Effort(POSITIONS_OF_A_BEGINNING))
    found = LinesFound(ranked(shortest([(look, games)], range(1, LEAP_MAX + 1))))
    return [*belief.take(at_ns, found), *agreed(belief, at_ns)] if found.lines else []
