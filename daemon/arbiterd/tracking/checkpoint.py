"""A tracker as plain values. Positions are kept as a FEN and half-moves, never as objects."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import How, SquareSeen
from arbiterd.tracking.lines import Line
from arbiterd.tracking.presses import Press
from arbiterd.tracking.record import RecordedPly
from arbiterd.tracking.sight import M, P, Sight
from arbiterd.tracking.touches import Felt
from eboards.events import Piece, Placement, Sensing, Square


class LineKept(msgspec.Struct, array_like=True):
    """One line: by its move from its parent, or by its position where no move leads there."""

    parent: int
    """Its place in the list; -1: none."""
    move: str
    fen: str
    made_at_ns: int
    ply: int
    cost: float
    watched: bool
    irregular: bool
    doubtful: bool
    pressed: bool
    hastily_pressed: bool
    completed_at_ns: int | None
    completed_how: How | None
    others: tuple[str, ...] = ()


class Now(msgspec.Struct, kw_only=True):
    """What a tracker knows beside lines and placements; all but the first block is of one game."""

    at_ns: int
    """The newest input."""
    runs: Colour | None = None
    """Whose clock runs."""
    clock_known: bool = False
    lost_at_ns: int | None = None
    """Since when the board has not answered."""
    loss_ns: int | None = None
    """The last sign that messages were lost, until the board agrees again."""
    tells_changes: bool = False
    """This board tells square by square: a whole picture that differs shows a loss."""

    changed_at_ns: int | None = None
    """The newest change, until the board has settled after it."""
    agreed_at_ns: int = 0
    """Since when the board has agreed with the best explanation."""
    left_at_ns: int | None = None
    """Since when it has not."""
    unexplained: bool = False
    """It was said that nothing explains the board."""
    gap_told: bool = False
    orphans: int = 0
    """Presses in a row to which no half-move belongs, since the board last agreed."""
    array: tuple[tuple[Square, Piece, Piece], ...] | None = None
    """What was last said of the start array."""
    ended: bool = False
    kings_at_ns: int | None = None
    """When kings in the centre will have stood there long enough."""
    kings_told: str | None = None

    def new_game(self, at_ns: int) -> Now:
        """The same clock and board, nothing of the old game."""
        return Now(
            at_ns=self.at_ns,
            runs=self.runs,
            clock_known=self.clock_known,
            lost_at_ns=self.lost_at_ns,
            loss_ns=self.loss_ns,
            tells_changes=self.tells_changes,
            agreed_at_ns=at_ns,
        )


class TrackerKept(msgspec.Struct, kw_only=True):
    """All that a tracker must remember; what it only caches is found again."""

    sensing: Sensing
    start: str
    plies: tuple[RecordedPly, ...]
    lines: list[LineKept]
    told: list[int]
    live: list[int]
    bases: list[int]
    changes: list[SquareSeen]
    fingers: list[Felt]
    placement: Placement
    otherwise: dict[Square, Piece]
    presses: list[Press]
    now: Now


def keep_lines(lines: Sequence[Line[P, M]]) -> list[LineKept]:
    """Parents stand before their children, in `lines` and in what is kept."""
    places = {id(line): place for place, line in enumerate(lines)}
    return [
        LineKept(
            parent=-1 if line.parent is None else places[id(line.parent)],
            move=line.wire() if line.parent is not None else "",
            fen="" if line.has_move else line.seen.rules.fen(line.seen.position),
            made_at_ns=line.made_at_ns,
            ply=line.ply,
            cost=line.cost,
            watched=line.watched,
            irregular=line.irregular,
            doubtful=line.doubtful,
            pressed=line.pressed,
            hastily_pressed=line.hastily_pressed,
            completed_at_ns=line.completed_at_ns,
            completed_how=line.completed_how,
            others=line.others,
        )
        for line in lines
    ]


def restore_lines(sight: Sight[P, M], kept: Sequence[LineKept]) -> list[Line[P, M]]:
    """The lines as they were."""
    lines: list[Line[P, M]] = []
    for entry in kept:
        parent = None if entry.parent < 0 else lines[entry.parent]
        move: M | None = None
        if parent is None or not entry.move:
            seen = sight.seen(sight.rules.start(entry.fen))
        else:
            move = sight.rules.parse(parent.seen.position, entry.move)
            seen = sight.after(parent.seen, move)
        line = Line(
            seen,
            parent,
            move,
            entry.made_at_ns,
            ply=entry.ply,
            cost=entry.cost,
            watched=entry.watched,
            irregular=entry.irregular,
            doubtful=entry.doubtful,
        )
        line.pressed = entry.pressed
        line.hastily_pressed = entry.hastily_pressed
        line.completed_at_ns = entry.completed_at_ns
        line.completed_how = entry.completed_how
        line.others = entry.others
        lines.append(line)
    return lines


def encode(kept: TrackerKept) -> bytes:
    return msgspec.msgpack.encode(kept)


def decode(data: bytes) -> TrackerKept:
    return msgspec.msgpack.decode(data, type=TrackerKept)
