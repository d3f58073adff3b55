"""A tracker as plain values. Positions are kept as a FEN and half-moves, never as objects."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arbiterd.rules.ruleset import RuleSet
from arbiterd.tracking.belief import Belief
from arbiterd.tracking.facts import How, SquareSeen
from arbiterd.tracking.given_up import GivenUp
from arbiterd.tracking.image import Image
from arbiterd.tracking.lines import Line
from arbiterd.tracking.presses import PendingPress
from arbiterd.tracking.record import Record, RecordedPly
from arbiterd.tracking.sensors import Move, Position, Sensors
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.snapshot import Echo
from arbiterd.tracking.status import TrackingStatus
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
    unheard: bool = False
    witnessed: bool = True
    others_weight: float = 0.0
    aloft: float = 0.0
    own: float = 0.0
    damaged: bool = False
    unheard_plies: int = 0
    unseen: float = 0.0
    passed: float = 0.0
    presumed: float = 0.0
    crowded: bool = False


AS_THEY_ARE = LineKept.__struct_fields__[3:]
"""What is kept of a line under its own name."""


class TrackerKept(msgspec.Struct, kw_only=True):
    """All that a tracker must remember; what it only caches is found again."""

    sensing: Sensing
    start: str
    plies: tuple[RecordedPly, ...]
    lines: list[LineKept]
    told: list[int]
    live: list[int]
    given_up: list[tuple[int, int]]
    bases: list[int]
    changes: list[SquareSeen]
    fingers: list[Felt]
    echoes: list[Echo] = []
    placement: Placement
    otherwise: dict[Square, Piece]
    presses: list[PendingPress]
    now: TrackingStatus


def keep(belief: Belief) -> bytes:
    """The whole tracker; folding on from it equals folding from the start."""
    lines = belief.lines()
    place = {id(line): number for number, line in enumerate(lines)}
    kept = TrackerKept(
        sensing=belief.sensors.sensing,
        start=belief.record.start,
        plies=belief.record.plies,
        lines=_keep_lines(lines),
        told=[place[id(line)] for line in belief.book.told],
        live=[place[id(line)] for line in belief.live],
        given_up=[(place[id(past.line)], past.at_ns) for past in belief.given_up],
        bases=[place[id(line)] for line in belief.bases],
        changes=belief.book.changes,
        fingers=belief.book.fingers,
        echoes=belief.book.echoes,
        placement=belief.placement,
        otherwise=belief.image.otherwise,
        presses=belief.presses,
        now=belief.status,
    )
    return msgspec.msgpack.encode(kept)


def restore(rules: RuleSet[Position, Move], settings: TrackingSettings, data: bytes) -> Belief:
    """What `keep` wrote."""
    kept = msgspec.msgpack.decode(data, type=TrackerKept)
    belief = Belief(rules, kept.sensing, settings, rules.start(kept.start), 0)
    lines = _restore_lines(belief.sensors, kept.lines)
    book = belief.book
    book.record = Record(kept.start, kept.plies)
    book.told = [lines[place] for place in kept.told]
    book.changes, book.fingers, book.echoes = kept.changes, kept.fingers, kept.echoes
    belief.live = [lines[place] for place in kept.live]
    belief.given_up = [GivenUp(lines[place], at_ns) for place, at_ns in kept.given_up]
    belief.bases = [lines[place] for place in kept.bases]
    belief.presses, belief.status = kept.presses, kept.now
    book.clocks_stopped = belief.clocks_stopped
    belief.image = Image(belief.sensors, kept.placement)
    for square, piece in kept.otherwise.items():
        belief.image.take_for(square, piece)
    return belief


def _keep_lines(lines: Sequence[Line]) -> list[LineKept]:
    """Parents stand before their children, in `lines` and in what is kept."""
    places = {id(line): place for place, line in enumerate(lines)}
    return [
        LineKept(
            parent=-1 if line.parent is None else places[id(line.parent)],
            move=line.wire() if line.parent is not None else "",
            fen="" if line.has_move else line.seen.rules.fen(line.seen.position),
            **{name: getattr(line, name) for name in AS_THEY_ARE},
        )
        for line in lines
    ]


def _restore_lines(sensors: Sensors, kept: Sequence[LineKept]) -> list[Line]:
    """The lines as they were."""
    lines: list[Line] = []
    for entry in kept:
        parent = None if entry.parent < 0 else lines[entry.parent]
        move: Move | None = None
        if parent is None or not entry.move:
            seen = sensors.seen(sensors.rules.start(entry.fen))
        else:
            move = sensors.rules.parse(parent.seen.position, entry.move)
            seen = sensors.after(parent.seen, move)
        as_they_are = {name: getattr(entry, name) for name in AS_THEY_ARE}
        lines.append(Line(seen, parent, move, **as_they_are))
    return lines
