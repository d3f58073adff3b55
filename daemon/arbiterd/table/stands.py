"""Pieces that lie beside the board, where they are sensed or said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiterd.rules.ruleset import Beside, Colour
from arbiterd.table.inputs import HandShown
from eboards.events import Fault, HandsSeen, Noise

if TYPE_CHECKING:
    from arbiterd.table.table import Table


def stands_seen(table: Table, event: HandsSeen | HandShown) -> None:
    """Both stands, or one. A game that knows none takes no notice."""
    rules = table.rules
    if not isinstance(rules, Beside):
        return
    pieces = event.men if isinstance(event, HandsSeen) else _lettered(event)
    try:
        hands = rules.read_beside(pieces)
    except ValueError as wrong:
        table.device_says(Fault(event.at_ns, Noise.RANGE, note=str(wrong)))
        return
    sides = tuple(hands) if isinstance(event, HandsSeen) else (event.side,)
    for side in sides:
        table.facts(table.tracker.beside(event.at_ns, side, hands[side]))


def _lettered(event: HandShown) -> str:
    """One side's pieces in the letters of its side."""
    first = event.side is Colour.BLACK
    return event.pieces.upper() if first else event.pieces.lower()
