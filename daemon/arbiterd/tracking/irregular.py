"""Positions that play may go on from though no legal move leads to them."""

from __future__ import annotations

from arbiterd.rules.ruleset import Colour, differing
from arbiterd.rules.sensed import as_known
from arbiterd.tracking import weights
from arbiterd.tracking.belief import Belief
from arbiterd.tracking.causes import pieces_now
from arbiterd.tracking.lines import Line
from arbiterd.tracking.presses import PendingPress, misses_a_piece
from arbiterd.tracking.sensors import Seen, Sensors
from eboards.events import Placement

BASES_KEPT = 4
"""So many irregular placements are held that play might go on from."""
BASE_SQUARES_MAX = 10
"""A placement that differs by more is a board being set up, and no position of this game."""


def hold_base(
    belief: Belief,
    to_move: Colour,
    press: PendingPress | None,
    *,
    astray: bool = False,
    doubtful: bool = False,
) -> None:
    """Holds what the board shows as a position that play might go on from.

    `doubtful`: what led there is no player's doing, as far as is known.
    """
    before = belief.live[0] if press is None else _made_by(belief, press)
    if press is not None and not astray:
        before = _answered(belief, press, before) or before
    if press is not None and not astray and misses_a_piece(belief.image, before, press.side):
        return
    placement = belief.placement if press is None else press.placement
    at_ns = belief.book.changes[-1].at_ns if belief.book.changes else before.made_at_ns
    base = _taken_as_shown(belief.sensors, before, placement, to_move, at_ns, press, astray=astray)
    if base is not None and not _same_position(base, before):
        # Who has not the move answers what the other side pressed for, and that shows nowhere.
        base.doubtful = doubtful or (press is not None and before.seen.turn is not press.side)
        base.witnessed = _is_witnessed(belief, base, press)
        others = [held for held in belief.bases if held.parent is not None]
        belief.bases = [*belief.next_games, *[*others, base][-BASES_KEPT:]]


def anchor(belief: Belief) -> None:
    """Play may go on from here with either side to move, however many plies were lost: the next
    one tells whose turn it is, and until then nothing is told."""
    seen = belief.live[0].seen
    for side in (seen.turn, seen.turn.other):
        hold_base(belief, side, None, astray=True, doubtful=True)


def hold_turned(belief: Belief) -> bool:
    """Nobody heard when the newest half-move was made: there may have been one more, and play may
    go on from what stands there with the other side to move."""
    newest = belief.live[0]
    seen = turned_over(belief.sensors, newest.seen) if newest.unheard else None
    if seen is None:
        return False
    cost, ply = newest.cost + weights.IRREGULAR, newest.ply + 1
    base = Line(seen, newest, None, newest.made_at_ns, ply, cost, irregular=True)
    base.doubtful, base.witnessed = True, False
    belief.bases = [*belief.bases, base][-BASES_KEPT:]
    return True


def _is_witnessed(belief: Belief, base: Line, press: PendingPress | None) -> bool:
    """Of what was seen to change only a board that is asked for pictures is to vouch. Where nothing
    was, and a reply came, any board is: the half-move may be what was lost. Of one that was not
    pressed more may follow, so a picture that comes later is to vouch."""
    if not belief.sensors.sensing.pictures and (press is None or base.written()):
        return True
    return press is not None and belief.witnessed(press.at_ns)


def before_press(belief: Belief, side: Colour) -> Line:
    """What this side's press comes after: the best explanation, without its own last half-move
    where that was not told."""
    newest = belief.live[0]
    if newest.side is side and newest not in belief.book.told:
        assert newest.parent is not None, "the root is told"
        return newest.parent
    return newest


def _made_by(belief: Belief, press: PendingPress) -> Line:
    """What this press comes after, without plies that were made since and are not told."""
    line = before_press(belief, press.side)
    while line.made_at_ns > press.at_ns and line.ply > belief.book.last.ply:
        assert line.parent is not None, "the root is told"
        line = line.parent
    return line


def _answered(belief: Belief, press: PendingPress, before: Line) -> Line | None:
    """The other side's irregular half-move that was pressed for after that and still stands, if
    this press is for an answer to it."""
    shown, owners = belief.sensors.shown(press.placement), belief.sensors.owners
    for base in reversed(belief.bases):
        pressed_ns = base.completed_at_ns
        own = [
            square
            for square in differing(base.seen.placement, shown)
            if owners[shown[square]] is press.side
        ]
        stands = base.parent is before and base.pressed and base.in_place(shown)
        earlier = pressed_ns is not None and pressed_ns < press.at_ns
        if stands and own and earlier and base.side is not press.side:
            return base
    return None


def _same_position(base: Line, before: Line) -> bool:
    """The same position with the same side to move: a clock was only set going again, and whatever
    is played from here is a legal ply of the record."""
    return base.seen.hash == before.seen.hash and base.seen.turn is before.seen.turn


def _taken_as_shown(
    sensors: Sensors,
    before: Line,
    placement: Placement,
    to_move: Colour,
    at_ns: int,
    press: PendingPress | None,
    *,
    astray: bool,
) -> Line | None:
    """A line whose last half-move is whatever led to this placement. None: unusable.

    `astray`: it may be many half-moves, for the game is lost from sight.
    """
    squares = differing(before.seen.placement, sensors.shown(placement))
    if len(squares) > BASE_SQUARES_MAX and not astray:
        return None
    side, position = to_move.other, before.seen.position
    pieces = sensors.rules.placement(position)
    if sensors.counts:
        placement = as_known(sensors.rules, pieces, placement, sensors.sensing.kind)
    else:
        placement = pieces_now(sensors, pieces, sensors.shown(placement), side) or placement
    seen = sensors.taken(position, placement, to_move)
    if seen is None:
        return None
    cost = weights.IRREGULAR if press is None else weights.IRREGULAR_PRESSED
    made_ns, cost = max(at_ns, before.made_at_ns), before.cost + cost
    base = Line(seen, before, None, made_ns, before.ply + 1, cost, irregular=True)
    if press is not None:
        base.press(press.at_ns)
    return base


def starts(
    sensors: Sensors, root: Line, placement: Placement, runs: Colour | None, at_ns: int
) -> list[Line]:
    """Before the first move: the pieces as they stand, with either side to move."""
    found: list[Line] = []
    for side in (root.seen.turn, root.seen.turn.other):
        seen = sensors.taken(root.seen.position, placement, side)
        if seen is not None:
            cost = weights.WRONG_CLOCK * (runs is side.other)
            found.append(Line(seen, None, None, at_ns, ply=0, cost=cost))
    return found


def turned_over(sensors: Sensors, seen: Seen) -> Seen | None:
    """The same pieces with the other side to move, to see what it would be allowed."""
    placement = sensors.rules.placement(seen.position)
    return sensors.taken(seen.position, placement, seen.turn.other)
