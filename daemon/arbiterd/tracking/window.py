"""What the board has shown since a half-move, one placement after another."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from arbiterd.tracking.facts import SquareSeen
from arbiterd.tracking.image import Image
from arbiterd.tracking.sight import Sight
from eboards.events import Placement

STAGES_MAX = 48
"""So many changes are looked at one by one; what is older is one placement."""


class Stage(Struct, frozen=True, gc=False):
    """What the board showed from one change to the next."""

    at_ns: int
    placement: Placement
    """As sensed."""
    hash: int


class Window(Struct, frozen=True, eq=False, gc=False):
    """The placements since some time, oldest first; the last is what the board shows now."""

    sight: Sight
    stages: tuple[Stage, ...]


def window_of(image: Image, changes: Sequence[SquareSeen]) -> Window:
    """The newest changes undone one by one. Changes of one time are one stage."""
    sight, shown, number = image.sight, list(image.shown), image.hash
    stages: list[Stage] = []
    newest = changes[-STAGES_MAX:]
    for index in range(len(newest) - 1, -1, -1):
        change = newest[index]
        if index + 1 == len(newest) or newest[index + 1].at_ns != change.at_ns:
            stages.append(Stage(change.at_ns, tuple(shown), number))
        before, of = sight.shows[change.before], sight.hashing.of[change.square]
        number ^= of[shown[change.square]] ^ of[before]
        shown[change.square] = before
    return Window(sight, tuple(reversed(stages)))
