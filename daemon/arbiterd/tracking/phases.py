"""In which order explanations are sought, and how far, for a placement none of those held shows.

    at_once      hands are busy: what is cheap and leaves little open, else wait
    at_press     a press says that its side has moved
    at_rest      the board rests, or was pressed and should show a half-move: look deeper

Every search has a budget of positions; beyond it nothing is known, and that is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from math import inf

from msgspec.structs import replace

from arbiterd.tracking import weights
from arbiterd.tracking.doubts import Doubt, doubted, doubts
from arbiterd.tracking.evidence import begun_at, stood_firm, stood_still, undoing
from arbiterd.tracking.given_up import GivenUp, revived
from arbiterd.tracking.instead import InDoubt, exchanged, filled, finished
from arbiterd.tracking.leaping import Weighed, regrown
from arbiterd.tracking.lines import Line
from arbiterd.tracking.propose import (
    UNDONE_MAX,
    almost,
    branches,
    hidden,
    in_the_air,
    leaps,
    on_the_way,
    onward,
    ranked,
    retraces,
    steps,
)
from arbiterd.tracking.replied_early import beside_the_reply, laid_down, overlapped
from arbiterd.tracking.search import adds_a_piece
from arbiterd.tracking.sliding import slid_on, slides
from arbiterd.tracking.snapshot import (
    Effort,
    Snapshot,
    came_at_once,
    put_back,
    raised,
    something_arrived,
)
from arbiterd.tracking.undoing import exactly
from eboards.events import EMPTY, UNKNOWN

POSITIONS_AT_ONCE = 80
"""So many positions may be looked at for one placement while hands are busy."""
POSITIONS_RETOLD = 160
"""So many more where messages were lost and nothing less explains it."""
POSITIONS_AT_REST = 160
"""The same for a placement that rests, or that was pressed."""
RETOLD_MAX = 7
"""So many half-moves may be told anew, and so many may have come since."""
LEAP_AT_ONCE = 3
"""So many half-moves that were never shown may be found while hands are busy, where pieces may have
stood on squares that were never seen to change."""
RIVALS_SEARCHED = 4
"""Of several explanations held, so many of the best are searched from."""
RECOUNTED_LEAST = 3
"""Fewer half-moves have no other order."""
LOST_BEFORE = (3, 4)
"""The newest half-move that stands, with the two or three of which nobody heard."""
LEAP_MAX = 5
"""So many half-moves may be missing at most before what the board shows."""


@dataclass(frozen=True, slots=True)
class LinesFound:
    """Explanations, best first; none: nothing is known. They may rest on a doubt."""

    lines: list[Line]
    doubt: Doubt | None = None
    against: float = 0.0
    """What speaks against the best of them, where that was weighed."""

    def beyond(self, anchors: Sequence[Line]) -> LinesFound:
        """Those that go on from these; none, where one of these by itself is the best."""
        lines = [line for line in self.lines if line not in anchors]
        best = self.lines[:1] == lines[:1]
        return LinesFound(lines, self.doubt, self.against) if best else LinesFound([])


def at_once(
    look: Snapshot,
    live: Sequence[Line],
    bases: Sequence[Line],
    *,
    pressed: int,
    given_up: Sequence[GivenUp] = (),
) -> LinesFound:
    """While hands are busy. `pressed`: so many presses wait for half-moves; `given_up`: half-moves
    that others have replaced."""
    arrived = _something_arrived(look, live[0])
    found, dear = _next(look, live, bases, arrived=arrived)
    anew = _anew(look, live, found, given_up, arrived=arrived) if given_up else []
    unheard = filled(look, live)
    found += [*anew, *(way for way, doubt in unheard if doubt is None)]
    found += _beside(look, live, pressed=bool(pressed and dear), arrived=arrived, more=bool(found))
    # Only an arrival ends a half-move, or a lift after one that nothing has explained; a lift alone
    # is worth no search, where none was lost.
    if not (dear and (look.loss_ns is not None or arrived or _came_before(look, live[0]))):
        return LinesFound(_ranked_with_rivals(look, live, found))
    near = almost(look, live, hands_busy=True)
    found += slides(put_back(look, live[0], 1)[0], live, near) if near else []
    rests = on_the_way(look, live[0]) or _was_only_lifted(look, live)
    if rests and _takes_presses(live[0], pressed):
        return _going_on(look, live, found, pressed=pressed)
    least = min((cost for cost, _ in found), default=inf)
    found += _leaps_at_once(look, live, pressed=pressed, least=least)
    if not found:
        return _against_the_odds(look, live, bases, unheard)
    against = min(cost for cost, _ in found)
    return LinesFound(_ranked_with_rivals(look, live, found), against=against)


def _anew(
    look: Snapshot,
    live: Sequence[Line],
    found: Sequence[Weighed],
    given_up: Sequence[GivenUp],
    *,
    arrived: bool,
) -> list[Weighed]:
    """Lines on from what was given up. Where messages were lost, what was pressed for where it
    stands stays in them."""
    ways = revived(look, given_up, found, (1, 2, 3) if arrived else (1,))
    if look.loss_ns is None or not stood_firm(look, live[0]):
        return ways
    return [(cost, line) for cost, line in ways if _same(line, live[0]) is not None]


def _same(line: Line, made: Line, plies: int = UNDONE_MAX) -> Line | None:
    """This half-move as one of so many newest ones of the line; None: it is none of them."""
    newest = (past for past in islice(line.back(), plies) if past.side is made.side)
    return next((past for past in newest if past.wire() == made.wire()), None)


def _beside(
    look: Snapshot, live: Sequence[Line], *, pressed: bool, arrived: bool, more: bool
) -> list[Weighed]:
    """What else the placement may be while hands are busy; `more`: something explains it already.
    Half-moves that are `pressed` for stand, perhaps, clear of a piece that is up again."""
    found = [way for line in live for way in exchanged(look, line)]
    found += [way for line in live for way in finished(look, line)]
    found += [
        way for line in live if not _was_pressed(line, live) for way in overlapped(look, line)
    ]
    if pressed and not arrived:
        found += almost(look, live, hands_busy=True, held=False)
    found += [way for line in live for way in laid_down(look, line)]
    if look.sensors.planks or (look.sensors.dropping and arrived):
        # Two half-moves, one of which lifts nothing or sets nothing down, look like less.
        found += retraces(look, branches(look, live, hands_busy=True), (2,))
    if (more or found) and not (arrived or look.hides):
        # Pieces may only have been lifted: what came before is not given up for that.
        found += [way for line in live for way in in_the_air(look, line)]
    return found


def _was_pressed(line: Line, live: Sequence[Line]) -> bool:
    """The half-move that this line has in the air was pressed for as the best one has it: nobody
    replies to one that is still in the hand then."""
    return live[0].pressed and live[0].parent is line


def _came_before(look: Snapshot, line: Line) -> bool:
    """A piece stands where the line has none of its kind."""
    return any(look.placement[square] != EMPTY for square in line.seen.differing(look.placement))


def _was_only_lifted(look: Snapshot, live: Sequence[Line]) -> bool:
    """The best line's half-move only took its piece off; now that rests on its way elsewhere."""
    best, before = live[0], live[0].parent
    if before is None or before not in live or best.brought():
        return False
    return bool(on_the_way(look, before))


