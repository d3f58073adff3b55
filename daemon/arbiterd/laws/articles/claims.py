"""Claims about what happened: illegal moves, touched pieces, ends on the board, quickplay finishes.

The record is checked, and what stands open already is taken up: a claim about it takes its place,
with what it proposes. Draw claims are in `art_09_claims`, flags in `art_06_flags`.
"""

from __future__ import annotations

from typing import Any

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.articles.art_05_ends import END
from arbiterd.laws.articles.art_06_flags import completed_moves
from arbiterd.laws.articles.results import claimant, over
from arbiterd.laws.case.casefile import OpenRuling
from arbiterd.laws.case.examining import asked, chance_at
from arbiterd.laws.case.guidelines import why_not_guided
from arbiterd.laws.case.offences import counted, is_offence
from arbiterd.laws.case.on_board import board_end, positions_before, positions_shown
from arbiterd.laws.case.penalty import DRAW, loser_of, sides_of
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.case.winnable import BEING_EXAMINED, Chance, Winnable
from arbiterd.laws.catalogue import row
from arbiterd.laws.drafting import ASK, RIGHT_LOST, draft
from arbiterd.laws.register import Close, Finding, Opinion, answers
from arbiterd.laws.ruling import JOURNAL_ONLY, Certainty, JsonValue, Proposal, Ruling, RulingState
from arbiterd.rules.customs import Custom
from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import PlyCertainty

QUICKPLAY_MS = 120_000
"""III.4: less than two minutes."""
REFUSED_MS = 120_000
"""III.5: what the opponent gains if the claim is rejected."""


@answers("claim:illegal-move")
def illegal_move_claimed(act: Act, scene: Scene) -> tuple[Answer, list[Opinion]]:
    """7.5, A.5.2: taken up where one is open; unfounded where the record shows a legal move."""
    side = claimant(act, scene)
    if isinstance(side, Answer):
        return side, []
    offender = side.other
    held = _open_of(scene, offender, is_offence)
    if held is not None:
        return Answer(True), _claim_in_its_place("claim-illegal", held, act, scene)
    closed = _closed_of(scene, offender, is_offence)
    if closed is not None:
        return Answer(True), [_too_late("claim-illegal", closed, act, scene)]
    return _unfounded(act, offender, scene)


def _cause(act: Act, ply: int) -> str:
    """Each claim of a player is one incident."""
    return f"claim:{act.claim}:{act.side}:{ply}"


def _touches(ruling: Ruling) -> bool:
    """Rows of Article 4, touched pieces and castling, that a player can claim (4.8)."""
    return (
        row(ruling.kind).section in (2, 4)
        and ruling.urgency != JOURNAL_ONLY
        and not counted(ruling)
    )


@answers("claim:touched-piece", of=Custom.TOUCH)
def touch_claimed(act: Act, scene: Scene) -> tuple[Answer, list[Opinion]]:
    """4.8: until the claimant touches a piece."""
    side = claimant(act, scene)
    if isinstance(side, Answer):
        return side, []
    offender = side.other
    held = _open_of(scene, offender, _touches)
    if held is not None and dict(held.ruling.facts).get("then") == RIGHT_LOST:
        late = _too_late("claim-touch", held.ruling, act, scene)
        return Answer(True), [Close(held.cause, state=RulingState.SUPERSEDED), late]
    if held is not None:
        return Answer(True), _claim_in_its_place("claim-touch", held, act, scene)
    closed = _closed_of(scene, offender, _touches)
    if closed is not None:
        return Answer(True), [_too_late("claim-touch", closed, act, scene)]
    facts: dict[str, JsonValue] = {
        "found": None,
        "on_record": False,
        "in_time": True,
        "claimant": side.value,
    }
    ruling = draft("claim-touch", scene, side, ASK, facts=facts, certainty=Certainty.HUMAN)
    return Answer(True), [Finding(ruling, _cause(act, scene.turn.ply))]


def _open_of(scene: Scene, offender: Colour, wanted: Any) -> OpenRuling | None:
    return next(
        (
            held
            for held in reversed(scene.file.open)
            if held.ruling.against is offender and wanted(held.ruling)
        ),
        None,
    )


