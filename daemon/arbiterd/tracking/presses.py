"""Presses, and the half-moves they complete.

A press is known up to a second late and the board lags by a scan, so a press waits a while for
the placement it belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass

from arbiterd.rules.ruleset import Colour, differing
from arbiterd.tracking.facts import How
from arbiterd.tracking.image import Image
from arbiterd.tracking.lines import Line
from arbiterd.tracking.sight import M, P
from eboards.events import EMPTY, Placement

PRESSES_KEPT = 4
"""So many presses wait for the placements they belong to; an older one is taken as it is."""


@dataclass(frozen=True, slots=True)
class Press:
    """A press that waits for the placement it belongs to."""

    at_ns: int
    side: Colour
    late_ns: int
    placement: Placement
    """What the board showed when it became known."""


def pressed_line(image: Image[P, M], newest: Line[P, M], side: Colour) -> Line[P, M] | None:
    """The half-move that a press by this side completes, if the board shows one."""
    for line in newest.back():
        if line.parent is None or newest.ply - line.ply > 1:
            return None
        if line.side is side:
            fits = line.completed_how in (None, How.REPLIED) and not line.pressed
            agrees = newest.seen.hash == image.hash
            shown = line is not newest or agrees or _reply_begun(image, newest)
            return line if fits and shown else None
    return None


def _reply_begun(image: Image[P, M], line: Line[P, M]) -> bool:
    """All that differs from the line is the doing of the side that has the move."""
    rules, side = image.sight.rules, line.seen.turn
    men = rules.placement(line.seen.position)
    return all(
        image.sight.owner(image.shown[square]) in (side, None)
        if image.shown[square] != EMPTY
        else rules.owner(men[square]) is side
        for square in differing(line.seen.placement, image.shown)
    )


def misses_a_man(image: Image[P, M], line: Line[P, M], side: Colour) -> bool:
    """A man of this side shows nowhere: more have left their squares than have arrived."""
    rules, owner = image.sight.rules, image.sight.owner
    men = rules.placement(line.seen.position)
    balance = 0
    for square in differing(line.seen.placement, image.shown):
        now = image.shown[square]
        balance += now == EMPTY and rules.owner(men[square]) is side
        balance -= now != EMPTY and owner(now) in (side, None)
    return balance > 0