def _going_on(
    look: Snapshot, live: Sequence[Line], found: list[Weighed], *, pressed: int
) -> LinesFound:
    """A piece rests on its way, in the best line and perhaps in others; the rest of the lines held
    may have half-moves that lead here."""
    found += [way for line in live for way in slid_on(look, line)]
    going = [way for line in live for way in on_the_way(look, line)]
    resting = [line for _, line in going]
    others = [line for line in live if line not in resting]
    found += _leaps_at_once(look, others, pressed=pressed) if others else []
    if not found:
        return LinesFound([])
    found += going
    return LinesFound(_ranked_with_rivals(look, live, found))


def _takes_presses(line: Line, number: int) -> bool:
    """The line has half-moves for so many presses that wait. Where it has not, a piece that rests
    was pressed for, and is not on its way."""
    return all(past.has_move and not past.pressed for past in islice(line.back(), number))


def _next(
    look: Snapshot, live: Sequence[Line], bases: Sequence[Line], *, arrived: bool
) -> tuple[list[Weighed], bool]:
    """One half-move on from what is held, or another in place of the last; and whether that is too
    dear, or too little, to look no further."""
    found = steps(look, live)
    dear = not found or min(cost for cost, _ in found) > weights.TAKEN_BACK
    if found:
        found = slides(look, live, found)
    elif bases:
        lost = look.loss_ns is not None
        found = _set_down_from(look, [base for base in bases if lost or not base.doubtful])
        dear = not found
    if look.hides and not arrived:
        found += hidden(look, live)
    return found, dear


