"""What speaks against a line because pieces showed where it has none, in passing."""

from __future__ import annotations

from itertools import islice

from arbiterd.tracking import weights
from arbiterd.tracking.evidence import lifted_already
from arbiterd.tracking.lines import Line
from arbiterd.tracking.settings import SECOND
from arbiterd.tracking.snapshot import Snapshot
from eboards.events import EMPTY, Geometry, Piece, Square


def passed(look: Snapshot, origin: Line, end: Line) -> float:
    """What speaks against a line after `origin` because pieces showed where it has none, since the
    board last showed `origin` itself: what was tried and taken back before that is over."""
    told = {
        way
        for line in end.back()
        if line.ply >= origin.ply
        for way in (*line.written(), *((s, origin.seen.placement[s]) for s, _ in line.written()))
    }
    placement, shows = origin.seen.placement, look.sensors.shows
    stood: dict[tuple[Square, Piece], int] = {}
    until: dict[Square, int] = {}
    since_ns = _last_shown_ns(look, origin)
    for change in reversed(look.changes):
        if change.at_ns <= since_ns:
            break
        way = change.square, shows[change.after]
        if change.after != EMPTY and way not in told and placement[way[0]] != way[1]:
            lasted_ns = until.get(change.square, look.at_ns) - change.at_ns
            stood[way] = max(lasted_ns, stood.get(way, 0))
        until[change.square] = change.at_ns
    cost = sum(against_a_pass(lasted_ns) for lasted_ns in stood.values())
    return cost + weights.ASTRAY * sum(_astray(look, origin, end, *way) for way in stood)


def _astray(look: Snapshot, origin: Line, end: Line, square: Square, stray: Piece) -> bool:
    """Of the half-moves since then some move such a piece, and none has it come by there."""
    ways: list[tuple[Square, Square]] = []
    for line in islice(end.back(), end.ply - origin.ply):
        assert line.parent is not None, "the origin is before it"
        pieces = line.parent.seen.placement
        left = [s for s, piece in line.written() if piece == EMPTY and pieces[s] == stray]
        came = [s for s, piece in line.written() if piece == stray]
        ways += [(start, goal) for start in left for goal in came]
    geometry = look.sensors.sensing.geometry
    return bool(ways) and not any(on_its_way(geometry, a, square, b) for a, b in ways)


def on_its_way(geometry: Geometry, start: Square, stop: Square, goal: Square) -> bool:
    """A hand that carries a piece from start to goal may rest here: between them on their line, or
    beside the goal."""
    places = [divmod(square, geometry.files) for square in (start, stop, goal)]
    (from_rank, from_file), (rank, file), (to_rank, to_file) = places
    if max(abs(to_rank - rank), abs(to_file - file)) <= 1:
        return True
    ranks, files = to_rank - from_rank, to_file - from_file
    length = max(abs(ranks), abs(files))
    if ranks and files and abs(ranks) != abs(files):
        return False
    between = {
        (from_rank + ranks // length * n, from_file + files // length * n) for n in range(1, length)
    }
    return (rank, file) in between


def _last_shown_ns(look: Snapshot, line: Line) -> int:
    """When the board last showed exactly this; when the half-move was made, if it has not since."""
    placement, shows = line.seen.placement, look.sensors.shows
    at_ns, other = line.made_at_ns, set(lifted_already(look.changes, line))
    for change in look.changes:
        if change.at_ns <= line.made_at_ns:
            continue
        if shows[change.after] == placement[change.square]:
            other.discard(change.square)
            if not other:
                at_ns = change.at_ns
        else:
            other.add(change.square)
    return at_ns


def against_a_pass(stood_ns: int) -> float:
    """What speaks against a piece having come by that stood for so long."""
    longer = max(0, stood_ns - weights.STOPPED_AS_LIKELY_NS) / SECOND
    return min(weights.PASSED + weights.STOPPED_LONGER * longer, 3 * weights.UNWATCHED)
