"""The hands have left the board, or a picture ends a silence: what it shows is told, explained or
not."""

from __future__ import annotations

from collections.abc import Sequence

from arbiterd.rules.ruleset import differing
from arbiterd.rules.sensed import as_known
from arbiterd.tracking import weights
from arbiterd.tracking.arrays import see_set_up, wrong_array
from arbiterd.tracking.attribution import is_one_sides, tells_pieces_apart
from arbiterd.tracking.belief import Belief
from arbiterd.tracking.facts import BoardReset, Fact, Knocked, OutOfTurn, Settled
from arbiterd.tracking.going_on import played_on
from arbiterd.tracking.instead import in_one_stroke
from arbiterd.tracking.irregular import (
    BASE_SQUARES_MAX,
    anchor,
    hold_base,
    hold_turned,
    turned_over,
)
from arbiterd.tracking.lines import Line
from arbiterd.tracking.next_game import see_next_game
from arbiterd.tracking.on_change import agreed
from arbiterd.tracking.phases import POSITIONS_AT_REST, LinesFound, at_rest
from arbiterd.tracking.propose import ranked
from arbiterd.tracking.telling import tell_lost, tell_settled, tell_what_rested
from arbiterd.tracking.undoing import exactly
from eboards.events import EMPTY, Square

POSITIONS_AFTER_SILENCE = 800
"""So many positions may be looked at for the picture that ends a silence."""


def settle(belief: Belief, at_ns: int) -> list[Fact]:
    """Nothing has changed for a while: the hands have left the board."""
    if belief.status.ended or belief.signal is not None:
        return []
    if belief.status.left_over:
        return see_set_up(belief, at_ns)
    # While clocks stand it may be the game before that is looked at again.
    facts = [] if belief.clocks_stopped else see_next_game(belief, at_ns)
    if not belief.agrees:
        look = belief.snapshot(at_ns, POSITIONS_AT_REST)
        found = at_rest(look, belief.live, held=True)
        if found.against > weights.IRREGULAR:
            facts += played_on(belief, at_ns, found.against)
        if not belief.agrees:
            facts += belief.take(at_ns, found)
        squares = belief.live[0].seen.differing(look.placement)
        arrived = any(look.placement[square] != EMPTY for square in squares)
        if not belief.agrees:
            found = LinesFound(ranked(exactly(look, belief.live[0])))
            if not found.lines and arrived:
                found = LinesFound(ranked(in_one_stroke(look, belief.live[0])))
            facts += belief.take(at_ns, found)
        if not belief.agrees and arrived:  # A piece in the hand may yet go anywhere.
            facts += played_on(belief, at_ns)
        facts += agreed(belief, at_ns) if belief.agrees else _settle_unexplained(belief, at_ns)
    return facts + (tell_settled(belief, at_ns) if belief.agrees else [])


def _settle_unexplained(belief: Belief, at_ns: int) -> list[Fact]:
    newest, shown = belief.live[0], belief.image.shown
    squares = differing(newest.seen.placement, shown)
    if not belief.record.plies and newest.ply == 0 and not belief.status.begun:
        return wrong_array(belief, at_ns)
    facts = [] if _pressed_with_more(belief) else tell_what_rested(belief, at_ns)
    start = belief.sensors.start_shown(belief.placement)
    if start is not None:
        if belief.came_in_silence(newest):
            # What was played before the pieces were put back nobody saw.
            facts += tell_lost(belief, at_ns)
        belief.bases = [Line(belief.sensors.seen(start), None, None, at_ns, ply=0)]
        return [*facts, BoardReset(at_ns, belief.turn)]
    if belief.status.astray:
        facts += tell_lost(belief, at_ns)
    if all(shown[s] == EMPTY for s in squares):
        return facts
    if belief.came_in_silence(newest):
        facts += tell_lost(belief, at_ns)
    if belief.status.lost:
        anchor(belief)
        return facts
    if len(squares) >= belief.settings.knock_squares and _was_sudden(belief, squares):
        belief.status.unexplained = True
        return [*facts, Knocked(at_ns, belief.turn, squares)]
    if len(squares) > BASE_SQUARES_MAX:
        return facts
    if _other_king_may_follow(belief, at_ns):
        belief.status.changed_at_ns = at_ns - belief.settings.settle_ns + belief.settings.kings_ns
        return facts
    belief.status.unexplained = True
    if belief.hides or _stood_when_pressed(belief):
        return [*facts, Settled(at_ns, belief.turn, squares)]
    out_of_turn = _out_of_turn(belief, at_ns)
    hold_base(belief, newest.seen.turn.other, None, doubtful=not is_one_sides(belief))
    if out_of_turn:
        return [*facts, *out_of_turn]
    return [*facts, Settled(at_ns, belief.turn, squares)]