def _against_the_odds(
    look: Snapshot,
    live: Sequence[Line],
    bases: Sequence[Line],
    unheard: Sequence[InDoubt],
) -> LinesFound:
    """A square is doubted, or what was believed before, or play goes on from what was irregular."""
    # More than one half-move is no matter of doubt while the next square may show them; nor is
    # what a piece on its way explains.
    rests = any(on_the_way(look, line) for line in live)
    misread = [] if unheard or rests else _doubting(look, live, (1,), hands_busy=True)
    found = _of_one_doubt(unheard or misread)
    if not found.lines and look.loss_ns is not None:
        found = LinesFound(ranked(lost_before(look, live[0])))
    if not found.lines:
        further = replace(look, effort=Effort(POSITIONS_RETOLD))
        found = retold(look if look.loss_ns is None else further, live)
    if not found.lines and _is_refuted(look, live[0]):
        found = LinesFound(ranked(exactly(look, live[0])))
    return found if found.lines else LinesFound(ranked(_set_down_from(look, bases)))


def lost_before(look: Snapshot, line: Line) -> list[Weighed]:
    """The newest half-move stands, and messages were lost of others that came before it; none,
    where all of them may have come after it."""
    found: list[Weighed] = []
    if line.parent is None or not line.has_move:
        return found
    for plies in LOST_BEFORE:
        for cost, end in leaps(look, [(line.standing, line.parent)], plies):
            same = _same(end, line, plies)
            if same is not None and same.ply == line.ply:
                return []
            if same is not None:
                if line.pressed:
                    same.take_press(line)
                found.append((cost, end))
        if found:
            break
    return found


def on_from(look: Snapshot, bases: Sequence[Line]) -> list[Weighed]:
    """Legal moves on from what was irregular."""
    return [way for base in bases for way in onward(look, base, base.cost)]


def _set_down_from(look: Snapshot, bases: Sequence[Line]) -> list[Weighed]:
    """The same while hands are busy: a piece that has only left may be put right, unless pieces
    look alike, where it may have taken another."""
    ways = on_from(look, bases)
    return [way for way in ways if way[1].brought() or look.sensors.pieces_alike]


def _is_refuted(look: Snapshot, line: Line) -> bool:
    """The line has fewer pieces than the board shows, or rests on a doubt."""
    doubtful = any(past.doubtful for past in islice(line.back(), UNDONE_MAX))
    return doubtful or adds_a_piece(look, line.seen)


def _ranked_with_rivals(look: Snapshot, live: Sequence[Line], found: list[Weighed]) -> list[Line]:
    """Those found, and what rivals lead to that show this only with the next square, or that had
    not shown the last one."""
    if not found or len(live) < 2:
        return ranked(found)
    ends = [end for _, end in found if end not in live]
    grown = {id(past) for end in ends for past in islice(end.back(), UNDONE_MAX)}
    rivals = [line for line in live[:RIVALS_SEARCHED] if id(line) not in grown]
    if _something_arrived(look, live[0]):
        found += leaps(look, [(line.standing, line) for line in rivals], 2, hands_busy=True)
        found += [way for line in rivals for way in beside_the_reply(look, line)]
        found += [way for line in rivals for way in on_the_way(look, line)]
    return ranked(found)


def _something_arrived(look: Snapshot, line: Line) -> bool:
    return something_arrived(look.sensors, look.changes, look.at_ns, look.placement, line)


