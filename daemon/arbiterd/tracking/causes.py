"""Every change on the board has one cause: the plies that lead from one placement to another.

A ply is a legal move of the side to move; or an irregular one, by either side. All are hypotheses
of the same search, each with its prior: so an illegal move may be answered by another one, stand
unpressed, or be the second in a row of one side. The search is best first over the placements that
the board has shown, with one budget.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import count, pairwise

from arbiterd.rules.ruleset import Colour, differing
from arbiterd.tracking.hypothesis import Cause, Hypothesis, PlacementWindow, Stage, score, stage_of
from arbiterd.tracking.leaping import Weighed
from arbiterd.tracking.sensors import Seen, Sensors
from arbiterd.tracking.snapshot import Effort
from eboards.events import EMPTY, Piece, Placement

PLIES_MAX = 6
"""So many plies may follow one another before what the board shows."""
MOVED_MAX = 3
"""So many pieces of its own a side moves in one irregular ply."""
SQUARES_MAX = 2 * MOVED_MAX + 1
"""So many squares differ after one ply at most."""
POSITIONS_PLAYED = 400
"""So many placements may be held against plies in one search."""


def best_answered(
    window: PlacementWindow, origins: Sequence[Weighed], effort: Effort, most: float
) -> Hypothesis | None:
    """The plies, each shown by itself, that lead to what the board shows with least against them,
    if one of them is irregular, and answered by the other side.
    """
    order, last = count(), len(window.stages) - 1
    heap = [(cost, next(order), cost, Hypothesis(line)) for cost, line in origins]
    while heap:
        _, _, cost, hypothesis = heappop(heap)
        stage = stage_of(hypothesis, window)
        if stage == last:
            return hypothesis if hypothesis.answered else None
        if len(hypothesis.plies) == PLIES_MAX:
            continue
        for following in range(stage + 1, last + 1):
            if not effort.take():
                return None
            for cause in causes(window, hypothesis.seen, following):
                grown = hypothesis.followed_by(cause)
                speaks = cost + score(grown, window).nats
                if speaks <= most:
                    heappush(heap, (speaks, next(order), cost, grown))
    return None


def causes(window: PlacementWindow, seen: Seen, place: int) -> Iterator[Cause]:
    """The plies after which the board shows this stage. An irregular one ends where the other side
    begins, or where the hands are off."""
    sensors, stage = window.sensors, window.stages[place]
    squares = seen.differing(stage.placement)
    if not 0 < len(squares) <= SQUARES_MAX:
        return
    if all(stage.placement[square] == EMPTY for square in squares):
        return
    for placement, number, lifted in _put_back(sensors, seen, stage):
        moves = seen.moves_to(number, placement)
        yield from (Cause(sensors.after(seen, move), move, place, lifted=lifted) for move in moves)
        if moves:
            return
    for side in (seen.turn, seen.turn.other):
        cause = _irregular(sensors, seen, stage, side, place)
        if cause is not None and _ends_here(window, cause):
            yield cause


def _put_back(sensors: Sensors, seen: Seen, stage: Stage) -> Iterator[tuple[Placement, int, int]]:
    """The stage as it is, and with the other side's piece that is in the air back on its square."""
    yield stage.placement, stage.hash, 0
    pieces, owner = sensors.rules.placement(seen.position), sensors.rules.owner
    off = [
        square
        for square in seen.differing(stage.placement)
        if stage.placement[square] == EMPTY and owner(pieces[square]) is seen.turn.other
    ]
    if len(off) == 1:
        square, piece = off[0], seen.placement[off[0]]
        placement = (*stage.placement[:square], piece, *stage.placement[square + 1 :])
        yield placement, stage.hash ^ sensors.hashing.of[square][piece], 1


def _irregular(
    sensors: Sensors, seen: Seen, stage: Stage, side: Colour, place: int
) -> Cause | None:
    """What no legal move explains, if it is the doing of this side alone."""
    rules = sensors.rules
    pieces = rules.placement(seen.position)
    now = pieces_now(sensors, pieces, stage.placement, side)
    moved = 0 if now is None else _moved_by(sensors, pieces, now, side)
    if now is None or not moved:
        return None
    if sensors.pieces_alike and seen.may_have_taken(differing(seen.placement, stage.placement)):
        return None  # What it took may have been laid there.
    after = sensors.taken(seen.position, now, side.other)
    return None if after is None else Cause(after, None, place, moved)


def pieces_now(
    sensors: Sensors, pieces: Placement, shown: Placement, side: Colour
) -> Placement | None:
    """Which pieces stand there, as this side can have put them; None where that is not known."""
    shows, rules = sensors.shows, sensors.rules
    squares = [s for s, piece in enumerate(pieces) if shows[piece] != shown[s]]
    left = [pieces[s] for s in squares if rules.owner(pieces[s]) is side]
    now = list(pieces)
    for square in squares:
        fitting = {piece for piece in left if shows[piece] == shown[square]}
        if not fitting and sensors.dropping and sensors.owners[shown[square]] is side:
            fitting = {shown[square]}  # It came from the hand, or was turned over.
        if shown[square] == EMPTY:
            fitting = {EMPTY}
        if len(fitting) != 1:
            return None
        now[square] = fitting.pop()
    return tuple(now)


def _moved_by(sensors: Sensors, pieces: Placement, now: Placement, side: Colour) -> int:
    """How many pieces this side has moved, if all that differs is its doing; else none."""
    owner = sensors.rules.owner
    squares = differing(pieces, now)
    left = [pieces[s] for s in squares if owner(pieces[s]) is side]
    came = [now[s] for s in squares if owner(now[s]) is side]
    taken = sum(owner(pieces[s]) is side.other for s in squares)
    if any(owner(now[s]) is side.other for s in squares) or not _are_the_same(sensors, left, came):
        return 0
    return len(came) if taken <= 1 and len(came) <= MOVED_MAX else 0


def _are_the_same(sensors: Sensors, left: Sequence[Piece], came: Sequence[Piece]) -> bool:
    """The pieces that came are those that left; where there are hands, turned over or not, and one
    more may be dropped."""
    dropping = sensors.dropping
    if dropping is None:
        return sorted(left) == sorted(came)
    more = Counter(map(dropping.in_hand, came))
    more.subtract(map(dropping.in_hand, left))
    return min(more.values(), default=0) >= 0 and more.total() <= 1


def _ends_here(window: PlacementWindow, cause: Cause) -> bool:
    """The other side begins with what it takes up next, takes off, or drops; or nothing changes."""
    sensors, pieces = window.sensors, window.sensors.rules.placement(cause.seen.position)
    for before, after in pairwise(window.stages[cause.stage :]):
        shown = [(s, after.placement[s]) for s in differing(before.placement, after.placement)]
        left = [sensors.rules.owner(pieces[square]) for square, now in shown if now == EMPTY]
        came = [sensors.owners[now] for _, now in shown if now != EMPTY]
        if cause.side.other in (*left, *came):
            return True
        if came:
            return False
    return cause.stage + 1 == len(window.stages)
