"""Pieces beside the board (a komadai in shogi): which piece was taken, and which one was
dropped."""

from __future__ import annotations

from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.belief import Belief
from arbiterd.tracking.facts import Fact, How
from arbiterd.tracking.telling import tell
from eboards.events import Piece


def seen_beside(belief: Belief, at_ns: int, side: Colour, pieces: tuple[Piece, ...]) -> list[Fact]:
    """This side's stand shows these pieces: what was told may be known better now."""
    belief.status.at_ns = at_ns
    belief.status.beside = {**belief.status.beside, side: pieces}
    if belief.status.ended or not belief.agrees:
        return []
    held = belief.unrefuted(belief.live)
    if len(held) == len(belief.live):
        return []
    # A stand takes no half-move back: pieces that are lifted or held are the board's to tell.
    best = next((line for line in held if line.ply >= belief.book.last.ply), None)
    if best is None:
        return []
    belief.live = [best, *(line for line in held if line is not best)]
    told = [line for line in best.path() if line.ply <= belief.book.last.ply]
    return tell(belief, at_ns, told, How.SETTLED)
