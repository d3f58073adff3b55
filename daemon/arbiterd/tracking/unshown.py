"""Irregular half-moves that may have been legal ones, of which messages were lost.

A press with nothing to show for it says that nothing was played, or that what was played was not
heard of. A reply tells neither. A whole picture does: it shows the same, or it shows what was lost.

witness    a picture shows the same: no message was lost
filled     lines in which the half-move was a legal one, and all that came after it as it was told
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from arbiterd.tracking import weights
from arbiterd.tracking.doubts import Doubt, doubted
from arbiterd.tracking.facts import Fact, Witnessed
from arbiterd.tracking.leaping import Weighed, regrown
from arbiterd.tracking.lines import Line
from arbiterd.tracking.sensors import HORIZON_PLIES, Move
from arbiterd.tracking.snapshot import Snapshot, raised
from eboards.events import EMPTY

if TYPE_CHECKING:
    from arbiterd.tracking.belief import Belief

POSITIONS_FILLED = 240
"""So many positions may be looked at for one half-move that may have been lost."""


def witness(belief: Belief, at_ns: int) -> list[Fact]:
    """The whole board was shown: which irregular half-moves does it confirm?"""
    facts: list[Fact] = []
    shown = [base for base in belief.bases if base.seen.hash == belief.image.hash]
    held = list(belief.live[0].back()) if belief.agrees else []
    for line in (*shown, *held):
        if line.irregular and not line.witnessed:
            line.witnessed = True
            belief.book.vouch(line)
            facts.append(Witnessed(at_ns, line.ply))
    return facts


def filled(look: Snapshot, live: Sequence[Line]) -> list[tuple[Weighed, Doubt | None]]:
    """Lines that show the board if an irregular half-move that nobody witnessed was a legal one;
    one square of it may still show what stood there before."""
    found: list[tuple[Weighed, Doubt | None]] = []
    if look.loss_ns is None:
        return found
    for line in live:
        slot = next((p for p in islice(line.back(), HORIZON_PLIES) if _may_be_another(p)), None)
        if slot is None or slot.parent is None:
            continue
        # Those told since were each shown by themselves.
        cost = line.cost - weights.UNWATCHED * (line.ply - slot.ply)
        cost += -weights.IRREGULAR_PRESSED if slot.irregular else weights.TAKEN_BACK_PRESSED
        for way, against in raised(look.afresh(POSITIONS_FILLED), line):
            for moves, doubt in _ways(way, line, slot):
                more = len(moves) - 1 - (line.ply - slot.ply)
                # One half-move is lost sooner than two.
                twice = weights.UNWATCHED * (more and look.at_ns == look.loss_ns)
                weighed, end = regrown(way, slot.parent, moves, cost + against + twice)
                lost = end.at(slot.ply)
                assert lost is not None, "it stands in place of the slot"
                lost.unheard, end.doubtful = True, doubt is not None
                found.append(((weighed, end), doubt))
    return found


def _may_be_another(line: Line) -> bool:
    """Nobody witnessed it; or all that was seen of it is a part of another half-move: a rook that
    goes beside its king may have castled."""
    if line.irregular:
        return not line.witnessed
    if line.parent is None or not line.has_move:
        return False
    own = set(line.written())
    ways = line.parent.seen.steps_touching([square for square, _ in own])
    return any(own < set(written) for _, written in ways)


def _ways(look: Snapshot, line: Line, slot: Line) -> Iterator[tuple[list[Move], Doubt | None]]:
    """Half-moves from before the slot on: one in its place, those told since, perhaps one more."""
    assert slot.parent is not None, "a slot comes after something"
    before, rules = slot.parent.seen, look.sensors.rules
    later = [past.wire() for past in takewhile(lambda past: past is not slot, line.back())]
    for move, written in before.steps():
        moves, seen = [move], look.sensors.after(before, move)
        try:
            for wire in reversed(later):
                moves.append(rules.parse(seen.position, wire))
                seen = look.sensors.after(seen, moves[-1])
        except ValueError:
            continue
        if not look.effort.take(len(moves)):
            return
        stale = [s for s, p in written if p == EMPTY and look.placement[s] == before.placement[s]]
        for doubt in (None, *((square, EMPTY) for square in stale)):
            shown = look if doubt is None else doubted(look, doubt)
            if seen.hash == shown.hash:
                yield moves, doubt
            else:
                for after in seen.moves_to(shown.hash, shown.placement):
                    yield [*moves, after], doubt
