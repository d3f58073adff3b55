"""What a picture shows after messages were lost, when several plies were played unseen."""

from __future__ import annotations

from arbiterd.tracking.belief import Belief
from arbiterd.tracking.facts import Fact
from arbiterd.tracking.irregular import hold_base
from arbiterd.tracking.on_change import agreed
from arbiterd.tracking.phases import at_rest

POSITIONS_AFTER_SILENCE = 800
"""So many positions may be looked at for the picture that ends a silence."""


def see_after_silence(belief: Belief, at_ns: int) -> list[Fact]:
    """The picture that ends a silence is explained as deeply as can be, or anchors play anew."""
    if belief.agrees or belief.status.ended or not belief.came_in_silence(belief.live[0]):
        return []
    found = at_rest(belief.snapshot(at_ns, POSITIONS_AFTER_SILENCE), belief.live, held=False)
    facts = belief.take(at_ns, found)
    if not found.lines:
        return [] if belief.stands else anchor(belief)
    shown = found.lines[0].seen.hash == belief.image.hash
    return [*facts, *agreed(belief, at_ns)] if shown else facts


def anchor(belief: Belief) -> list[Fact]:
    """Play may go on from here with either side to move, however many plies were lost: the next
    one tells whose turn it is, and until then nothing is told."""
    seen = belief.live[0].seen
    for side in (seen.turn, seen.turn.other):
        hold_base(belief, side, None, astray=True, doubtful=True)
    return []
