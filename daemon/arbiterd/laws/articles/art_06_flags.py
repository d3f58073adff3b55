"""Articles 6.3, 6.4, 6.8, 6.9: what a flag means, if it means anything.

Asked in this order (the precedence of the end of a game): is the game over already; is a claim or
an illegal move being decided; were the moves of the period completed; can the opponent mate. A
flag has fallen when it is noticed or claimed (6.8), so nothing here ends a game by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from msgspec import Struct

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.articles.art_05_ends import END
from arbiterd.laws.articles.art_07_5_illegal import ILLEGAL
from arbiterd.laws.case.casefile import EndNoted, FlagCalled, OpenRuling
from arbiterd.laws.case.examining import asked, chance_at
from arbiterd.laws.case.guidelines import why_not_guided
from arbiterd.laws.case.offences import put_right, to_put_right
from arbiterd.laws.case.on_board import board_end, held_squares, pending
from arbiterd.laws.case.penalty import DRAW, lost_by
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.case.touching import obligation
from arbiterd.laws.case.winnable import Chance, Winnable
from arbiterd.laws.catalogue import row
from arbiterd.laws.catalogue.row import Group
from arbiterd.laws.drafting import ASK, LOG, draft, stamp
from arbiterd.laws.register import Close, Finding, Opinion, Remember, answers, law
from arbiterd.laws.ruling import Certainty, JsonValue, Proposal, Ruling, RulingState
from arbiterd.rules.customs import Custom
from arbiterd.rules.ruleset import Colour
from arbiterd.timing.facts import Edited, FlagFell, PeriodAdded
from arbiterd.tracking.facts import How, MoveCompleted, MoveMade, MoveReplaced, PlyCertainty

FLAG = "flag"
"""What the cause of every ruling about a flag begins with."""


def flag_held(scene: Scene) -> OpenRuling | None:
    """The open ruling about a flag."""
    return next((held for held in scene.file.open if held.cause.startswith(FLAG)), None)


def flag_cause(scene: Scene, at_ns: int) -> str:
    """One flag, one cause; the second flag belongs to the first."""
    held = flag_held(scene)
    return f"{FLAG}:{stamp(at_ns)}" if held is None else held.cause


def fallen(fact: FlagFell | PeriodAdded, scene: Scene) -> FlagFell | None:
    """The flag that a fact tells of. A clock that adds the next period's time at zero tells of one
    that nobody saw; it means something if the moves were not completed by then (6.4)."""
    if isinstance(fact, FlagFell):
        return fact
    unseen = fact.ran_out
    return None if unseen is None or means_nothing(unseen, scene) else unseen


@law(FlagFell, PeriodAdded, unless=Custom.FOULS_LOSE)
def flag_fell(told: FlagFell | PeriodAdded, scene: Scene) -> Iterator[Opinion]:
    """6.8: the clock shows a flag; the arbiter calls it."""
    fact = fallen(told, scene)
    if fact is None:
        return
    if scene.result is not None:
        yield from _after_the_end(fact, scene)
        return
    made = pending(scene)
    ended = None
    if made is not None:
        positions = (*scene.record.positions(scene.rules), made.position)
        ended = board_end(scene.rules, positions)
    if made is not None and ended is not None:
        end = EndNoted(len(positions) - 1, ended.kind, ended.result, ended.reason)
        yield from _at_the_end(fact, scene, end, made.made_at_ns)
        return
    held = scene.file.held(END)
    if held is not None and held.proposal.result is not None and _on_board(held.kind):
        reason = str(dict(held.facts)["result_reason"])
        noted = EndNoted(held.ply, held.kind, held.proposal.result, reason)
        yield from _at_the_end(fact, scene, noted, held.cause_from_ns)
        return
    if to_put_right(scene, ILLEGAL) and not means_nothing(fact, scene):
        return  # An illegal move not yet decided and a flag: Article 7 says both outcomes.
    yield Finding(flag_ruling(fact, scene), flag_cause(scene, fact.at_ns))


def _on_board(kind: str) -> bool:
    return row(kind).group in (Group.MATE, Group.END)


def _after_the_end(fact: FlagFell, scene: Scene) -> Iterator[Opinion]:
    if scene.file.ended_by == "flag":
        return
    end = scene.file.end
    on_board = end is not None and end.result == scene.result
    kind = "mate-then-flag" if on_board else "flag-after-agreement-or-resign"
    yield Finding(_noted(kind, fact, scene, scene.result), flag_cause(scene, fact.at_ns))


def _at_the_end(fact: FlagFell, scene: Scene, end: EndNoted, made_at_ns: int) -> Iterator[Opinion]:
    """The game ended on the board and the flag is shown now: which was first?"""
    if made_at_ns <= fact.at_ns - fact.late_ns:
        yield Finding(_noted("mate-then-flag", fact, scene, end.result), FLAG)
        return
    # Both within what the clock can tell apart: the end stands, since nobody noticed before.
    mated = row(end.kind).group is Group.MATE
    told = "flag-then-mate" if mated else "flag-then-stalemate-or-dead"
    facts: dict[str, JsonValue] = {
        **_times(fact),
        "made_at": stamp(made_at_ns),
        "order_known": False,
        "end": end.kind,
        "result_reason": end.reason,
        "result_article": row(end.kind).articles[0],
    }
    yield Finding(
        draft(
            told,
            scene,
            fact.side,
            Proposal(("ask", "declare-result"), result=end.result),
            facts=facts,
            position=scene.rules.fen(scene.position),
            from_ns=min(made_at_ns, fact.at_ns),
        ),
        flag_cause(scene, fact.at_ns),
    )


def _noted(kind: str, fact: FlagFell, scene: Scene, result: str | None) -> Ruling:
    return draft(kind, scene, fact.side, LOG, facts={**_times(fact), "result": result})


def _times(fact: FlagFell) -> dict[str, JsonValue]:
    shown = fact.shown
    return {
        "flag_at": stamp(fact.at_ns),
        "flag_late_ms": fact.late_ns // 1_000_000,
        "flag_seen": _seen(fact),
        "white_clock": shown.white_ms,
        "black_clock": shown.black_ms,
    }


def _seen(fact: FlagFell) -> str:
    """The flag itself, or only the next period's time in the place of the one that ran out."""
    shown = fact.shown.flag is fact.side or fact.shown.both_flags
    return "flag-shown" if shown else "time-over"


