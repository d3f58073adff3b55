"""A pawn that was pressed for on its last rank, and is exchanged after the reply."""

from __future__ import annotations

from itertools import islice

from arbiterd.tracking.leaping import Weighed
from arbiterd.tracking.lines import Line
from arbiterd.tracking.sensors import HORIZON_PLIES, Move
from arbiterd.tracking.snapshot import Snapshot
from eboards.events import EMPTY


def exchanged(look: Snapshot, line: Line) -> list[Weighed]:
    """The line with a legal move for an irregular ply of which another piece shows now, and all
    that came after it as it was."""
    squares = line.seen.differing(look.placement)
    if len(squares) != 1 or look.placement[squares[0]] == EMPTY:
        return []
    past = list(islice(line.back(), HORIZON_PLIES))
    number = next((n for n, ply in enumerate(past) if ply.irregular), None)
    slot = None if number is None else past[number]
    if slot is None or slot.parent is None or squares[0] not in dict(slot.written()):
        return []
    found: list[Weighed] = []
    written = dict(slot.written()) | {squares[0]: look.placement[squares[0]]}
    for move, changes in slot.parent.seen.steps_touching(squares):
        end = _again(look, slot.parent, slot, move) if dict(changes) == written else None
        for ply in reversed(past[:number]):
            end = None if end is None else _again(look, end, ply, None)
        if end is not None and end.seen.hash == look.hash:
            found.append((line.standing, end))
    return found


def _again(look: Snapshot, before: Line, ply: Line, move: Move | None) -> Line | None:
    """The ply as it was made, or this move in its place, after another past. None: not legal."""
    rules = look.sensors.rules
    if move is None:
        try:
            move = rules.parse(before.seen.position, ply.wire())
        except ValueError:
            return None
    after = look.sensors.after(before.seen, move)
    again = Line(after, before, move, ply.made_at_ns, ply=ply.ply, watched=ply.watched)
    if ply.pressed:
        again.take_press(ply)
    return again
