"""Half-moves of one piece that were told as two and were one, with a stop on the way.

A stop may last while the other side replies, and its clock press may go unheard. Then it shows only
when the next move comes from the side that has not the turn: before that is called an offence, the
half-moves are counted again.
"""

from __future__ import annotations

from itertools import islice

from arbiterd.tracking import weights
from arbiterd.tracking.evidence import stood_for
from arbiterd.tracking.leaping import Weighed, regrown
from arbiterd.tracking.lines import Line
from arbiterd.tracking.phases import POSITIONS_AT_REST, Found
from arbiterd.tracking.propose import in_the_air, onward, ranked
from arbiterd.tracking.sensors import HORIZON_PLIES, Move
from arbiterd.tracking.sliding import goes_on
from arbiterd.tracking.snapshot import Snapshot


def in_one_stroke(look: Snapshot, line: Line) -> Found:
    """Lines that show the board if two half-moves of one piece were one. Never certain."""
    recent = [past for past in islice(line.back(), HORIZON_PLIES) if past.has_move]
    found: list[Weighed] = []
    for newer, (on, first) in enumerate(zip(recent, recent[2:], strict=False)):
        if first.pressed or not goes_on(first, on) or stood_for(look, first) > look.slide_ns:
            continue
        moves = _as_one(look, recent[: newer + 3])
        if moves:
            assert first.parent is not None, "it has a move"
            cost, merged = regrown(look, first.parent, moves, weights.TAKEN_BACK_RESTED)
            fresh = look.afresh(POSITIONS_AT_REST)
            found += onward(fresh, merged, cost, silent=True) or in_the_air(fresh, merged)
    for _, end in found:
        end.doubtful = True
    return Found(ranked(found))


def _as_one(look: Snapshot, newest_first: list[Line]) -> list[Move]:
    """These half-moves with the first and the third of them as one; none, if that is not legal."""
    *newer, on, reply, first = newest_first
    assert first.parent is not None, "it has a move"
    before = first.parent.seen
    pieces, number, of = list(before.placement), before.hash, look.sensors.hashing.of
    for square, piece in (*first.written(), *on.written()):
        number ^= of[square][pieces[square]] ^ of[square][piece]
        pieces[square] = piece
    strokes = before.moves_to(number, pieces)
    if not strokes:
        return []
    moves, rules = [strokes[0]], look.sensors.rules
    position = rules.play(before.position, strokes[0])
    for past in (reply, *reversed(newer)):
        try:
            moves.append(rules.parse(position, past.wire()))
        except ValueError:
            return []
        position = rules.play(position, moves[-1])
    return moves