# Which row it is.


def flag_ruling(fact: FlagFell, scene: Scene) -> Ruling:
    """What this flag leads to while the game is on."""
    if fact.standing:
        return draft("flag-while-paused", scene, fact.side, ASK, facts=_times(fact))
    claim = _claim_to_decide(scene)
    if claim is not None:
        facts = {**_times(fact), "claim": claim.kind, "claimant": _name(claim.against)}
        return draft("flag-during-claim", scene, fact.side, ASK, facts=facts)
    overstepped = _overstepped_by(fact, scene)
    first_counts = fact.order_known and fact.shown.flag in overstepped
    if _both_shown(fact) and not _next_period_shown(fact, fact.side):
        if first_counts or len(overstepped) == len(Colour):
            return _both(fact, scene)
        if overstepped and fact.side not in overstepped:
            # Its own flag means nothing: what the other one means stands, whichever fell first.
            fact = replace(
                fact, side=fact.side.other, period=fact.other_period, other_period=fact.period
            )
    return _of_one(fact, scene)


def _claim_to_decide(scene: Scene) -> Ruling | None:
    """The open claim that comes before a flag (9.5.1), a claim of a flag apart.

    One that was refused, or put right, and after which play went on, has been decided at the board,
    whatever nobody has confirmed yet. One that draws or goes back has not, nor has one for which
    the clocks are to be stopped (III.5: such a one may be decided after a flag).
    """
    plies = len(scene.record.plies)
    for held in scene.file.open:
        claim = held.ruling
        if row(claim.kind).group is not Group.CLAIM or held.cause.startswith(FLAG):
            continue
        proposed = claim.proposal
        weighs = proposed.result or proposed.restore or "pause" in proposed.actions
        gone_on = put_right(held, plies) if weighs else plies >= claim.ply
        if not gone_on:
            return claim
    return None


