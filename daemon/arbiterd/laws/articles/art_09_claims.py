"""Articles 9.2 to 9.5: claims of a draw, adjudicated from the record.

A claim needs the move, and no piece touched yet in this turn (9.4). Without `move` it is about the
position on the board (9.2.2, 9.3.2) and nothing else, with it about the one that is about to appear
(9.2.1, 9.3.1); where only the one on the board will do, it is granted for that. A wrong one gives
the opponent time, and an announced move must be played (9.5.3).

A clock is quicker than a board: a claim made right after the press comes before the half-move it is
about. It is not judged until the record has that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, structs

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.articles.results import claimant
from arbiterd.laws.case.offences import counted
from arbiterd.laws.case.on_board import has_gap, pending, positions_before
from arbiterd.laws.case.penalty import DRAW, penalty_articles, penalty_ms
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.case.touching import obligation as bound
from arbiterd.laws.catalogue import row
from arbiterd.laws.drafting import ASK, cause_of, draft, stamp
from arbiterd.laws.register import Close, Finding, Looked, Opinion, Remember, answers, law
from arbiterd.laws.ruling import Certainty, JsonValue, Proposal, Ruling, RulingState
from arbiterd.rules.ruleset import Colour, RuleSet
from arbiterd.tracking.facts import Touch, Turn

THIRD = 3
FIFTY_PLIES = 100
"""Fifty moves by each side (9.3)."""
WAITING = "claim_waiting"
"""Note: the claims that wait for a half-move, each with the cause of its ruling."""
UNJUDGED = "claim-not-on-move"
"""The row of a claim by a side that has not the move, as far as is known."""


class ClaimFound(Struct, frozen=True, gc=False):
    """What the record says of one claim."""

    on_board: bool
    announced: bool
    """With the move that was announced."""
    facts: dict[str, JsonValue]


@answers("claim:threefold", "claim:fifty-move")
def draw_claimed(act: Act, scene: Scene) -> tuple[Answer, list[Opinion]]:
    """The answer is the adjudication."""
    side = claimant(act, scene)
    if isinstance(side, Answer):
        return side, []
    missing = _half_move_missing(side, scene)
    # Each claim is judged and answered for by itself (9.5.2, 9.5.3).
    cause = f"claim:{act.claim}:{side}:{scene.turn.ply + missing}"
    if missing:
        ruling = _not_judged(act, scene)
    else:
        positions = positions_before(side, scene)
        move, unreadable = _announced(act, scene.rules, positions[-1])
        if unreadable is not None:
            return unreadable, []
        ruling = adjudicated(act, side, move, positions, scene)
    claim: dict[str, JsonValue] = {
        "cause": cause, "at": act.at_ns, "by": act.by, "claim": act.claim,
        "side": side.value, "move": act.move,
    }  # fmt: skip
    waiting = [other for other in _waiting(scene) if other["cause"] != cause]
    if missing or _silent(scene):
        waiting.append(claim)
    return Answer(True), [
        Close("pause", state=RulingState.SUPERSEDED),
        Remember(WAITING, [*waiting] or None),
        Finding(ruling, cause, deed_ns=act.at_ns),
    ]


@law(Looked)
def half_move_came(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """A claim that waited is judged in its place, from the record as it is now."""
    waiting = _waiting(scene)
    if not waiting:
        return
    undecided = [one for one in waiting if scene.file.held(str(one["cause"])) is not None]
    unknown = _silent(scene) or pending(scene) is not None
    still = [
        one for one in undecided if unknown or _half_move_missing(Colour(str(one["side"])), scene)
    ]
    if still != waiting:
        yield Remember(WAITING, [*still] or None)
    for one in undecided:
        if one not in still:
            yield Finding(_judged_now(one, scene), str(one["cause"]), in_place=True)


def _waiting(scene: Scene) -> list[dict[str, JsonValue]]:
    """The claims that wait for a half-move, oldest first."""
    claims = scene.file.notes.get(WAITING)
    return [one for one in claims if isinstance(one, dict)] if isinstance(claims, list) else []


def _judged_now(claim: dict[str, JsonValue], scene: Scene) -> Ruling:
    """Which row a claim is that has waited."""
    assert isinstance(claim["at"], int), "noted as a number"
    side = Colour(str(claim["side"]))
    act = Act(
        claim["at"], "claim", str(claim["by"]), claim=str(claim["claim"]), side=side,
        move=str(claim["move"]),
    )  # fmt: skip
    positions = positions_before(side, scene)
    move, unreadable = _announced(act, scene.rules, positions[-1])
    if unreadable is None:
        return adjudicated(act, side, move, positions, scene)
    # Nobody is there any more to be asked for it in another notation.
    facts: dict[str, JsonValue] = {"entered": act.move, "claimant": side.value}
    position = scene.rules.fen(positions[-1])
    return draft("claim-not-written", scene, side, ASK, facts=facts, position=position)


def _silent(scene: Scene) -> bool:
    """Nobody hears the board."""
    return scene.file.unheard_ns is not None


def _half_move_missing(side: Colour, scene: Scene) -> bool:
    """Whether the position that this side claims about is known to neither record nor board: the
    clock was pressed since the last half-move on the record was completed, or the side had not
    the move when the board fell silent. A press of its own for which nothing was moved leaves the
    position as it is."""
    to_move = scene.rules.turn(scene.position)
    if _silent(scene) and to_move is not side:
        return True
    press, plies = scene.file.last_press, scene.record.plies
    done_ns = plies[-1].completed_at_ns if plies else 0
    if press is None or press.restart or done_ns is None or press.at_ns <= done_ns:
        return False
    if pending(scene) is not None:
        return False
    cause = cause_of(scene.turn.ply)
    told = scene.file.held(cause) or scene.file.last_closed(cause)
    in_vain = told is not None and told.against is press.side and counted(told)
    return not (in_vain and press.side is to_move is side)


def _not_judged(act: Act, scene: Scene) -> Ruling:
    """Nothing is proposed before it is known what was on the board."""
    plies = len(scene.record.plies)
    facts: dict[str, JsonValue] = {
        "judged": False,
        "claimant": _claimant(act),
        "record_ends": plies,
    }
    return draft(
        UNJUDGED,
        scene,
        act.side,
        ASK,
        facts=facts,
        certainty=Certainty.PROBABLE,
        position=scene.rules.fen(scene.position),
    )


def adjudicated(
    act: Act, side: Colour, move: Any | None, positions: tuple[Any, ...], scene: Scene
) -> Ruling:
    """Which row this claim is."""
    rules, position = scene.rules, positions[-1]
    if rules.turn(position) is not side:
        facts = {"judged": True, "moved_at": _moved_at(scene)}
        return _refused("claim-not-on-move", act, scene, facts)
    touched = tuple(touch for touch in scene.turn.touches if touch.lifted_at_ns <= act.at_ns)
    if touched and scene.turn.side is side:
        return _after_touch(act, touched, scene)
    if act.move and move is None:
        return _move_illegal(act, side, position, scene)
    if act.claim == "threefold":
        found, asked = threefold(rules, positions, move), "claim-3"
    else:
        found, asked = fifty(rules, positions, move), "claim-50"
    if found.announced:
        return _granted(f"{asked}-written-ok", act, scene, found)
    if found.on_board:
        return _granted(f"{asked}-onboard-ok", act, scene, found)
    announced = () if move is None else (rules.wire(position, move),)
    return _refused(f"{asked}-wrong", act, scene, found.facts, obligation=announced)


def _after_touch(act: Act, touches: tuple[Touch, ...], scene: Scene) -> Ruling:
    """9.4: refused for this move, and what was touched has to be played (4.3)."""
    rules, position = scene.rules, scene.position
    left = bound(rules, position, touches)
    moves = () if left.free else tuple(rules.wire(position, move) for move in left.moves)
    turn = structs.replace(scene.turn, touches=touches)
    return _refused("claim-after-touch", act, scene, {}, obligation=moves, turn=turn)


def _announced(
    act: Act, rules: RuleSet[Any, Any], position: Any
) -> tuple[Any | None, Answer | None]:
    """The announced move; None where it is illegal, and a refusal where it cannot be read."""
    if not act.move:
        return None, None
    try:
        return rules.parse(position, act.move), None
    except ValueError:
        if _origin(act.move, rules) is None:
            sentence = (
                f"the announced move {act.move!r} cannot be read here; "
                "write it as g1f3 or Nf3, an illegal one as g1f3"
            )
            return None, Answer(False, sentence)
        return None, None


def _origin(text: str, rules: RuleSet[Any, Any]) -> int | None:
    """The square an illegal move in coordinates starts from."""
    names = rules.geometry.names
    match = re.fullmatch(r"([a-z]\d|\d[a-z])([a-z]\d|\d[a-z])[a-z+]?", text)
    if match is None or match[1] not in names or match[2] not in names:
        return None
    return names.index(match[1])


def _moved_at(scene: Scene) -> JsonValue:
    from_record = scene.record.plies[-1].made_at_ns if scene.record.plies else None
    return None if from_record is None else stamp(from_record)


# What the record says.


def threefold(rules: RuleSet[Any, Any], positions: tuple[Any, ...], move: Any | None) -> ClaimFound:
    """9.2: occurrences of the position to come; of the one on the board where no move was
    announced, or where only that one is there for the third time."""
    on_board = _occurrences(rules, positions)
    if move is None:
        return ClaimFound(len(on_board) >= THIRD, False, _counted(rules, positions, on_board))
    coming = (*positions, rules.play(positions[-1], move))
    announced = _occurrences(rules, coming)
    if len(on_board) >= THIRD > len(announced):
        return ClaimFound(True, False, _counted(rules, positions, on_board))
    facts = _counted(rules, coming, announced)
    facts["announced"] = rules.wire(positions[-1], move)
    return ClaimFound(len(on_board) >= THIRD, len(announced) >= THIRD, facts)


def _occurrences(rules: RuleSet[Any, Any], positions: tuple[Any, ...]) -> list[JsonValue]:
    """Plies at which the last position stood, its own included."""
    last = rules.key(positions[-1])
    return [ply for ply, position in enumerate(positions) if rules.key(position) == last]


def _counted(
    rules: RuleSet[Any, Any], positions: tuple[Any, ...], plies: list[JsonValue]
) -> dict[str, JsonValue]:
    facts: dict[str, JsonValue] = {"occurrences": len(plies), "plies": plies}
    different = _looked_alike(positions, rules)
    return {**facts, "differs": different} if different else facts


def _looked_alike(positions: tuple[Any, ...], rules: RuleSet[Any, Any]) -> list[JsonValue]:
    """Where the same pieces stood and yet the position was another (9.2.3.1, 9.2.3.2)."""
    last = positions[-1]
    shown, key, fields = rules.placement(last), rules.key(last), rules.fen(last).split()
    told: list[JsonValue] = []
    for ply, position in enumerate(positions[:-1]):
        if rules.placement(position) != shown or rules.key(position) == key:
            continue
        other = rules.fen(position).split()
        names = ("side to move", "castling", "en passant")
        what: list[JsonValue] = [
            name for name, a, b in zip(names, fields[1:4], other[1:4], strict=False) if a != b
        ]
        told.append({"ply": ply, "in": what})
    return told


def fifty(rules: RuleSet[Any, Any], positions: tuple[Any, ...], move: Any | None) -> ClaimFound:
    """9.3: half-moves since the last capture or pawn move."""
    position = positions[-1]
    quiet = rules.quiet_plies(position)
    facts: dict[str, JsonValue] = {
        "quiet_plies": quiet,
        "last_zeroing_ply": max(0, len(positions) - 1 - quiet),
    }

    def brings(other: Any) -> bool:
        return rules.quiet_plies(rules.play(position, other)) >= FIFTY_PLIES

    if move is not None:
        facts["announced"] = rules.wire(position, move)
    announced = move is not None and brings(move)
    return ClaimFound(quiet >= FIFTY_PLIES, announced, facts)


# What follows.


def _granted(kind: str, act: Act, scene: Scene, found: ClaimFound) -> Ruling:
    """9.5.2: drawn at once, when the arbiter says so."""
    reason, article = ("threefold", "9.2") if act.claim == "threefold" else ("fifty-move", "9.3")
    facts: dict[str, JsonValue] = {
        **found.facts,
        "claimant": _claimant(act),
        "result_reason": reason,
        "result_article": article,
    }
    return draft(
        kind,
        scene,
        act.side,
        Proposal(("declare-result",), result=DRAW),
        facts=facts,
        certainty=Certainty.PROBABLE if _doubtful(scene) else None,
        position=_claimed_in(act, scene),
    )


def _claimed_in(act: Act, scene: Scene) -> str:
    assert act.side is not None, "a side was given"
    return scene.rules.fen(positions_before(act.side, scene)[-1])


def _claimant(act: Act) -> JsonValue:
    return None if act.side is None else act.side.value


def _refused(
    kind: str,
    act: Act,
    scene: Scene,
    facts: dict[str, JsonValue],
    obligation: tuple[str, ...] = (),
    turn: Turn | None = None,
) -> Ruling:
    """9.5.3: the opponent gains time, and what was announced must be played."""
    assert act.side is not None, "a side was given"
    actions = ("add-time", *(("enforce-move",) if obligation else ()))
    gain = ((act.side.other, penalty_ms(scene.rate, scene.settings)),)
    return draft(
        kind,
        scene,
        act.side,
        Proposal(actions, gain),
        turn=turn,
        articles=(*row(kind).articles, *penalty_articles(scene.rate)),
        facts={**facts, "claimant": _claimant(act)},
        certainty=Certainty.PROBABLE if kind in COUNTED and _doubtful(scene) else None,
        obligation=obligation,
        position=_claimed_in(act, scene),
    )


COUNTED = ("claim-3-wrong", "claim-50-wrong")
"""Rows that are wrong by what the record has too little of."""


def _doubtful(scene: Scene) -> bool:
    """A record with a gap, or a board that is silent, may have missed what the claim counts."""
    return has_gap(scene) or _silent(scene)


def _move_illegal(act: Act, side: Colour, position: Any, scene: Scene) -> Ruling:
    """9.5.3 and 4.3.1: another move with that piece, if it has one; no illegal move of 7.5.5."""
    rules = scene.rules
    origin = _origin(act.move, rules)
    own = origin is not None and rules.owner(rules.placement(position)[origin]) is side
    legal = tuple(
        rules.wire(position, move)
        for move in rules.legal_moves(position)
        if own and rules.touched(position, move)[0] == origin
    )
    facts: dict[str, JsonValue] = {"announced": act.move, "moves": list(legal)}
    return _refused("claim-move-illegal", act, scene, facts, obligation=legal)
