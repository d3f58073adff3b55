"""Whether what no half-move explains is a player's doing, or the game is lost from sight.

A board that nothing explains says one of two things: a player did what is not allowed, or what is
believed of the game is wrong. An arbiter is called to a player only for what one player's hands
do; all else is said once, as a gap, until the position is known again.
"""

from __future__ import annotations

from itertools import islice

from arbiterd.rules.ruleset import Colour, differing
from arbiterd.tracking.belief import Belief
from arbiterd.tracking.facts import How, PlyCertainty
from arbiterd.tracking.image import Image
from arbiterd.tracking.irregular import before_press
from arbiterd.tracking.lines import Line
from arbiterd.tracking.presses import PendingPress, misses_a_piece
from eboards.events import EMPTY, Placement, Square

WEAK_PLIES = 6
"""What is believed wrongly shows within so many half-moves: some of them would not be legal."""
FOUND_PLIES = 4
"""So many half-moves on from a position taken as it stood, the game is in sight again."""
PIECES_MOVED = 2
"""So many of their own pieces a player moves before the press, where it is more than one."""
OWN_DISPLACED = 4
"""So many of its own where none of the other side's was moved but what it took: they were toppled
or swapped."""
PIECES_TAKEN = 2
"""Of the other side's no more are taken: one where a piece arrives, one as if in passing."""


def is_players(belief: Belief, press: PendingPress) -> bool:
    """What the board shows, or showed at this press, can be the doing of the player who pressed.

    Both, where the position is not firm and a piece was in the air then: it may be the other's.
    It is not firm either where the player put a piece down as the rules allow, and it went on: that
    may be two pieces.
    """
    newest = belief.live[0]
    if belief.out_of_sight or belief.status.astray or belief.came_while_away(newest):
        return False
    if newest.crowded:
        return False  # Of what may stand there more was likely than is held.
    if _toppled_own(belief, press):
        return True
    last = before_press(belief, press.side)
    held = (last, *belief.bases)
    shown, pressed = (belief.placement, press.placement), Image(belief.sensors, press.placement)
    for before in held:
        known = is_firm(belief, before)
        firm = known and not (before is last is not newest)
        theirs = [
            _is_theirs(belief, before, press.side, placement, firm=firm) for placement in shown
        ]
        if before.irregular and before.doubtful:
            continue
        whole = known and not misses_a_piece(pressed, before, press.side)
        if any(theirs) if firm else theirs[1] and (theirs[0] or whole):
            return True
    return False


def is_one_sides(belief: Belief) -> bool:
    """What differs at rest is the doing of one side: whoever's, where the newest half-move is firm;
    or of the side that made it, as it is itself."""
    newest = belief.live[0]
    before, shown = newest.parent, belief.placement
    return is_firm(belief, newest) or (
        before is not None
        and is_firm(belief, before)
        and _is_theirs(belief, before, newest.side, shown, firm=False)
    )


def _toppled_own(belief: Belief, press: PendingPress) -> bool:
    """The side that pressed has moved, and pieces of its own are off their squares or on others
    besides, the one it moved perhaps among them: it toppled them. Nothing else has come, so no ply
    that was lost is hidden in it."""
    stood = (past.line for past in belief.given_up)
    return any(_toppled_after(belief, press, line) for line in (belief.live[0], *stood))


def _toppled_after(belief: Belief, press: PendingPress, newest: Line) -> bool:
    if newest.side is not press.side or not newest.watched or belief.sensors.pieces_alike:
        return False
    pieces, shown = newest.seen.placement, belief.sensors.shown(belief.placement)
    off = differing(pieces, shown)
    own, reply = (None, press.side), newest.parent
    if any(belief.sensors.owners[there[s]] not in own for s in off for there in (pieces, shown)):
        return False
    stand = sum(shown[square] != EMPTY for square in off)
    # Had the other side replied in between it would have pressed, and its pieces would show it.
    alone = reply is not None and reply.pressed and belief.status.loss_ns is None
    return not stand or (alone and 1 < stand <= OWN_DISPLACED)


def is_firm(belief: Belief, line: Line) -> bool:
    """The newest half-moves were each shown by themselves, are not doubted, and were pressed or
    stood for longer than hands rest on their way. An irregular one did, or was answered."""
    left_at_ns = belief.status.left_at_ns
    until_ns = belief.status.at_ns if left_at_ns is None else left_at_ns
    for past in islice(line.back(), WEAK_PLIES):
        stood = past.made_at_ns + belief.settings.slide_ns <= until_ns
        known = past.pressed or past.completed_how is How.ARBITER or stood or past.irregular
        if past.parent is not None and not (past.watched and known and not past.doubtful):
            return False
        until_ns = past.made_at_ns
    return True


def is_found(belief: Belief) -> bool:
    """Play has gone on for long enough since a position was taken as it stood.

    Where pieces are alike that never tells which they are.
    """
    if belief.sensors.pieces_alike and any(
        ply.irregular_fen and ply.sureness is PlyCertainty.LIKELY for ply in belief.record.plies
    ):
        return False
    newest = islice(belief.live[0].back(), FOUND_PLIES)
    return not any(past.irregular and past.doubtful for past in newest)


def tells_pieces_apart(belief: Belief) -> bool:
    """It is known which piece stands where: the board tells, or no other line is likely."""
    if belief.live[0].crowded:
        return False
    return not (belief.sensors.pieces_alike and len(belief.rivals()) > 1)


def _is_theirs(belief: Belief, before: Line, side: Colour, shown: Placement, *, firm: bool) -> bool:
    """The player's own pieces moved, lifted or displaced, with what they took of the other side, or
    one piece more.

    No piece comes from nowhere, but in exchange, or from the hand. Where the position is not firm
    the other side's piece is one that the player took, or put for their own, and one of their own
    is in the air only if none arrived. Where pieces are alike, one that can take may have taken.
    """
    sensors = belief.sensors
    pieces, shown = before.seen.placement, sensors.shown(shown)
    squares = differing(pieces, shown)
    if not squares:
        return True
    dropped = int(sensors.dropping is not None)
    if sensors.pieces_alike:
        owner, stood = sensors.rules.owner, sensors.rules.placement(before.seen.position)
        own = sum(owner(stood[square]) is side for square in squares)
        arrived = sum(pieces[square] == EMPTY for square in squares)
        took = before.seen.turn is not side or before.seen.may_have_taken(squares)
        return tells_pieces_apart(belief) and not took and arrived <= own + dropped

    def on(placement: Placement, owner: Colour) -> set[Square]:
        return {square for square in squares if sensors.owners[placement[square]] is owner}

    left, came = on(pieces, side), on(shown, side)
    others_left, others_came = on(pieces, side.other), on(shown, side.other)
    gone, others_gone = len(left) - len(came), len(others_left) - len(others_came)
    took = len(others_left) <= 1 and others_left <= came
    alone = firm and took and not others_came and belief.status.loss_ns is None
    most = OWN_DISPLACED if alone else PIECES_MOVED
    if gone < -dropped or others_gone < -min(max(gone, 0), 1) or len(came) > most:
        return False
    if firm:
        return others_gone <= PIECES_TAKEN and len(others_came) <= 1
    arrived, aloft = len(came - left), len(left - came)
    if len(others_came) == 1 == gone and not came:
        return others_left <= others_came
    if others_came or aloft > max(arrived, 1):
        return False
    return others_left <= came or (not came and len(others_left) == 1)
