"""From the explanations held, to those of a new placement, with what speaks against each.

steps      exactly a position one half-move on; or the last one replaced, or undone
leaps      exactly a position several half-moves on, the ones between never shown
retraces   the same, further, among squares that were all seen to change
almost     a position one half-move on, but for what hands still hold
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

from msgspec.structs import replace

from arbiterd.tracking import evidence, weights
from arbiterd.tracking.leaping import Weighed, leap, regrown
from arbiterd.tracking.lines import Line
from arbiterd.tracking.search import Search, adds_a_piece, nearly
from arbiterd.tracking.sensors import HORIZON_PLIES, Move
from arbiterd.tracking.sliding import STOOD_SCANS, in_haste
from arbiterd.tracking.snapshot import LIFTED_MAX, Snapshot, shown_since
from eboards.events import EMPTY

ALOFT_MAX = LIFTED_MAX + 1
"""So many pieces may be in the air in all: those of a reply that takes, and one that its side's
opponent has taken up already."""
UNDONE_MAX = 3
"""So many unpressed half-moves a leap may undo to branch off before them."""


def steps(look: Snapshot, live: Sequence[Line], *, silent: bool = False) -> list[Weighed]:
    """Lines that show exactly this: one half-move on, else the last one replaced or undone.

    With `silent`, also half-moves that bring no piece into sight (see `onward`).
    """
    found = [way for line in live for way in onward(look, line, line.standing, silent=silent)]
    if found and len(live) == 1:
        return found
    return [*found, *(way for line in live for way in _instead(look, line, silent=silent))]


def onward(look: Snapshot, line: Line, cost: float, *, silent: bool = False) -> list[Weighed]:
    """One legal move on from a line, exactly as shown.

    Where only pieces are counted a capture looks like a piece in the air. It is taken for one,
    unless its victim was seen to leave too; with `silent` (hands rest, or press) in any case.
    """
    if not silent and _hides_no_capture(look, line):
        return []
    moves = line.seen.moves_to(look.hash, look.placement)
    if moves and not (silent or look.sensors.sets_down or line.seen.brings_a_piece(moves[0])):
        moves = tuple(move for move in moves if not evidence.untouched(look, line, line, move))
    found: list[Weighed] = []
    for move, against in zip(moves, _handled(look, line, moves), strict=True):
        against -= weights.BACK * (look.hides and silent and evidence.takes_back(line, move))
        after = look.sensors.after(line.seen, move)
        grown = Line(after, line, move, shown_since(look, line), ply=line.ply + 1)
        if look.hides and not line.seen.brings_a_piece(move):
            grown.watched = not evidence.untouched(look, line, line, move)
        found.append((cost + against, grown))
    return found


def _hides_no_capture(look: Snapshot, line: Line) -> bool:
    """All that differs is in the air, and no piece that could have been taken has left its square:
    so much is known before moves are looked for."""
    sensors = look.sensors
    if sensors.tells_pieces or sensors.narrowing is None:
        return False
    shown = look.placement
    if any(shown[square] != EMPTY for square in line.seen.differing(shown)):
        return False
    return evidence.nobody_taken(sensors, look.changes, line)


def hidden(look: Snapshot, live: Sequence[Line]) -> list[Weighed]:
    """Where a capture shows as a piece that is gone: the lines in which it took another, those that
    say so already, and those in which it is in the air. What follows tells which."""
    found: list[Weighed] = []
    for line in live:
        if line.seen.hash == look.hash:
            found.append((line.standing, line))
            continue
        found += onward(look, line, line.standing + weights.HIDDEN, silent=True)
        found += in_the_air(look, line)
    return found


def in_the_air(look: Snapshot, line: Line) -> list[Weighed]:
    """The line as it is, if the board shows it but for pieces that are lifted."""
    lifted = line.seen.differing(look.placement)
    if len(lifted) > ALOFT_MAX or any(look.placement[s] != EMPTY for s in lifted):
        return []
    return [(line.standing + weights.LIFTED * len(lifted), line)]


def _handled(look: Snapshot, line: Line, moves: Sequence[Move]) -> list[float]:
    """How badly the pieces that were lifted fit each move, of several that look the same.

    Where captures are hidden, beside the best of them: one of them was made, if any was.
    """
    if len(moves) < 2:
        return [0.0] * len(moves)
    found = [
        evidence.untouched(look, line, line, m) + evidence.lifted_besides(look, line, m)
        for m in moves
    ]
    least = min(found) if look.hides else 0.0
    chosen = [evidence.seldom_chosen(look, move) for move in moves]
    return [against - least + seldom for against, seldom in zip(found, chosen, strict=True)]


def _instead(look: Snapshot, line: Line, *, silent: bool) -> list[Weighed]:
    """An ancestor as it was, or another move in place of the last one.

    While hands are busy nothing before the last one is undone that was pressed: pieces on their way
    pass old placements by.
    """
    cost = line.standing
    before = line
    reply: Line | None = None
    while before.parent is not None and line.ply - before.ply < HORIZON_PLIES:
        undone, before = before, before.parent
        first = undone is line
        undoing, reply = evidence.cost_of_undoing(look, undone, reply), undone
        cost += undoing if first else max(undoing, weights.TAKEN_BACK_RESTED)
        if undone.pressed and not silent and not first:
            return []
        if before.seen.hash == look.hash:
            if _is_reset(look, line, before):
                return []
            return [(cost + weights.PUT_BACK, before)]
        if first and not evidence.stays(look, undone):
            found = onward(look, before, cost, silent=silent)
            if found:
                return found
    return []


def _is_reset(look: Snapshot, line: Line, before: Line) -> bool:
    """The start array, moves ago: the pieces were set up again, nothing was taken back."""
    placement = look.sensors.rules.placement(before.seen.position)
    return line.ply - before.ply > 1 and look.sensors.rules.is_start(placement) is not None


def origins(
    look: Snapshot, line: Line, *, hands_busy: bool = False, leaping: bool = False
) -> list[Weighed]:
    """Where another line may have branched off, with the cost of undoing what is undone.

    The line itself, and those before it as long as nothing is undone that was shown and pressed;
    with `hands_busy`, nothing that has rested either; with `leaping`, nothing the board showed
    while hands were still.
    """
    cost = line.standing
    found: list[Weighed] = [(cost, line)]
    reply: Line | None = None
    shown = 0
    while line.parent is not None and shown < UNDONE_MAX and len(found) <= HORIZON_PLIES:
        pressed = line.pressed and line.watched
        if pressed or line.irregular or (leaping and evidence.stood_still(look, line)):
            break
        undoing = evidence.cost_of_undoing(look, line, reply)
        if hands_busy and undoing > weights.TAKEN_BACK:
            break
        cost += undoing
        if leaping and not line.watched:
            cost -= line.own  # Who tells it anew explains all that was shown.
        shown += line.watched
        reply, line = line, line.parent
        found.append((cost, line))
    return found


def branches(look: Snapshot, live: Sequence[Line], *, hands_busy: bool = False) -> list[Weighed]:
    """The origins of all these lines from which play can lead to what the board shows."""
    return [
        (cost, origin)
        for line in live
        for cost, origin in origins(look, line, hands_busy=hands_busy, leaping=True)
        if not adds_a_piece(look, origin.seen)
    ]


def leaps(
    look: Snapshot,
    origins: Iterable[Weighed],
    plies: int,
    *,
    hands_busy: bool = False,
    unseen: bool = False,
) -> list[Weighed]:
    """Lines of exactly so many half-moves from these.

    With `hands_busy`, only lines that leave little to be explained; with
    `unseen`, one piece may have stood where it was never seen.
    """
    look = replace(look, effort=look.effort.part())
    odd = weights.AT_ONCE if hands_busy else weights.AT_REST
    pardon = weights.UNSEEN * (hands_busy and unseen)
    found: list[Weighed] = []
    for cost, origin in origins:
        undone = max(0.0, cost - weights.TAKEN_BACK_REPLIED)
        grown = leap(look, origin, plies, 0.0)
        found += _fitting(look, (cost, origin), grown, odd - undone, pardon)
    return [] if look.effort.spent else found


def _fitting(
    look: Snapshot, way: Weighed, grown: Iterable[Weighed], odd: float, pardon: float
) -> list[Weighed]:
    """Of what has grown from this origin, that against which no more speaks, beside its half-moves
    that were never shown, than is `odd`; and never more than against a knock."""
    cost, origin = way
    found: list[Weighed] = []
    for against, end in grown:
        limit = odd + weights.UNWATCHED * (end.ply - origin.ply - 1)
        if against <= weights.PLAYED and against - _pardoned(look, origin, end, pardon) <= limit:
            found.append((cost + against + in_haste(look, origin, end), end))
    return found


def _pardoned(look: Snapshot, origin: Line, end: Line, unseen: float) -> float:
    """What speaks against a line and yet is no reason to look no further: pieces that came by, and
    so much of pieces that were not seen."""
    if not unseen or not end.unseen or _still_held(look, origin, end):
        return end.passed
    return min(unseen, end.unseen) + end.passed


def _still_held(look: Snapshot, origin: Line, end: Line) -> bool:
    """A piece that a half-move put on an empty square, unseen, may as well be in the hand that took
    it up just now."""
    for line in list(end.back())[1 : end.ply - origin.ply]:
        before = line.parent
        assert before is not None, "the origin is before it"
        came = line.brought()
        if any(before.seen.placement[square] != EMPTY for square in came):
            continue
        after, squares = line.seen.placement, [square for square, _ in line.written()]
        lifted_ns = evidence.lifted_at(look, origin, squares, after, look.at_ns)
        soon = look.at_ns - lifted_ns < STOOD_SCANS * look.sensors.sensing.scan_ns
        if soon and evidence.never_seen(look, origin, came, after):
            return True
    return False


def retraces(
    look: Snapshot,
    origins: Iterable[Weighed],
    plies: Sequence[int],
    *,
    unseen: bool = False,
    odd: float = weights.AT_ONCE,
) -> list[Weighed]:
    """Lines of pieces that were seen to leave, on squares that were seen to change, as short as may
    be, the last of which was seen to arrive, or to leave where it sets nothing down. With
    `unseen`, one piece may have stood between two scans on one of those squares, or where another
    was taken and its like took back."""
    pardon = weights.UNSEEN * unseen
    found: list[Weighed] = []
    for cost, origin in origins:
        since_ns = (origin.parent or origin).made_at_ns
        changed = frozenset(change.square for change in look.since(since_ns))
        changed |= {echo.square for echo in look.echoes if echo.at_ns > since_ns}
        changed |= set(look.otherwise)
        quiet = evidence.taken_and_retaken(look, origin, changed) if unseen else frozenset()
        squares = changed | quiet
        if not squares.issuperset(origin.seen.differing(look.placement)):
            continue
        search = Search(look, origin.seen, 1, squares)
        for number in plies:
            lines = search.lines(number, number)
            known = [moves for moves in lines if evidence.drops_known(look, origin, moves)]
            grown = [regrown(look, origin, moves, 0.0) for moves in known]
            ended = (((of, end), end.brought() or end.left()) for of, end in grown)
            arrived = [way for way, last in ended if not changed.isdisjoint(last)]
            fitting = _fitting(look, (cost, origin), arrived, odd, pardon)
            found += fitting
            if fitting:
                break
    return found


def almost(
    look: Snapshot,
    live: Sequence[Line],
    *,
    hands_busy: bool = False,
    held: bool = True,
    replying: bool = False,
) -> list[Weighed]:
    """Lines the board shows but for what hands still hold.

    With `held`, also lines after which pieces were lifted and nothing was moved; with `replying`,
    the other side may have set pieces down too.
    """
    found: list[Weighed] = []
    for line in live:
        for cost, origin in _shown_last(origins(look, line)):
            lifted = origin.seen.differing(look.placement)
            if len(lifted) <= LIFTED_MAX and all(look.placement[s] == EMPTY for s in lifted):
                back = weights.PUT_BACK * (origin is line.parent and line.watched)
                back += weights.BOTH_TOOK_BACK * (line.ply - origin.ply > 1)
                found += [(cost + back + weights.LIFTED * len(lifted), origin)] * held
                continue
            if hands_busy and cost - line.standing > weights.TAKEN_BACK:
                continue
            for near in nearly(look, origin.seen, replying=replying):
                if not near.lifted and not near.dragged:
                    continue
                after = look.sensors.after(origin.seen, near.move)
                made_at_ns = evidence.made_at(look, origin, origin, after.placement)
                made_at_ns = made_at_ns or shown_since(look, origin)
                against = weights.LIFTED * near.lifted + weights.DRAGGED * near.dragged
                grown = Line(after, origin, near.move, made_at_ns, ply=origin.ply + 1)
                found.append((cost + against, grown))
    return found


def _shown_last(found: Sequence[Weighed]) -> Iterator[Weighed]:
    """Those of these origins that undo one half-move at most that the board showed."""
    shown = 0
    for cost, origin in found:
        if shown > 1:
            return
        yield cost, origin
        shown += origin.watched


def on_the_way(look: Snapshot, line: Line) -> list[Weighed]:
    """The line as it is, if all that differs is a piece of the side to move that rests on its way,
    and perhaps pieces that are lifted."""
    seen, sensors = line.seen, look.sensors
    squares = seen.differing(look.placement)
    if len(squares) > 1 + LIFTED_MAX:
        return []
    brought = [square for square in squares if look.placement[square] != EMPTY]
    if len(brought) != 1:
        return []
    piece = look.placement[brought[0]]
    homes = [square for square in squares if seen.placement[square] == piece]
    stood = sensors.rules.placement(seen.position)
    homes = [square for square in homes if sensors.rules.owner(stood[square]) is seen.turn]
    already = evidence.lifted_already(look.changes, line)
    later = (change.square for change in look.since(line.made_at_ns))
    if set(homes).isdisjoint([*already, *later]):
        return []
    return [(line.standing + weights.ON_THE_WAY, line)]


def ranked(found: Iterable[Weighed]) -> list[Line]:
    """Best first, each line of play once; the hopeless and those beyond what is kept go."""
    order = sorted(found, key=itemgetter(0))
    if len(order) < 2:
        for _, line in order:
            line.cost = 0.0
        return [line for _, line in order]
    kept: list[Line] = []
    known: set[tuple[str, ...]] = set()
    least, best = order[0]
    crowded = False
    for cost, line in order:
        behind = cost - line.presumed - (least - best.presumed)
        if behind > weights.FORGOTTEN:
            continue
        if len(kept) == weights.EXPLANATIONS_MAX:
            if behind <= weights.MARGIN:
                kept[0].speak_for(line, cost - least)
                crowded = True
            continue
        path = line.wires()
        if path not in known:
            known.add(path)
            line.cost = cost - least
            kept.append(line)
    for line in kept if crowded else ():
        line.crowded = True
    return kept
