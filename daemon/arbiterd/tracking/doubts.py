"""Squares that cannot be what they show, from a count of the pieces.

A piece shows on one square only: where one more of a kind shows than there are, a message was lost
or a coil errs. Only boards that tell kinds apart can be counted; what they show as an unknown piece
(a tag that nobody has taught) may be any piece that a half-move leaves there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from arbiterd.tracking.facts import SquareSeen
from arbiterd.tracking.lines import Line
from arbiterd.tracking.snapshot import Snapshot
from eboards.events import EMPTY, UNKNOWN, Piece, Placement, Square

DOUBTS_MAX = 12
"""So many readings are doubted in turn at most."""

Doubt = tuple[Square, Piece]
"""A square, and what it may hold in truth."""


def doubts(look: Snapshot, line: Line, *, at_once: bool = False) -> list[Doubt]:
    """What could be otherwise, if there are more pieces than there can be; empty: nothing odd.

    With `at_once`, hands are busy: only a piece that still shows where it stood is doubted.
    """
    if not look.sensors.counts:
        return []
    seen = line.seen
    more = Counter(look.placement)
    more.subtract(seen.placement)
    excess = [piece for piece in sorted(more) if piece != EMPTY and more[piece] > 0]
    if len(excess) != 1 or more[excess[0]] != 1:
        return []
    piece = excess[0]
    if _given_up(line, piece):
        return []
    short = [piece for piece in sorted(more) if piece != EMPTY and more[piece] < 0]
    if piece == UNKNOWN:
        return _unknown(look, line, short, at_once=at_once)[:DOUBTS_MAX]
    if _from_a_hand(look, line, piece, short):
        return []
    if _exchanged(look, line, piece):
        return []
    found: list[Doubt] = []
    for square, shown in enumerate(look.placement):
        if shown != piece:
            continue
        if seen.placement[square] == piece:
            found.append((square, EMPTY))
        elif not at_once:
            found += [(square, piece) for piece in (*short, EMPTY)]
    return found[:DOUBTS_MAX]


def _unknown(look: Snapshot, line: Line, short: Sequence[Piece], *, at_once: bool) -> list[Doubt]:
    """What the unknown piece may be: the one that stood there, unless it was seen to leave, one
    that is missed elsewhere, one that a legal move puts there (a promoted one above all), and last
    nobody."""
    square, seen = look.placement.index(UNKNOWN), line.seen
    stood = seen.placement[square]
    left = stood == EMPTY or (square, EMPTY) in (
        (change.square, change.after) for change in look.since(line.made_at_ns)
    )
    if not left and at_once:
        return [(square, stood)]
    ways = seen.steps_touching((square,))
    newcomers = [piece for _, written in ways for s, piece in written if s == square]
    came = [piece for piece in newcomers if piece != EMPTY]
    found = [*short, *came, EMPTY] if left else [stood, *came]
    return [(square, piece) for piece in dict.fromkeys(found)]


def _given_up(line: Line, piece: Piece) -> bool:
    """The last half-move took one of the mover's own pieces of this kind off the board, and put
    none anywhere: where it shows again it stands there, and no reading errs."""
    if line.parent is None or line.seen.rules.owner(piece) is not line.side:
        return False
    before, after = line.parent.seen.placement, line.seen.placement
    return before.count(piece) > after.count(piece)


def _from_a_hand(look: Snapshot, line: Line, piece: Piece, short: Sequence[Piece]) -> bool:
    """Its side has one in hand, or one of those that are missing is its other face: it was dropped
    or turned over, allowed or not, and no reading errs."""
    dropping, owner = look.sensors.dropping, line.seen.rules.owner
    side = owner(piece)
    if dropping is None or side is None:
        return False
    faces = [dropping.in_hand(other) for other in short if owner(other) is side]
    return dropping.in_hand(piece) in (*dropping.beside(line.seen.position, side), *faces)


def _exchanged(look: Snapshot, line: Line, piece: Piece) -> bool:
    """A piece has left that may become one of several where this one came in: it was put there in
    exchange, allowed or not, and no reading errs."""
    seen, shown = line.seen, look.placement
    squares = {s for s, there in enumerate(shown) if there == piece != seen.placement[s]}
    choices: dict[tuple[Square, ...], set[Piece]] = {}
    for _, written in seen.steps_touching(squares):
        left = tuple(square for square, piece in written if piece == EMPTY)
        if all(shown[square] == EMPTY for square in left):
            came = {piece for square, piece in written if square in squares and piece != EMPTY}
            choices.setdefault(left, set()).update(came)
    return any(len(pieces) > 1 for pieces in choices.values())


def doubted(look: Snapshot, doubt: Doubt) -> Snapshot:
    """The same look, with one square read otherwise."""
    square, piece = doubt
    placement: Placement = (*look.placement[:square], piece, *look.placement[square + 1 :])
    of = look.sensors.hashing.of[square]
    number = look.hash ^ of[look.placement[square]] ^ of[piece]
    changes = look.changes
    if piece == EMPTY and changes:
        # A piece that is not there any more left with the newest change at the latest.
        seen = SquareSeen(changes[-1].at_ns, square, look.placement[square], EMPTY)
        changes = (*changes, seen)
    return replace(look, placement=placement, hash=number, changes=changes, doubted=True)
