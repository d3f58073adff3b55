"""A tracker as plain values. Positions are kept as a FEN and half-moves, never as objects."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import How, SquareSeen
from arbiterd.tracking.lines import Line
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
    completed_at_ns: int | None
    completed_how: How | None


class PressKept(msgspec.Struct, array_like=True):
    at_ns: int
    side: Colour
    late_ns: int
    placement: Placement


class TrackerKept(msgspec.Struct, array_like=True):
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
    presses: list[PressKept]
    at_ns: int
    runs: Colour | None
    clock_known: bool
    lost_at_ns: int | None
    loss_ns: int | None
    tells_changes: bool
    changed_at_ns: int | None
    agreed_at_ns: int
    left_at_ns: int | None
    unexplained: bool
    gap_told: bool
    array: tuple[tuple[Square, Piece, Piece], ...] | None
    ended: bool
    kings_at_ns: int | None
    kings_told: str | None


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
            completed_at_ns=line.completed_at_ns,
            completed_how=line.completed_how,
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
        line.completed_at_ns = entry.completed_at_ns
        line.completed_how = entry.completed_how
        lines.append(line)
    return lines


def encode(kept: TrackerKept) -> bytes:
    return msgspec.msgpack.encode(kept)


def decode(data: bytes) -> TrackerKept:
    return msgspec.msgpack.decode(data, type=TrackerKept)
