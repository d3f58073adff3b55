"""What is told of the best explanation, with its alternatives, its gaps, and when."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import exp

from arbiterd.rules.ruleset import differing
from arbiterd.tracking import weights
from arbiterd.tracking.belief import Belief
from arbiterd.tracking.book import NO_RIVALS, Rivals
from arbiterd.tracking.facts import Fact, Gap, How
from arbiterd.tracking.lines import Line, forked, joined
from arbiterd.tracking.presses import PendingPress
from eboards.events import EMPTY


def tell(belief: Belief, at_ns: int, path: Sequence[Line], how: How) -> list[Fact]:
    """Makes the record this path; `how` makes the last of it known. Older rivals are given up."""
    facts = _tell_gap(belief, at_ns, path)
    if how is not How.ARBITER:
        belief.take_presses_in_vain(belief.live[0])
    if any(line.irregular and line.doubtful and line not in belief.book.told for line in path):
        facts += tell_lost(belief, at_ns)
    rivals = belief.rivals()
    facts += belief.book.tell(
        at_ns,
        path,
        how,
        belief.placement,
        partial(_alternatives, belief),
        belief.status.clock_known,
        forked(rivals or path or belief.live),
        belief.live[0],
    )
    belief.live = joined([line for line in belief.live if belief.goes_on(line)])
    if belief.given_up:
        belief.given_up = [past for past in belief.given_up if belief.goes_on(past.line)]
    if belief.bases:
        belief.bases = [b for b in belief.bases if b.parent is None or _may_be_answered(belief, b)]
    return facts


def _may_be_answered(belief: Belief, base: Line) -> bool:
    """Play may go on from there: no answer to it has been pressed for."""
    told = belief.book.told
    answers = told[told.index(base) + 1 :] if base in told else []
    return belief.goes_on(base) and not any(line.pressed for line in answers)


def tell_settled(belief: Belief, at_ns: int) -> list[Fact]:
    """The best explanation, to its end."""
    if belief.live[0] is belief.book.last:
        return []
    path = belief.path()
    return [] if path == belief.book.told[1:] else tell(belief, at_ns, path, How.SETTLED)


def tell_what_rested(belief: Belief, at_ns: int) -> list[Fact]:
    """The last explanation was shown long enough to be told, before what is unclear now."""
    left_at_ns = belief.status.left_at_ns
    if left_at_ns is None or belief.live[0] in belief.book.told:
        return []
    if left_at_ns - belief.status.agreed_at_ns < belief.settings.slide_ns:
        return []
    return tell(belief, at_ns, belief.path(), How.SETTLED)


def tell_what_is_certain(belief: Belief, at_ns: int) -> list[Fact]:
    """Half-moves on the record that were likely, and are certain now."""
    book = belief.book
    return book.settle_doubts(at_ns, len(book.told), belief.live[0], partial(_alternatives, belief))


def tell_what_is_believed(belief: Belief, at_ns: int, until: Line) -> list[Fact]:
    """Half-moves on the record that the board has refuted since, as they are believed now. Whoever
    is accused then is not accused of what the record had wrong. Where the board shows more than
    is believed, those `until` then, if no line that is held has what the record has."""
    path, told = belief.path(), belief.book.told[1:]
    if not belief.agrees:
        if belief.out_of_sight:
            return []
        path = path[: len(path) - (belief.live[0].ply - until.ply)]
        last = belief.book.last
        held = (line.at(last.ply) for line in belief.live)
        if any(line is not None and line.wires() == last.wires() for line in held):
            return []
    if path[: len(told)] == told:
        return []
    return tell(belief, at_ns, path[: len(told)], How.REPLIED)


def tell_what_was_pressed_upon(belief: Belief, at_ns: int, press: PendingPress) -> list[Fact]:
    """The last explanation, where the other side has taken up its own pieces and pressed since, and
    what it brought stands still: who presses takes the half-move before for made."""
    line, image = belief.live[0], belief.image
    if line in belief.book.told or line.made_at_ns > press.begun_ns:
        return []
    pieces = belief.rules.placement(line.seen.position)
    left = [s for s in differing(line.seen.placement, image.shown) if image.shown[s] == EMPTY]
    if not line.in_place(image.shown) or not any(
        belief.rules.owner(pieces[square]) is press.side for square in left
    ):
        return []
    return tell(belief, at_ns, belief.path(), How.REPLIED)


def tell_lost(belief: Belief, at_ns: int) -> list[Fact]:
    """Once, until it is found again: nothing explains the board, and it is no player's doing."""
    status = belief.status
    told, status.lost, status.gap_told = status.lost or status.gap_told, True, True
    return [] if told else [Gap(at_ns, belief.turn, ())]


