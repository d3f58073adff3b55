"""Article 9.1: draw offers, as the arbiter or an electronic scoresheet enters them."""

from __future__ import annotations

from itertools import takewhile

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.articles.results import claimant
from arbiterd.laws.case.on_board import pending
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.drafting import LOG, draft
from arbiterd.laws.register import Close, Finding, Opinion, answers
from arbiterd.laws.ruling import JsonValue, RulingState
from arbiterd.rules.ruleset import Colour

OFFERS = ("draw-offer", "draw-offer-wrong-time", "draw-offer-repeated")
"""Rows of an offer."""

REPEATED = 2
"""So many offers by one side, with none by the other between them, are one too many (11.5)."""


@answers("draw-offer")
def draw_offered(act: Act, scene: Scene) -> tuple[Answer, list[Opinion]]:
    """9.1.2.1: it stands until it is accepted, refused, or the opponent touches a piece."""
    side = claimant(act, scene)
    if isinstance(side, Answer):
        return side, []
    when, ply = _moment(side, scene)
    count = 1 + _offers(side, scene)
    kind = "draw-offer" if when == "after-move" else "draw-offer-wrong-time"
    if count >= REPEATED:
        kind = "draw-offer-repeated"
    facts: dict[str, JsonValue] = {"when": when, "count": count, "by": act.by}
    ruling = draft(
        kind,
        scene,
        side,
        LOG,
        facts=facts,
        position=scene.rules.fen(scene.before(min(ply, len(scene.record.plies) + 1))),
        ply=ply,
    )
    cause = f"offer:{side}"
    # Each is a ruling of its own, so that one can be dismissed and the next is counted anew.
    return Answer(True), [
        Close(cause, state=RulingState.SUPERSEDED),
        Finding(ruling, cause, deed_ns=act.at_ns),
    ]


def _offers(side: Colour, scene: Scene) -> int:
    """How many of this side's stand since the other last offered: what was dismissed was none."""
    closed = [closed.ruling for closed in scene.file.closed if closed.ruling.kind in OFFERS]
    told = [*closed, *scene.file.open_of(*OFFERS)]
    offers = sorted(told, key=lambda ruling: ruling.number)
    standing = (offer for offer in reversed(offers) if offer.state is not RulingState.DISMISSED)
    return sum(1 for _ in takewhile(lambda offer: offer.against is side, standing))


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
