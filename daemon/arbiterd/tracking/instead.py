"""Another half-move in place of one on a line, and all that came after it as it was.

    exchanged       a pawn was pressed for on its last rank, and is exchanged after the reply
    finished        a king's step was the first part of a castling, whose rook came after the reply
    filled          an irregular half-move was a legal one, of which messages were lost
    in_one_stroke   two half-moves of one piece were one, with a stop on the way

A press with nothing to show for it says that nothing was played, or that what was played was not
heard of. A reply tells neither; a whole picture does. And a stop may last while the other side
replies, its press unheard: then it shows only when the next move comes from the side that has not
the turn. Before that is called an offence the half-moves are counted again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import TypeAlias

from arbiterd.tracking import weights
from arbiterd.tracking.doubts import Doubt, doubted
from arbiterd.tracking.evidence import stood_for
from arbiterd.tracking.leaping import Weighed, regrown
from arbiterd.tracking.lines import Line
from arbiterd.tracking.propose import in_the_air, onward
from arbiterd.tracking.sensors import HORIZON_PLIES, Move, Seen, Sensors
from arbiterd.tracking.sliding import goes_on
from arbiterd.tracking.snapshot import Snapshot, raised
from eboards.events import EMPTY, Square

InDoubt: TypeAlias = tuple[Weighed, Doubt | None]
"""A line, and the square and piece it rests on where one is taken for other than it shows."""


def _replayed(sensors: Sensors, seen: Seen, past: Sequence[Line]) -> tuple[list[Move], Seen] | None:
    """These half-moves, newest first, made after another position, and where they lead. None: one
    of them is not legal there."""
    moves: list[Move] = []
    for line in reversed(past):
        try:
            moves.append(sensors.rules.parse(seen.position, line.wire()))
        except ValueError:
            return None
        seen = sensors.after(seen, moves[-1])
    return moves, seen


def exchanged(look: Snapshot, line: Line) -> list[Weighed]:
    """The line with a legal move for an irregular ply of which another piece shows now, and all
    that came after it as it was."""
    squares = line.seen.differing(look.placement)
    if len(squares) != 1 or look.placement[squares[0]] == EMPTY:
        return []
    past = list(islice(line.back(), HORIZON_PLIES))
    newer = list(takewhile(lambda ply: not ply.irregular, past))
    slot = past[len(newer)] if len(newer) < len(past) else None
    if slot is None or slot.parent is None or squares[0] not in dict(slot.written()):
        return []
    found: list[Weighed] = []
    written = dict(slot.written()) | {squares[0]: look.placement[squares[0]]}
    for move, changes in slot.parent.seen.steps_touching(squares):
        if dict(changes) != written:
            continue
        after = _replayed(look.sensors, look.sensors.after(slot.parent.seen, move), newer)
        if after is not None and after[1].hash == look.hash:
            end = slot.parent
            for ply, its in zip((slot, *reversed(newer)), (move, *after[0]), strict=True):
                end = ply.made_as(look.sensors.after(end.seen, its), end, its)
            found.append((line.standing, end))
    return found


def finished(look: Snapshot, line: Line) -> list[Weighed]:
    """The line with another half-move in place of the one before the newest, which was a part of
    it: the king goes beside its rook, which is in the air while the other side replies, and castles
    with it. The reply stays as it was."""
    first = line.parent
    if first is None or first.parent is None or not line.has_move or not first.has_move:
        return []
    before, missing = first.parent.seen, line.seen.differing(look.placement)
    if first.pressed or not missing or not _brings_two(look, line, first, missing):
        return []
    found: list[Weighed] = []
    for move, written in before.steps_touching(missing):
        came = dict(written)
        if any(came.get(square) != first.seen.placement[square] for square in first.brought()):
            continue
        after = look.sensors.after(before, move)
        reply = _replayed(look.sensors, after, [line])
        if reply is not None and reply[1].hash == look.hash:
            whole = first.made_as(after, first.parent, move)
            found.append((line.standing, line.made_as(reply[1], whole, reply[0][0])))
    return found


def _brings_two(look: Snapshot, line: Line, first: Line, missing: Sequence[Square]) -> bool:
    """The first half-move may have brought two pieces: one more of its side stands now, and one was
    taken up before the reply was made; or soon after the first, and nobody pressed."""
    assert first.parent is not None, "it has a move"
    soon_ns = 0 if line.pressed else first.made_at_ns + look.slide_ns
    by_ns = max(line.made_at_ns, soon_ns)
    came = [square for square in missing if look.placement[square] != EMPTY]
    if len(came) != 1 or look.sensors.owners[look.placement[came[0]]] is not first.side:
        return False
    since = look.since(first.parent.made_at_ns)
    lifted = {c.square for c in since if c.after == EMPTY and c.at_ns <= by_ns}
    if not any(square in lifted and look.placement[square] == EMPTY for square in missing):
        return False
    squares = {*missing, *(square for square, _ in first.written())}
    return look.sensors.may_bring_two(first.parent.seen.position, squares)


def filled(look: Snapshot, live: Sequence[Line]) -> list[InDoubt]:
    """Lines that show the board if an irregular half-move that nobody witnessed was a legal one;
    one square of it may still show what stood there before."""
    found: list[InDoubt] = []
    if look.loss_ns is None:
        return found
    for line in live:
        slot = next((p for p in islice(line.back(), HORIZON_PLIES) if _may_be_another(p)), None)
        if slot is None or slot.parent is None:
            continue
        # Those told since were each shown by themselves.
        cost = line.cost - weights.UNWATCHED * (line.ply - slot.ply)
        cost += -weights.IRREGULAR_PRESSED if slot.irregular else weights.TAKEN_BACK_PRESSED
        for way, against in raised(look, line):
            for moves, doubt in _in_place(way, line, slot):
                more = len(moves) - 1 - (line.ply - slot.ply)
                # One half-move is lost sooner than two.
                twice = weights.UNWATCHED * (more and look.at_ns == look.loss_ns)
                weighed, end = regrown(way, slot.parent, moves, cost + against + twice)
                lost = end.at(slot.ply)
                assert lost is not None, "it stands in place of the slot"
                lost.unheard, end.doubtful = True, doubt is not None
                found.append(((weighed, end), doubt))
    return found


def _may_be_another(line: Line) -> bool:
    """Nobody witnessed it; or all that was seen of it is a part of another half-move: a rook that
    goes beside its king may have castled."""
    if line.irregular:
        return not line.witnessed
    if line.parent is None or not line.has_move:
        return False
    own = set(line.written())
    ways = line.parent.seen.steps_touching([square for square, _ in own])
    return any(own < set(written) for _, written in ways)


def _in_place(look: Snapshot, line: Line, slot: Line) -> Iterator[tuple[list[Move], Doubt | None]]:
    """Half-moves from before the slot on: one in its place, those told since, perhaps one more."""
    assert slot.parent is not None, "a slot comes after something"
    before = slot.parent.seen
    newer = list(takewhile(lambda past: past is not slot, line.back()))
    for move, written in before.steps():
        after = _replayed(look.sensors, look.sensors.after(before, move), newer)
        if after is None:
            continue
        moves, seen = [move, *after[0]], after[1]
        if not look.effort.take(len(moves)):
            return
        stale = [s for s, p in written if p == EMPTY and look.placement[s] == before.placement[s]]
        for doubt in (None, *((square, EMPTY) for square in stale)):
            shown = look if doubt is None else doubted(look, doubt)
            if seen.hash == shown.hash:
                yield moves, doubt
            else:
                for last in seen.moves_to(shown.hash, shown.placement):
                    yield [*moves, last], doubt


def in_one_stroke(look: Snapshot, line: Line) -> list[Weighed]:
    """Lines that show the board if two half-moves of one piece were one. Never certain."""
    recent = [past for past in islice(line.back(), HORIZON_PLIES) if past.has_move]
    found: list[Weighed] = []
    for newer, (on, first) in enumerate(zip(recent, recent[2:], strict=False)):
        if first.pressed or not goes_on(first, on) or stood_for(look, first) > look.slide_ns:
            continue
        moves = _as_one(look, recent[: newer + 3])
        if moves:
            assert first.parent is not None, "it has a move"
            cost, merged = regrown(look, first.parent, moves, weights.TAKEN_BACK_RESTED)
            found += onward(look, merged, cost, silent=True) or in_the_air(look, merged)
    for _, end in found:
        end.doubtful = True
    return found


def _as_one(look: Snapshot, newest_first: list[Line]) -> list[Move]:
    """These half-moves with the first and the third of them as one; none, if that is not legal."""
    *newer, on, reply, first = newest_first
    assert first.parent is not None, "it has a move"
    before = first.parent.seen
    pieces, number, of = list(before.placement), before.hash, look.sensors.hashing.of
    for square, piece in (*first.written(), *on.written()):
        number ^= of[square][pieces[square]] ^ of[square][piece]
        pieces[square] = piece
    strokes = before.moves_to(number, tuple(pieces))
    if not strokes:
        return []
    after = _replayed(look.sensors, look.sensors.after(before, strokes[0]), [*newer, reply])
    return [] if after is None else [strokes[0], *after[0]]


def stands_elsewhere(look: Snapshot, line: Line) -> bool:
    """The half-move took its own piece off the board, for what no sensor shows, and was not pressed
    for; but all that differs is one like it on another square. It was in the hand, and went there.
    """
    if line.parent is None or line.move is None or line.pressed or line.brought():
        return False
    before = line.parent.seen
    own, *taken = look.sensors.rules.touched(before.position, line.move)
    came = line.seen.differing(look.placement)
    return not taken and [look.placement[square] for square in came] == [before.placement[own]]