def _of_one(fact: FlagFell, scene: Scene) -> Ruling:
    """What one side's flag means by itself (6.4)."""
    period = _period_over(fact, fact.side)
    required = scene.rate.required_moves(period)
    if required is None:
        return _overstepped("flag-last-period", fact, scene, {})
    least, most = completed_moves(fact.side, scene)
    facts: dict[str, JsonValue] = {
        "completed": least, "required": required, "period": period + 1,
    }  # fmt: skip
    if least >= required:
        return draft("flag-period-reached", scene, fact.side, LOG, facts={**_times(fact), **facts})
    if most >= required:
        return _uncertain(fact, scene, least, most, required)
    return _overstepped("flag-period-short", fact, scene, facts)


def means_nothing(fact: FlagFell, scene: Scene) -> bool:
    """Nobody has overstepped: both clocks stood, or the moves of the period were completed."""
    return fact.standing or not _overstepped_by(fact, scene)


def _both_shown(fact: FlagFell) -> bool:
    return fact.second or fact.shown.both_flags


def _overstepped_by(fact: FlagFell, scene: Scene) -> list[Colour]:
    """The sides whose flag is shown and who are not known to have completed the moves of the period
    that it ends (6.3.1, 6.4)."""
    return [
        side
        for side in Colour
        if (side is fact.side or _both_shown(fact)) and not _reached(fact, side, scene)
    ]


def _reached(fact: FlagFell, side: Colour, scene: Scene) -> bool:
    required = scene.rate.required_moves(_period_over(fact, side))
    pressing = fact.pressing and side is fact.side
    return required is not None and completed_moves(side, scene)[0] + pressing >= required


def _period_over(fact: FlagFell, side: Colour) -> int:
    """The period that this side's flag speaks of."""
    period = fact.period if side is fact.side else fact.other_period
    return max(0, period - _next_period_shown(fact, side))


def _next_period_shown(fact: FlagFell, side: Colour) -> bool:
    """A clock that adds at zero shows the flag of the period that is over, and the time of the
    next: the flag speaks of the moves of that one (6.4), whatever the other side's flag did."""
    shown = fact.shown
    left_ms = shown.white_ms if side is Colour.WHITE else shown.black_ms
    return left_ms is not None and left_ms >= NEXT_PERIOD_MS and shown.running is not None


NEXT_PERIOD_MS = 10_000
"""A side that has so much left beside its flag has begun another period."""


def _name(side: Colour | None) -> JsonValue:
    return None if side is None else side.value


def _uncertain(fact: FlagFell, scene: Scene, least: int, most: int, required: int) -> Ruling:
    facts: dict[str, JsonValue] = {
        **_times(fact),
        "completed": least,
        "completed_at_most": most,
        "required": required,
        "pressed": fact.presses,
    }
    return draft("flag-count-uncertain", scene, fact.side, Proposal(("pause", "ask")), facts=facts)


def completed_moves(side: Colour, scene: Scene) -> tuple[int, int]:
    """How many moves this side has completed (6.2.1): surely, and at most.

    A move is completed by its press, by the end of the game, or by the side's next move; a last
    move without a press is not. Presses that nobody saw and half-moves that were inferred make
    the count unsure.
    """
    own = [
        (number, ply)
        for number, ply in enumerate(scene.record.plies, 1)
        if scene.side_of(number) is side
    ]
    before = scene.moved_before(side)
    unpressed_last = bool(own) and own[-1][1].completed_at_ns is None
    most = len(own) - (1 if unpressed_last else 0)
    unseen = unpressed(scene)
    sure = sum(
        ply.completed_at_ns is not None
        and number not in unseen
        and ply.sureness is PlyCertainty.CERTAIN
        and ply.irregular_fen is None
        for number, ply in own
    )
    return before + min(sure, most), before + most


