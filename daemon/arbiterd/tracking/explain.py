"""From the explanations held, to those of a new placement, with what speaks against each.

steps      exactly a position one half-move on; or the last one replaced, or undone
slides     of those: two steps of one man that were one half-move
leaps      exactly a position several half-moves on, the ones between never shown
retraces   the same, further, among squares that were all seen to change
almost     a position one half-move on, but for what hands still hold
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeAlias

from arbiterd.rules.ruleset import differing
from arbiterd.tracking import weights
from arbiterd.tracking.facts import SquareSeen
from arbiterd.tracking.lines import Line
from arbiterd.tracking.search import LIFTED_MAX, Effort, nearly, retraced, ways
from arbiterd.tracking.settings import SECOND
from arbiterd.tracking.sight import HORIZON_PLIES, M, P, Sight
from eboards.events import EMPTY, Placement, Square

REPLY_NS = SECOND // 2
"""Nobody sees a half-move, thinks and makes the next one in less."""
UNDONE_MAX = 3
"""So many unpressed half-moves a leap may undo to branch off before them."""

Weighed: TypeAlias = tuple[float, Line[P, M]]
"""A line and what speaks against it, all told."""


@dataclass(frozen=True, slots=True)
class Look(Generic[P, M]):
    """One look at the board: what it shows, when, and what led to it."""

    sight: Sight[P, M]
    at_ns: int
    placement: Placement
    """As sensed."""
    hash: int
    changes: Sequence[SquareSeen]
    slide_ns: int
    effort: Effort
    loss_ns: int | None = None
    """When there was last a sign that messages were lost; None: none since the board agreed."""
    doubted: bool = False
    """One square is not read as it shows."""
    hides: bool = False
    """Men look alike and no clock is there: one who leaves may have taken another, unseen."""


def steps(
    look: Look[P, M], live: Sequence[Line[P, M]], *, silent: bool = False
) -> list[Weighed[P, M]]:
    """Lines that show exactly this: one half-move on, else the last one replaced or undone.

    With `silent`, also half-moves that bring no man into sight (see `onward`).
    """
    found = [way for line in live for way in onward(look, line, line.cost, silent=silent)]
    if found and len(live) == 1:
        return found
    return [*found, *(way for line in live for way in _instead(look, line, silent=silent))]


def onward(
    look: Look[P, M], line: Line[P, M], cost: float, *, silent: bool = False
) -> list[Weighed[P, M]]:
    """One legal move on from a line, exactly as shown.

    Where only men are counted a capture looks like a man in the air. It is taken for one, unless
    its victim was seen to leave too; with `silent` (hands rest, or press) in any case.
    """
    moves = line.seen.moves_to(look.hash, look.placement)
    if moves and not silent and not line.seen.brings_a_man(moves[0]):
        moves = tuple(move for move in moves if not _untouched(look, line, line, move))
    found: list[Weighed[P, M]] = []
    for move, against in zip(moves, _handled(look, line, moves), strict=True):
        against -= weights.BACK * (look.hides and silent and _takes_back(line, move))
        after = look.sight.after(line.seen, move)
        grown = Line(after, line, move, look.at_ns, ply=line.ply + 1)
        if look.hides and not line.seen.brings_a_man(move):
            grown.watched = not _untouched(look, line, line, move)
        found.append((cost + against, grown))
    return found


def hidden(look: Look[P, M], live: Sequence[Line[P, M]]) -> list[Weighed[P, M]]:
    """Where a capture shows as a man who is gone: the lines in which he took another, those that
    say so already, and those in which he is in the air. What follows tells which."""
    found: list[Weighed[P, M]] = []
    for line in live:
        if line.seen.hash == look.hash:
            found.append((line.cost, line))
            continue
        found += onward(look, line, line.cost + weights.HIDDEN, silent=True)
        found += in_the_air(look, line)
    return found


def in_the_air(look: Look[P, M], line: Line[P, M]) -> list[Weighed[P, M]]:
    """The line as it is, if the board shows it but for men who are lifted."""
    lifted = differing(line.seen.placement, look.placement)
    if len(lifted) > LIFTED_MAX or any(look.placement[s] != EMPTY for s in lifted):
        return []
    return [(line.cost + weights.LIFTED * len(lifted), line)]


def _handled(look: Look[P, M], line: Line[P, M], moves: Sequence[M]) -> list[float]:
    """How badly the men that were lifted fit each move, of several that look the same.

    Where captures are hidden, beside the best of them: one of them was made, if any was.
    """
    if len(moves) < 2:
        return [0.0] * len(moves)
    found = [_untouched(look, line, line, m) + _lifted_besides(look, line, m) for m in moves]
    least = min(found) if look.hides else 0.0
    return [against - least for against in found]


def _takes_back(line: Line[P, M], move: M) -> bool:
    """The move takes the man who has just moved."""
    if line.parent is None or line.move is None:
        return False
    rules = line.seen.rules
    made = rules.footprint(line.parent.seen.position, line.move)
    arrived = {square for square, piece in made if piece != EMPTY}
    return not arrived.isdisjoint(rules.touched(line.seen.position, move)[1:])


def _untouched(look: Look[P, M], origin: Line[P, M], line: Line[P, M], move: M) -> float:
    """What speaks against a move whose men were not all seen to leave since `origin`."""
    changed = {change.square for change in look.changes if change.at_ns > origin.made_at_ns}
    squares = look.sight.rules.touched(line.seen.position, move)
    return weights.UNTOUCHED * sum(square not in changed for square in squares)


def _lifted_besides(look: Look[P, M], line: Line[P, M], move: M) -> float:
    """What speaks against a move because men were lifted that it leaves alone."""
    changed = {change.square for change in look.changes if change.at_ns > line.made_at_ns}
    changed.difference_update(look.sight.rules.touched(line.seen.position, move))
    return weights.UNTOUCHED * sum(line.seen.placement[square] != EMPTY for square in changed)


def _instead(look: Look[P, M], line: Line[P, M], *, silent: bool) -> list[Weighed[P, M]]:
    """An ancestor as it was, or another move in place of the last one.

    While hands are busy nothing before the last one is undone that was pressed: men on their way
    pass old placements by.
    """
    cost = line.cost
    before = line
    reply: Line[P, M] | None = None
    while before.parent is not None and line.ply - before.ply < HORIZON_PLIES:
        undone, before = before, before.parent
        first = undone is line
        undoing, reply = _undoing(look, undone, reply), undone
        cost += undoing if first else max(undoing, weights.TAKEN_BACK_RESTED)
        if undone.pressed and not silent and not first:
            return []
        if before.seen.hash == look.hash:
            return [] if _is_reset(look, line, before) else [(cost, before)]
        if first and not _stays(look, undone):
            found = onward(look, before, cost, silent=silent)
            if found:
                return found
    return []


def _is_reset(look: Look[P, M], line: Line[P, M], before: Line[P, M]) -> bool:
    """The start array, moves ago: the men were set up again, nothing was taken back."""
    placement = look.sight.rules.placement(before.seen.position)
    return line.ply - before.ply > 1 and look.sight.rules.is_start(placement) is not None


def undoing(look: Look[P, M], line: Line[P, M], reply: Line[P, M] | None) -> float | None:
    """What speaks against telling a half-move anew; None: it stands, it was shown and more.

    One that no placement showed by itself may always have been another.
    """
    if line.irregular or (line.watched and line.pressed):
        return None
    cost = _undoing(look, line, reply) if line.watched else 0.0
    return cost if cost <= weights.TAKEN_BACK else None


def _undoing(look: Look[P, M], line: Line[P, M], reply: Line[P, M] | None) -> float:
    """What speaks against a half-move having been another one, or none.

    One that stood there while it was replied to was no stop on the way.
    """
    if line.pressed:
        return weights.TAKEN_BACK_PRESSED
    if not line.watched:
        return 0.0
    if reply is not None and not _left_early(look, line, reply):
        return weights.TAKEN_BACK_REPLIED
    rested = _left_at(look, line) - line.made_at_ns > look.slide_ns
    return weights.TAKEN_BACK_RESTED if rested else weights.TAKEN_BACK


def _left_at(look: Look[P, M], line: Line[P, M]) -> int:
    """When a man that the half-move brought left its square again; now, if it has not."""
    brought = {square for square, piece in line.written() if piece != EMPTY}
    times = (
        change.at_ns
        for change in look.changes
        if change.at_ns > line.made_at_ns and change.square in brought
    )
    return min(times, default=look.at_ns)


def _stays(look: Look[P, M], line: Line[P, M]) -> bool:
    """Pressed so long ago that another move in its place would be a second one."""
    if not line.pressed or line.completed_at_ns is None:
        return line.irregular
    if line.hastily_pressed and _left_at(look, line) - line.made_at_ns <= look.slide_ns:
        return False
    return look.at_ns - line.completed_at_ns > look.sight.sensing.scan_ns


def origins(look: Look[P, M], line: Line[P, M], *, hands_busy: bool = False) -> list[Weighed[P, M]]:
    """Where another line may have branched off, with the cost of undoing what is undone.

    The line itself, and those before it as long as nothing pressed is undone; with `hands_busy`,
    nothing that has rested either.
    """
    cost = line.cost
    found: list[Weighed[P, M]] = [(cost, line)]
    reply: Line[P, M] | None = None
    while line.parent is not None and len(found) <= UNDONE_MAX:
        if line.pressed or line.irregular:
            break
        undoing = _undoing(look, line, reply)
        if hands_busy and undoing > weights.TAKEN_BACK:
            break
        cost += undoing
        reply, line = line, line.parent
        found.append((cost, line))
    return found


def leaps(
    look: Look[P, M],
    live: Sequence[Line[P, M]],
    plies: int,
    *,
    hands_busy: bool = False,
    unseen: bool = False,
) -> list[Weighed[P, M]]:
    """Lines of exactly so many half-moves from one held, or from where it may have branched.

    With `hands_busy`, only lines that leave little to be explained; with
    `unseen`, one man may have stood where it was never seen.
    """
    odd = weights.AT_ONCE if hands_busy else weights.AT_REST
    limit = odd + weights.UNWATCHED * (plies - 1)
    pardon = weights.UNSEEN * (hands_busy and unseen)
    found: list[Weighed[P, M]] = []
    for line in live:
        for cost, origin in origins(look, line, hands_busy=hands_busy):
            for against, grown in _leap(look, origin, plies, 0.0):
                pardoned = min(pardon, grown.unseen) + grown.passed
                if against - pardoned <= limit:
                    found.append((cost + against + _double(look, origin, grown), grown))
    return [] if look.effort.spent else found


def leaps_from(look: Look[P, M], origin: Line[P, M], plies: int) -> list[Weighed[P, M]]:
    """Lines of exactly so many half-moves from this one."""
    found = _leap(look, origin, plies, 0.0)
    return [] if look.effort.spent else found


def retraces(
    look: Look[P, M],
    origins: Iterable[Weighed[P, M]],
    plies: Iterable[int],
    *,
    unseen: bool = False,
) -> list[Weighed[P, M]]:
    """Lines of men that were seen to leave, on squares that were seen to change, as short as may
    be. With `unseen`, one man may have stood on one of those squares between two scans."""
    pardon = weights.UNSEEN * unseen
    found: list[Weighed[P, M]] = []
    for cost, origin in origins:
        since_ns = (origin.parent or origin).made_at_ns
        changed = frozenset(c.square for c in look.changes if c.at_ns > since_ns)
        for number in plies:
            limit = weights.AT_ONCE + weights.UNWATCHED * (number - 1)
            ways_found = retraced(
                look.sight,
                origin.seen,
                look.placement,
                look.hash,
                number,
                changed,
                look.effort,
            )
            fitting = []
            for moves in ways_found:
                against, grown = _grown(look, origin, moves, 0.0)
                pardoned = min(pardon, grown.unseen) + grown.passed
                if against - pardoned <= limit:
                    fitting.append((cost + against + _double(look, origin, grown), grown))
            found += fitting
            if fitting:
                break
    return found


def put_back(look: Look[P, M], line: Line[P, M], most: int = LIFTED_MAX) -> tuple[Look[P, M], int]:
    """The look with men in the air back on their squares, the last lifted first, and how many.

    A man is in the air where its square is empty and fewer of its kind show than there are. One
    that was taken on the way looks the same, so this is one reading of two.
    """
    placement, seen = list(look.placement), line.seen
    since_ns = line.made_at_ns if line.parent is None else line.parent.made_at_ns
    short = Counter(seen.placement)
    short.subtract(look.placement)
    lifted = [
        change.square
        for change in reversed(look.changes)
        if change.at_ns > since_ns and change.after == EMPTY
    ]
    number, count = look.hash, 0
    for square in lifted:
        piece = seen.placement[square]
        if placement[square] == EMPTY != piece and short[piece] > 0 and count < most:
            short[piece] -= 1
            placement[square] = piece
            number ^= look.sight.hashing.of(square, piece)
            count += 1
    return replace(look, placement=tuple(placement), hash=number), count


def almost(
    look: Look[P, M], live: Sequence[Line[P, M]], *, hands_busy: bool = False, held: bool = True
) -> list[Weighed[P, M]]:
    """Lines the board shows but for what hands still hold.

    With `held`, also lines after which men were lifted and nothing was moved.
    """
    found: list[Weighed[P, M]] = []
    for line in live:
        for cost, origin in origins(look, line)[:2]:
            lifted = differing(origin.seen.placement, look.placement)
            if len(lifted) <= LIFTED_MAX and all(look.placement[s] == EMPTY for s in lifted):
                found += [(cost + weights.LIFTED * len(lifted), origin)] * held
                continue
            if hands_busy and cost - line.cost > weights.TAKEN_BACK:
                continue
            for near in nearly(look.sight, origin.seen, look.placement, replying=not held):
                if not near.lifted and not near.dragged:
                    continue
                after = look.sight.after(origin.seen, near.move)
                made_at_ns = _made_at(look, origin, origin, after.placement) or look.at_ns
                against = weights.LIFTED * near.lifted + weights.DRAGGED * near.dragged
                grown = Line(after, origin, near.move, made_at_ns, ply=origin.ply + 1)
                found.append((cost + against, grown))
    return found


def slides(look: Look[P, M], found: Sequence[Weighed[P, M]]) -> list[Weighed[P, M]]:
    """Where a side's man moved on right after the reply: both steps as one half-move too.

    The reply began while the man was still in the hand; or the side has moved twice in a hurry.
    """
    weighed_anew: list[Weighed[P, M]] = []
    for cost, line in found:
        reply = line.parent
        first = reply.parent if reply is not None else None
        merged: list[Weighed[P, M]] = []
        if (
            reply is not None
            and first is not None
            and first.parent is not None
            and _slid_on(look, first, reply, line)
        ):
            slid = cost + weights.SLID_ON - weights.UNWATCHED
            merged = _leap(look, first.parent, 2, slid)
        weighed_anew += [(cost + weights.HASTY * bool(merged), line), *merged]
    return weighed_anew


def _slid_on(look: Look[P, M], first: Line[P, M], reply: Line[P, M], line: Line[P, M]) -> bool:
    """The man that `first` brought left again, unpressed, before the reply was quite made."""
    if first.pressed or reply.pressed:
        return False
    left = {square for square, piece in line.written() if piece == EMPTY}
    return _left_early(look, first, reply, left)


def _double(look: Look[P, M], origin: Line[P, M], line: Line[P, M]) -> float:
    """What speaks against a side moving its man on right after the reply: see `slides`."""
    reply = line.parent
    if reply is None or reply.parent is not origin or origin.parent is None:
        return 0.0
    return weights.HASTY * _slid_on(look, origin, reply, line)


def _left_early(
    look: Look[P, M], line: Line[P, M], reply: Line[P, M], left: set[Square] | None = None
) -> bool:
    """The man that `line` brought (on one of `left`) went on before the reply was quite made."""
    until_ns = reply.made_at_ns + look.sight.sensing.scan_ns
    until_ns = min(until_ns, line.made_at_ns + look.slide_ns)
    brought = {
        square
        for square, piece in line.written()
        if piece != EMPTY and (left is None or square in left)
    }
    return any(
        change.square in brought and line.made_at_ns < change.at_ns <= until_ns
        for change in look.changes
    )


def on_the_way(look: Look[P, M], line: Line[P, M]) -> bool:
    """All that differs: a man of the side to move rests on its way, and perhaps men are lifted."""
    seen, sight = line.seen, look.sight
    squares = differing(seen.placement, look.placement)
    if len(squares) > 1 + LIFTED_MAX:
        return False
    brought = [square for square in squares if look.placement[square] != EMPTY]
    if len(brought) != 1:
        return False
    piece = look.placement[brought[0]]
    homes = [square for square in squares if seen.placement[square] == piece]
    return sight.owner(piece) is seen.turn and any(
        change.square in homes and change.at_ns > line.made_at_ns for change in look.changes
    )


def _leap(look: Look[P, M], origin: Line[P, M], plies: int, cost: float) -> list[Weighed[P, M]]:
    found = ways(look.sight, origin.seen, look.placement, look.hash, plies, look.effort)
    if not look.doubted and not _in_the_dark(look, origin):
        found = [moves for moves in found if _lifts_seen(look, origin, moves)]
    return [_grown(look, origin, moves, cost) for moves in found]


def _in_the_dark(look: Look[P, M], origin: Line[P, M]) -> bool:
    """Messages were lost since then: what was not seen says nothing."""
    return look.loss_ns is not None and look.loss_ns >= origin.made_at_ns


def _lifts_seen(look: Look[P, M], origin: Line[P, M], moves: Sequence[M]) -> bool:
    """Every square these half-moves leave was seen to change, or is one of their own stops.

    Without a sign that messages were lost nothing else explains a board: an illegal move is one,
    and not the end of half-moves that nobody saw.
    """
    before = origin if origin.parent is None else origin.parent
    known = {change.square for change in look.changes if change.at_ns > before.made_at_ns}
    seen = origin.seen
    for move in moves:
        after = look.sight.after(seen, move)
        squares = differing(seen.placement, after.placement)
        if any(after.placement[s] == EMPTY and s not in known for s in squares):
            return False
        known.update(s for s in squares if after.placement[s] != EMPTY)
        seen = after
    return True


def _grown(look: Look[P, M], origin: Line[P, M], moves: Sequence[M], cost: float) -> Weighed[P, M]:
    """The line with these half-moves more, and what speaks against them."""
    end, begun_ns, ready_ns, unseen = origin, origin.made_at_ns, origin.made_at_ns, 0.0
    cost += weights.UNWATCHED * (len(moves) - 1)
    for number, move in enumerate(moves):
        after = look.sight.after(end.seen, move)
        squares = differing(end.seen.placement, after.placement)
        if not _in_the_dark(look, origin):
            cost += _untouched(look, origin, end, move)
            unseen += _unseen(look, origin, squares, after.placement)
        made_ns = _made_at(look, origin, end, after.placement)
        if made_ns is not None:
            lift_ns = _lifted_at(look, origin, squares, after.placement, made_ns)
            cost += weights.READY_LATE * max(0, ready_ns - made_ns) / SECOND
            cost += weights.BEGUN_LATE * max(0, begun_ns - lift_ns) / SECOND
            begun_ns, ready_ns = max(begun_ns, lift_ns), max(ready_ns, made_ns)
        last = number == len(moves) - 1
        end = Line(after, end, move, ready_ns, ply=end.ply + 1, watched=last)
    if came_at_once(look) and look.at_ns - origin.made_at_ns < len(moves) * REPLY_NS:
        cost += weights.HASTY
    if ready_ns == origin.made_at_ns:
        _date(end, origin, look.at_ns)
    end.unseen, end.passed = unseen, weights.PASSED * _passed(look, origin, end)
    return cost + unseen + end.passed, end


def _passed(look: Look[P, M], origin: Line[P, M], end: Line[P, M]) -> int:
    """So many men showed since `origin` where no half-move of the line has them."""
    told = {
        way
        for line in end.back()
        if line.ply >= origin.ply
        for way in (*line.written(), *((s, origin.seen.placement[s]) for s, _ in line.written()))
    }
    shown = {
        (change.square, look.sight.see(change.after))
        for change in look.changes
        if change.at_ns > origin.made_at_ns and change.after != EMPTY
    }
    placement = origin.seen.placement
    return sum(way not in told and placement[way[0]] != way[1] for way in shown)


def _date(end: Line[P, M], origin: Line[P, M], at_ns: int) -> None:
    """Half-moves of which no time is known were made by now."""
    for line in end.back():
        if line is origin:
            return
        line.made_at_ns = at_ns


def came_at_once(look: Look[P, M]) -> bool:
    """Messages were lost: more squares changed together than one half-move writes by itself."""
    return len(look.changes) >= 3 and look.changes[-3].at_ns == look.at_ns


def _lifted_at(
    look: Look[P, M],
    origin: Line[P, M],
    squares: Sequence[Square],
    after: Placement,
    made_ns: int,
) -> int:
    """When the first man of a half-move left its square, for the last time before it was made."""
    lifted = {
        change.square: change.at_ns
        for change in look.changes
        if origin.made_at_ns < change.at_ns <= made_ns
        and change.square in squares
        and after[change.square] == change.after == EMPTY
    }
    return min(lifted.values(), default=look.at_ns)


def _made_at(
    look: Look[P, M], origin: Line[P, M], line: Line[P, M], after: Placement
) -> int | None:
    """When the squares of a half-move that was never shown by itself last came to read so.

    None: they came with others at once, and may have been so for long.
    """
    squares = set(differing(line.seen.placement, after))
    times = [
        change.at_ns
        for change in look.changes
        if change.at_ns > origin.made_at_ns
        and change.square in squares
        and look.sight.see(change.after) == after[change.square]
    ]
    if not times or (max(times) == look.at_ns and came_at_once(look)):
        return None
    return max(times)


def _unseen(
    look: Look[P, M], origin: Line[P, M], squares: Sequence[Square], after: Placement
) -> float:
    """What speaks against men having stood where they were never seen."""
    arrived = [s for s in squares if after[s] not in (EMPTY, look.placement[s])]
    if not arrived:
        return 0.0
    shown = {
        (change.square, look.sight.see(change.after))
        for change in look.changes
        if change.at_ns >= origin.made_at_ns
    }
    return weights.UNSEEN * sum((square, after[square]) not in shown for square in arrived)


def ranked(found: Iterable[Weighed[P, M]]) -> list[Line[P, M]]:
    """Best first, each line of play once; the hopeless and those beyond what is kept go."""
    order = sorted(found, key=lambda way: way[0])
    kept: list[Line[P, M]] = []
    known: set[tuple[str, ...]] = set()
    for cost, line in order:
        if cost - order[0][0] > weights.FORGOTTEN:
            break
        if len(kept) == weights.EXPLANATIONS_MAX:
            if cost - order[0][0] <= weights.MARGIN:
                kept[0].speak_for(line)
            continue
        path = tuple(past.wire() for past in line.back())
        if path not in known:
            known.add(path)
            line.cost = cost - order[0][0]
            kept.append(line)
    return kept
