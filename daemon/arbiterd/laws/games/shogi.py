"""Shogi: a move is complete at its release, and an illegal one loses at once.

There is no touch-move and no press in it: what stands on the board when the hands have left is
what was played. Ends on the board (mate, repetition) are told in `art_05_ends`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.articles.art_04_7_released import swept
from arbiterd.laws.articles.art_04_made import Made, placed, rested
from arbiterd.laws.articles.results import claimant, over
from arbiterd.laws.case.hands import Stay
from arbiterd.laws.case.on_board import pending, positions_shown
from arbiterd.laws.case.penalty import lost_by
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.drafting import ASK, LOG, cause_of, draft, stamp
from arbiterd.laws.register import (
    Close,
    Confirmed,
    Dismissed,
    Finding,
    Opinion,
    Remember,
    Watch,
    Woken,
    answers,
    law,
)
from arbiterd.laws.ruling import Certainty, Proposal, Ruling
from arbiterd.rules.fouls import FoulsLose
from arbiterd.rules.ruleset import (
    Attempt,
    Beside,
    Colour,
    Reason,
    RuleSet,
    differing,
    read_board_field,
)
from arbiterd.timing.facts import ClockShown, FlagFell, Paused
from arbiterd.tracking.facts import (
    How,
    IrregularEntered,
    MoveMade,
    MoveReplaced,
    OutOfTurn,
    PlyCertainty,
    Pressed,
    Settled,
    StartArray,
    Turn,
)
from eboards.events import Piece, Placement, Square

ROWS = {
    Reason.OUT_OF_TURN: "sh-two-moves",
    Reason.MUST_PROMOTE: "sh-must-promote",
    Reason.DEAD_END_DROP: "sh-drop-dead-end",
    Reason.DROP_PROMOTED: "sh-drop-promoted",
    Reason.OCCUPIED: "sh-drop-occupied",
    Reason.TWO_PAWNS: "sh-nifu",
    Reason.DROP_MATE: "sh-uchifuzume",
    Reason.NOT_IN_HAND: "sh-drop-not-in-hand",
    Reason.KING_LEFT_IN_CHECK: "sh-king-left-in-check",
    Reason.KING_INTO_CHECK: "sh-king-left-in-check",
    Reason.PINNED: "sh-king-left-in-check",
}
"""By why the move is none; every other reason is `sh-illegal-movement`."""

DOUBTFUL = (Reason.SEVERAL_CHANGES, Reason.NO_MOVE)
"""Squares that show no single move: the board is looked at, nobody has lost by them."""

LOOKED_AT = "looked_at"
"""When arbiters came to the table: the clocks were stopped, or a ruling was decided."""
LOOKS_KEPT = 8
MAIN_OVER = "main_over"
"""Whose time came to zero while the clock went on, and when."""
LOOK_AGAIN_NS = 2_000_000_000
"""A clock that begins the period shows it with its next message."""


def _event(scene: Scene) -> FoulsLose[Any]:
    """How this event takes fouls."""
    assert isinstance(scene.rules, FoulsLose), "a game whose fouls lose says how"
    return scene.rules


@law(Settled, Pressed)
def released_illegally(fact: Settled | Pressed, scene: Scene) -> Iterator[Opinion]:
    """The hands have left, and what stands there is no legal move (hansoku)."""
    if isinstance(fact, Pressed) and fact.move is not None:
        return
    rules, turn = scene.rules, fact.turn
    before = rules.placement(rules.start(turn.fen))
    shown = scene.known(turn.placement, before)
    attempt = _attempt(rules, turn, shown, turn.side) or _second_move(turn, shown, scene)
    if attempt is None and isinstance(fact, Pressed) and fact.side is not turn.side:
        attempt = _moved_again(turn, shown, scene)
    if attempt is None or attempt.colour is None:
        return
    foul, held = _foul(attempt, turn, attempt.colour, scene), scene.file.held(cause_of(turn.ply))
    if held is None or dict(held.facts).get("found") != foul.kind:  # Else a claim has taken it up.
        yield Finding(foul, cause_of(turn.ply))


@law(OutOfTurn)
def moved_twice(fact: OutOfTurn, scene: Scene) -> Iterator[Opinion]:
    """Nite-zashi: two moves running, or gote before sente's first."""
    first = fact.turn.ply == 1 and scene.record.start.split()[1] == "w"
    kind = "sh-handicap-wrong-first" if first else "sh-two-moves"
    facts = {"attempt": fact.move, "reason": Reason.OUT_OF_TURN}
    lost = _lost(("declare-result",), fact.side, fact.turn, scene)
    proposal = ASK if first else lost
    ruling = draft(kind, scene, fact.side, proposal, turn=fact.turn, facts=_reasoned(facts, kind))
    yield Finding(ruling, cause_of(fact.turn.ply))


