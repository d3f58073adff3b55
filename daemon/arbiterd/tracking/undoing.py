"""Another past than the one believed: what was pressed may have been otherwise too."""

from __future__ import annotations

from arbiterd.tracking.evidence import left_at, stood_firm
from arbiterd.tracking.leaping import Weighed
from arbiterd.tracking.lines import Line
from arbiterd.tracking.propose import UNDONE_MAX, retraces
from arbiterd.tracking.snapshot import Snapshot
from eboards.events import EMPTY, Square


def exactly(look: Snapshot, line: Line) -> list[Weighed]:
    """Lines that show all the pieces, where this one has not those that were set down, or has
    pieces in the air out of turn. They may undo what was pressed, but nothing that stood when it
    was pressed, or for long. Never certain."""
    lifted = line.seen.differing(look.placement)
    if all(look.placement[square] == EMPTY for square in lifted):
        odd = any(_lifted_out_of_turn(look, line, square) for square in lifted)
        if not odd:
            return []
    past = [line for line in line.back() if not line.irregular][: UNDONE_MAX + 1]
    firm = [gone for gone in past if gone.has_move and stood_firm(look, gone)]
    origins = list(enumerate(past[1:], start=1))
    ways = [(origin, range(max(1, undone - 1), undone + 2)) for undone, origin in origins]
    # Two more than are undone, where nothing less explains it: one of each side was never heard.
    ways += [(origin, range(undone + 2, undone + 3)) for undone, origin in origins]
    for origin, about in ways:
        found = [
            (cost, end)
            for cost, end in retraces(look, [(0.0, origin)], about, unseen=True)
            if all(end.at(gone.ply) is gone or _retells(end, gone) for gone in firm)
        ]
        if found:
            for _, end in found:
                end.doubtful = True
            return found
    return []


def _lifted_out_of_turn(look: Snapshot, line: Line, square: Square) -> bool:
    """The piece is of the side that has just moved; or the other's that had moved before, and left
    before the reply was made."""
    if look.sensors.owners[line.seen.placement[square]] is line.side:
        return True
    own = line.parent
    if own is None or (square, line.seen.placement[square]) not in own.written():
        return False
    return left_at(look, own) < line.made_at_ns


def _retells(end: Line, gone: Line) -> bool:
    """The half-move is made in this line too, at the same place of it; or its piece went there in
    two, and what its side pressed for was the second of them."""
    first, second = end.at(gone.ply), end.at(gone.ply + 2)
    if first is None:
        return False
    if first.wire() == gone.wire():
        return True
    if second is None:
        return False
    went_on = first.left() == gone.left() and second.left() == first.brought()
    return went_on and second.brought() == gone.brought()
