"""Presses whose half-move the board shows: it is told, and completed."""

from __future__ import annotations

from itertools import islice
from operator import itemgetter

from arbiterd.tracking import weights
from arbiterd.tracking.belief import Belief
from arbiterd.tracking.evidence import begun_at, left_at
from arbiterd.tracking.facts import Fact, How, MoveMade, Pressed, Turn
from arbiterd.tracking.lines import Line
from arbiterd.tracking.press_waits import lands_yet
from arbiterd.tracking.presses import (
    PendingPress,
    against_press,
    misses_a_piece,
    pressed_line,
    unpressed,
)
from arbiterd.tracking.sliding import stop_likelier
from arbiterd.tracking.telling import tell, tell_what_is_certain


def resolve_presses(belief: Belief, at_ns: int, *, waited: bool = False) -> list[Fact]:
    """Presses whose half-move the board shows, oldest first; that one has perhaps `waited`."""
    facts: list[Fact] = []
    while belief.presses:
        press = belief.presses[0]
        if len(belief.live) > 1 and not _weigh(belief, press, waited=waited):
            break
        line = pressed_line(belief.image, belief.live[0], press, waited=waited)
        if line is None or lands_yet(belief, press) or _is_a_later_one(belief, press, line):
            break
        if not waited and (
            _only_stopped(belief, press, line) or _has_moved_again(belief, press, line)
        ):
            break
        waited = False
        facts += complete(belief, at_ns, belief.presses.pop(0), line)
    return facts


def _is_a_later_one(belief: Belief, press: PendingPress, line: Line) -> bool:
    """The half-move was begun after the press, and the other side has pressed since: both sides
    have made half-moves that nobody saw."""
    answered = any(
        side is press.side.other and at_ns > press.at_ns for side, at_ns, _ in belief.status.presses
    )
    if not answered or line.parent is None or line.unheard or line.dropped:
        return False
    begun_ns = begun_at(belief.snapshot(press.at_ns, 0), line)
    return begun_ns - belief.sensors.sensing.scan_ns > press.at_ns


def _only_stopped(belief: Belief, press: PendingPress, line: Line) -> bool:
    """Of presses heard together, the first would be for a half-move whose piece is in the air again
    and was, in all likelihood, only resting on its way: where it lands tells."""
    reply = belief.live[0]
    if not press.followed or reply.parent is not line or line.in_place(belief.image.shown):
        return False
    look = belief.snapshot(press.at_ns, 0)
    return stop_likelier(look, reply, line.made_at_ns, left_at(look, line)) > 0


def _has_moved_again(belief: Belief, press: PendingPress, line: Line) -> bool:
    """Of presses heard together, the first may be for its side's next half-move as well, and the
    other side's next piece is in the air: where that lands tells."""
    again = belief.live[0].at(line.ply + 2)
    if not press.followed or again is None or again.made_at_ns > press.at_ns:
        return False
    return misses_a_piece(belief.image, belief.live[0], press.side.other)


def _weigh(belief: Belief, press: PendingPress, *, waited: bool) -> bool:
    """Among rivals, those in which the side that pressed has moved by then are the better ones.
    False: one in which it has not is better all the same, and the press waits. Where it has
    `waited`, it was for nothing only if that is likelier by more than `MARGIN`."""
    image = belief.image
    found = [(rival, pressed_line(image, rival, press, waited=waited)) for rival in belief.live]
    if all(line is None for _, line in found):
        return True
    scan_ns, look = belief.sensors.sensing.scan_ns, belief.snapshot(press.at_ns, 0)
    weighed = []
    for rival, line in found:
        if line is None:
            whole = belief.status.loss_ns is None
            late = weights.PRESSED_NOTHING if whole else weights.PRESSED_LOST
            late *= 1 + press.followed  # Those heard of with it are for later ones.
            if rival.seen.turn is press.side and _lands_soon(belief, press, rival):
                late = min(late, weights.PRESSED_EARLY)
            own = unpressed(rival, press)
            if own and own[0] is rival:
                # It stood when it was pressed for, or its piece was in the air and pressed for.
                late = min(late, against_press(press, rival, scan_ns, left_at(look, rival)))
            late += weights.MARGIN * waited
        else:
            # What was pressed for already was not: that press was for the half-move before.
            since = islice(rival.back(), rival.ply - line.ply + 1)
            next_own = rival.at(line.ply + 2)
            until_ns = None if next_own is None else begun_at(look, next_own)
            late = against_press(press, line, scan_ns, until_ns)
            late += weights.UNPRESSED * any(past.pressed for past in since)
        weighed.append((rival.cost + late, rival, line))
    weighed.sort(key=itemgetter(0))
    best, _, line = weighed[0]
    if line is None and not waited:
        return False
    for cost, rival, _ in weighed:
        rival.cost = cost - best
    belief.live = [rival for _, rival, _ in weighed]
    return True


def _lands_soon(belief: Belief, press: PendingPress, rival: Line) -> bool:
    """A piece of its side is in the air, and the next scan may show it. A pawn that becomes a plank
    sets nothing down, and may have made its half-move already."""
    sets_down = belief.sensors.sets_down
    return sets_down and misses_a_piece(belief.image, rival, press.side)


def complete(belief: Belief, at_ns: int, press: PendingPress, line: Line) -> list[Fact]:
    """The press was for this half-move: it is told, and completed."""
    _press(belief, press, line)
    facts = belief.book.complete(at_ns, line, press.at_ns, How.PRESSED)
    turn: Turn | None = None
    known_before = line in belief.book.told
    if known_before:
        facts += tell_what_is_certain(belief, at_ns)
    else:
        path = belief.path()
        # What was told after it may be told anew with it.
        known = max(line.ply, belief.book.last.ply)
        path = [past for past in path if past.ply <= known]
        facts += tell(belief, at_ns, path, How.PRESSED)
        for fact in facts:
            if isinstance(fact, MoveMade):
                turn = fact.turn
    turn = turn or belief.book.turn_of(line, belief.placement)
    begun_ns = press.begun_ns
    replied = belief.live[0].ply > line.ply and belief.live[0].made_at_ns < begun_ns
    begun = replied or (
        belief.book.last is line
        and any(touch.lifted_at_ns < begun_ns for touch in belief.book.touches())
    )
    if line.irregular and (line.doubtful or not known_before):
        # The game was lost from sight there: nobody is said to have played it. Or it is told as
        # pressed for and replied to at once.
        return facts
    pressed = Pressed(
        press.at_ns, press.late_ns, press.side, line.wire() or None, line.ply, turn, begun
    )
    return [*facts, pressed]


def _press(belief: Belief, press: PendingPress, line: Line) -> None:
    """Its half-move was pressed for, in each line that is held, and in those given up for it."""
    # What one rival is told is shared by others: so each is asked before any is.
    own = [pressed_line(belief.image, rival, press) for rival in belief.live[1:]]
    for rival, its in zip(belief.live, [line, *own], strict=True):
        same = its or rival.at(line.ply)
        if same is not None and same.side is press.side:
            hastily = press.begun_ns < same.made_at_ns and not same.unheard
            same.press(press.at_ns, hastily=hastily)
    scan_ns = belief.sensors.sensing.scan_ns
    for held in [past.line for past in belief.given_up]:
        if held.ply == line.ply and held.side is press.side and not held.pressed:
            held.cost += against_press(press, held, scan_ns) - against_press(press, line, scan_ns)
            held.press(press.at_ns, hastily=press.begun_ns < held.made_at_ns)
