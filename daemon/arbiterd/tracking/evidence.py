"""What speaks against a half-move: pieces that were not seen to leave or to stand where it has
them, others that were, when its squares came to read so, and what stood after it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from arbiterd.rules.ruleset import differing
from arbiterd.tracking import weights
from arbiterd.tracking.facts import SquareSeen
from arbiterd.tracking.lines import Line
from arbiterd.tracking.sensors import Move, Sensors
from arbiterd.tracking.settings import MS, SECOND
from arbiterd.tracking.snapshot import Snapshot, came_at_once, in_the_dark
from eboards.events import EMPTY, Geometry, Piece, Placement, Square

REPLY_NS = SECOND // 2
"""Nobody sees a half-move, thinks and makes the next one in less."""
PRESSED_SOON_NS = 300 * MS
"""A press that is known so soon after a half-move may have come before it."""
PRESSED_LATE_NS = 5 * SECOND
"""A press that was forgotten comes so soon after the reply, or not before the next half-move."""


def untouched(
    look: Snapshot, origin: Line, line: Line, move: Move, never: Collection[Square] = ()
) -> float:
    """What speaks against a move whose pieces were not all seen to leave since `origin`, those
    aside that were `never` seen to come."""
    changed = left_since(look.changes, origin)
    changed.update(never)
    squares = look.sensors.rules.touched(line.seen.position, move)
    return weights.UNTOUCHED * sum(square not in changed for square in squares)


def left_since(changes: Sequence[SquareSeen], origin: Line) -> set[Square]:
    """Squares that changed since this half-move, and those whose pieces were in the air then."""
    changed = set(lifted_already(changes, origin))
    for change in reversed(changes):
        if change.at_ns <= origin.made_at_ns:
            break
        changed.add(change.square)
    return changed


def nobody_taken(sensors: Sensors, changes: Sequence[SquareSeen], line: Line) -> bool:
    """Not both a piece of the side to move and one that it could have taken have left their squares
    since this half-move."""
    pieces, mover = sensors.rules.placement(line.seen.position), line.seen.turn
    left = {sensors.owners[pieces[square]] for square in left_since(changes, line)}
    return not (mover in left and mover.other in left)


def lifted_already(changes: Sequence[SquareSeen], origin: Line) -> dict[Square, int]:
    """Squares of pieces that were in the air when this half-move was made, and since when: hands do
    not wait for each other."""
    if origin.parent is None:
        return {}
    since_ns, until_ns = origin.parent.made_at_ns, origin.made_at_ns
    last: dict[Square, SquareSeen] = {}
    for change in reversed(changes):
        if change.at_ns <= since_ns:
            break
        if change.at_ns <= until_ns:
            last.setdefault(change.square, change)
    standing = origin.seen.placement
    return {
        square: change.at_ns
        for square, change in last.items()
        if change.after == EMPTY != standing[square]
    }


def seldom_chosen(look: Snapshot, move: Move) -> float:
    """What speaks against a promotion that looks like others, before any sensor has spoken."""
    return weights.SELDOM_CHOSEN * look.sensors.promotes_seldom(move)


def lifted_besides(look: Snapshot, line: Line, move: Move) -> float:
    """What speaks against a move because pieces were lifted that it leaves alone."""
    changed = {change.square for change in look.since(line.made_at_ns)}
    changed.difference_update(look.sensors.rules.touched(line.seen.position, move))
    return weights.UNTOUCHED * sum(line.seen.placement[square] != EMPTY for square in changed)


def handled_well(look: Snapshot, line: Line) -> bool:
    """All that the half-move touches were seen to leave their squares, and no others."""
    before, move = line.parent, line.move
    if before is None or move is None:
        return True
    return not untouched(look, before, before, move) and not lifted_besides(look, before, move)


def handled_alone(look: Snapshot, line: Line) -> bool:
    """All that the half-move touches were seen to leave their squares, and no others until they
    were set down; a piece adjusted before, or begun with for the reply, is none of it."""
    before, move = line.parent, line.move
    if before is None or move is None or untouched(look, before, before, move):
        return False
    touched, changes = look.sensors.rules.touched(before.seen.position, move), look.changes
    own = [change for change in look.since(before.made_at_ns) if change.square in touched]
    lifts = {change.square: change.at_ns for change in own if change.after == EMPTY}
    begun_ns, done_ns = min(lifts.values(), default=look.at_ns), own[-1].at_ns if own else 0
    between = (change.square for change in changes if begun_ns <= change.at_ns <= done_ns)
    return all(before.seen.placement[s] == EMPTY for s in between if s not in touched)


def takes_back(line: Line, move: Move) -> bool:
    """The move takes the piece that has just moved."""
    if line.parent is None or line.move is None:
        return False
    rules = line.seen.rules
    made = rules.footprint(line.parent.seen.position, line.move)
    arrived = {square for square, piece in made if piece != EMPTY}
    return not arrived.isdisjoint(rules.touched(line.seen.position, move)[1:])


def undoing(look: Snapshot, line: Line, reply: Line | None) -> float | None:
    """What speaks against telling a half-move anew; None: it stands, it was shown and more.

    One that no placement showed by itself may always have been another.
    """
    if line.irregular or (line.watched and line.pressed and not pressed_for_another(line)):
        return None
    cost = _cost_unpressed(look, line, reply)
    return cost if cost <= weights.TAKEN_BACK else None


def cost_of_undoing(look: Snapshot, line: Line, reply: Line | None) -> float:
    """What speaks against a half-move having been another one, or none.

    One that stood there while it was replied to was no stop on the way.
    """
    if line.pressed and line.watched:
        return weights.TAKEN_BACK_PRESSED
    return _cost_unpressed(look, line, reply)


def _cost_unpressed(look: Snapshot, line: Line, reply: Line | None) -> float:
    if not line.watched:
        return 0.0
    if reply is not None and not left_early(look, line, reply):
        return weights.TAKEN_BACK_REPLIED
    rested = left_at(look, line) - line.made_at_ns > look.slide_ns
    return weights.TAKEN_BACK_RESTED if rested else weights.TAKEN_BACK


def pressed_for_another(line: Line) -> bool:
    """The press came so soon that it may well have been for another half-move."""
    if not may_be_anothers(line) or line.completed_at_ns is None:
        return False
    return line.completed_at_ns - line.made_at_ns < PRESSED_SOON_NS


def may_be_anothers(line: Line) -> bool:
    """The press may have come before it was begun, for the half-move of its side before, which has
    none; not long after the reply to that one, for who notices so late is not making the next just
    then."""
    reply = line.parent
    before = None if reply is None else reply.parent
    if reply is None or before is None or not before.has_move:
        return False
    if before.pressed or before.given:
        return False
    done_ns = line.completed_at_ns
    return line.hastily_pressed and (
        done_ns is None or done_ns - reply.made_at_ns <= PRESSED_LATE_NS
    )


def left_at(look: Snapshot, line: Line) -> int:
    """When a piece that the half-move brought left its square again; now, if it has not."""
    brought = line.brought()
    times = (c.at_ns for c in look.since(line.made_at_ns) if c.square in brought)
    return next(times, look.at_ns)


def stood_for(look: Snapshot, line: Line) -> int:
    """How long the half-move stood before its piece went on, or until now."""
    return left_at(look, line) - line.made_at_ns


def stood_still(look: Snapshot, line: Line) -> bool:
    """The board showed it, and nothing changed for longer than hands rest on their way: it was
    made. It may be taken back yet, but was never another.

    Where messages were lost, only a piece that stands there yet, or was seen to leave after so
    long.
    """
    if not line.watched:
        return False
    if look.loss_ns is not None:
        left_ns = left_at(look, line)
        known = line.in_place(look.placement) or left_ns != look.loss_ns
        return known and left_ns - line.made_at_ns > look.slide_ns
    later = look.since(line.made_at_ns)
    return (later[0].at_ns if later else look.at_ns) - line.made_at_ns > look.slide_ns


def stood_firm(look: Snapshot, line: Line) -> bool:
    """The board showed the half-move for long, or when it was pressed for."""
    if line.doubtful or not line.watched:
        return False
    pressed_ns = line.completed_at_ns if line.pressed else None
    if pressed_ns is not None and left_at(look, line) >= pressed_ns:
        return True
    return stood_still(look, line)


def against_a_stop(look: Snapshot, line: Line) -> float:
    """What speaks against its piece having been on the way all the time that it stood there."""
    longer = (stood_for(look, line) - weights.STOPPED_AS_LIKELY_NS) / SECOND
    cost = weights.UNWATCHED + weights.STOPPED_LONGER * longer
    return min(max(cost, weights.TAKEN_BACK), 3 * weights.UNWATCHED)


def stays(look: Snapshot, line: Line) -> bool:
    """Pressed so long ago that another move in its place would be a second one."""
    if not line.pressed or line.completed_at_ns is None:
        return line.irregular
    if line.hastily_pressed and left_at(look, line) - line.made_at_ns <= look.slide_ns:
        return False
    return look.at_ns - line.completed_at_ns > look.sensors.sensing.scan_ns


def left_early(
    look: Snapshot, line: Line, reply: Line, left: Collection[Square] | None = None
) -> bool:
    """The piece that `line` brought (on one of `left`) went on before the reply was quite made:
    both squares of its piece may show it for a while."""
    made_ns = reply.made_at_ns
    if reply.doubtful:
        left_ns = (
            change.at_ns
            for change in look.changes
            if change.after == EMPTY and (change.square, EMPTY) in reply.written()
        )
        made_ns = max(made_ns, max(left_ns, default=0))
    until_ns = made_ns + look.sensors.sensing.scan_ns
    if made_ns - line.made_at_ns < REPLY_NS:
        until_ns += look.slide_ns  # Nobody replied to what had just been set down.
    until_ns = min(until_ns, line.made_at_ns + look.slide_ns)
    brought = {square for square in line.brought() if left is None or square in left}
    later = look.since(line.made_at_ns)
    return any(change.square in brought and change.at_ns <= until_ns for change in later)


def lifts_seen(look: Snapshot, origin: Line, moves: Sequence[Move]) -> bool:
    """Every square these half-moves leave was seen to change, or is one of their own stops; and
    their last piece was seen to arrive.

    Without a sign that messages were lost nothing else explains a board: an illegal move is one,
    and not the end of half-moves that nobody saw.
    """
    before = origin if origin.parent is None else origin.parent
    changed = {change.square for change in look.since(before.made_at_ns)}
    anew = {change.square for change in look.since(origin.made_at_ns)}
    anew |= changed.difference(square for square, _ in origin.written())
    known, arrived = changed.union(look.otherwise), True
    seen = origin.seen
    for move in moves:
        after = look.sensors.after(seen, move)
        squares = differing(seen.placement, after.placement)
        if any(after.placement[s] == EMPTY and s not in known for s in squares):
            return False
        stops = {square for square in squares if after.placement[square] != EMPTY}
        arrived = not stops.isdisjoint(anew)
        known |= stops
        seen = after
    return arrived or not look.sensors.sets_down


def drops_known(look: Snapshot, origin: Line, moves: Sequence[Move]) -> bool:
    """Each of these half-moves that leaves no square was seen where its piece came, or its side
    pressed: nothing else says of a drop that it was made. Where a square is doubted, or messages
    were lost, that is not asked for."""
    if look.sensors.narrowing is not None or look.doubted or in_the_dark(look, origin):
        return True
    pressed = {side for side, at_ns, _ in look.presses if at_ns > origin.made_at_ns}
    seen = origin.seen
    for move in moves:
        after = look.sensors.after(seen, move)
        squares = differing(seen.placement, after.placement)
        drops = seen.turn not in pressed and all(after.placement[s] != EMPTY for s in squares)
        if drops and never_seen(look, origin, squares, after.placement):
            return False
        seen = after
    return True


def taken_and_retaken(
    look: Snapshot, origin: Line, changed: Collection[Square]
) -> frozenset[Square]:
    """Squares that need not have changed though a piece was taken there, and its taker: its like
    left one of those that did. Where pieces look alike that may be any square, and says nothing."""
    if not look.sensors.tells_pieces:
        return frozenset()
    before = origin.seen.placement
    left = {before[square] for square in changed if look.placement[square] == EMPTY}
    left.discard(EMPTY)
    return frozenset(square for square, piece in enumerate(look.placement) if piece in left)


def lifted_at(
    look: Snapshot, origin: Line, squares: Sequence[Square], after: Placement, made_ns: int
) -> int:
    """When the first piece of a half-move, or the one it takes, left its square, for the last time
    before it was made; a piece that is dropped leaves none."""
    owners, stood = look.sensors.owners, origin.seen.placement
    left = {
        square
        for square in squares
        if after[square] == EMPTY or owners[stood[square]] not in (None, owners[after[square]])
    }
    # King and rook may change places: then each leaves the square that the other comes to.
    left = left or {square for square in squares if stood[square] not in (EMPTY, after[square])}
    if not left:
        return made_ns
    already = lifted_already(look.changes, origin)
    lifted = {square: at_ns for square, at_ns in already.items() if square in left}
    for change in look.since(origin.made_at_ns):
        if change.at_ns > made_ns or change.square not in left:
            continue
        if change.after == EMPTY:
            lifted[change.square] = change.at_ns
        elif look.sensors.shows[change.after] == stood[change.square]:
            lifted.pop(change.square, None)  # It was put back.
    return min(lifted.values(), default=look.at_ns)


def begun_at(look: Snapshot, line: Line) -> int:
    """When the first piece of a half-move was lifted."""
    assert line.parent is not None, "the root made no half-move"
    squares = [square for square, _ in line.written()]
    return lifted_at(look, line.parent, squares, line.seen.placement, line.made_at_ns)


def had_begun(look: Snapshot, line: Line, at_ns: int) -> bool:
    """One of its squares had changed by then, or within a scan; or nobody heard when it was made.
    How it was ended later does not count: a promotion piece may come long after the press."""
    assert line.parent is not None, "the root made no half-move"
    squares, until_ns = dict(line.written()), at_ns + look.sensors.sensing.scan_ns
    changes = look.since(line.parent.made_at_ns)
    return line.unheard or any(c.square in squares and c.at_ns <= until_ns for c in changes)


def made_at(look: Snapshot, origin: Line, line: Line, after: Placement) -> int | None:
    """When the squares of a half-move that was never shown by itself last came to read so.

    None: they came with others at once, or only a picture told, and may have been so for long.
    """
    squares = set(differing(line.seen.placement, after))
    shows = look.sensors.shows
    came = (c for c in _changed_for(look, origin) if shows[c.after] == after[c.square])
    newest = max((c for c in came if c.square in squares), key=_known_ns, default=None)
    if newest is None or newest.pictured or newest.at_ns == look.loss_ns:
        return None
    if newest.at_ns == look.at_ns and came_at_once(look):
        return None
    return _let_go(look, origin, line, after, newest.at_ns)


def _known_ns(change: SquareSeen) -> tuple[int, bool]:
    """The newest last, and of one time what only a picture told."""
    return change.at_ns, change.pictured


def _changed_for(look: Snapshot, origin: Line) -> Iterator[SquareSeen]:
    """The changes that what comes after `origin` may rest on: those since then, and those of other
    squares since the half-move before, for a reply may be set down first."""
    before_ns = origin.made_at_ns if origin.parent is None else origin.parent.made_at_ns
    own = {square for square, _ in origin.written()}
    for change in look.since(before_ns):
        if change.at_ns > origin.made_at_ns or change.square not in own:
            yield change


def _let_go(look: Snapshot, origin: Line, line: Line, after: Placement, shown_ns: int) -> int:
    """When its side had let go of the piece that the next ply brings: one that was pressed for
    while it was off its old square, and shows much later, stood badly all the time.
    One that comes in exchange may be put on the board as late as it shows: the half-move is of its
    press for all that.
    """
    left = [s for s in differing(line.seen.placement, after) if after[s] == EMPTY]
    later = look.since(origin.made_at_ns)
    lifts = [c.at_ns for c in later if c.square in left and c.after == EMPTY]
    lag_ns = 2 * look.sensors.sensing.scan_ns + PRESSED_SOON_NS
    for side, at_ns, late_ns in look.presses if lifts else ():
        if side is line.seen.turn and max(lifts) <= at_ns and at_ns + lag_ns < shown_ns:
            return max(max(lifts), at_ns - late_ns)
    return shown_ns


def never_seen(
    look: Snapshot, origin: Line, squares: Sequence[Square], after: Placement
) -> list[Square]:
    """Those of the squares where pieces must have stood and were never seen."""
    arrived = [s for s in squares if after[s] not in (EMPTY, look.placement[s])]
    if not arrived:
        return []
    shown = {
        (change.square, look.sensors.shows[change.after]) for change in _changed_for(look, origin)
    }
    return [square for square in arrived if (square, after[square]) not in shown]


def unanswered(look: Snapshot, origin: Line, end: Line) -> float:
    """What speaks against a line after `origin` because squares were otherwise where it has
    nothing happen."""
    if not look.echoes:
        return 0.0
    wrote = {square for line in end.back() if line.ply > origin.ply for square, _ in line.written()}
    heard = {echo.square for echo in look.echoes if echo.at_ns > origin.made_at_ns}
    return weights.UNANSWERED * len(heard - wrote)


def strays(look: Snapshot, origin: Line, end: Line) -> float:
    """What speaks against a line after `origin` because pieces showed where it has none, since the
    board last showed `origin` itself: what was tried and taken back before that is over."""
    told = {
        way
        for line in end.back()
        if line.ply >= origin.ply
        for way in (*line.written(), *((s, origin.seen.placement[s]) for s, _ in line.written()))
    }
    placement, shows = origin.seen.placement, look.sensors.shows
    stood: dict[tuple[Square, Piece], int] = {}
    until: dict[Square, int] = {}
    since_ns = last_shown_ns(look, origin)
    for change in reversed(look.changes):
        if change.at_ns <= since_ns:
            break
        way = change.square, shows[change.after]
        if change.after != EMPTY and way not in told and placement[way[0]] != way[1]:
            lasted_ns = until.get(change.square, look.at_ns) - change.at_ns
            stood[way] = max(lasted_ns, stood.get(way, 0))
        until[change.square] = change.at_ns
    cost = sum(against_a_pass(lasted_ns) for lasted_ns in stood.values())
    return cost + weights.ASTRAY * sum(_astray(look, origin, end, *way) for way in stood)


def _astray(look: Snapshot, origin: Line, end: Line, square: Square, stray: Piece) -> bool:
    """Of the half-moves since then some move such a piece, and none has it come by there."""
    ways: list[tuple[Square, Square]] = []
    for line in islice(end.back(), end.ply - origin.ply):
        assert line.parent is not None, "the origin is before it"
        pieces = line.parent.seen.placement
        left = [s for s, piece in line.written() if piece == EMPTY and pieces[s] == stray]
        came = [s for s, piece in line.written() if piece == stray]
        ways += [(start, goal) for start in left for goal in came]
    geometry = look.sensors.sensing.geometry
    return bool(ways) and not any(on_its_way(geometry, a, square, b) for a, b in ways)


def on_its_way(geometry: Geometry, start: Square, stop: Square, goal: Square) -> bool:
    """A hand that carries a piece from start to goal may rest here: between them on their line, or
    beside the goal."""
    places = [divmod(square, geometry.files) for square in (start, stop, goal)]
    (from_rank, from_file), (rank, file), (to_rank, to_file) = places
    if max(abs(to_rank - rank), abs(to_file - file)) <= 1:
        return True
    ranks, files = to_rank - from_rank, to_file - from_file
    length = max(abs(ranks), abs(files))
    if ranks and files and abs(ranks) != abs(files):
        return False
    between = {
        (from_rank + ranks // length * n, from_file + files // length * n) for n in range(1, length)
    }
    return (rank, file) in between


def last_shown_ns(look: Snapshot, line: Line) -> int:
    """When the board last showed exactly this; when the half-move was made, if it has not since."""
    placement, shows = line.seen.placement, look.sensors.shows
    at_ns, other = line.made_at_ns, set(lifted_already(look.changes, line))
    for change in look.since(line.made_at_ns):
        if shows[change.after] == placement[change.square]:
            other.discard(change.square)
            if not other:
                at_ns = change.at_ns
        else:
            other.add(change.square)
    return at_ns


def against_a_pass(stood_ns: int) -> float:
    """What speaks against a piece having come by that stood for so long."""
    longer = max(0, stood_ns - weights.STOPPED_AS_LIKELY_NS) / SECOND
    return min(weights.PASSED + weights.STOPPED_LONGER * longer, 3 * weights.UNWATCHED)