def _other_king_may_follow(belief: Belief, at_ns: int) -> bool:
    """The king of the side that has not the move was put in the centre: with the other one beside
    it that is a result, and no half-move out of turn."""
    settings, changes, seen = belief.settings, belief.book.changes, belief.live[0].seen
    if not changes or at_ns - changes[-1].at_ns >= settings.settle_ns + settings.kings_ns:
        return False
    before = belief.rules.placement(seen.position)
    shown = as_known(belief.rules, before, belief.image.raw, belief.sensors.sensing.kind)
    came = set(belief.rules.kings_in_centre(shown)).difference(belief.rules.kings_in_centre(before))
    return any(belief.rules.owner(shown[square]) is seen.turn.other for square in came)


def _out_of_turn(belief: Belief, at_ns: int) -> list[Fact]:
    """The side that has not the move has made one, legal but for that.

    With another piece than in the half-move before, which is made, then, however short it stood:
    unless both were pressed for together.
    """
    seen = belief.live[0].seen
    other, shown = turned_over(belief.sensors, seen), tuple(belief.image.shown)
    moves = () if other is None else other.moves_to(belief.image.hash, shown)
    if other is None or not moves:
        return []
    hold_base(belief, seen.turn, None, doubtful=not is_one_sides(belief))
    # Whose turn it is has to be clear.
    if belief.live[0].doubtful or not tells_pieces_apart(belief):
        return []
    wire = belief.rules.wire(other.position, moves[0])
    facts = [] if _pressed_with_more(belief) else tell_settled(belief, at_ns)
    return [*facts, OutOfTurn(at_ns, other.turn, belief.turn, wire)]


def _pressed_with_more(belief: Belief) -> bool:
    """The newest half-move and what its side did besides were pressed for together."""
    newest = belief.live[0]
    pressing = any(press.side is newest.side for press in belief.presses)
    bases = (base for base in belief.bases if base.parent is newest.parent)
    return pressing or any(base.pressed for base in bases)


def _stood_when_pressed(belief: Belief) -> bool:
    """All of this stood there when the side pressed that has not the move: the other has done
    nothing since."""
    if any(base.pressed and base.seen.hash == belief.image.hash for base in belief.bases):
        return True
    changes, scan_ns = belief.book.changes, belief.sensors.sensing.scan_ns
    return any(
        press.side is belief.live[0].side
        and (not changes or changes[-1].at_ns <= press.at_ns + scan_ns)
        for press in belief.presses
    )


def _was_sudden(belief: Belief, squares: Sequence[Square]) -> bool:
    """All of this came within seconds, as no hand sets pieces up. What only a picture showed came
    at some time before."""
    since_ns = belief.status.left_at_ns or 0
    changes = [change for change in belief.book.changes if change.at_ns >= since_ns]
    seen = [change for change in changes if change.square in squares]
    if not seen or any(change.pictured for change in seen):
        return False
    return seen[-1].at_ns - seen[0].at_ns <= belief.settings.knock_ns


def see_after_silence(belief: Belief, at_ns: int) -> list[Fact]:
    """The picture that ends a silence is explained as deeply as can be, or anchors play anew. Of
    half-moves that nobody heard there may always be one more."""
    facts = [] if belief.agrees else _end_silence(belief, at_ns)
    if belief.agrees and belief.live[0].unheard_plies > 1:
        hold_turned(belief)
    return facts


def _end_silence(belief: Belief, at_ns: int) -> list[Fact]:
    status = belief.status
    if status.ended or status.left_over or status.loss_ns is None:
        return []
    if begun := see_next_game(belief, at_ns):
        return begun
    # A board that only shows the whole is looked at when it rests: what it shows may go on.
    silence = belief.tells_losses and belief.came_in_silence(belief.live[0])
    if not silence and belief.status.missed_ns != at_ns:
        return []
    found = at_rest(belief.snapshot(at_ns, POSITIONS_AFTER_SILENCE), belief.live, held=False)
    facts = belief.take(at_ns, found)
    if not found.lines:
        if silence and not belief.clocks_stopped:
            anchor(belief)
        return []
    shown = found.lines[0].seen.hash == belief.image.hash
    return [*facts, *agreed(belief, at_ns)] if shown else facts
