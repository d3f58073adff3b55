"""What the n-th completed illegal move of a player leads to (7.5.5), for every row that counts.

The first costs time, and at the second the game is lost, or drawn where the opponent can never
mate; how much time and by which articles is the rate's (A.3, A.5.2, B.2, B.3). This is the only
place that says so: rows differ in what is restored and in what they tell besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from arbiterd.laws.case.examining import asked, chance_at
from arbiterd.laws.case.offences import Earlier, earlier, named, offender, undecided
from arbiterd.laws.case.penalty import DRAW, lost_by, penalty_articles, penalty_ms
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.case.winnable import Winnable
from arbiterd.laws.catalogue import row
from arbiterd.laws.drafting import ANY_MOVE, articles_at, window_of
from arbiterd.laws.register import Confirmed, Dismissed, Finding, Looked, Opinion, law
from arbiterd.laws.ruling import Certainty, Proposal, Ruling, Window
from arbiterd.rules.ruleset import Colour

BY_NUMBER = ("illegal-first", "illegal-a5-open", "illegal-second")
"""Rows of an illegal move that has none of its own: which of them it is, the number says."""

CLAIM = "claim-illegal"


def increment_ms(scene: Scene, ply: int) -> int:
    """What a press for this half-move credits: the increment of the period it falls into."""
    rate = scene.rate
    period = rate.period(rate.period_of_move(scene.move_number(ply) - 1))
    return 0 if period is None else period.increment_ms


def illegal_gains(scene: Scene, side: Colour, ply: int, article: str) -> dict[Colour, int]:
    """What each clock gains for a first illegal move of `side` (7.5.5, A.3)."""
    gains = {side.other: penalty_ms(scene.rate, scene.settings)}
    takes_back = {
        "7.5.1": scene.settings.increment_back_7_5_1,
        "7.5.2": scene.settings.increment_back_7_5_2,
        "7.5.3": scene.settings.increment_back_7_5_3,
        "7.5.4": scene.settings.increment_back_7_5_4,
    }
    credited = increment_ms(scene, ply)
    if credited and takes_back[article]:
        gains[side] = -credited
    return gains


def ordered(gains: dict[Colour, int]) -> tuple[tuple[Colour, int], ...]:
    """White first, as a proposal has it."""
    return tuple((side, gains[side]) for side in Colour if side in gains)


def by_number(ruling: Ruling, cause: str, scene: Scene) -> Ruling:
    """The ruling of an illegal move with all that its number means. Its facts name the article
    that makes it one, and what stands in its place if something does."""
    side = offender(ruling)
    assert side is not None, "an illegal move is somebody's"
    before = earlier(scene.file, side, cause, ruling.ply)
    ruling = _of_row(ruling, before, scene)
    told = dict(ruling.facts) | {
        "count": before.number,
        "illegal_white": _count(scene, side, Colour.WHITE, before),
        "illegal_black": _count(scene, side, Colour.BLACK, before),
    }
    for gone in ("hangs_on", "can_mate", "otherwise", "result_reason", "result_article"):
        told.pop(gone, None)
    ruling = replace(ruling, facts=tuple(told.items()))
    if before.number == 1:
        return _first(ruling, side, scene)
    return _lost_or_drawn(ruling, side, before, scene)


def _count(scene: Scene, side: Colour, of: Colour, before: Earlier) -> int:
    """What is confirmed of either player."""
    return before.confirmed if of is side else earlier(scene.file, of, "", 0).confirmed


def _of_row(ruling: Ruling, before: Earlier, scene: Scene) -> Ruling:
    if ruling.kind not in BY_NUMBER:
        return ruling
    first = "illegal-a5-open" if scene.rate.open_window else "illegal-first"
    return replace(ruling, kind="illegal-second" if before.number > 1 else first)


def _first(ruling: Ruling, side: Colour, scene: Scene) -> Ruling:
    """Pause, restore, have the touched piece moved, give the time."""
    facts = dict(ruling.facts)
    article, counts_as = str(facts["article"]), str(facts.get("stands") or "")
    bound = ruling.obligation and not facts.get(ANY_MOVE)
    enforce = ("enforce-move",) if bound else ()
    actions = (*_asking(facts), "pause", "restore", *enforce, "add-time")
    gains = illegal_gains(scene, side, ruling.ply, article)
    block = "stands" if counts_as else "unmoved" if article == "7.5.3" else "replaced"
    proposal = Proposal(actions, ordered(gains), _restored(ruling, counts_as, scene))
    return replace(
        ruling,
        certainty=_certainty(ruling),
        articles=_articles(ruling, penalty_articles(scene.rate), scene),
        proposal=proposal,
        facts=(*ruling.facts, ("block", f"first-{block}")),
        asked=(),
    )


def _restored(ruling: Ruling, counts_as: str, scene: Scene) -> str:
    """The position to restore: before the move, or after the queen that stands (7.5.2)."""
    if not counts_as:
        return ruling.position
    rules = scene.rules
    position = rules.start(ruling.position)
    return rules.fen(rules.play(position, rules.parse(position, counts_as)))


def _lost_or_drawn(ruling: Ruling, side: Colour, before: Earlier, scene: Scene) -> Ruling:
    """Lost, or drawn where the opponent can never mate; if what came before it stands."""
    facts = dict(ruling.facts)
    chance = chance_at(scene, scene.rules.start(ruling.position), side.other)
    drawn = chance.answer is Winnable.NO
    facts |= {
        "block": f"second-{'' if before.known else 'if-'}{'drawn' if drawn else 'lost'}",
        "can_mate": chance.said,
        "otherwise": DRAW if chance.answer is Winnable.UNKNOWN else None,
        "result_reason": "illegal-moves",
        "result_article": "7.5.5",
    }
    if not before.known:
        facts["hangs_on"] = named(before.undecided)
    actions = (*_asking(facts), "pause", "declare-result")
    ruling = replace(ruling, facts=tuple(facts.items()))
    return replace(
        ruling,
        certainty=certainty_of_end(ruling),
        articles=_articles(ruling, (), scene),
        proposal=Proposal(actions, result=DRAW if drawn else lost_by(side)),
        obligation=() if before.known else ruling.obligation,
        asked=asked(can_mate=chance),
    )


def certainty_of_end(ruling: Ruling) -> Certainty:
    """How sure it is that the game is lost, or drawn: not where that hangs on an earlier one that
    is undecided, nor where nobody has proven whether the opponent can mate."""
    facts = dict(ruling.facts)
    open_still = "hangs_on" in facts or facts.get("otherwise") is not None
    return Certainty.PROBABLE if open_still else _certainty(ruling)


def _asking(facts: dict[str, Any]) -> tuple[str, ...]:
    """The arbiter decides whether it is an illegal move or one left unfinished."""
    return ("ask",) if facts.get("either") else ()


def _certainty(ruling: Ruling) -> Certainty:
    """A claim is as sure as what it was found to be; and none is surer than what was seen of it."""
    facts = dict(ruling.facts)
    entry = row(str(facts["found"]) if ruling.kind == CLAIM else ruling.kind)
    seen = ruling.facts_certainty is row(ruling.kind).facts
    return entry.certainty if seen else Certainty.PROBABLE


def _articles(ruling: Ruling, more: tuple[str, ...], scene: Scene) -> tuple[str, ...]:
    """The row's own, 7.5.5, and those of the rate that is played."""
    own = [article for article in row(ruling.kind).articles if article != "7.5.5"]
    window = ("A.5.2",) if scene.rate.open_window else ()
    return articles_at((*own, "7.5.5", *window, *more), scene.rate)


# What was told while an earlier one was undecided.


@law(Confirmed, Dismissed, Looked)
def counted_anew(_: Confirmed | Dismissed | Looked, scene: Scene) -> Iterator[Opinion]:
    """An earlier one was decided, or its window closed: those after it have another number."""
    for side in Colour:
        for held in undecided(scene.file, side):
            facts = dict(held.ruling.facts)
            if "block" not in facts:
                continue
            before = earlier(scene.file, side, held.cause, held.ruling.ply)
            known = "hangs_on" not in facts
            if (facts["count"], known) == (before.number, before.known):
                continue
            ruling = by_number(held.ruling, held.cause, scene)
            ruling = replace(ruling, window=windowed(ruling, scene))
            yield Finding(ruling, held.cause, in_place=True)


def windowed(ruling: Ruling, scene: Scene) -> Window:
    """When the right to act runs out; never where the alert counts as the observation (A.5.2)."""
    window = window_of(ruling.kind, scene)
    if window is Window.OPPONENT_MOVES and scene.settings.alert_counts_as_observation:
        return Window.NEVER
    return window
