"""Which way a board lies, found from the start array or from a game's position, and what it shows
turned upright.

The board counts its squares as its maker does; `degrees` says by how much it lies turned
clockwise, seen from above. Only square boards can lie by a quarter.
"""

from __future__ import annotations

from typing import Any

from arbiterd.rules.ruleset import RuleSet
from eboards.events import EMPTY, Geometry, Placement, Square


def square(geometry: Geometry, degrees: int, device_square: Square) -> Square:
    """The square a person would name, for one as the board counts."""
    if degrees == 0:
        return device_square
    if degrees == 180:
        return geometry.turned(device_square)
    assert geometry.files == geometry.ranks, "only a square board lies by a quarter"
    side = geometry.files
    row, column = divmod(device_square, side)
    if degrees == 90:
        return column * side + (side - 1 - row)
    return (side - 1 - column) * side + row


def turned(geometry: Geometry, degrees: int, placement: Placement) -> Placement:
    """The placement as White sees it."""
    if degrees == 0:
        return placement
    upright = list(placement)
    for device_square, piece in enumerate(placement):
        upright[square(geometry, degrees, device_square)] = piece
    return tuple(upright)


def detect(
    rules: RuleSet[Any, Any], placement: Placement, expected: Placement | None = None
) -> int | None:
    """By how many degrees a start array, or what is `expected`, lies turned. None: this is none."""
    geometry = rules.geometry
    for degrees in _ways(geometry):
        upright = turned(geometry, degrees, placement)
        if upright == expected or rules.is_start(upright) is not None:
            return degrees
    return None


def lying(geometry: Geometry, placement: Placement, expected: Placement, now: int) -> int:
    """By how many degrees the board lies turned if it shows what is `expected` another way round
    than it lies now; else as now."""
    if placement.count(EMPTY) != expected.count(EMPTY):
        return now  # Most often a piece is in a hand.
    ways = (now, *_ways(geometry))
    return next((d for d in ways if turned(geometry, d, placement) == expected), now)


def _ways(geometry: Geometry) -> tuple[int, ...]:
    return (0, 180, 90, 270) if geometry.files == geometry.ranks else (0, 180)
