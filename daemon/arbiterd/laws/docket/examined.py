"""A worker has answered: every open ruling that waited for it is revised in place.

What the result hangs on (5.1.2, 6.9, 7.5.5: lost, or drawn where the opponent can never mate)
changes with the answer; nothing else of the ruling does.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from arbiterd.laws.articles.art_06_flags import articles_of
from arbiterd.laws.articles.art_07_5_5_standard_block import certainty_of_end
from arbiterd.laws.case.casefile import OpenRuling
from arbiterd.laws.case.examining import chance_told
from arbiterd.laws.case.penalty import DRAW, lost_by
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.case.winnable import BEING_EXAMINED, Chance, Winnable
from arbiterd.laws.catalogue import row
from arbiterd.laws.catalogue.row import Group
from arbiterd.laws.register import Close, Examined, Finding, Opinion, law
from arbiterd.laws.ruling import JsonValue, Ruling
from arbiterd.rules.ruleset import Colour

DEAD = "end-dead"
LOST_OR_DRAWN = ("opponent_can_mate", "can_mate")
"""Facts on which the proposed result hangs."""
UNWINNABLE = {"flag-last-period": "flag-unwinnable", "flag-period-short": "flag-unwinnable"}
"""Rows that have another one for a side that cannot mate."""


@law(Examined)
def examined(fact: Examined, scene: Scene) -> Iterator[Opinion]:
    """The answer goes to whatever waits for it; a ruling that was decided meanwhile stays so."""
    question = fact.answer.question
    found = chance_told(fact.answer)
    for held in scene.file.open:
        names = [asked.fact for asked in held.ruling.asked if asked.question == question]
        if names:
            yield from _answered(held, names, found, question.side, scene)


def _answered(
    held: OpenRuling, names: list[str], found: Chance, side: Colour, scene: Scene
) -> Iterator[Opinion]:
    waiting = tuple(asked for asked in held.ruling.asked if asked.fact not in names)
    ruling = replace(held.ruling, asked=waiting, cause_to_ns=scene.at_ns)
    ruling = _with_facts(ruling, dict.fromkeys(names, found.answer.value))
    if ruling.kind == DEAD:
        yield from _dead(ruling, held.cause, found)
        return
    if names[0] in LOST_OR_DRAWN and found.answer is not Winnable.UNKNOWN:
        ruling = _settled(ruling, found, side, scene)
    yield Finding(ruling, held.cause, in_place=True)


def _with_facts(ruling: Ruling, facts: dict[str, JsonValue]) -> Ruling:
    return replace(ruling, facts=tuple((dict(ruling.facts) | facts).items()))


def _settled(ruling: Ruling, found: Chance, side: Colour, scene: Scene) -> Ruling:
    """Lost, or drawn because `side` can never mate: it is known now."""
    drawn = found.answer is Winnable.NO
    facts: dict[str, JsonValue] = {}
    if "otherwise" in dict(ruling.facts):
        facts["otherwise"] = None
    block = str(dict(ruling.facts).get("block", ""))
    if block:
        facts["block"] = block.replace("lost", "drawn") if drawn else block
    if drawn:
        facts |= {"proof": found.proof, "proof_kind": found.kind}
    kind = UNWINNABLE.get(ruling.kind, ruling.kind) if drawn else ruling.kind
    # A claim is as sure as what it was found to be.
    sure_as = str(dict(ruling.facts)["found"]) if row(kind).group is Group.CLAIM else kind
    actions = ruling.proposal.actions
    if kind == "resign-unwinnable":
        actions = tuple(action for action in actions if action != "ask")
    ruling = _with_facts(ruling, facts)
    return replace(
        ruling,
        kind=kind,
        articles=ruling.articles
        if kind == ruling.kind
        else articles_of(kind, scene) or row(kind).articles,
        certainty=certainty_of_end(ruling) if block else row(sure_as).certainty,
        proposal=replace(
            ruling.proposal, actions=actions, result=DRAW if drawn else lost_by(side.other)
        ),
    )


def _dead(ruling: Ruling, cause: str, found: Chance) -> Iterator[Opinion]:
    """A dead position that was claimed (5.2.2): both sides are asked about."""
    if found.answer is Winnable.YES:
        yield Close(cause, (DEAD,))
        return
    chances = [dict(ruling.facts)[f"{side}_can_mate"] for side in Colour]
    proof = BEING_EXAMINED if BEING_EXAMINED in chances else None
    facts: dict[str, JsonValue] = {"proof": found.proof or proof, "proof_kind": found.kind or proof}
    if all(chance == Winnable.NO.value for chance in chances):
        proposal = replace(ruling.proposal, actions=("declare-result",))
        ruling = replace(ruling, proposal=proposal, certainty=row(DEAD).certainty)
    yield Finding(_with_facts(ruling, facts), cause, in_place=True)
