"""A half-move and the hands that led to it, as the laws of Article 4 look at it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from arbiterd.laws.articles.art_04_2_accidental import deliberate
from arbiterd.laws.case.hands import Stay, stays
from arbiterd.laws.case.scene import TELL_KINDS, Scene
from arbiterd.laws.case.touching import is_castling
from arbiterd.tracking.facts import Touch, Turn
from eboards.events import EMPTY, Square


class Made(Struct, frozen=True, gc=False):
    """A half-move and the turn that led to it."""

    scene: Scene
    turn: Turn
    position: Any
    move: Any
    made_ns: int
    pressed: bool

    @property
    def wire(self) -> str:
        return self.scene.rules.wire(self.position, self.move)

    def wires(self, moves: Sequence[Any]) -> tuple[str, ...]:
        return tuple(self.scene.rules.wire(self.position, move) for move in moves)

    def name(self, square: Square) -> str:
        return self.scene.rules.geometry.names[square]

    def squares(self) -> tuple[Square, ...]:
        return self.scene.rules.touched(self.position, self.move)


class Breach(Struct, frozen=True, gc=False):
    """A move that Article 4 does not leave."""

    kind: str
    allowed: tuple[Any, ...]
    facts: dict[str, Any]


def placed(played: Made) -> list[Stay]:
    """Pieces of the mover that were put down in this turn, on other squares than their own. Boards
    that tell no kinds show no more than that a piece stands there."""
    if played.scene.sensing.kind not in TELL_KINDS:
        return []
    home, held_ns = played.scene.rules.placement(played.position), played.scene.held_ns
    return [
        stay.at_least(held_ns)
        for stay in stays(played.turn.changes, played.made_ns)
        if stay.piece != home[stay.square]
        and played.scene.rules.owner(stay.piece) is played.turn.side
    ]


def rested(played: Made, stay: Stay) -> bool:
    """Whether it stood there long enough to count as released (4.7), at least: a square is looked
    at once a scan, so a piece is shown for up to a scan after it has left. Where reads are missed
    that is taken off already."""
    scan_ns = 0 if played.scene.held_ns else played.scene.sensing.scan_ns
    return stay.dwell_ms - scan_ns // 1_000_000 >= played.scene.settings.release_ms


def moves_to(played: Made, origin: Square, target: Square) -> tuple[Any, ...]:
    """Legal moves of one piece between two squares; castling is none of them."""
    rules = played.scene.rules
    found = []
    for move in rules.legal_moves(played.position):
        squares = rules.touched(played.position, move)
        castling = len(squares) == 2 and is_castling(rules, played.position, move, squares[1])
        footprint = dict(rules.footprint(played.position, move))
        if squares[0] == origin and not castling and footprint.get(target, EMPTY) != EMPTY:
            found.append(move)
    return tuple(found)


def touches_of(played: Made) -> tuple[Touch, ...]:
    """The touches of the turn, with those that began while the opponent's hand was still out,
    and without accidents (4.2.2).

    The lift of the piece that moved can be missing, where a message was lost: nothing is then known
    of the order, and it counts as the first. But where its square read empty within two scans of
    its arrival, it had stood there until it moved: it was touched last.
    """
    side, turn = played.turn.side, played.turn
    early = tuple(touch for touch in turn.early_touches if touch.colour is side)
    touches = deliberate(
        tuple(touch for touch in (*early, *turn.touches) if not _taken_by_reply(touch, played)),
        turn.changes,
        played.made_ns,
        played.scene.sensing.scan_ns,
        side,
        lambda origin, target: bool(moves_to(played, origin, target)),
    )
    moved = played.squares()[:1]
    if not moved or any(touch.square == moved[0] for touch in touches):
        return touches
    piece = played.scene.rules.placement(played.position)[moved[0]]
    until_ns = played.made_ns + 2 * played.scene.sensing.scan_ns
    if any(c.square == moved[0] and c.at_ns <= until_ns for c in played.scene.turn.changes):
        return (*touches, Touch(moved[0], piece, side, played.made_ns, None))
    return (Touch(moved[0], piece, side, turn.since_ns, None), *touches)


def _taken_by_reply(touch: Touch, played: Made) -> bool:
    """A piece of the other side stands where the mover's own was lifted: that hand had it off."""
    shown = played.turn.placement[touch.square]
    return (
        touch.colour is played.turn.side
        and touch.returned_at_ns is None
        and touch.square not in played.squares()
        and played.scene.rules.owner(shown) is played.turn.side.other
    )