@law(IrregularEntered)
def found_later(fact: IrregularEntered, scene: Scene) -> Iterator[Opinion]:
    """JSA 8.2: found before the end, the game goes back to it, and is lost there."""
    rules = scene.rules
    if fact.sureness is PlyCertainty.LIKELY:
        return
    shown = read_board_field(rules.geometry, fact.fen_after.split()[0])
    attempt = _attempt(rules, fact.turn, shown, fact.side)
    if attempt is None:
        return
    facts = _reasoned({"attempt": attempt.wire, "reason": attempt.reason}, "sh-found-later")
    proposal = _lost(("pause", "restore", "declare-result"), fact.side, fact.turn, scene)
    ruling = draft(
        "sh-found-later", scene, fact.side, proposal, turn=fact.turn, facts=facts, ply=fact.ply
    )
    yield Finding(ruling, cause_of(fact.ply))


def _attempt(
    rules: RuleSet[Any, Any], turn: Turn, shown: Placement, side: Colour
) -> Attempt | None:
    """What was played, if it is one piece's move or drop and none that is allowed."""
    attempt = rules.read_attempt(rules.start(turn.fen), shown, side)
    return None if attempt is None or attempt.reason in DOUBTFUL else attempt


def _second_move(turn: Turn, shown: Placement, scene: Scene) -> Attempt | None:
    """The second of two moves of this side, each of them legal, if it was begun after the first
    one stood: two pieces that left together were shifted."""
    rules, position = scene.rules, scene.rules.start(turn.fen)
    changed = set(differing(rules.placement(position), shown))
    for first in rules.legal_moves(position):
        written = dict(rules.footprint(position, first))
        if not written.keys() < changed or any(shown[s] != written[s] for s in written):
            continue
        between = rules.taken_as_played(position, _shows(written, position, rules), turn.side)
        for second in () if between is None else rules.legal_moves(between):
            if _shows(dict(rules.footprint(between, second)), between, rules) != shown:
                continue
            if _stood_before(written, dict(rules.footprint(between, second)), turn, scene):
                return _second(rules.wire(between, second), turn.side)
    return None


def _moved_again(turn: Turn, shown: Placement, scene: Scene) -> Attempt | None:
    """The second of two moves, where the first one was told before, and the press came then."""
    rules, position, side = scene.rules, scene.rules.start(turn.fen), turn.side.other
    again = rules.taken_as_played(position, rules.placement(position), side)
    for move in () if again is None else rules.legal_moves(again):
        if _shows(dict(rules.footprint(again, move)), again, rules) == shown:
            return _second(rules.wire(again, move), side)
    return None


def _second(wire: str, side: Colour) -> Attempt:
    return Attempt(wire, side, "", None, None, Reason.OUT_OF_TURN)


def _shows(written: dict[Square, Piece], position: Any, rules: RuleSet[Any, Any]) -> Placement:
    """The pieces of this position with these squares written."""
    return tuple(written.get(s, piece) for s, piece in enumerate(rules.placement(position)))


def _stood_before(
    first: dict[Square, Piece], second: dict[Square, Piece], turn: Turn, scene: Scene
) -> bool:
    """All that the first one wrote was shown a scan and more before anything of the second."""
    made_ns = [seen.at_ns for seen in turn.changes if seen.square in first]
    begun_ns = [seen.at_ns for seen in turn.changes if seen.square in second]
    if not made_ns or not begun_ns:
        return False
    return min(begun_ns) - max(made_ns) >= scene.sensing.scan_ns


def _foul(attempt: Attempt, turn: Turn, side: Colour, scene: Scene) -> Ruling:
    kind = ROWS.get(attempt.reason, "sh-illegal-movement")
    facts = _reasoned({"attempt": attempt.wire, "reason": attempt.reason}, kind)
    proposal = _lost(("pause", "declare-result"), side, turn, scene)
    return draft(kind, scene, side, proposal, turn=turn, facts=facts)


