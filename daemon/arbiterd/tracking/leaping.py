"""Several half-moves at once, of which no placement showed any but the last by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from arbiterd.rules.ruleset import differing
from arbiterd.tracking import evidence, weights
from arbiterd.tracking.lines import Line
from arbiterd.tracking.search import ways
from arbiterd.tracking.sensors import Move, Seen
from arbiterd.tracking.settings import SECOND
from arbiterd.tracking.snapshot import Snapshot, came_at_once, in_the_dark, shown_since
from eboards.events import EMPTY, Square

Weighed: TypeAlias = tuple[float, Line]
"""A line and what speaks against it, all told."""


def leap(look: Snapshot, origin: Line, plies: int, cost: float) -> list[Weighed]:
    found = ways(look, origin.seen, plies)
    if not look.doubted and not in_the_dark(look, origin):
        found = [moves for moves in found if evidence.lifts_seen(look, origin, moves)]
    found = [moves for moves in found if evidence.drops_known(look, origin, moves)]
    return [regrown(look, origin, moves, cost) for moves in found]


def regrown(look: Snapshot, origin: Line, moves: Sequence[Move], cost: float) -> Weighed:
    """The line with these half-moves more, `cost`, and what speaks against them."""
    # Hands do not wait for each other: the first may have begun before its origin was made.
    end, begun_ns, ready_ns, unseen = origin, 0, origin.made_at_ns, 0.0
    never: set[Square] = set()
    for number, move in enumerate(moves):
        after = look.sensors.after(end.seen, move)
        squares = differing(end.seen.placement, after.placement)
        last, own = number == len(moves) - 1, evidence.seldom_chosen(look, move)
        if not in_the_dark(look, origin):
            hidden_stops = evidence.never_seen(look, origin, squares, after.placement)
            never.update(hidden_stops)
            own += evidence.untouched(look, origin, end, move, never)
            own += weights.UNSEEN * len(hidden_stops)
            unseen += weights.UNSEEN * len(hidden_stops)
            own += _gone_again(look, after, hidden_stops, moves[number + 1 :])
        made_ns = evidence.made_at(look, origin, end, after.placement)
        if made_ns is not None:
            lift_ns = evidence.lifted_at(look, origin, squares, after.placement, made_ns)
            # What comes within one scan has no order.
            early_ns = min(ready_ns - made_ns, begun_ns - lift_ns)
            own += weights.REVERSED * (early_ns > look.sensors.sensing.scan_ns)
            own += weights.READY_LATE * max(0, ready_ns - made_ns) / SECOND
            own += weights.BEGUN_LATE * max(0, begun_ns - lift_ns) / SECOND
            ready_ns = max(ready_ns, made_ns)
            if not end.seen.drops_on(squares):
                begun_ns = max(begun_ns, lift_ns)  # Nobody sees when a drop is begun.
        own += weights.UNWATCHED * (not last)
        end = Line(after, end, move, ready_ns, ply=end.ply + 1, own=own, watched=last)
        cost += own
    if came_at_once(look) and look.at_ns - origin.made_at_ns < len(moves) * evidence.REPLY_NS:
        end.own += weights.HASTY
        cost += weights.HASTY
    if ready_ns == origin.made_at_ns:
        _date(end, origin, shown_since(look, origin))
    end.unseen, end.passed = unseen, evidence.strays(look, origin, end)
    besides = evidence.unanswered(look, origin, end) + end.passed
    end.own += besides
    return cost + besides, end


def _gone_again(
    look: Snapshot, after: Seen, stops: Sequence[Square], moves: Sequence[Move]
) -> float:
    """What these half-moves say of pieces that were not seen on their stops: one that moved on had
    no time for it, and few are taken by one that goes elsewhere."""
    mover, left, cost = after.turn.other, set(stops), 0.0
    for move in moves if left else ():
        touched = after.rules.touched(after.position, move)
        then = look.sensors.after(after, move)
        if after.turn is mover:
            cost += weights.STOPPED_UNSEEN * (not left.isdisjoint(touched[:1]))
        else:
            beside = [s for s in touched[1:] if s in left and then.placement[s] == EMPTY]
            cost += weights.IN_PASSING * len(beside)
        left.difference_update(touched)
        after = then
    return cost


def _date(end: Line, origin: Line, at_ns: int) -> None:
    """Half-moves of which no time is known were made by then: nothing has changed since."""
    for line in end.back():
        if line is origin:
            return
        line.made_at_ns = at_ns
