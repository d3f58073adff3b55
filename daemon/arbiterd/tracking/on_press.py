"""Presses that waited in vain: looked at again, deeper, and in the end told without a half-move."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from arbiterd.tracking import weights
from arbiterd.tracking.attribution import is_players
from arbiterd.tracking.belief import Belief
from arbiterd.tracking.completing import complete, resolve_presses, waits
from arbiterd.tracking.evidence import handled_alone
from arbiterd.tracking.facts import Fact, Pressed
from arbiterd.tracking.going_on import played_on
from arbiterd.tracking.instead import in_one_stroke
from arbiterd.tracking.irregular import before_press, hold_base, hold_turned
from arbiterd.tracking.next_game import see_next_game
from arbiterd.tracking.on_change import agreed
from arbiterd.tracking.phases import (
    POSITIONS_AT_ONCE,
    LinesFound,
    at_press,
    at_rest,
    on_from,
    recounted,
)
from arbiterd.tracking.press_waits import lands_yet, press_due_ns
from arbiterd.tracking.presses import ORPHANS_MAX, PendingPress, unpressed
from arbiterd.tracking.propose import in_the_air, onward, ranked
from arbiterd.tracking.snapshot import Effort, Snapshot
from arbiterd.tracking.telling import (
    tell_gone_and_back,
    tell_lost,
    tell_settled,
    tell_what_is_believed,
    tell_what_rested,
    tell_what_was_pressed_upon,
)
from arbiterd.tracking.undoing import exactly

POSITIONS_JUDGED = 200
"""So many positions may be looked at for presses that waited in vain until the same time, the half
of them for what the board shows now."""


def press_at_once(belief: Belief, at_ns: int) -> list[Fact]:
    """A press says that its side has moved."""
    if not belief.presses:
        return []
    look = belief.snapshot(at_ns, POSITIONS_AT_ONCE)
    if belief.agrees or _waits_for_a_capture(belief, look):
        return []
    if len(belief.live) > 1 and waits(belief, belief.presses[0]):
        return []
    owing = [line for line in belief.live if unpressed(line, belief.presses[-1])]
    found = recounted(look, at_press(look, belief.live, owing))
    found = found if found.lines else _on_from_bases(belief, look)
    if not any(unpressed(line, press) for line in found.lines for press in belief.presses):
        return []  # None of them has a half-move that it may be for.
    belief.take(at_ns, found)
    return agreed(belief, at_ns) if belief.agrees else resolve_presses(belief, at_ns)


def _on_from_bases(belief: Belief, look: Snapshot) -> LinesFound:
    """The press is for a reply to what no rule explains, and ends it: nothing else will be set
    down."""
    side = belief.presses[-1].side
    held = [base for base in belief.bases if base.parent is not None and base.seen.turn is side]
    return LinesFound(ranked(on_from(look, [base for base in held if not base.doubtful])))


def _waits_for_a_capture(belief: Belief, look: Snapshot) -> bool:
    """The half-move stands but for pieces in the air. Where a piece that left may have taken any
    other, it could be told anew; but the reply may have begun with taking it off."""
    line = belief.live[0]
    pressed = belief.presses[-1].side
    return belief.sensors.pieces_alike and line.side is pressed and bool(in_the_air(look, line))


def presses_are_due(belief: Belief, at_ns: int) -> list[Fact]:
    """Presses that have waited for what was in the hand, or for all that may come, oldest first:
    one budget for all of them."""
    facts: list[Fact] = []
    left = POSITIONS_JUDGED
    while (due_ns := press_due_ns(belief)) is not None and at_ns >= due_ns:
        press = belief.presses[0]
        if lands_yet(belief, press):
            belief.presses[0] = replace(press, lands_late=True)
            facts += resolve_presses(belief, at_ns)
        else:
            effort = Effort(left)
            facts += judge_press(belief, at_ns, effort)
            left = effort.left
    return facts


def judge_press(belief: Belief, at_ns: int, effort: Effort) -> list[Fact]:
    """The oldest press has waited long enough for its placement."""
    press = belief.presses[0]
    witnessed = _was_witnessed(belief, press)
    if not witnessed:
        _note_missing(belief, at_ns, press)
    facts = see_next_game(belief, at_ns)
    if not belief.agrees:
        facts += _judge_placement(belief, at_ns, effort)
    elif belief.live[0].seen.turn is press.side:
        facts += belief.take(at_ns, _shown_by_no_square(belief, at_ns))
    if press in belief.presses:
        facts += resolve_presses(belief, at_ns, waited=True)
    if press in belief.presses and not belief.agrees:
        facts += played_on(belief, at_ns)
    if press in belief.presses and _came_before_a_knock(belief, press):
        belief.presses.remove(press)
        facts += complete(belief, at_ns, press, belief.live[0])
    if press not in belief.presses:
        rests = belief.agrees and belief.status.changed_at_ns is None
        return facts + (tell_settled(belief, at_ns) if rests else [])
    belief.presses.remove(press)
    if _starts_another_game(belief, press):
        return facts
    if not press.seen and not _answers_a_press(belief, press):
        facts += tell_gone_and_back(belief, at_ns) if belief.agrees else []
        more = not press.followed and belief.live[0].seen.turn is press.side
        return facts + (_gone_on(belief, at_ns) if more and hold_turned(belief) else [])
    return facts + _tell_in_vain(belief, at_ns, press, witnessed=witnessed)


def _came_before_a_knock(belief: Belief, press: PendingPress) -> bool:
    """The newest half-move stood whole when it may have been pressed for, and what has come over
    the board since is no player's doing."""
    newest, left_ns = belief.live[0], press.left_at_ns
    if belief.agrees or left_ns is None or belief.out_of_sight or belief.status.astray:
        return False
    stood = max(newest.made_at_ns, press.begun_ns) < left_ns
    return stood and unpressed(newest, press)[:1] == [newest] and not is_players(belief, press)


