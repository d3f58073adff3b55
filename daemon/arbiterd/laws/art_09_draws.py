"""Article 9.1: draw offers, as the arbiter or an electronic scoresheet enters them."""

from __future__ import annotations

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.drafting import LOG, draft
from arbiterd.laws.on_board import pending
from arbiterd.laws.register import Finding, Opinion, Remember, answers
from arbiterd.laws.results import no_side, over
from arbiterd.laws.ruling import JsonValue
from arbiterd.laws.scene import Scene
from arbiterd.rules.ruleset import Colour

REPEATED = 2
"""So many offers by one side, with none by the other between them, are one too many (11.5)."""


@answers("draw-offer")
def draw_offered(act: Act, scene: Scene) -> tuple[Answer, list[Opinion]]:
    """9.1.2.1: it stands until it is accepted, refused, or the opponent touches a man."""
    refused = over(scene) or no_side(act)
    if refused is not None:
        return refused, []
    assert act.side is not None, "a side was given"
    when, ply = _moment(act.side, scene)
    count = 1 + _offers(act.side, scene)
    kind = "draw-offer" if when == "after-move" else "draw-offer-wrong-time"
    if count >= REPEATED:
        kind = "draw-offer-repeated"
    facts: dict[str, JsonValue] = {"when": when, "count": count, "by": act.by}
    ruling = draft(
        kind,
        scene,
        act.side,
        LOG,
        facts=facts,
        position=scene.rules.fen(scene.before(min(ply, len(scene.record.plies) + 1))),
        ply=ply,
    )
    return Answer(True), [
        Remember("offers", {"side": act.side.value, "count": count}),
        Finding(ruling, f"offer:{act.side}"),
    ]


def _offers(side: Colour, scene: Scene) -> int:
    """How many this side has made since the other last did."""
    noted = scene.file.notes.get("offers")
    if not isinstance(noted, dict) or noted["side"] != side.value:
        return 0
    assert isinstance(noted["count"], int), "noted as a number"
    return noted["count"]


def _moment(side: Colour, scene: Scene) -> tuple[str, int]:
    """When it was offered, beside move and press, and the half-move it belongs to.

    The right time is after the own move and before the press.
    """
    plies, made = scene.record.plies, pending(scene)
    if scene.rules.turn(scene.position) is side:
        return ("after-move" if made is not None else "before-move"), len(plies) + 1
    if not plies:
        return "opponent's-time", 0
    waits = plies[-1].completed_at_ns is None and made is None
    return ("after-move" if waits else "opponent's-time"), len(plies)
