"""Replies that stand before what they reply to, and what was taken lies beside.

The half-move that is replied to is in the air: the line is held as it is, if the rules let both
follow. What a half-move takes may lie where it could have gone itself, or as if it was dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from msgspec.structs import replace

from arbiterd.rules.ruleset import Change
from arbiterd.tracking import evidence, weights
from arbiterd.tracking.leaping import Weighed
from arbiterd.tracking.lines import Line
from arbiterd.tracking.propose import leaps
from arbiterd.tracking.sensors import Seen
from arbiterd.tracking.snapshot import LIFTED_MAX, Snapshot
from eboards.events import EMPTY, Piece, Square


def overlapped(look: Snapshot, line: Line) -> list[Weighed]:
    """The line as it is, if the side to move has a half-move in the air (its piece, or the one it
    takes, or one from the hand) and the other side's reply to it stands already, perhaps with its
    victim beside."""
    owners, shown, pieces = look.sensors.owners, look.placement, line.seen.placement
    squares = line.seen.differing(shown)
    came = [square for square in squares if shown[square] != EMPTY]
    dragged = _dragged(look, line, came)
    came = [square for square in came if square not in dragged]
    lifted = [square for square in squares if shown[square] == EMPTY]
    if not 0 < len(came) <= look.sensors.rules.squares_per_ply:
        return []
    early = sorted(shown[square] for square in came)
    if any(owners[piece] is not line.side for piece in early):
        return []
    if any(owners[pieces[square]] is line.side for square in came):
        return []
    drops, brought = look.sensors.dropping is not None, set(line.brought())
    for homes in _homes(line, lifted, early, drops=drops):
        begun = set(lifted).difference(homes)
        if len(begun) > LIFTED_MAX or not (begun or (drops and brought.isdisjoint(homes))):
            continue  # A piece that was set down just now, and is alone, goes on.
        reply = (*((home, EMPTY) for home in homes), *((square, shown[square]) for square in came))
        if _may_begin(look, line, begun, reply):
            against = weights.OVERLAPPED + weights.LIFTED * max(len(begun), 1)
            against += weights.DRAGGED * len(dragged)
            against += weights.UNWATCHED * any(_may_have_gone(look, line, s) for s in dragged)
            return [(line.standing + against, line)]
    return []


def _homes(
    line: Line, lifted: Sequence[Square], early: list[Piece], *, drops: bool
) -> Iterator[tuple[Square, ...]]:
    """The squares that pieces set down early may have left; none, where one may be dropped."""
    pieces = line.seen.placement
    for homes in combinations(lifted, len(early)):
        if sorted(pieces[home] for home in homes) == early:
            yield homes
    if drops and len(early) == 1:
        yield ()


def beside_the_reply(look: Snapshot, line: Line) -> list[Weighed]:
    """Two half-moves on, of which the reply was set down first and has laid its victim beside."""
    shown = look.placement
    came = [square for square in line.seen.differing(shown) if shown[square] != EMPTY]
    for square in _dragged(look, line, came):
        number = look.hash ^ look.sensors.hashing.of[square][shown[square]]
        placement = (*shown[:square], EMPTY, *shown[square + 1 :])
        aside = replace(look, placement=placement, hash=number)
        origin = (line.standing + weights.DRAGGED, line)
        return leaps(aside, [origin], 2, hands_busy=True)
    return []


def _dragged(look: Snapshot, line: Line, came: Sequence[Square]) -> list[Square]:
    """Of the squares where pieces came, the one where a piece shows that was taken on another, and
    came there no earlier than it had left that."""
    pieces, shown = line.seen.placement, look.placement
    newest = {change.square: change.at_ns for change in look.changes}
    taken_ns = {pieces[square]: newest.get(square, 0) for square in came if pieces[square] != EMPTY}
    scan_ns = look.sensors.sensing.scan_ns
    beside = [
        square
        for square in came
        if pieces[square] == EMPTY
        and shown[square] in taken_ns
        and newest.get(square, look.at_ns) + scan_ns >= taken_ns[shown[square]]
    ]
    return beside if len(beside) == 1 else []


def _may_have_gone(look: Snapshot, line: Line, square: Square) -> bool:
    """A piece like the one that shows here is up from its square, and has a legal move to this: as
    likely it has gone there, and its half-move was never shown by itself."""
    shown = look.placement
    left = [other for other in line.seen.differing(shown) if shown[other] == EMPTY]
    return any((square, shown[square]) in way for _, way in line.seen.steps_touching(left))


def laid_down(look: Snapshot, line: Line) -> list[Weighed]:
    """The line as it is, if all that differs is the piece that its half-move took, or the one that
    this replied to, for a reply may stand first: it lies beside, came there no earlier than its
    taker, and looks as if it had been dropped."""
    came = line.seen.differing(look.placement)
    if len(came) != 1 or look.sensors.pieces_alike:
        return []
    taken = {square for past in islice(line.back(), 2) for square in _taken(look, past, came[0])}
    newest = {change.square: change.at_ns for change in look.changes}
    laid_ns = newest.get(came[0], look.at_ns) + look.sensors.sensing.scan_ns
    if not any(newest.get(square, 0) <= laid_ns for square in taken):
        return []
    # Whoever drops one fetches it first, and sees before that what it replies to.
    hasty = bool(look.sensors.dropping) and look.at_ns - line.made_at_ns < evidence.REPLY_NS
    return [(line.standing + weights.DRAGGED - weights.OVERLAPPED * hasty, line)]


def _taken(look: Snapshot, line: Line, aside: Square) -> list[Square]:
    """Where the half-move took such a piece as shows there, as it showed."""
    if line.parent is None or line.move is None:
        return []
    before = line.parent.seen
    squares = look.sensors.rules.touched(before.position, line.move)[1:]
    return [s for s in squares if before.placement[s] == look.placement[aside]]


def _may_begin(
    look: Snapshot, line: Line, begun: set[Square], reply: tuple[tuple[Square, Piece], ...]
) -> bool:
    """A legal move takes up all the pieces that are in the air, and lets this reply follow."""
    if not begun:
        return _may_drop(look, line, reply)
    rules, left = look.sensors.rules, sorted(begun)
    for move, written in line.seen.steps_touching(left[:1]):
        if not begun <= set(rules.touched(line.seen.position, move)):
            continue
        if {square for square, _ in reply}.isdisjoint(square for square, _ in written):
            after = look.sensors.after(line.seen, move)
            if _allows(after, reply):
                return True
    return False


def _may_drop(look: Snapshot, line: Line, reply: Sequence[Change]) -> bool:
    """The side to move has pieces in hand, and one of them may be on its way to any square: the
    reply is legal without it."""
    dropping, seen = look.sensors.dropping, line.seen
    if dropping is None or not dropping.beside(seen.position, seen.turn):
        return False
    after = look.sensors.taken(
        seen.position, look.sensors.rules.placement(seen.position), line.side
    )
    return after is not None and _allows(after, reply)


def _allows(seen: Seen, reply: Sequence[Change]) -> bool:
    """A legal move writes just these squares."""
    return any(set(way) == set(reply) for _, way in seen.steps_among([s for s, _ in reply]))
