"""Kings in the centre: a result, once they have stood there for a while."""

from __future__ import annotations

from arbiterd.tracking.belief import Belief
from arbiterd.tracking.facts import Fact, KingsInCentre
from arbiterd.tracking.lines import Line
from arbiterd.tracking.telling import tell_settled
from eboards.events import EMPTY


def watch_kings(belief: Belief, at_ns: int) -> None:
    signal = belief.signal
    if signal is None:
        belief.status.kings_at_ns = belief.status.kings_told = None
    elif signal != belief.status.kings_told:
        belief.status.kings_at_ns = at_ns + belief.settings.kings_ns


def tell_kings(belief: Belief, at_ns: int) -> list[Fact]:
    """First what was still to be told or to be taken back, then the result."""
    belief.status.kings_at_ns = belief.status.changed_at_ns = None
    belief.status.kings_told = result = belief.signal
    if result is None:
        return []  # What was told since then takes a piece in the centre for another one.
    line = belief.live[0]
    told = belief.book.told
    stood_ns, last = belief.status.stands_since_ns, told[-1]
    while line.parent is not None:
        # What was told stays; but no king moved to the centre once both clocks stood.
        standing = stood_ns is not None and line.made_at_ns >= stood_ns and not line.pressed
        if line in told and not (standing and _is_signal(belief, line)):
            break
        left = standing and _has_left(belief, line)
        if not left and not _is_signal(belief, line) and not _made_room(belief, line):
            break
        last = line.parent if line is last else last
        line = line.parent
    if last.parent is line:
        # A king's last move that was told stood before it went on to make the signal.
        line = last
    belief.live = [line]
    return [*tell_settled(belief, at_ns), KingsInCentre(at_ns, result, belief.turn)]


def _made_room(belief: Belief, line: Line) -> bool:
    """Its own piece was only taken off, for a king or as one: something stands there again, or
    none was seen to arrive where the half-move would have set it down."""
    shown, parent = belief.image.shown, line.parent
    if any(piece == EMPTY != shown[square] for square, piece in line.written()):
        return True
    if not belief.sensors.pieces_alike or parent is None:
        return False
    changed = belief.book.squares_since(parent.made_at_ns + 1)
    return set(changed).isdisjoint(line.brought())


def _has_left(belief: Belief, line: Line) -> bool:
    """The piece that the half-move brought has gone on."""
    shown = belief.image.shown
    return any(piece not in (EMPTY, shown[square]) for square, piece in line.written())


def _is_signal(belief: Belief, line: Line) -> bool:
    """The half-move only brought a piece to where it makes the signal."""
    for square, piece in line.written():
        if piece != EMPTY and belief.image.shown[square] == piece:
            without = list(belief.image.raw)
            without[square] = EMPTY
            if belief.signalled(without) is None:
                return True
    return False
