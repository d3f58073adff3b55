"""How a game begins: the start array, a wrong one, or a start that play shows by going on."""

from __future__ import annotations

from collections.abc import Sequence

from arbiterd.rules.ruleset import Colour, differing
from arbiterd.tracking.belief import Belief
from arbiterd.tracking.facts import Fact, GameBegun, StartArray
from arbiterd.tracking.irregular import BASES_KEPT, starts
from arbiterd.tracking.lines import Line
from arbiterd.tracking.sensors import Position
from eboards.events import EMPTY, Piece

PIECES_OUT = 3
"""So many pieces in the middle are no array put up wrongly."""


def begin_game(belief: Belief, at_ns: int, position: Position) -> list[Fact]:
    """A new game from this position."""
    belief.begin(Line(belief.sensors.seen(position), None, None, at_ns, ply=0))
    belief.status.changed_at_ns = None if belief.agrees else at_ns
    return [GameBegun(at_ns, belief.record.start, 0), *see_array(belief, at_ns)]


def begin_from(belief: Belief, at_ns: int) -> list[Fact]:
    """Where the best explanation grew from another start than the record: a new game."""
    if belief.goes_on(belief.live[0]):
        return []
    root = belief.live[0].root()
    live, presses, changed_at_ns = belief.live, belief.presses, belief.status.changed_at_ns
    changes = [change for change in belief.book.changes if change.at_ns >= root.made_at_ns]
    belief.begin(root)
    belief.book.changes = changes
    # What grew from another start is of no game that is on record now.
    belief.live = [line for line in live if line.root() is root]
    belief.presses, belief.status.changed_at_ns = presses, changed_at_ns
    belief.status.array = ()
    return [GameBegun(at_ns, belief.record.start, 0)]


def see_array(belief: Belief, at_ns: int) -> list[Fact]:
    """Before the first move: the pieces stand as they should."""
    if belief.live[0].ply or belief.record.plies:
        return []
    if not belief.agrees:
        return []
    status = belief.status
    if status.clock_known and status.runs is None and not status.presses:
        # They stand right, and nobody's time has run: what was touched until now is of no turn.
        belief.live[0].made_at_ns = at_ns
    if status.array == ():
        return []
    first = status.array is None
    status.array = ()
    # A clock that was heard before the board runs on: no word of it need follow.
    status.begun |= status.runs is not None
    begun: list[Fact] = [GameBegun(at_ns, belief.record.start, 0)] if first else []
    return [*begun, StartArray(at_ns, belief.placement, ())]


def see_first_array(belief: Belief, at_ns: int) -> list[Fact]:
    """The first picture of the board: right or wrong, it is said without delay."""
    status = belief.status
    if status.array is not None or status.ended or status.left_over or belief.record.plies:
        return []
    if belief.agrees:
        return see_array(belief, at_ns)
    return wrong_array(belief, at_ns) if belief.live[0].ply == 0 else []


def wrong_array(belief: Belief, at_ns: int) -> list[Fact]:
    """No move was made, and the pieces do not stand as they should: they may be where it begins.

    Another start array of this game is one. Where half of the squares differ otherwise the pieces
    are being set up, or it is another position.
    """
    other = belief.sensors.start_shown(belief.placement)
    if other is not None and not belief.agrees:
        return begin_game(belief, at_ns, other)
    root, status = belief.book.told[0], belief.status
    found = starts(belief.sensors, root, belief.placement, status.runs, at_ns)
    belief.bases = [*belief.bases, *found][-BASES_KEPT:]
    squares = differing(root.seen.placement, belief.image.shown)
    wanted = belief.rules.placement(root.seen.position)
    wrong = tuple((s, wanted[s], belief.image.raw[s]) for s in squares)
    if 2 * len(wrong) > len(wanted) or wrong == status.array:
        return []
    status.array = wrong
    return [StartArray(at_ns, belief.placement, wrong)]


def is_array(wanted: Sequence[Piece], shown: Sequence[Piece]) -> bool:
    """The pieces are set up so, rightly or not: few stand in the middle, and few are missing."""
    squares = differing(wanted, shown)
    out = sum(wanted[square] == EMPTY for square in squares)
    missing = sum(shown[square] == EMPTY for square in squares)
    return max(out, missing) < PIECES_OUT


def set_up(belief: Belief, at_ns: int) -> None:
    """The pieces of the game before are put away: what hands did until now is of no turn."""
    belief.begin(Line(belief.live[0].seen, None, None, at_ns, ply=0))
    belief.status.changed_at_ns = None if belief.agrees else at_ns


def see_set_up(belief: Belief, at_ns: int) -> list[Fact]:
    """The hands rest, and the pieces of the game before may have been set up, rightly or not."""
    if not is_array(belief.live[0].seen.placement, belief.image.shown):
        return []
    set_up(belief, at_ns)
    return see_first_array(belief, at_ns)


def press_before_array(belief: Belief, at_ns: int, side: Colour, late_ns: int) -> None:
    """Where both sides press they play, however the pieces were set up."""
    status = belief.status
    status.presses = (*status.presses, (side, at_ns, late_ns))[-2:]
    if {pressed for pressed, _, _ in status.presses} == set(Colour):
        status.left_over, status.changed_at_ns = False, at_ns