def _lost(actions: tuple[str, ...], side: Colour, turn: Turn, scene: Scene) -> Proposal:
    """A foul loses at once; in a friendly game the players may agree to take it back."""
    if _event(scene).friendly:
        return Proposal(("ask", "restore"), restore=turn.fen)
    restore = turn.fen if "restore" in actions else None
    return Proposal(actions, restore=restore, result=lost_by(side))


def _reasoned(facts: dict[str, Any], kind: str) -> dict[str, Any]:
    return {**facts, "result_reason": "illegal-move", "result_article": kind}


@law(MoveReplaced)
def taken_back(fact: MoveReplaced, scene: Scene) -> Iterator[Opinion]:
    """Matta: a piece that stood released was moved again before the reply."""
    if fact.how is How.ARBITER or fact.ply != len(scene.record.plies):
        return  # What an arbiter puts on the record is no player's act.
    before = scene.file.notes.get("released")
    if not isinstance(before, dict) or before.get("ply") != fact.ply:
        return
    if before.get("move") == fact.move or fact.sureness is not PlyCertainty.CERTAIN:
        return
    if fact.move in str(before.get("others")).split():
        return  # Nothing was moved again: it is known now which of the two was played.
    if before.get("from") != scene.rules.fen(scene.before(fact.ply)):
        return  # Nor here: it is known now what was played before it.
    side = scene.side_of(fact.ply)
    stood_ms = fact.made_at_ns // 1_000_000 - int(str(before["at_ms"]))
    facts = _reasoned({"square": str(before["move"])[-2:], "down_ms": stood_ms}, "sh-matta")
    proposal = _lost(("ask", "declare-result"), side, scene.turn, scene)
    yield Finding(draft("sh-matta", scene, side, proposal, facts=facts), cause_of(fact.ply))


@law(Paused, Confirmed, Dismissed)
def looked_at(fact: Paused | Confirmed | Dismissed, scene: Scene) -> Iterator[Opinion]:
    """An arbiter sees what stands on the board now: who puts it right then takes nothing back."""
    at_ns = fact.at_ns if isinstance(fact, Paused) else fact.act.at_ns
    yield Remember(LOOKED_AT, [*_looks(scene)[1 - LOOKS_KEPT :], at_ns])


def _looks(scene: Scene) -> list[int]:
    noted = scene.file.notes.get(LOOKED_AT)
    return [ns for ns in noted if isinstance(ns, int)] if isinstance(noted, list) else []


