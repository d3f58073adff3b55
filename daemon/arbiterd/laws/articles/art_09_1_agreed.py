"""Articles 5.2.3 and 9.1.1: from when on a draw may be agreed, and one that was agreed before."""

from __future__ import annotations

from arbiterd.laws.case.scene import Scene
from arbiterd.laws.drafting import ASK, draft
from arbiterd.laws.register import Finding
from arbiterd.laws.ruling import Certainty, JsonValue
from arbiterd.rules.ruleset import Colour
from eboards.events import EMPTY


def agreed_too_early(scene: Scene, certainty: Certainty) -> Finding | None:
    """A draw that players may not agree to yet; `certainty` says how sure it is that they do.

    None: they may.
    """
    facts = _too_early(scene)
    if facts is None:
        return None
    ruling = draft(
        "draw-agreed-too-early",
        scene,
        None,
        ASK,
        facts=facts,
        certainty=certainty,
        articles=(str(facts["rule"]),),
        position=scene.rules.fen(scene.position),
    )
    return Finding(ruling, f"agreed:{facts['plies']}")


def _too_early(scene: Scene) -> dict[str, JsonValue] | None:
    """5.2.3: both must have moved; 9.1.1: the regulations may ask for more."""
    limit = scene.settings.no_agreement_before_move
    plies = len(scene.record.plies) + sum(scene.moved_before(side) for side in Colour)
    if plies < 2 and not _men_missing(scene):
        return {"plies": plies, "least_moves": max(1, limit), "rule": "5.2.3"}
    if limit and plies < 2 * limit:
        return {"plies": plies, "least_moves": limit, "rule": "9.1.1"}
    return None


def _men_missing(scene: Scene) -> bool:
    """The record begins with fewer men than the game: whatever its counters say, one was taken, so
    both have moved."""
    rules = scene.rules
    began, first = (rules.placement(rules.start(fen)) for fen in (scene.record.start, ""))
    return began.count(EMPTY) > first.count(EMPTY)
