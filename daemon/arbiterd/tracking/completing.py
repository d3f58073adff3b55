"""Presses whose half-move the board shows: it is told, and completed."""

from __future__ import annotations

from collections.abc import Sequence
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
from arbiterd.tracking.snapshot import Snapshot
from arbiterd.tracking.telling import tell, tell_what_is_certain
from eboards.events import EMPTY


def resolve_presses(belief: Belief, at_ns: int, *, waited: bool = False) -> list[Fact]:
    """Presses whose half-move the board shows, oldest first; that one has perhaps `waited`."""
    facts: list[Fact] = []
    while belief.presses:
        press = belief.presses[0]
        rivals = weighed(belief, press, waited=waited) if len(belief.live) > 1 else []
        if rivals:
            _, newest, line = rivals[0]
        else:
            newest = belief.live[0]
            line = pressed_line(belief.image, newest, press, waited=waited)
        if line is None or lands_yet(belief, press) or _is_a_later_one(belief, press, line):
            break
        if not waited and (
            _only_stopped(belief, press, line, newest)
            or _has_moved_again(belief, press, line, newest)
            or _may_land(belief, press, rivals)
        ):
            break
        for cost, rival, _ in rivals:
            rival.cost = cost - rivals[0][0]
        belief.live = [rival for _, rival, _ in rivals] or belief.live
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


def _only_stopped(belief: Belief, press: PendingPress, line: Line, reply: Line) -> bool:
    """Of presses heard together, the first would be for a half-move whose piece is in the air again
    and was perhaps only resting on its way: where it lands tells."""
    if not press.followed or reply.parent is not line or line.in_place(belief.image.shown):
        return False
    look = belief.snapshot(press.at_ns, 0)
    return stop_likelier(look, reply, line.made_at_ns, left_at(look, line)) > -weights.MARGIN


def _has_moved_again(belief: Belief, press: PendingPress, line: Line, newest: Line) -> bool:
    """Of presses heard together, the first may be for its side's next half-move as well, and the
    other side's next piece is in the air: where that lands tells."""
    again = newest.at(line.ply + 2)
    if not press.followed or again is None or again.made_at_ns > press.at_ns:
        return False
    return misses_a_piece(belief.image, newest, press.side.other)


def _may_land(
    belief: Belief, press: PendingPress, rivals: Sequence[tuple[float, Line, Line | None]]
) -> bool:
    """Of presses heard together, the first may be for what its side has in the hand in a rival that
    is about as good: the next scan may show that it was set down by then."""
    return press.followed > 0 and any(
        line is None
        and cost - rivals[0][0] <= weights.MARGIN
        and rival.seen.turn is press.side
        and _lands_soon(belief, press, rival)
        for cost, rival, line in rivals
    )


def weighed(
    belief: Belief, press: PendingPress, *, waited: bool = False
) -> list[tuple[float, Line, Line | None]]:
    """Rivals, best first, each with what speaks against it and the half-move that this press was
    for, if it shows one; none, where none of them does. Those in which the side that pressed has
    moved by then are the better ones. Where the press has `waited`, it was for nothing only if that
    is likelier by more than `MARGIN`. Nothing is written into them."""
    found = [(r, pressed_line(belief.image, r, press, waited=waited)) for r in belief.live]
    if all(line is None for _, line in found):
        return []
    look = belief.snapshot(press.at_ns, 0)
    costs = [
        _against_none(belief, look, press, rival) + weights.MARGIN * waited
        if line is None
        else _against_half_move(look, press, rival, line)
        for rival, line in found
    ]
    ways = [
        (rival.cost + cost, rival, line) for cost, (rival, line) in zip(costs, found, strict=True)
    ]
    return sorted(ways, key=itemgetter(0))


def waits(belief: Belief, press: PendingPress) -> bool:
    """A rival in which its side has not moved yet is better than those that show what the press was
    for."""
    found = weighed(belief, press)
    return bool(found) and found[0][2] is None


def _against_none(belief: Belief, look: Snapshot, press: PendingPress, rival: Line) -> float:
    """What speaks against a rival that shows no half-move for the press."""
    scan_ns, whole = belief.sensors.sensing.scan_ns, belief.status.loss_ns is None
    late = weights.PRESSED_NOTHING if whole else weights.PRESSED_LOST
    late *= 1 + press.followed  # Those heard of with it are for later ones.
    if _lands_soon(belief, press, rival):
        late = min(late, weights.PRESSED_EARLY)
    own = unpressed(rival, press)
    if own and own[0] is rival:
        # It stood when it was pressed for, or its piece was in the air and pressed for.
        late = min(late, against_press(press, rival, scan_ns, left_at(look, rival)))
    return late


def _against_half_move(look: Snapshot, press: PendingPress, rival: Line, line: Line) -> float:
    """What speaks against a rival in which the press was for this half-move."""
    # What was pressed for already was not: that press was for the half-move before.
    since = islice(rival.back(), rival.ply - line.ply + 1)
    next_own = rival.at(line.ply + 2)
    until_ns = None if next_own is None else begun_at(look, next_own)
    late = against_press(press, line, look.sensors.sensing.scan_ns, until_ns)
    return late + weights.UNPRESSED * any(past.pressed for past in since)


def _lands_soon(belief: Belief, press: PendingPress, rival: Line) -> bool:
    """A piece of the side to move is in the air, and the next scan may show it; the other side's
    reply, if that was pressed for, stands there already. A pawn that becomes a plank sets nothing
    down, and may have made its half-move already."""
    seen, shown, owners = rival.seen, belief.image.shown, belief.sensors.owners
    if not misses_a_piece(belief.image, rival, seen.turn):
        return False
    squares = seen.differing(tuple(shown))
    if press.side is rival.side and all(owners[shown[s]] is not press.side for s in squares):
        return False
    left = [square for square in squares if shown[square] == EMPTY]
    return belief.sensors.sets_down or not any(
        (square, EMPTY) in written and len(written) == 1
        for _, written in seen.steps_touching(left)
        for square in left
    )


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
    # What one rival is told is shared by others: so each is asked before any is, and none is told
    # of a half-move that is the best one's too, where that has the press for another.
    own = [pressed_line(belief.image, rival, press) for rival in belief.live[1:]]
    look = belief.snapshot(press.at_ns, 0)
    for rival, its in zip(belief.live, [line, *own], strict=True):
        same = its or rival.at(line.ply)
        shared = same is not line and same is not None and belief.live[0].at(same.ply) is same
        if same is not None and same.side is press.side and not shared:
            hastily = not same.unheard and press.begun_ns < begun_at(look, same)
            same.press(press.at_ns, hastily=hastily)
    scan_ns = belief.sensors.sensing.scan_ns
    for held in [past.line for past in belief.given_up]:
        if held.ply == line.ply and held.side is press.side and not held.pressed:
            held.cost += against_press(press, held, scan_ns) - against_press(press, line, scan_ns)
            held.press(press.at_ns, hastily=press.begun_ns < begun_at(look, held))