@law(MoveMade)
def taken_back_before(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """Matta, before the half-move was told: a piece stood released, and another move was made."""
    rules, position = scene.rules, scene.before(fact.ply)
    move = rules.parse(position, fact.move)
    played = Made(scene, fact.turn, position, move, fact.made_at_ns, pressed=False)
    stood, looks = placed(played), _looks(scene)
    for stay in stood:
        if stay.still_there or not rested(played, stay) or swept(stay, stood):
            continue
        if any(stay.from_ns < ns < stay.until_ns for ns in looks):
            continue
        released = _moves_shown(stay, played)
        if released and move not in released:
            facts = _reasoned(
                {"square": played.name(stay.square), "down_ms": stay.dwell_ms}, "sh-matta"
            )
            proposal = _lost(("ask", "declare-result"), fact.side, fact.turn, scene)
            ruling = draft("sh-matta", scene, fact.side, proposal, turn=fact.turn, facts=facts)
            yield Finding(ruling, cause_of(fact.ply))
            return


def _moves_shown(stay: Stay, played: Made) -> list[Any]:
    """The legal moves that put this piece on this square, its own square being empty, and the
    drops, if no piece of this kind was off its square."""
    rules, position = played.scene.rules, played.position
    home, kind = rules.placement(position), rules.in_hand if isinstance(rules, Beside) else str
    lifted = {
        touch.square
        for touch in played.turn.touches
        if touch.lifted_at_ns <= stay.from_ns
        and (touch.returned_at_ns is None or touch.returned_at_ns >= stay.until_ns)
    }
    alike = any(kind(home[square]) == kind(stay.piece) for square in lifted)
    return [
        move
        for move in rules.legal_moves(position)
        if (stay.square, stay.piece) in rules.footprint(position, move)
        if (own := set(rules.touched(position, move)[:1])) <= lifted and (own or not alike)
    ]


@law(MoveMade)
def released(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """A move is complete when the fingers leave the piece."""
    facts: dict[str, Any] = {"played": fact.move}
    at_ms = fact.made_at_ns // 1_000_000
    others = " ".join(fact.alternatives)
    noted: dict[str, Any] = {"ply": fact.ply, "move": fact.move, "others": others, "at_ms": at_ms}
    noted["from"] = fact.turn.fen
    yield Remember("released", noted)
    yield Finding(draft("sh-move-released", scene, fact.side, LOG, turn=fact.turn, facts=facts), "")
    if _reached_the_last(fact.ply, scene):
        facts = {
            "last_ply": _event(scene).last_ply,
            "result_reason": "jishogi",
            "result_article": "jishogi",
        }
        proposal = Proposal(("pause", "declare-result"), result="replay")
        yield Finding(draft("sh-500-moves", scene, None, proposal, facts=facts), "end")


def _reached_the_last(ply: int, scene: Scene) -> bool:
    """JSA, October 2019: an impasse whatever the points, if a king has entered; a run of checks
    under way is played out first: until the side that checks makes a move that is none."""
    rules, event = scene.rules, _event(scene)
    last = event.last_ply - _made_before(scene)
    if not event.last_ply or not 0 <= last <= ply or (ply - last) % 2:
        return False
    since = scene.record.positions(rules)[last : ply + 1 : 2]
    checked = [rules.in_check(position, rules.turn(position)) for position in since]
    now = since[-1]
    return (
        all(checked[:-1]) and not checked[-1] and any(event.entered(now, side) for side in Colour)
    )


def _made_before(scene: Scene) -> int:
    """Half-moves before the record: a game that goes on from a position has its counter."""
    return _event(scene).made_before(scene.rules.start(scene.record.start))


@law(FlagFell)
def time_over(fact: FlagFell, scene: Scene) -> Iterator[Opinion]:
    """Byoyomi: main time and period are over. Main time alone may be: then the period begins, and
    a clock that goes on at zero is looked at again."""
    if scene.result is not None:
        return
    goes_on = scene.rate.follows(fact.period) or _left_ms(fact.shown, fact.side)
    if goes_on and not fact.stopped:
        yield Remember(MAIN_OVER, {"side": fact.side.value, "at_ns": fact.at_ns})
        yield Watch(MAIN_OVER, scene.at_ns + LOOK_AGAIN_NS)
    else:
        yield Finding(_lost_on_time(fact.side, fact.at_ns, scene), "flag")


@law(Woken)
def no_period_began(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    """The time that was over stays so: it was not the main time."""
    noted = scene.file.notes.get(MAIN_OVER)
    if fact.name != MAIN_OVER or not isinstance(noted, dict) or scene.result is not None:
        return
    side, at_ns = Colour(str(noted["side"])), noted["at_ns"]
    if isinstance(at_ns, int) and not _left_ms(scene.shown, side):
        yield Finding(_lost_on_time(side, at_ns, scene), "flag")


def _left_ms(shown: ClockShown, side: Colour) -> int:
    return (shown.white_ms if side is Colour.WHITE else shown.black_ms) or 0


def _lost_on_time(side: Colour, at_ns: int, scene: Scene) -> Ruling:
    """A move that was released before is in time by most rules, however late its press: then the
    arbiter is asked, and nobody has lost."""
    released = _event(scene).in_time_released and _released(side, at_ns, scene)
    facts = _reasoned({"released": f"released: {'before' if released else 'none'}"}, "byoyomi")
    facts |= {"result_reason": "time", "flag_at": stamp(at_ns)}
    lost = Proposal(("declare-result",), result=lost_by(side))
    return draft(
        "sh-time-byoyomi",
        scene,
        side,
        ASK if released else lost,
        facts=facts,
        certainty=Certainty.PROBABLE if released else None,
    )


def _released(side: Colour, at_ns: int, scene: Scene) -> bool:
    """A move of this side stood on the board when its flag fell, and was not pressed."""
    if scene.rules.turn(scene.position) is side:
        made = pending(scene)
        return made is not None and made.made_at_ns <= at_ns
    last = scene.record.plies[-1] if scene.record.plies else None
    return last is not None and last.side is side and last.completed_at_ns is None


@law(StartArray)
def wrong_start(fact: StartArray, scene: Scene) -> Iterator[Opinion]:
    """The array is set right before the game."""
    rules = scene.rules
    if not fact.wrong or scene.record.plies:
        yield Close("start")
        return
    mover = rules.turn(scene.position)
    shown = scene.known(fact.placement)
    first = rules.read_attempt(scene.position, shown, mover.other)
    if first is not None and first.reason is Reason.OUT_OF_TURN:
        yield _began(first, scene)
        return
    own = rules.read_attempt(scene.position, shown, mover)
    if own is not None and own.reason not in DOUBTFUL:
        return  # A foul, told by its own row.
    names = scene.rules.geometry.names
    squares: list[Any] = [names[square] for square, _, _ in fact.wrong]
    yield Finding(draft("sh-wrong-start", scene, None, ASK, facts={"squares": squares}), "start")


def _began(attempt: Attempt, scene: Scene) -> Finding:
    """The side that has not the first move has made one."""
    assert attempt.colour is not None, "somebody moved"
    kind = "sh-handicap-wrong-first" if attempt.colour is Colour.BLACK else "sh-two-moves"
    facts = _reasoned({"attempt": attempt.wire, "reason": attempt.reason}, kind)
    lost = Proposal(("pause", "declare-result"), result=lost_by(attempt.colour))
    proposal = ASK if kind == "sh-handicap-wrong-first" else lost
    return Finding(draft(kind, scene, attempt.colour, proposal, facts=facts), cause_of(1))


@answers("claim:declaration")
def declared(act: Act, scene: Scene) -> tuple[Answer, list[Opinion]]:
    """Nyugyoku-sengen: the conditions are counted; one missing and the declarer loses."""
    side = claimant(act, scene)
    if isinstance(side, Answer):
        return side, []
    event, rules = _event(scene), scene.rules
    # A move is complete when it was released, whenever it is told.
    positions = positions_shown(scene)
    position = positions[-1]
    found = event.declared(position, rules.start(scene.record.start))
    if found is None:
        return Answer(False, "this event knows no declaration of an entered king"), []
    last = event.last_ply
    if last and _made_before(scene) + len(positions) > last:
        return Answer(False, f"half-move {last} has been reached: the impasse is ruled then"), []
    if side is not rules.turn(position):
        return Answer(False, "only the side that has the move may declare"), []
    facts: dict[str, Any] = {
        "king_entered": found.king_entered,
        "others": found.others_entered,
        "in_check": found.in_check,
        "points": found.points,
        "needed": found.needed,
        "result_reason": "declaration",
        "result_article": "nyugyoku-sengen",
    }
    proposal = Proposal(("declare-result",), result=found.result)
    ruling = draft(
        "sh-declaration", scene, side, proposal, facts=facts, position=rules.fen(position)
    )
    return Answer(True), [Finding(ruling, "end")]


@answers("report:sh-found-later")
def found_by_people(act: Act, scene: Scene) -> tuple[Answer, list[Opinion]]:
    """A foul that no sensor showed, or that is found after the end: since October 2019 the
    offender loses even then, by other editions the result stands."""
    if act.side is None:
        return Answer(False, "sh-found-later needs 'side'; say white or black"), []
    if scene.result is not None and not _event(scene).loses_after_end:
        sentence = f"the game has ended {scene.result}, and by the event's rules that stands"
        return Answer(False, sentence), []
    told = {"attempt": act.note or "an illegal move", "reason": "as reported", "by": act.by}
    proposal = Proposal(("ask", "declare-result"), result=lost_by(act.side))
    facts = _reasoned(told, "sh-found-later")
    ruling = draft(
        "sh-found-later", scene, act.side, proposal, facts=facts, certainty=Certainty.HUMAN
    )
    return Answer(True), [Finding(ruling, f"report:sh-found-later:{act.at_ns}")]


@answers("report:sh-jishogi-agreed")
def impasse_agreed(_act: Act, scene: Scene) -> tuple[Answer, list[Opinion]]:
    """Both say so: the points decide, if enough kings have entered."""
    refused = over(scene)
    if refused is not None:
        return refused, []
    event, position = _event(scene), positions_shown(scene)[-1]
    start = scene.rules.start(scene.record.start)
    result = event.agreed(position, start)
    if result is None:
        return Answer(False, "not enough kings have entered; an impasse cannot be agreed yet"), []
    facts: dict[str, Any] = {
        "points_black": event.points(position, start, Colour.BLACK),
        "points_white": event.points(position, start, Colour.WHITE),
        "result_reason": "jishogi",
        "result_article": "jishogi",
    }
    proposal = Proposal(("ask", "declare-result"), result=result)
    return Answer(True), [
        Finding(draft("sh-jishogi-agreed", scene, None, proposal, facts=facts), "end")
    ]
