"""Pieces that lie beside the board, where they are sensed or said."""

from __future__ import annotations

from arbiterd.rules.ruleset import Beside, Colour
from arbiterd.table.effects import Effects, HearDevice, track
from arbiterd.table.inputs import HandShown
from arbiterd.table.state import TableState
from arbiterd.tracking.tracker import Tracker
from eboards.events import Fault, HandsSeen, Noise


def hand_stands_seen(view: TableState, event: HandsSeen | HandShown) -> Effects:
    """Both stands, or one. A game that knows none takes no notice."""
    rules = view.rules
    if not isinstance(rules, Beside):
        return ()
    pieces = event.men if isinstance(event, HandsSeen) else _lettered(event)
    try:
        hands = rules.read_beside(pieces)
    except ValueError as wrong:
        return (HearDevice(Fault(event.at_ns, Noise.RANGE, note=str(wrong))),)
    sides = tuple(hands) if isinstance(event, HandsSeen) else (event.side,)
    return tuple(track(Tracker.beside, event.at_ns, side, hands[side]) for side in sides)


def _lettered(event: HandShown) -> str:
    """One side's pieces in the letters of its side."""
    first = event.side is Colour.BLACK
    return event.pieces.upper() if first else event.pieces.lower()
