"""Which lines of play lead from a position to what the board shows.

The squares that differ drive the search: a half-move is followed only if it writes one of them,
and only while the men still to arrive can arrive in the half-moves left. Nothing is tried that
could not help, so two half-moves cost about as much as one position's moves, three some dozens.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic

from arbiterd.rules.ruleset import Colour, differing
from arbiterd.tracking.sight import M, P, Seen, Sight
from eboards.events import EMPTY, Placement, Square

POSITIONS_MAX = 160
"""A search that would look at more positions than this is given up: we say we do not know."""
WAYS_MAX = 64
"""More ways than this to explain one placement are none."""
LIFTED_MAX = 2
"""So many men of the side to move may be in the air while the move before is looked for."""


def ways(
    sight: Sight[P, M], before: Seen[P, M], shown: Placement, number: int, plies: int
) -> list[tuple[M, ...]]:
    """Every line of exactly so many legal moves after which the sensors show this placement.

    `number` is the placement's hash. Empty where there is none, or where there are too many.
    """
    search = _Search(sight, shown, number)
    search.begin(before, plies)
    return [] if search.left < 0 or len(search.found) > WAYS_MAX else search.found


@dataclass(slots=True)
class _Search(Generic[P, M]):
    sight: Sight[P, M]
    shown: Placement
    number: int
    left: int = POSITIONS_MAX
    found: list[tuple[M, ...]] = field(default_factory=list)

    def begin(self, before: Seen[P, M], plies: int) -> None:
        differs = frozenset(differing(before.placement, self.shown))
        if differs and self._still_possible(differs, before.turn.other, plies):
            self.follow(before, differs, plies, ())

    def follow(
        self, before: Seen[P, M], differs: frozenset[Square], plies: int, line: tuple[M, ...]
    ) -> None:
        if plies == 1:
            self.left -= 1
            self.found += [(*line, move) for move in before.moves_to(self.number)]
            return
        for move in self.sight.rules.legal_moves(before.position):
            if self.left < 0:
                return
            written = before.written(move)
            rest = set(differs)
            for square, piece in written:
                if self.shown[square] == piece:
                    rest.discard(square)
                else:
                    rest.add(square)
            if differs.isdisjoint(square for square, _ in written):
                continue
            if not rest or not self._still_possible(rest, before.turn, plies - 1):
                continue
            self.left -= 1
            after = self.sight.after(before, move)
            self.follow(after, frozenset(rest), plies - 1, (*line, move))

    def _still_possible(self, rest: Iterable[Square], moved: Colour, plies: int) -> bool:
        """Whether the men that must still arrive can, `moved` having just moved."""
        per_ply = self.sight.rules.squares_per_ply
        squares, arrivals = 0, {Colour.WHITE: 0, Colour.BLACK: 0}
        for square in rest:
            squares += 1
            owner = self.sight.owner(self.shown[square])
            if owner is not None:
                arrivals[owner] += 1
        own_plies = plies // 2
        return (
            squares <= per_ply * plies
            and arrivals[moved] <= 2 * own_plies
            and arrivals[moved.other] <= 2 * (plies - own_plies)
        )


@dataclass(frozen=True, slots=True)
class Nearly(Generic[M]):
    """A legal move that the board shows but for a few squares."""

    move: M
    lifted: tuple[Square, ...]
    """Men of the other side that are in the air for the reply."""
    ghosts: tuple[Square, ...]
    """Squares the move has left that still show the man: a message lost, a coil too keen."""


def nearly(sight: Sight[P, M], before: Seen[P, M], shown: Placement) -> list[Nearly[M]]:
    """Moves whose men have all arrived, the rest of the board being as it was but for lifts."""
    differs = set(differing(before.placement, shown))
    found = []
    for move in sight.rules.legal_moves(before.position):
        written = before.written(move)
        arrived = [(s, p) for s, p in written if p != EMPTY]
        left = [s for s, p in written if p == EMPTY]
        if not arrived or any(shown[s] != p for s, p in arrived):
            continue
        ghosts = tuple(s for s in left if shown[s] == before.placement[s])
        if any(shown[s] != EMPTY and s not in ghosts for s in left) or len(ghosts) > 1:
            continue
        lifted = tuple(sorted(differs.difference(s for s, _ in written)))
        fits = all(
            shown[s] == EMPTY and sight.owner(before.placement[s]) is before.turn.other
            for s in lifted
        )
        if fits and len(lifted) <= LIFTED_MAX:
            found.append(Nearly(move, lifted, ghosts))
    return found
