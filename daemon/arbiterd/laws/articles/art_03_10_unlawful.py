"""Positions that no play can reach (3.10.3), and what A.5.4 says of two of them.

In standard play the arbiter always intervenes. Where A.5 applies they wait until the next move is
completed; two kings still in check, or a pawn still on its last rank, is then a draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from arbiterd.laws.case.casefile import Unlawful
from arbiterd.laws.case.penalty import DRAW
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.drafting import LOG, RESTORE, draft
from arbiterd.laws.register import Close, Finding, Looked, Opinion, Remember, law
from arbiterd.laws.ruling import NOTE, Proposal, Ruling
from arbiterd.rules.customs import Custom
from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import How, MoveCompleted, MoveMade, Pressed

PAWN = "P"
CAUSE = "unlawful"

A_5_4 = ("illegal-both-kings-in-check", "promo-pawn-seen-late")
"""Positions that A.5.4 speaks of."""


@law(Looked)
def position_at_hand(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """A position set up or taken over is looked at once, when the game stands at its start."""
    if scene.record.plies or scene.file.notes.get("looked") == scene.record.start:
        return
    yield Remember("looked", scene.record.start)
    yield from _watch(scene, scene.position, stage=1)


@law(MoveMade, MoveCompleted)
def position_after(fact: MoveMade | MoveCompleted, scene: Scene) -> Iterator[Opinion]:
    """The next move is completed; is the position still unlawful?"""
    ply = scene.record.plies[fact.ply - 1]
    if scene.file.unlawful is None or ply.how is How.INFERRED:
        return
    if ply.completed_at_ns is not None:
        yield from _watch(scene, scene.position, stage=2)


@law(Pressed)
def stillunlawful(fact: Pressed, scene: Scene) -> Iterator[Opinion]:
    """The next move was completed and is no legal one, because nothing was put right."""
    after = drawn_by_a_5_4(fact, scene)
    if after is not None:
        yield from _watch(scene, after, stage=2)


def drawn_by_a_5_4(fact: Pressed, scene: Scene) -> Any | None:
    """The position after this press, if A.5.4 makes it a draw where it would be another illegal
    move by itself."""
    watched = scene.file.unlawful
    if fact.move is not None or watched not in A_5_4 or not scene.rate.open_window:
        return None
    before = scene.before(fact.ply)
    after = scene.rules.taken_as_played(before, fact.turn.placement, fact.side.other)
    if after is None or unlawful(scene, after)[0] != watched:
        return None
    return after


def unlawful(scene: Scene, position: Any) -> tuple[str, Colour | None, dict[str, Any]]:
    """The row, whose fault it shows, and the facts; an empty row where nothing is wrong."""
    rules = scene.rules
    if Custom.CHESS_PIECES not in rules.customs:
        return "", None, {}
    turn = rules.turn(position)
    placement = rules.placement(position)
    mover, other = rules.in_check(position, turn), rules.in_check(position, turn.other)
    pawns = {side: pawns_on_last(placement, scene, side) for side in Colour}
    facts: dict[str, Any] = {}
    if mover and other:
        return "illegal-both-kings-in-check", None, facts
    for side in Colour:
        if pawns[side]:
            facts["square"] = rules.geometry.names[pawns[side][0]]
            return "promo-pawn-seen-late", side, facts
    if other:
        return "illegal-king-in-check-not-on-move", turn.other, facts
    facts["why"] = _impossible(placement)
    return ("illegal-position-other" if facts["why"] else ""), None, facts


def _watch(scene: Scene, position: Any, stage: int) -> Iterator[Opinion]:
    kind, against, facts = unlawful(scene, position)
    before = scene.file.unlawful
    yield Unlawful(kind or None)
    if not kind:
        yield Close(CAUSE)
        return
    yield Finding(told(kind, against, facts, scene, drawn=stage == 2 and before == kind), CAUSE)


def told(
    kind: str, against: Colour | None, facts: dict[str, Any], scene: Scene, *, drawn: bool
) -> Ruling:
    """What the rate that is played lays down for this position (3.10.3, A.5.2, A.5.4)."""
    if not scene.rate.open_window:
        return draft(
            kind, scene, against, RESTORE, facts=facts | {"ruled": "unlawful-restore", "stage": 1}
        )
    if kind not in A_5_4:
        # Whose move led here was not seen: nothing may be done, and asking would be too much.
        ruling = draft(
            kind,
            scene,
            against,
            LOG,
            facts=facts | {"ruled": "unlawful-leave"},
            articles=("A.5.2",),
        )
        return replace(ruling, urgency=NOTE)
    if not drawn:
        facts |= {"ruled": "unlawful-wait", "stage": 1}
        return draft(kind, scene, against, LOG, facts=facts, articles=("A.5.4",))
    facts |= {
        "ruled": "unlawful-drawn",
        "stage": 2,
        "result_reason": "illegal-position",
        "result_article": "A.5.4",
    }
    proposal = Proposal(("pause", "declare-result"), result=DRAW)
    return draft(kind, scene, against, proposal, facts=facts, articles=("A.5.4",))


def pawns_on_last(placement: tuple[str, ...], scene: Scene, side: Colour) -> list[int]:
    """Where pawns of this side stand on their last rank."""
    geometry = scene.rules.geometry
    last = 0 if side is Colour.WHITE else geometry.ranks - 1
    pawn = PAWN if side is Colour.WHITE else PAWN.lower()
    rank = range(last * geometry.files, (last + 1) * geometry.files)
    return [square for square in rank if placement[square] == pawn]


def _impossible(placement: tuple[str, ...]) -> str:
    """Why no play can have led to these pieces; only simple counts are asked."""
    for pieces in ("PNBRQK", "pnbrqk"):
        count = {piece: placement.count(piece) for piece in pieces}
        pawn, knight, bishop, rook, queen, king = (count[piece] for piece in pieces)
        if king != 1:
            return "each side has one king"
        if pawn > 8:
            return "more than eight pawns"
        promoted = max(0, knight - 2) + max(0, bishop - 2) + max(0, rook - 2) + max(0, queen - 1)
        if promoted > 8 - pawn:
            return "more pieces than pawns could become"
    return ""