def _leaps_at_once(
    look: Snapshot, live: Sequence[Line], *, pressed: int, least: float = inf
) -> list[Weighed]:
    """Two half-moves at once, pieces in the air or not; three if it takes them. Where so little as
    the `least` speaks against what is found already, dearer ones only of squares that were all seen
    to change."""
    looks = [
        (way, against, [branches(way, [line], hands_busy=True) for line in live[:3]])
        for way, against in raised(look, live[0])
    ]
    looks = [found_in for found_in in looks if any(found_in[2])]
    found: list[Weighed] = []
    unwatched = any(not line.watched for line in islice(live[0].back(), UNDONE_MAX))
    for plies in (1, 2, 3, 4, 5) if unwatched else (2, 3, 4, 5):
        for way, against, lines in looks:
            # Of squares that were all seen to change: that costs little to look for.
            ways = retraces(way, chain.from_iterable(lines[:2]), (plies,)) if plies > 1 else []
            # With pieces in the air, no clever line explains what a hand may yet put down.
            far = LEAP_AT_ONCE - (against > 0)
            dearer = plies > pressed and least <= weights.UNWATCHED * (plies - 1)
            if plies <= far and not dearer and (look.loss_ns is not None or not (found or ways)):
                before = chain.from_iterable(lines[: 5 - plies])
                unseen = pressed > 0 or not against
                ways += leaps(way, before, plies, hands_busy=True, unseen=unseen)
            found += [(cost + against, line) for cost, line in ways]
        # So much speaks against a line with one half-move more at least: it is no alternative.
        best = min((cost for cost, _ in found), default=inf)
        cheap = best + weights.MARGIN <= weights.UNWATCHED * plies
        if cheap and plies >= pressed and not (plies == 2 and came_at_once(look)):
            break
    return found


def retold(look: Snapshot, live: Sequence[Line]) -> LinesFound:
    """The story since the last half-move that certainly was made, told anew from what was seen to
    change: what was believed in between did not lead to what the board shows."""
    for way, cost in raised(look, live[0]):
        line, undone, reply = live[0], 0, None
        while undone <= RETOLD_MAX:
            if not adds_a_piece(way, line.seen):
                plies = range(undone or 2, undone + RETOLD_MAX)
                found = retraces(way, [(cost, line)], plies, unseen=True)
                if found:
                    return LinesFound(ranked(found))
            against = None if line.parent is None else undoing(way, line, reply)
            if line.parent is None or against is None:
                break
            cost += against
            reply, line, undone = line, line.parent, undone + 1
    return LinesFound([])


def recounted(look: Snapshot, found: LinesFound) -> LinesFound:
    """Where messages were lost, and half-moves were believed that nobody saw: the same half-moves
    in another order, or others that lead there too, weighed anew from before the first of those."""
    if look.loss_ns is None or not found.lines:
        return found
    best = found.lines[0]
    newest = [past for past in islice(best.back(), RETOLD_MAX) if past.parent is not None]
    early = {past for past, reply in pairwise(newest[::-1]) if _came_later(look, past, reply)}
    loose = (past.has_move and (past in early or not _both_stood(look, past)) for past in newest)
    recent = newest[: next((n for n, known in enumerate(loose) if not known), len(newest))]
    unseen = [n for n, past in enumerate(recent) if n and (past in early or not past.watched)]
    if _came_in_a_picture(look, best):
        # When it was made nobody knows: perhaps before what was told since.
        unseen.append(RECOUNTED_LEAST - 1)
    depth = max(unseen, default=0) + 1
    if not RECOUNTED_LEAST <= depth <= len(recent):
        return found
    # Pieces may have been lifted since: what leads to where they stood is looked for.
    stood = replace(look, placement=best.seen.placement, hash=best.seen.hash)
    moves, since = [line.move for line in reversed(recent[:depth])], recent[depth - 1].parent
    assert since is not None, "each of them has a move"
    against, _ = regrown(stood, since, [move for move in moves if move is not None], 0.0)
    origin = (best.cost - against, since)
    others = retraces(stood, [origin], (depth,), unseen=True)
    same = ((line.cost, line) for line in found.lines)
    return LinesFound(ranked([*same, *others]), found.doubt, found.against)


def _came_later(look: Snapshot, line: Line, reply: Line) -> bool:
    """It was begun after the half-move that is taken for its reply: nobody replies so early."""
    return not line.dropped and begun_at(look, reply) < begun_at(look, line)


def _came_in_a_picture(look: Snapshot, line: Line) -> bool:
    """Nothing was heard of what the half-move brought."""
    newest = {change.square: change.pictured for change in look.changes}
    return any(newest.get(square, False) for square in line.brought())


def _both_stood(look: Snapshot, line: Line) -> bool:
    """The board showed this half-move for long; or when its side pressed, after the other's."""
    before = line.parent
    pressed = before is not None and before.pressed and stood_firm(look, line)
    return pressed or stood_still(look, line)


