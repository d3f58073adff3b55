"""The arbiter's corrections: tracking goes on from the arbiter's word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arbiterd.rules.ruleset import differing
from arbiterd.tracking.belief import Belief
from arbiterd.tracking.facts import Fact, How
from arbiterd.tracking.lines import Line
from arbiterd.tracking.record import Entry, IrregularEntry
from arbiterd.tracking.sensors import Position
from arbiterd.tracking.telling import tell
from eboards.events import Piece, Square


def set_line(belief: Belief, at_ns: int, moves: Sequence[Entry], how: How) -> list[Fact]:
    """The record from the start is exactly this now. Raises ValueError for no legal line.

    `how`: by the arbiter's word, or from a source that tells finished moves.
    """
    told, line, overruled = belief.book.told, belief.record.line, belief.book.last
    decided = {} if belief.status.decided_ply is None else dict(belief.image.otherwise)
    base, anew = told[0], tuple(moves[: told[0].ply]) != line[: told[0].ply]
    if anew:
        # It leaves the record before what is still held of it.
        start = belief.rules.start(belief.record.start)
        base = Line(belief.sensors.seen(start), None, None, at_ns, ply=0)
        told, line, how = [base], (), How.ARBITER
    same = base.ply
    while same < min(len(moves), len(line)) and moves[same] == line[same]:
        same += 1
    root = told[same - base.ply]
    path = [*told[1 : same - base.ply + 1], *_given_line(belief, at_ns, root, moves[same:], how)]
    _agree_with(belief, path[-1] if path else base, at_ns)
    facts = belief.book.begin_anew(at_ns, base, len(path)) if anew else []
    facts += tell(belief, at_ns, path, how)
    if how is How.ARBITER:
        # What hands did before that word led to half-moves that are decided now.
        belief.book.changes, belief.book.fingers, belief.book.echoes = [], [], []
        _decide(belief, at_ns, overruled, decided)
    return facts


def stand(belief: Belief, at_ns: int, position: Position) -> list[Fact]:
    """Play goes on from this position, which no move on the record leads to."""
    return set_line(
        belief,
        at_ns,
        (*belief.record.line, IrregularEntry(belief.rules.fen(position))),
        How.ARBITER,
    )


def lay(belief: Belief, at_ns: int, moves: Sequence[str]) -> None:
    """Puts half-moves on the record as given: certain, completed, nothing told."""
    path = _given_line(belief, at_ns, belief.book.told[0], moves, How.ARBITER)
    if path:
        belief.live = [path[-1]]
        tell(belief, at_ns, path, How.ARBITER)


def _decide(belief: Belief, at_ns: int, overruled: Line, earlier: Mapping[Square, Piece]) -> None:
    """What still stands as the `overruled` record had it says nothing against the decision: until
    such a square changes, it is read as decided.

    So are squares which an `earlier` decision, one that no board has shown yet, is read from.
    """
    image, before = belief.image, overruled.seen.placement
    decided = belief.book.last.seen.placement
    for square in sorted({*differing(before, decided), *earlier}):
        read = earlier.get(square, image.shown[square])
        if read == before[square] and image.shown[square] != decided[square]:
            image.take_for(square, decided[square])
    belief.status.changed_at_ns = None if belief.agrees else at_ns
    shown = belief.agrees and not image.otherwise
    belief.status.decided_ply = None if shown else belief.book.last.ply


def _given_line(
    belief: Belief, at_ns: int, root: Line, moves: Sequence[Entry], how: How
) -> list[Line]:
    path = []
    for entry in moves:
        if isinstance(entry, IrregularEntry):
            after = belief.sensors.seen(belief.rules.start(entry.fen))
            root = Line(after, root, None, at_ns, ply=root.ply + 1, irregular=True)
        else:
            move = belief.rules.parse(root.seen.position, entry)
            after = belief.sensors.after(root.seen, move)
            root = Line(after, root, move, at_ns, ply=root.ply + 1)
        root.completed_at_ns, root.completed_how = at_ns, how
        path.append(root)
    return path


def _agree_with(belief: Belief, line: Line, at_ns: int) -> None:
    belief.live, belief.given_up, belief.bases, belief.presses = [line], [], [], []
    belief.image.believe_all()
    belief.status.unexplained = belief.status.lost = belief.status.left_over = False
    belief.status.changed_at_ns = None if belief.agrees else at_ns


def end_game(belief: Belief) -> None:
    """A result stands: what follows is analysis until the next start array."""
    belief.status.ended = True
    belief.presses.clear()
    belief.status.kings_at_ns = belief.status.changed_at_ns = None


def resume_game(belief: Belief, at_ns: int) -> None:
    """The result was taken back: play goes on."""
    belief.status.ended = False
    belief.status.changed_at_ns = None if belief.agrees else at_ns
