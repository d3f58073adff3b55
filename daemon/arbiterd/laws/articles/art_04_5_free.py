"""Articles 4.2.2, 4.5 and 7.4.1: what was touched and left the move free, for the journal."""

from __future__ import annotations

from collections.abc import Iterator

from arbiterd.laws.articles.art_03_8_castling import castling_fault
from arbiterd.laws.articles.art_04_7_released import wrongly_placed
from arbiterd.laws.articles.art_04_made import Made
from arbiterd.laws.case.misplay import Misplay, MisplayRow
from arbiterd.laws.case.touching import ObligationKind, obligation
from arbiterd.laws.drafting import LOG, cause_of, draft
from arbiterd.laws.register import Finding, Opinion
from arbiterd.rules.sensed import may_be
from eboards.events import EMPTY, Square

SECOND_NS = 1_000_000_000
CASTLING_TOLD = "castling_told"
"""Note: the half-move of which it was told at rest that castling was tried that is not legal."""


def in_order(played: Made) -> Iterator[Opinion]:
    """Rows that are told to nobody: what was touched and left the move free."""
    scene, turn = played.scene, played.turn
    rules, side, cause = scene.rules, turn.side, cause_of(turn.ply)
    moved = played.squares()
    for touch in turn.touches:
        if touch.square in moved:
            continue
        own = touch.colour is side
        alone = obligation(rules, played.position, (touch,))
        if alone.duty is ObligationKind.NONE:
            kind = "touch-own-no-legal-move" if own else "touch-opp-not-capturable"
            facts = {"square": played.name(touch.square), "piece": touch.piece.upper()}
            yield Finding(draft(kind, scene, side, LOG, turn=turn, facts=facts), cause)
    wrong = wrongly_placed(played)
    if wrong is not None:
        facts = {"played": played.wire, **wrong[1]}
        castling = _castling_tried(played, wrong[0], wrong[1]["square"])
        kind = "move-corrected-before-press"
        if castling is not None:
            kind, facts = "castle-illegal-unpressed", {**facts, **castling.facts}
        if castling is None or scene.file.notes.get(CASTLING_TOLD) != turn.ply:
            yield Finding(draft(kind, scene, side, LOG, turn=turn, facts=facts), cause)
    together = _off_together(played)
    if together:
        squares = {"squares": [played.name(s) for s in together]}
        ruling = draft("displaced-own-restored", scene, side, LOG, turn=turn, facts=squares)
        yield Finding(ruling, cause)
    brushed = _brushed(played)
    if brushed:
        squares = {"squares": [played.name(s) for s in brushed]}
        yield Finding(draft("touch-brush", scene, side, LOG, turn=turn, facts=squares), cause)


def _castling_tried(played: Made, origin: Square, target: str) -> MisplayRow | None:
    """Illegal castling (4.4.3), if that is what the king's stay on `target` was."""
    scene, turn = played.scene, played.turn
    shown = list(scene.rules.placement(played.position))
    square = scene.rules.geometry.square(target)
    shown[square], shown[origin] = shown[origin], EMPTY
    play = Misplay(
        scene.rules, played.position, tuple(shown), turn.side, scene=scene, ply=turn.ply
    )  # fmt: skip
    reading = castling_fault(play)
    return reading if reading and reading.kind == "castle-illegal-pressed" else None


def _off_together(played: Made) -> list[Square]:
    """Pieces that were off their squares at the same time, beside the move, and came back
    (7.4.1)."""
    moved = played.squares()
    back = [
        (touch.square, touch.lifted_at_ns, touch.returned_at_ns)
        for touch in played.turn.touches
        if touch.returned_at_ns is not None and touch.square not in moved
    ]
    return sorted(
        {
            square
            for square, lifted_ns, returned_ns in back
            for other, other_lifted_ns, other_returned_ns in back
            if square != other and lifted_ns < other_returned_ns and other_lifted_ns < returned_ns
        }
    )


def _brushed(played: Made) -> list[Square]:
    """Pieces that were off their squares for too short a time to count as touched (4.2.2)."""
    rules, sensing = played.scene.rules, played.scene.sensing.kind
    home = rules.placement(played.position)
    touched = {(touch.square, touch.lifted_at_ns) for touch in played.turn.touches}
    found = []
    lifted: dict[Square, int] = {}
    for change in played.turn.changes:
        own = home[change.square]
        if change.before != EMPTY and may_be(rules, own, change.before, sensing):
            lifted[change.square] = change.at_ns
        elif change.square in lifted and may_be(rules, own, change.after, sensing):
            at_ns = lifted.pop(change.square)
            if (change.square, at_ns) not in touched and change.at_ns - at_ns < SECOND_NS:
                found.append(change.square)
    return sorted(set(found))