def tell_gone_and_back(belief: Belief, at_ns: int) -> list[Fact]:
    """Both sides have pressed, the board shows what it showed before, and a square has said once
    more what it was known to show: half-moves led there and back, and messages of them were
    lost."""
    lost = any(echo.at_ns > belief.live[0].made_at_ns for echo in belief.book.echoes)
    if not lost or belief.status.gap_told or belief.clocks_stopped:
        return []
    belief.status.gap_told = True
    return [Gap(at_ns, belief.turn, ())]


def _tell_gap(belief: Belief, at_ns: int, path: Sequence[Line]) -> list[Fact]:
    """Once: messages were lost, and several lines explain the board."""
    told = belief.book.told
    for line in path:
        if not line.watched and line not in told:
            break
    else:
        belief.status.gap_told = False
        return []
    rivals = belief.rivals()
    if len(rivals) < 2 or belief.status.gap_told or belief.status.loss_ns is None:
        return []
    belief.status.gap_told = True
    last_ply = belief.book.last.ply
    lines = tuple(
        tuple(past.wire() for past in line.path() if past.ply > last_ply) for line in rivals
    )
    return [Gap(at_ns, belief.turn, lines)]


def _alternatives(belief: Belief, ply: int, move: str) -> Rivals:
    """What else half-move `ply` may have been, likeliest first."""
    best = belief.live[0].at(ply)
    played = best is None or not _is_analysed(belief, best)
    analysed = 0.0 if played else exp(-weights.ANALYSED)
    if best is None or best.wire() != move:
        given_up: tuple[str, ...] = ()
    elif len(belief.live) == 1 and not best.others_weight:
        return NO_RIVALS if played else Rivals((), analysed, played)
    else:
        given_up = best.others
    found = [wire for wire in given_up if wire != move]
    for line in belief.rivals():
        other = line.at(ply)
        if other is not None and other.parent is not None and not other.irregular:
            wire = other.wire()
            if wire not in (move, *found):
                found.append(wire)
    return Rivals(tuple(found), _weight_of_others(belief, ply, move) + analysed, played)


def _is_analysed(belief: Belief, line: Line) -> bool:
    """Both clocks were stopped, and another half-move was made since: no game goes on so. The first
    one may be what the clocks were stopped with."""
    stood_ns, before = belief.status.stands_since_ns, line.parent
    if stood_ns is None or before is None or line.pressed:
        return False
    return before.ply > 0 and not before.given and before.made_at_ns > stood_ns


def _weight_of_others(belief: Belief, ply: int, move: str) -> float:
    """How likely the lines held are, in which half-move `ply` is another, beside those in which it
    is this one: costs are in nats. Where both sides went on from the newest and came back, it is
    not what stands there."""
    same = other = 0.0
    newest = belief.live[0].ply
    for line in belief.live:
        weight, own = exp(-line.cost), line.at(ply)
        went_on = ply == newest <= line.ply - 2
        if own is not None and own.wire() == move and not went_on:
            same += weight
            other += weight * own.others_weight
        else:
            other += weight
    odds = other / same if same else 0.0
    return odds if belief.sensors.pieces_alike else weights.RIVALS * odds**weights.LEAD
