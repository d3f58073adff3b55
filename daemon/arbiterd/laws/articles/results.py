"""Results that people enter: an arbiter's word, resignation, agreement; and what is missing.

Reasons as they stand in the `result` event: checkmate, stalemate, dead-position, fivefold,
seventy-five (from the board); threefold, fifty-move (claimed); resignation, agreement, flag,
illegal-moves, forfeit, signalled (kings in the centre), arbiter, reported (by a feed), withdrawn.
"""

from __future__ import annotations

from collections.abc import Iterator

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.articles.art_05_ends import END, mismatch
from arbiterd.laws.articles.art_09_1_agreed import agreed_too_early
from arbiterd.laws.case.casefile import EndedBy
from arbiterd.laws.case.examining import asked, chance_at
from arbiterd.laws.case.on_board import BoardEnd, board_end, has_gap, missing_king, positions_shown
from arbiterd.laws.case.penalty import DRAW, lost_by
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.case.winnable import Winnable
from arbiterd.laws.decisions import ResultChanged
from arbiterd.laws.drafting import ASK, draft
from arbiterd.laws.register import (
    Close,
    Confirmed,
    Finding,
    Looked,
    Opinion,
    Wake,
    Watch,
    Woken,
    answers,
    law,
)
from arbiterd.laws.ruling import Certainty, JsonValue, Proposal, Ruling, RulingState
from arbiterd.rules.ruleset import Colour, GameEnd
from arbiterd.timing.facts import FlagFell, Paused
from arbiterd.tracking.facts import BoardReset

RESULTS = (
    "1-0",
    "0-1",
    DRAW,
    "0-0",
    "1/2-0",
    "0-1/2",
    "1-0F",
    "0-1F",
    "0-0F",
    "replay",
)

ARTICLES = {
    "checkmate": "5.1.1",
    "resignation": "5.1.2",
    "stalemate": "5.2.1",
    "dead-position": "5.2.2",
    "agreement": "5.2.3",
    "flag": "6.9",
    "forfeit": "6.7.1",
    "illegal-moves": "7.5.5",
    "threefold": "9.2",
    "fifty-move": "9.3",
    "fivefold": "9.6.1",
    "seventy-five": "9.6.2",
    "refusal": "11.7",
    "penalty": "12.9",
}
"""The article of a result by its reason; any other reason is the arbiter's (8.7)."""

KING_DOWN = "king-down"
KING_DOWN_NS = 30_000_000_000
"""A king that has been gone for so long is laid down rather than held."""


def over(scene: Scene) -> Answer | None:
    """Why nothing more can be claimed or offered."""
    if scene.result is None:
        return None
    return Answer(False, f"the game is over: {scene.result}; take the result back first")


def claimant(act: Act, scene: Scene) -> Colour | Answer:
    """Whose claim, offer or resignation it is; an answer where nobody can make it now."""
    if act.side is None:
        return over(scene) or Answer(False, f"{act.action} needs 'side': white or black")
    return over(scene) or act.side


def settled(result: ResultChanged) -> list[Opinion]:
    """A result given by people's word: the signs that asked for it are done with."""
    return [
        EndedBy(result.reason),
        Close("pause", state=RulingState.SUPERSEDED),
        Close("pause-board", state=RulingState.SUPERSEDED),
        Close("pause-long", state=RulingState.SUPERSEDED),
        Close("result-missing", state=RulingState.SUPERSEDED),
        Close("reset", state=RulingState.SUPERSEDED),
        Wake("result-missing", None),
        Wake("paused-long", None),
        result,
    ]


@answers("set-result")
def result_entered(act: Act, scene: Scene) -> tuple[Answer, list[Opinion]]:
    """8.7: the arbiter's word stands; where the board says otherwise, both are shown."""
    result, reason = act.result, act.reason or "arbiter"
    if result is None:
        return Answer(True), [
            EndedBy(None),
            ResultChanged(None, reason, "8.7", Certainty.HUMAN),
        ]
    if result not in RESULTS:
        return Answer(False, f"{result!r} is no result; write one of {', '.join(RESULTS)}"), []
    if result == DRAW and reason == "agreement":
        early = agreed_too_early(scene, Certainty.FACT)
        if early is not None:
            return Answer(True), [early]
    changed = ResultChanged(result, reason, ARTICLES.get(reason, "8.7"), Certainty.HUMAN)
    opinions = settled(changed)
    end = board_end(scene.rules, positions_shown(scene))
    if end is not None and end.result != result:
        told = mismatch(result, end.result, "entered", scene)
        opinions.append(Finding(told, END, deed_ns=act.at_ns))
    elif end is not None or scene.file.held(END) is not None:
        opinions.insert(0, Close(END, state=RulingState.SUPERSEDED))
    return Answer(True), opinions