def _closed_of(scene: Scene, offender: Colour, wanted: Any) -> Ruling | None:
    """One whose window closed before the claim, for the last half-move of the offender."""
    newest = len(scene.record.plies) - 2
    return next(
        (
            closed.ruling
            for closed in reversed(scene.file.closed)
            if closed.ruling.against is offender
            and closed.ruling.state is RulingState.EXPIRED
            and closed.ruling.ply >= newest
            and wanted(closed.ruling)
        ),
        None,
    )


def _claim_in_its_place(kind: str, held: OpenRuling, act: Act, scene: Scene) -> list[Opinion]:
    """The claim takes the place of what stood open, and proposes the same."""
    found = held.ruling
    facts: dict[str, JsonValue] = {
        **dict(found.facts),
        "found": found.kind,
        "on_record": True,
        "in_time": True,
        "claimant": None if act.side is None else act.side.value,
    }
    if counted(found):
        facts["offender"] = None if found.against is None else found.against.value
    ruling = draft(
        kind,
        scene,
        act.side,
        found.proposal,
        facts=facts,
        certainty=found.certainty,
        articles=tuple(dict.fromkeys((*row(kind).articles, *found.articles))),
        obligation=found.obligation,
        position=found.position,
        ply=found.ply,
        from_ns=found.cause_from_ns,
        asked=found.asked,
    )
    return [Close(held.cause, state=RulingState.SUPERSEDED), Finding(ruling, held.cause)]


def _too_late(kind: str, found: Ruling, act: Act, scene: Scene) -> Finding:
    """The window was closed before: nothing is proposed, the arbiter says so, and it is no illegal
    move of anybody that 7.5.5 counts (A.5.2)."""
    facts: dict[str, JsonValue] = {
        "counts": False,
        "found": found.kind,
        "on_record": True,
        "in_time": False,
        "claimant": None if act.side is None else act.side.value,
    }
    ruling = draft(
        kind, scene, act.side, ASK, facts=facts, position=found.position,
        ply=found.ply, from_ns=found.cause_from_ns, articles=("A.5.2",) if counted(found) else None,
    )  # fmt: skip
    return Finding(ruling, _cause(act, found.ply))


def _unfounded(act: Act, offender: Colour, scene: Scene) -> tuple[Answer, list[Opinion]]:
    """6.11.4: the record shows what was played, and that it is legal."""
    plies = scene.record.plies
    last = next((n for n in range(len(plies), 0, -1) if scene.side_of(n) is offender), None)
    if last is None:
        return Answer(False, f"{offender} has not made a move; there is nothing to claim"), []
    ply = plies[last - 1]
    if ply.move is None or ply.irregular_fen is not None:
        sentence = f"the record shows no legal move of {offender} there, so it cannot tell"
        return Answer(False, f"{sentence}; what was seen, or heard of it, decides"), []
    sure = ply.sureness is PlyCertainty.CERTAIN
    facts: dict[str, JsonValue] = {
        "move_played": ply.move,
        "sensors_sure": sure,
        "claimant": None if act.side is None else act.side.value,
    }
    ruling = draft(
        "claim-illegal-unfounded",
        scene,
        act.side,
        ASK,
        facts=facts,
        certainty=None if sure else Certainty.PROBABLE,
        position=scene.rules.fen(scene.before(last)),
        ply=last,
    )
    return Answer(True), [Finding(ruling, _cause(act, last))]