def at_press(look: Snapshot, live: Sequence[Line], owing: Sequence[Line] = ()) -> LinesFound:
    """Half-moves that the press is for are looked for without delay; none, where one of the lines
    `owing` it explains that as well, the next pieces being in the air or on their way."""
    before, near = branches(look, live, hands_busy=True), list[Weighed]()
    found = leaps(look, before, 1, hands_busy=True, unseen=True)
    begun = [line for line in owing if line.seen.hash != look.hash]
    held = [way for line in begun for way in _going_on_from(look, line)]
    if not found:
        near = almost(look, live, hands_busy=True, held=False)
        before = branches(look, live[:RIVALS_SEARCHED], hands_busy=True)
        found = shortest([(look, before)], range(2, LEAP_MAX), hands_busy=True)
    if held and (not found or min(cost for cost, _ in held) <= min(cost for cost, _ in found)):
        return LinesFound([])
    if not near and not found:
        return LinesFound(ranked(exactly(look, live[0])))
    return LinesFound(ranked([*near, *found]))


def _going_on_from(look: Snapshot, line: Line) -> list[Weighed]:
    """The line as it is, if the next half-move has begun."""
    return in_the_air(look, line) or overlapped(look, line) or on_the_way(look, line)


def shortest(
    looks: Sequence[tuple[Snapshot, list[Weighed]]], plies: range, *, hands_busy: bool = False
) -> list[Weighed]:
    """Of lines from these origins, those of the fewest half-moves, the first look's first."""
    for number in plies:
        for look, before in looks:
            if found := leaps(look, before, number, hands_busy=hands_busy, unseen=hands_busy):
                return found
    return []


def at_rest(look: Snapshot, live: Sequence[Line], *, held: bool) -> LinesFound:
    """When the board rests (pieces may be `held` in the air), or was pressed."""
    found = [*steps(look, live, silent=True), *almost(look, live, held=held, replying=not held)]
    if look.hides:
        found += hidden(look, live)
    if found and not held:
        # What was pressed for may stand no more: its side's next piece is there already.
        found += [way for line in live for way in overlapped(look, line)]
    found += leaps(look, branches(look, live[:RIVALS_SEARCHED]), 2)
    raised, lifted = put_back(look, live[0])
    against = weights.LIFTED * lifted
    before, before_lifts = branches(look, live[:1]), branches(raised, live[:1])
    if lifted:
        found += [(cost + against, line) for cost, line in leaps(raised, before_lifts, 2)]
    if not found:
        looks = [(look, before), (raised, before_lifts)] if lifted else [(look, before)]
        found = shortest(looks, range(3, LEAP_MAX + 1 - 2 * held))
    if not found:
        found = retraces(
            look, before, range(2, LEAP_MAX + 1 - 2 * held), unseen=True, odd=weights.AT_REST
        )
    unheard = filled(look, live)
    found += [way for way, doubt in unheard if doubt is None]
    if found:
        return LinesFound(ranked(found), against=min(cost for cost, _ in found))
    return _of_one_doubt(unheard or _doubting(look, live, (1, 2, 3), hands_busy=False))


def _of_one_doubt(found: Sequence[InDoubt]) -> LinesFound:
    """The best of these lines and the others that rest on the same doubt."""
    if not found:
        return LinesFound([])
    _, believed = min(found, key=lambda way: way[0][0])
    return LinesFound(ranked(way for way, doubt in found if doubt == believed), believed)


def _doubting(
    look: Snapshot, live: Sequence[Line], plies: Sequence[int], *, hands_busy: bool
) -> list[InDoubt]:
    """Lines that explain the placement if one square is not what it shows."""
    found: list[InDoubt] = []
    misread: set[Doubt] = set()
    for doubt in doubts(look, live[0], at_once=hands_busy):
        other = doubted(look, doubt)
        before = branches(other, live[:RIVALS_SEARCHED], hands_busy=hands_busy)
        for length in plies:
            ways = leaps(other, before, length, hands_busy=hands_busy)
            if length == 1:
                ways = slides(other, live[:1], ways)
            if ways and hands_busy:
                ways += [way for line in live for way in overlapped(other, line)]
            for cost, line in ways:
                line.doubtful |= line not in live
                found.append(((cost + weights.DOUBTED, line), doubt))
                misread |= {doubt} if look.placement[doubt[0]] != UNKNOWN else set()
    return [] if hands_busy and len(misread) > 1 else found
