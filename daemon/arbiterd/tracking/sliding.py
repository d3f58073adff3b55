"""Pieces that stood and went on: were they on their way, or have they moved twice?

A hand rests on its way, and the other side may reply meanwhile; or a side is in a hurry. How long
the piece stood speaks for one or the other, and so does what else hands did by then.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice

from arbiterd.tracking import evidence, weights
from arbiterd.tracking.leaping import Weighed, leap
from arbiterd.tracking.lines import Line
from arbiterd.tracking.settings import SECOND
from arbiterd.tracking.snapshot import Snapshot, in_the_dark
from eboards.events import EMPTY, Square

PRESS_KNOWN_NS = SECOND
"""A clock speaks once a second: a press is known so much later at most."""
STOOD_SCANS = 2
"""A piece that stood for fewer scans has not made a half-move and been replied to."""


def slides(look: Snapshot, live: Sequence[Line], found: Sequence[Weighed]) -> list[Weighed]:
    """Where a side's piece moved on right after the reply: both steps as one half-move too.

    The reply began while the piece was still in the hand; or the side has moved twice in a hurry.
    What speaks against that counts once: not where lines held have it already.
    """
    weighed_anew: list[Weighed] = []
    for cost, line in found:
        reply = line.parent
        first = reply.parent if reply is not None else None
        merged: list[Weighed] = []
        told = any(old.parent is reply for old in live)
        cost += _against_going_on(look, live, line)
        fresh = not told and line.made_at_ns == look.at_ns
        against = begun_early(look, line) if fresh else 0.0
        if (
            reply is not None
            and first is not None
            and first.parent is not None
            and _slid(look, first, reply, line.left())
        ):
            merged = _merged(look, first, reply, cost)
            if merged and reply.watched and not told:
                against += weights.HASTY * (
                    evidence.left_at(look, first) < evidence.begun_at(look, reply)
                )
        both, hurried = _both_slid_on(look, line, cost)
        line.own += (against + hurried) * fresh
        weighed_anew += [(cost + against + hurried, line), *merged, *both]
    return weighed_anew


def _both_slid_on(look: Snapshot, line: Line, cost: float) -> tuple[list[Weighed], float]:
    """The last four half-moves as two, where each side's piece went on from where its first of them
    had it and pressed at most for both; and what speaks against the four."""
    four = list(islice(line.back(), 5))
    if len(four) < 5:
        return [], 0.0
    reply_on, on, reply, first, before = four
    if not (goes_on(reply, reply_on) and goes_on(first, on)):
        return [], 0.0
    if reply.pressed or first.pressed:
        return [], 0.0
    # Both rests together are no longer than hands rest on their way.
    if evidence.stood_for(look, reply) + evidence.stood_for(look, first) > look.slide_ns:
        return [], 0.0
    stops = [_against_stopping(look, past) for past in (first, reply)]
    found = leap(look, before, 2, cost + sum(stops) - weights.UNWATCHED)
    for _, end in found:
        if on.pressed and end.parent is not None:
            end.parent.take_press(on)
    # Presses that are missing speak against the four only where the two explain that better.
    missing = sum(weights.UNPRESSED for past in (first, reply) if _was_not_pressed(look, past))
    found = [way for way in found if way[0] < cost + missing]
    return found, missing if found else 0.0


def _was_not_pressed(look: Snapshot, line: Line) -> bool:
    """Its piece went on, and its side had not pressed for it, as far as would be known by now."""
    left_ns, scan_ns = evidence.left_at(look, line), look.sensors.sensing.scan_ns
    known = look.at_ns - left_ns > PRESS_KNOWN_NS or not look.presses
    return known and not any(
        side is line.side and line.made_at_ns - scan_ns <= at_ns and at_ns - late_ns <= left_ns
        for side, at_ns, late_ns in look.presses
    )


def _against_stopping(look: Snapshot, line: Line) -> float:
    """What speaks against a stop, beside that its piece came by there."""
    passed = evidence.against_a_pass(evidence.stood_for(look, line))
    return evidence.against_a_stop(look, line) - passed


def goes_on(past: Line, line: Line) -> bool:
    """`line` moves the piece on that `past` brought."""
    return not set(line.left()).isdisjoint(past.brought())


def _against_going_on(look: Snapshot, live: Sequence[Line], line: Line) -> float:
    """What speaks, beside its being undone, against a half-move that stood there as the last of
    these, where `line` has another in its place: its piece may have been on the way."""
    for old in live:
        if old.parent is line.parent is not None and old is not line and old.watched:
            return 0.0 if old.pressed else evidence.against_a_stop(look, old) - weights.TAKEN_BACK
    return 0.0


def begun_early(look: Snapshot, line: Line) -> float:
    """What speaks against a half-move whose first piece was taken up as soon as its side had made
    its last one, or before the half-move before was made, or even begun."""
    before = line.parent
    own = None if before is None else before.parent
    if before is None or own is None:
        return 0.0
    lift_ns = evidence.begun_at(look, line)
    cost = 0.0 if own.parent is None else _haste(look, own, before, lift_ns)
    if lift_ns >= before.made_at_ns:
        return cost
    sooner_ns = 0 if before.dropped else max(0, evidence.begun_at(look, before) - lift_ns)
    return cost + weights.OVERLAPPED + weights.BEGUN_LATE * sooner_ns / SECOND


def _haste(look: Snapshot, own: Line, reply: Line, lift_ns: int) -> float:
    """What speaks against a side taking up a piece so soon after it had set down the one of this
    half-move, for the last time."""
    shows, written = look.sensors.shows, own.written()
    came_ns = own.made_at_ns
    for change in look.since(own.made_at_ns):
        if change.at_ns >= lift_ns:
            break
        if change.after != EMPTY and (change.square, shows[change.after]) in written:
            came_ns = change.at_ns
    if lift_ns <= came_ns:
        return 0.0
    soon = stop_likelier(look, reply, came_ns, lift_ns)
    return max(0.0, soon - weights.UNWATCHED * (not reply.watched))


def stop_likelier(look: Snapshot, reply: Line, came_ns: int, lift_ns: int) -> float:
    """By how much a piece that stood for that time was rather on its way, and its side has not
    moved twice with this reply in between: who has seen it coming needs little time for that."""
    begun_ns, down_ns = evidence.begun_at(look, reply), _set_down(look, reply)
    foreseen, done = begun_ns <= came_ns, came_ns < down_ns <= lift_ns
    as_likely_ns = weights.STOPPED_AS_LIKELY_NS
    if begun_ns <= lift_ns:
        as_likely_ns = weights.FORESEEN_NS if foreseen else weights.REPLYING_NS
        as_likely_ns += weights.REPLIED_NS * done
    longer_ns = lift_ns - came_ns - as_likely_ns
    return -min(weights.HURRIED * longer_ns / SECOND, weights.HURRIED_MOST)


def slid_on(look: Snapshot, reply: Line) -> list[Weighed]:
    """The half-move before this reply as another, whose piece had only stopped where that had
    it."""
    first = reply.parent
    if first is None or first.parent is None:
        return []
    if not _slid(look, first, reply, first.brought()):
        return []
    return _merged(look, first, reply, reply.standing)


def _merged(look: Snapshot, first: Line, reply: Line, cost: float) -> list[Weighed]:
    """Both half-moves anew, the first as one that stopped on its way."""
    assert first.parent is not None, "the root made no half-move"
    left_ns = evidence.left_at(look, first)
    stopped = max(0.0, -stop_likelier(look, reply, first.made_at_ns, left_ns))
    stopped -= evidence.against_a_pass(left_ns - first.made_at_ns)
    before, cost = first.parent, cost - first.own - reply.own + stopped
    cost -= weights.UNWATCHED * first.watched
    return [(c + in_haste(look, before, end), end) for c, end in leap(look, before, 2, cost)]


def _set_down(look: Snapshot, line: Line) -> int:
    """When the squares of a half-move came to read so: before it was made, if the other side had
    not finished."""
    written = dict(line.written())
    return max(
        (
            change.at_ns
            for change in look.changes
            if change.at_ns <= line.made_at_ns
            and written.get(change.square) == look.sensors.shows[change.after]
        ),
        default=line.made_at_ns,
    )


def _slid(look: Snapshot, first: Line, reply: Line, left: Collection[Square]) -> bool:
    """The piece that `first` brought left one of these squares, unpressed, before the reply was
    quite made."""
    pressed = any(
        line.pressed and not evidence.pressed_for_another(line) for line in (first, reply)
    )
    if pressed and not _pressed_in_the_air(look, first):
        return False
    return evidence.left_early(look, first, reply, left)


def _pressed_in_the_air(look: Snapshot, line: Line) -> bool:
    """Its piece was up again before the press can have been: that was for where it went then."""
    pressed_ns = line.completed_at_ns if line.pressed else None
    return pressed_ns is not None and evidence.left_at(look, line) < pressed_ns - PRESS_KNOWN_NS


def in_haste(look: Snapshot, origin: Line, end: Line) -> float:
    """What speaks against the half-moves after `origin` because hands were in a hurry: they took a
    piece up before the other side's was down, or as soon as they had set down their own."""
    if in_the_dark(look, origin):
        return 0.0
    cost = 0.0
    for line in islice(end.back(), end.ply - origin.ply):
        before = line.parent
        own = None if before is None else before.parent
        if before is None or own is None:
            break
        squares = [square for square, _ in line.written()]
        lift_ns = evidence.lifted_at(look, origin, squares, line.seen.placement, line.made_at_ns)
        # A half-move that was never shown by itself because of that has its price already.
        cost += weights.OVERLAPPED * (before.watched and lift_ns < before.made_at_ns)
        if own.parent is not None:
            cost += _haste(look, own, before, lift_ns)
    return cost