@law(MoveMade, MoveCompleted, MoveReplaced)
def press_seen(fact: MoveMade | MoveCompleted | MoveReplaced, scene: Scene) -> Iterator[Opinion]:
    """Keeps which half-moves were never pressed, as far as the clock told."""
    before = unpressed(scene)
    missing = fact.how is not How.PRESSED and fact.how is not How.ARBITER and scene.shown.known
    after = sorted({*before, fact.ply} if missing else {*before} - {fact.ply})
    if after != sorted(before):
        plies: list[JsonValue] = list(after)
        yield Remember("unpressed", plies)


def unpressed(scene: Scene) -> list[int]:
    """Half-moves whose press nobody saw."""
    noted = scene.file.notes.get("unpressed")
    return [ply for ply in noted if isinstance(ply, int)] if isinstance(noted, list) else []


# Loss or draw (6.9).


class FlagVerdict(Struct, frozen=True, gc=False):
    """What overstepping the time comes to in one position."""

    chance: Chance
    result: str
    otherwise: str | None
    """The other answer, where it is not proven."""

    @property
    def facts(self) -> dict[str, JsonValue]:
        told: dict[str, JsonValue] = {
            "opponent_can_mate": self.chance.said,
            "otherwise": self.otherwise,
            "result_reason": "flag",
            "result_article": "6.9",
        }
        if self.chance.proof is not None:
            told |= {"proof": self.chance.proof, "proof_kind": self.chance.kind}
        return told


def verdict(scene: Scene, position: Any, flagged: Colour) -> FlagVerdict:
    """6.9: lost, or drawn if the opponent has no series of legal moves that mates."""
    found = chance_at(scene, position, flagged.other)
    if found.answer is Winnable.NO:
        return FlagVerdict(found, DRAW, None)
    unknown = found.answer is Winnable.UNKNOWN
    return FlagVerdict(found, lost_by(flagged), DRAW if unknown else None)


def _overstepped(kind: str, fact: FlagFell, scene: Scene, facts: dict[str, JsonValue]) -> Ruling:
    held = held_squares(scene)
    if held and scene.turn.side is fact.side:
        return _piece_in_hand(fact, scene)
    position = _position_at(scene)
    found = verdict(scene, position, fact.side)
    drawn = found.chance.answer is Winnable.NO
    told: dict[str, JsonValue] = {
        **_times(fact),
        **facts,
        **found.facts,
    }
    return draft(
        "flag-unwinnable" if drawn else kind,
        scene,
        fact.side,
        Proposal(("declare-result",), result=found.result),
        facts=told,
        certainty=Certainty.PROBABLE if found.otherwise else None,
        articles=articles_of("flag-unwinnable" if drawn else kind, scene),
        position=scene.rules.fen(position),
        from_ns=fact.at_ns - fact.late_ns,
        asked=asked(opponent_can_mate=found.chance),
    )


def articles_of(kind: str, scene: Scene) -> tuple[str, ...] | None:
    """A.5.3 speaks where A.5 applies."""
    if kind != "flag-unwinnable" or scene.rate.open_window:
        return None
    return ("6.9",)


def _position_at(scene: Scene) -> Any:
    """The position when the flag fell, a move that stands on the board included."""
    made = pending(scene)
    return scene.position if made is None else made.position


def _piece_in_hand(fact: FlagFell, scene: Scene) -> Ruling:
    """6.9 with a piece in the air: the move is not made, but there may be only one left."""
    rules = scene.rules
    duty = obligation(rules, scene.position, scene.turn.touches)
    found = verdict(scene, scene.position, fact.side)
    facts: dict[str, JsonValue] = {
        **_times(fact),
        **found.facts,
        "held": [rules.geometry.names[square] for square in held_squares(scene)],
    }
    allowed = () if duty.free else duty.moves
    if len(allowed) == 1:
        after = rules.play(scene.position, allowed[0])
        ended = board_end(rules, (*scene.record.positions(rules), after))
        facts["forced_move"] = rules.wire(scene.position, allowed[0])
        facts["after_forced_move"] = (
            DRAW if ended is not None else verdict(scene, after, fact.side).result
        )
    return draft(
        "flag-piece-in-hand",
        scene,
        fact.side,
        Proposal(("ask", "declare-result"), result=found.result),
        facts=facts,
        obligation=[rules.wire(scene.position, move) for move in allowed],
        from_ns=fact.at_ns - fact.late_ns,
        asked=asked(opponent_can_mate=found.chance),
    )