@answers("claim:checkmate", "claim:stalemate", "claim:dead-position")
def end_claimed(act: Act, scene: Scene) -> tuple[Answer, list[Opinion]]:
    """5.1.1, 5.2: the position says whether it is one."""
    refused = over(scene)
    if refused is not None:
        return refused, []
    rules, position = scene.rules, positions_shown(scene)[-1]
    end = board_end(rules, positions_shown(scene))
    dead = act.claim == "dead-position" and end is None
    chances = {side: chance_at(scene, position, side) for side in Colour} if dead else {}
    if dead and all(found.answer is not Winnable.YES for found in chances.values()):
        return Answer(True), [Finding(_dead(chances, act, scene), END, deed_ns=act.at_ns)]
    if end is not None and (end.reason == act.claim or act.claim == "dead-position"):
        ruling = _ended(end.kind, end.result, end.reason, act, scene)
        return Answer(True), [Finding(ruling, END, deed_ns=act.at_ns)]
    if act.claim == "checkmate":
        facts = {"legal_moves": len(rules.legal_moves(position))}
        ruling = draft(
            "end-false-mate", scene, act.side, ASK, facts=facts, position=rules.fen(position)
        )
        return Answer(True), [Finding(ruling, "false-mate", deed_ns=act.at_ns)]
    count = len(rules.legal_moves(position))
    return Answer(False, f"the position is no {act.claim}: {count} legal moves, mate possible"), []


def _ended(kind: str, result: str, reason: str, act: Act, scene: Scene) -> Ruling:
    facts = {
        "result_reason": reason,
        "result_article": row(kind).articles[0],
        "by": act.by,
        **sides_of(result),
    }
    proposal = Proposal(("declare-result",), result=result)
    position = scene.rules.fen(positions_shown(scene)[-1])
    return draft(kind, scene, loser_of(result), proposal, facts=facts, position=position)


def _dead(chances: dict[Colour, Chance], act: Act, scene: Scene) -> Ruling:
    """Proven, or at least not disproven: then the arbiter decides."""
    proven = all(found.answer is Winnable.NO for found in chances.values())
    waits = asked(**{f"{side}_can_mate": found for side, found in chances.items()})
    facts: dict[str, JsonValue] = {
        "result_reason": "dead-position",
        "result_article": "5.2.2",
        "by": act.by,
        **{f"{side}_can_mate": found.said for side, found in chances.items()},
    }
    if waits:
        facts |= {"proof": BEING_EXAMINED, "proof_kind": BEING_EXAMINED}
    return draft(
        "end-dead",
        scene,
        None,
        Proposal(("declare-result",) if proven else ("ask", "declare-result"), result=DRAW),
        facts=facts,
        certainty=None if proven else Certainty.PROBABLE,
        position=scene.rules.fen(positions_shown(scene)[-1]),
        asked=waits,
    )


def _next_control(side: Colour, scene: Scene) -> int | None:
    """The move by which the side's time ends and more is given; None: all that are left (III.1)."""
    completed = completed_moves(side, scene)[1]
    return scene.rate.required_moves(scene.rate.period_of_move(completed))


@answers("claim:quickplay")
def quickplay_claimed(act: Act, scene: Scene) -> tuple[Answer, list[Opinion]]:
    """III.4, III.5: only where they were announced, without increment, and never in blitz."""
    side = claimant(act, scene)
    if isinstance(side, Answer):
        return side, []
    unguided = why_not_guided(scene)
    if unguided is not None:
        return Answer(False, unguided), []
    ends = _next_control(side, scene)
    if ends is not None:
        sentence = f"Guidelines III are about the last period only; this one ends at move {ends}"
        return Answer(False, sentence), []
    shown = scene.shown
    ms = shown.white_ms if side is Colour.WHITE else shown.black_ms
    if ms is not None and ms >= QUICKPLAY_MS:
        return Answer(False, "a claim under Guidelines III needs less than two minutes"), []
    position = positions_before(side, scene)[-1]
    if scene.rules.turn(position) is not side:
        return Answer(False, "a claim under Guidelines III is made by the side to move"), []
    facts: dict[str, JsonValue] = {
        "claimant": side.value,
        "left_clock": ms,
        "time_told": ms is not None,
        "last_moves": [ply.move for ply in scene.record.plies[-10:]],
        "quiet_plies": scene.rules.quiet_plies(position),
        "if_refused_ms": REFUSED_MS,
    }
    ruling = draft(
        "claim-quickplay",
        scene,
        side,
        Proposal(("pause", "ask")),
        facts=facts,
        position=scene.rules.fen(position),
    )
    return Answer(True), [Finding(ruling, _cause(act, scene.turn.ply))]