@answers("resign")
def resigned(act: Act, scene: Scene) -> tuple[Answer, list[Opinion]]:
    """5.1.2: at once, and lost; drawn if the opponent has no series of moves that mates."""
    side = claimant(act, scene)
    if isinstance(side, Answer):
        return side, []
    positions = positions_shown(scene)
    end = board_end(scene.rules, positions)
    if end is not None and not _dead_dismissed(end, scene):
        sentence = (
            f"the game ended on the board before that: {end.reason} ({end.article}); confirm that "
            "end, or enter the result"
        )
        return Answer(False, sentence), []
    found = chance_at(scene, positions[-1], side.other)
    if found.answer is Winnable.YES:
        lost = ResultChanged(lost_by(side), "resignation", "5.1.2", Certainty.HUMAN)
        return Answer(True), settled(lost)
    proven = found.answer is Winnable.NO
    result = DRAW if proven else lost_by(side)
    ruling = draft(
        "resign-unwinnable",
        scene,
        side,
        Proposal(("declare-result",) if proven else ("ask", "declare-result"), result=result),
        facts={
            "opponent_can_mate": found.said,
            "proof": found.proof,
            "proof_kind": found.kind,
            "otherwise": None if proven else DRAW,
            "result_reason": "resignation",
            "result_article": "5.1.2",
        },
        certainty=None if proven else Certainty.PROBABLE,
        position=scene.rules.fen(positions[-1]),
        asked=asked(opponent_can_mate=found),
    )
    return Answer(True), [
        Close("pause", state=RulingState.SUPERSEDED),
        Finding(ruling, END, deed_ns=act.at_ns),
    ]


def _dead_dismissed(end: BoardEnd, scene: Scene) -> bool:
    """The arbiter does not take the position for dead (5.2.2): then the resignation counts."""
    last = scene.file.last_closed(END)
    dismissed = last is not None and last.state is RulingState.DISMISSED
    return end.end is GameEnd.DEAD and dismissed


@law(Confirmed)
def result_confirmed(fact: Confirmed, _: Scene) -> Iterator[Opinion]:
    """By what the game ended, for what a flag or moves after it mean."""
    if fact.ruling.proposal.result is None:
        return
    reason = str(dict(fact.ruling.facts).get("result_reason", fact.ruling.kind))
    yield EndedBy(reason)
    for cause in ("pause", "pause-board", "pause-long", "result-missing", "reset"):
        yield Close(cause, state=RulingState.SUPERSEDED)
    yield Wake("result-missing", None)
    yield Wake("paused-long", None)


@answers("report:result-handshake-unclear")
def handshake(act: Act, scene: Scene) -> tuple[Answer, list[Opinion]]:
    """5.1.2, 5.2.3: ask both players, apart. The rules alone say only this much."""
    rules, positions = scene.rules, positions_shown(scene)
    position = positions[-1]
    end = board_end(rules, positions)
    white, black = (chance_at(scene, position, side) for side in Colour)
    facts: dict[str, JsonValue] = {
        "by": act.by,
        "note": act.note,
        "on_board": None if end is None else end.kind,
        "white_can_mate": white.said,
        "black_can_mate": black.said,
        "quiet_plies": rules.quiet_plies(position),
        "record_has_gap": has_gap(scene),
    }
    ruling = draft(
        "result-handshake-unclear",
        scene,
        None,
        ASK,
        facts=facts,
        position=rules.fen(position),
        asked=asked(white_can_mate=white, black_can_mate=black),
    )
    return Answer(True), [
        Close("pause", state=RulingState.SUPERSEDED),
        Finding(ruling, END, deed_ns=act.at_ns),
    ]


# Signs of an end that nobody entered.


@law(Looked)
def king_laid_down(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """5.1.2: a king alone is gone. It may be held: wait before saying so."""
    waits = scene.file.watching(KING_DOWN)
    down = (
        scene.playing
        and scene.result is None
        and missing_king(scene.rules, scene.position, scene.placement) is not None
    )
    if waits and not down:
        yield Watch(KING_DOWN, None)
        yield Close("pause", ("resign-signal",))
    elif down and not waits and scene.file.held("pause") is None:
        yield Watch(KING_DOWN, scene.at_ns + KING_DOWN_NS)


@law(Woken)
def king_still_down(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    if fact.name != KING_DOWN or scene.result is not None:
        return
    side = missing_king(scene.rules, scene.position, scene.placement)
    if side is not None:
        yield Finding(resign_signal(side, scene), "pause")


def resign_signal(side: Colour, scene: Scene) -> Ruling:
    """What was seen may be a resignation: the arbiter clarifies."""
    return draft(
        "resign-signal",
        scene,
        side,
        ASK,
        facts={"seen": "king", "clock_stands": scene.shown.known and scene.shown.running is None},
        position=scene.rules.fen(scene.position),
    )


@law(Paused, FlagFell, BoardReset)
def rest_begins(_: Paused | FlagFell | BoardReset, scene: Scene) -> Iterator[Opinion]:
    """From here on somebody should enter a result, or play goes on."""
    if scene.result is None and scene.record.plies:
        yield Wake("result-missing", scene.at_ns + scene.settings.result_missing_s * 1_000_000_000)


def later(scene: Scene, waits: Ruling, at_least_s: int) -> int:
    """When to look again at what waits for an answer: after as long as it has waited already.

    A table that was left standing for a month is so looked at a dozen times and not 20,000.
    """
    waited_ns = scene.at_ns - waits.cause_to_ns
    return scene.at_ns + max(at_least_s * 1_000_000_000, waited_ns)


@law(Woken)
def result_missing(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    if fact.name != "result-missing" or scene.result is not None:
        return
    if scene.shown.running is not None:
        return
    over = scene.file.held(END) or scene.file.held("reset")
    if over is not None:  # It waits for its answer already, by its own name.
        yield Wake("result-missing", later(scene, over, scene.settings.result_missing_s))
        return
    facts = {"rest_ms": scene.settings.result_missing_s * 1000}
    ruling = draft(
        "result-missing", scene, None, ASK, facts=facts, position=scene.rules.fen(scene.position)
    )
    yield Finding(ruling, "result-missing")