def _both(fact: FlagFell, scene: Scene) -> Ruling:
    """Both flags: the first to fall loses; where the order is not known, Guidelines III."""
    position = _position_at(scene)
    if fact.order_known and fact.shown.flag is not None:
        first = fact.shown.flag
        found = verdict(scene, position, first)
        return draft(
            "flag-both-order-known",
            scene,
            first,
            Proposal(("declare-result",), result=found.result),
            facts={
                **_times(fact),
                **found.facts,
                "first": first.value,
            },
            certainty=Certainty.PROBABLE if found.otherwise else None,
            position=scene.rules.fen(position),
            asked=asked(opponent_can_mate=found.chance),
        )
    last = scene.rate.required_moves(fact.period) is None
    guided = why_not_guided(scene) is None
    ruled = _ruled(last, guided, scene)
    drawn = ruled == DRAWN_IN_LAST
    return draft(
        "flag-both-order-unknown",
        scene,
        None,
        Proposal(("ask", "declare-result"), result=DRAW) if drawn else ASK,
        facts={
            **_times(fact),
            "last_period": last,
            "guidelines_iii": guided,
            "ruled": ruled,
            "result_reason": "flag",
            "result_article": "III.3.1",
        },
        position=scene.rules.fen(position),
    )


DRAWN_IN_LAST = "order-drawn"
"""Nobody can say which flag fell first, and it is the last period (III.3.1)."""


def _ruled(last: bool, guided: bool, scene: Scene) -> str:
    """What decides where nobody knows which flag fell first (III.3.1, A.5)."""
    if scene.rate.open_window:
        return "order-by-sign"
    if not guided:
        return "order-yours"
    return DRAWN_IN_LAST if last else "order-play-on"


# What follows later.


@law(PeriodAdded, Edited)
def flag_answered(fact: PeriodAdded | Edited, scene: Scene) -> Iterator[Opinion]:
    """The next period began or the arbiter set the times: a note that play goes on is done with."""
    held = flag_held(scene)
    if held is not None and (scene.shown.flag is None or isinstance(fact, PeriodAdded)):
        yield Close(held.cause, ("flag-period-reached", "flag-while-paused"))


@answers("claim:flag")
def flag_claimed(act: Act, scene: Scene) -> tuple[Answer, list[Opinion]]:
    """6.8: a flag has also fallen when a player claims it, if it has."""
    if scene.result is not None:
        return Answer(False, f"the game is over: {scene.result}; take the result back first"), []
    if act.side is None:
        return Answer(False, "a claim needs 'side', the claimant's: white or black"), []
    flagged = act.side.other
    shown = scene.shown
    if shown.flag is not flagged and not shown.both_flags:
        facts = {"white_clock": shown.white_ms, "black_clock": shown.black_ms}
        ruling = draft("flag-claimed-without", scene, act.side, ASK, facts=facts)
        return Answer(True), [Finding(ruling, f"claim:{act.side}", deed_ns=act.at_ns)]
    opinions: list[Opinion] = [FlagCalled(scene.at_ns)]
    held = flag_held(scene)
    if held is None:
        return Answer(True), opinions
    found = held.ruling
    told: dict[str, JsonValue] = {**dict(found.facts), "found": found.kind}
    ruling = draft(
        "claim-flag",
        scene,
        act.side,
        found.proposal,
        facts=told,
        certainty=found.certainty,
        obligation=found.obligation,
        position=found.position,
        ply=found.ply,
        from_ns=found.cause_from_ns,
        asked=found.asked,
    )
    return Answer(True), [
        *opinions,
        Close(held.cause, state=RulingState.SUPERSEDED),
        Finding(ruling, held.cause),
    ]
