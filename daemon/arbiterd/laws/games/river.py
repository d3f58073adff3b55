"""Ajedrez del Guadalete: what the river adds to illegal moves, duties and ends.

Illegal moves go through the standard block of Article 7.5; here is only which row they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arbiterd.laws.case.misplay import Misplay, MisplayRow, of_one_game
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.drafting import LOG, draft
from arbiterd.laws.register import Close, Finding, Looked, Opinion, law
from arbiterd.laws.ruling import Proposal
from arbiterd.rules.ruleset import Planks, Reason
from arbiterd.tracking.facts import MoveMade, MoveReplaced, MoveWithdrawn
from eboards.events import COUNTER, EMPTY

ROWS = {
    Reason.WATER: "gu-piece-in-river",
    Reason.WATER_IN_THE_WAY: "gu-slid-over-river",
    Reason.KING_ON_RIVER: "gu-king-on-plank",
    Reason.PAWN_CAPTURES_NOT: "gu-pawn-captured",
    Reason.DUTY: "gu-obligation-ignored",
}
"""Which row a move is that the river forbids."""


@of_one_game
def in_the_river(play: Misplay) -> MisplayRow | None:
    """A move that only this game forbids."""
    attempt = play.attempt
    if attempt is None or attempt.reason not in ROWS:
        return None
    facts: dict[str, Any] = {"attempt": attempt.wire, "reason": attempt.reason}
    facts["score"] = _score(play.scene)
    if attempt.reason is Reason.DUTY:
        facts["owed"] = [play.wire(move) for move in play.legal]
    return MisplayRow(ROWS[attempt.reason], facts=facts)


@of_one_game
def plank_unlawful(play: Misplay) -> MisplayRow | None:
    """A pawn became a plank that may not: it is in nobody's hand."""
    attempt = play.attempt
    if attempt is None or attempt.target is None or not attempt.wire.endswith("t"):
        return None
    facts = {"attempt": attempt.wire, "reason": attempt.reason, "score": _score(play.scene)}
    return MisplayRow("", facts=facts)


@of_one_game
def pawn_on_water(play: Misplay) -> MisplayRow | None:
    """The pawn stands where it becomes a plank; as under 7.5.2 the counter is put (D10)."""
    attempt = play.attempt
    if attempt is None or attempt.target is None or not _score(play.scene):
        return None
    if attempt.reason is not Reason.NOT_PLANKED:
        return None
    counts_as = f"{attempt.wire[:4]}t"
    if counts_as not in {play.wire(move) for move in play.legal}:
        return None
    assert isinstance(play.rules, Planks), "a game with a score of transformed pawns"
    counts = play.rules.missing_counter
    facts = {
        "attempt": attempt.wire,
        "reason": attempt.reason,
        "square": play.name(attempt.target),
        "counted": f"missing-counter-{counts}",
    }
    article = "7.5.2" if counts == "illegal" else ""
    return MisplayRow("gu-plank-not-replaced", article, facts, counts_as)


def _score(scene: Scene) -> str:
    """Transformed pawns, White's first; empty where the game has none."""
    return scene.rules.facts(scene.position).get("transformed", "")


@law(MoveMade)
def plank_laid(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """4: a pawn became a plank."""
    score = _score(scene)
    if score and fact.move.endswith("t"):
        told: dict[str, Any] = {"played": fact.move, "score": score}
        yield Finding(draft("gu-plank-ok", scene, fact.side, LOG, turn=fact.turn, facts=told), "")


@law(MoveMade, MoveReplaced, MoveWithdrawn)
def duty_arises(_: MoveMade | MoveReplaced | MoveWithdrawn, scene: Scene) -> Iterator[Opinion]:
    """5: by the record as it is now the side to move owes a transformation; or it was met, or the
    half-move that it came of was none."""
    facts = scene.rules.facts(scene.position)
    if "owes" not in facts:
        return
    if not facts["owes"]:
        yield Close("duty")
        return
    side = scene.rules.turn(scene.position)
    moves = [
        scene.rules.wire(scene.position, move) for move in scene.rules.legal_moves(scene.position)
    ]
    owed = [text for text in moves if text.endswith("t")]
    if owed:
        ruling = draft(
            "gu-obligation",
            scene,
            side,
            LOG,
            facts={"score": facts["transformed"], "owed": owed},
            obligation=owed,
            position=scene.rules.fen(scene.position),
        )
        yield Finding(ruling, "duty")


@law(Looked)
def plank_gone(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """A counter that the board sees is gone from its plank, and nothing stands there."""
    expected = scene.wanted
    if COUNTER not in expected:
        return
    names = scene.rules.geometry.names
    gone: list[Any] = [
        names[square]
        for square, piece in enumerate(expected)
        if piece == COUNTER and scene.placement[square] == EMPTY
    ]
    if not gone:
        yield Close("planks")
        return
    proposal = Proposal(("restore", "ask"), restore=scene.rules.fen(scene.position))
    yield Finding(draft("gu-plank-moved", scene, None, proposal, facts={"squares": gone}), "planks")