def _shown_by_no_square(belief: Belief, at_ns: int) -> LinesFound:
    """King and rook have changed places, which these sensors do not tell: both were taken up."""
    look, newest = belief.snapshot(at_ns, POSITIONS_AT_ONCE), belief.live[0]
    ways = onward(look, newest, newest.cost, silent=True)
    return LinesFound(ranked(way for way in ways if handled_alone(look, way[1])))


def _tell_in_vain(
    belief: Belief, at_ns: int, press: PendingPress, *, witnessed: bool
) -> list[Fact]:
    """No half-move belongs to the press: its side has played what is none, or the game is lost."""
    facts = tell_what_is_believed(belief, at_ns, before_press(belief, press.side))
    if belief.live[0].ply > belief.book.last.ply and belief.live[0].side is not press.side:
        # The half-move before was not pressed: told now, or this one would have no turn.
        before = tell_what_rested(belief, at_ns)
        facts += before or tell_what_was_pressed_upon(belief, at_ns, press)
    turn = belief.turn
    belief.status.orphans += 1
    lost = belief.status.orphans > ORPHANS_MAX and not belief.agrees
    astray = lost or not is_players(belief, press)
    unseen = lost or belief.out_of_sight
    hold_base(belief, press.side.other, press, astray=unseen, doubtful=astray)
    if astray:
        # Hands may be over the board yet: said at the next such press, or when they have left.
        lost = lost or belief.status.astray
        belief.status.astray = not belief.agrees
        facts += tell_lost(belief, at_ns) if lost else []
        return [*facts, *_gone_on(belief, at_ns)]
    told = Pressed(press.at_ns, press.late_ns, press.side, None, turn.ply, turn, False, witnessed)
    return [*facts, told, *_gone_on(belief, at_ns)]


def _answers_a_press(belief: Belief, press: PendingPress) -> bool:
    """The newest half-move was completed by the other side's press just before, heard of with this
    one. What stands there since was pressed for: the other side's clock runs."""
    newest = belief.live[0]
    heard_together = newest.pressed and newest.completed_at_ns == press.at_ns
    return heard_together and newest.side is press.side.other and not belief.agrees


def _was_witnessed(belief: Belief, press: PendingPress) -> bool:
    """The board was seen whole after the press and before the next one: no lost message hides what
    it was for, nor half-moves that led there and back."""
    pictured_ns, later = belief.status.pictured_ns, belief.presses[1:]
    if not belief.sensors.sensing.pictures:
        return True
    if pictured_ns is None or pictured_ns < press.at_ns:
        return False
    return not any(other.seen and other.at_ns < pictured_ns for other in later)


def _note_missing(belief: Belief, at_ns: int, press: PendingPress) -> None:
    """The picture that the press asked for has not come; or never came, where another did that a
    later press had asked for."""
    if belief.witnessed(press.at_ns):
        belief.status.missed_ns = at_ns
    else:
        belief.status.unpictured_ns = at_ns


def _starts_another_game(belief: Belief, press: PendingPress) -> bool:
    """The pieces stood ready for the next game: this one is over, and the press is no part of it,
    though nobody has said so."""
    return any(start.seen.placement == press.placement for start in belief.next_games)


def _gone_on(belief: Belief, at_ns: int) -> list[Fact]:
    """The reply came while the press waited: play has gone on from what was pressed for."""
    if belief.agrees or belief.clocks_stopped or not belief.bases or belief.bases[-1].witnessed:
        return []
    look, base = belief.snapshot(at_ns, POSITIONS_AT_ONCE), belief.bases[-1]
    belief.take(at_ns, LinesFound(ranked(on_from(look, [base]))))
    return agreed(belief, at_ns) if belief.agrees else []


def _judge_placement(belief: Belief, at_ns: int, effort: Effort) -> list[Fact]:
    """Explains what the board shows, or showed when the oldest press became known."""
    facts: list[Fact] = []
    now = belief.snapshot(at_ns, 0)
    if not belief.clocks_stopped:
        now = replace(now, effort=effort)
    for number, found in enumerate(_ever_deeper(belief, now)):
        if found.against > weights.IRREGULAR and (
            irregular := played_on(belief, at_ns, found.against)
        ):
            return facts + irregular
        facts += belief.take(at_ns, found)
        if found.lines:
            if number == 1:
                facts += belief.take(at_ns, at_rest(now, belief.live, held=True))
            return facts + (
                agreed(belief, at_ns) if belief.agrees else resolve_presses(belief, at_ns)
            )
    return facts


def _ever_deeper(belief: Belief, now: Snapshot) -> Iterator[LinesFound]:
    """What may explain it, all within one budget; each is asked for only where nothing before it
    does."""
    yield at_rest(replace(now, effort=now.effort.part()), belief.live, held=False)
    pressed = belief.snapshot(now.at_ns, 0, belief.presses[0].placement)
    found = at_rest(replace(pressed, effort=now.effort), belief.live, held=False)
    if pressed.hash == belief.live[0].seen.hash and found.against > weights.PRESSED_NOTHING:
        # The line as it is shows that, and the press was for nothing: that is likelier.
        found = LinesFound([])
    yield found
    yield LinesFound(ranked(exactly(now, belief.live[0])))
    yield LinesFound(ranked(in_one_stroke(now, belief.live[0])))
