"""Article 4: touched pieces, released pieces, and the moves they leave.

A touch alone is no offence, and a capture begins like a touch of both colours. The obligation is
worked out in silence; an alert is raised only when the move made does not meet it (or at the
press, by setting).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs
from msgspec.structs import replace

from arbiterd.laws.articles.art_03_7_pawns import exchanged_on
from arbiterd.laws.articles.art_04_2_accidental import shifted_together
from arbiterd.laws.articles.art_04_5_free import in_order
from arbiterd.laws.articles.art_04_7_released import released, wrongly_placed
from arbiterd.laws.articles.art_04_made import Breach, Made, touches_of
from arbiterd.laws.case.offences import squares_of
from arbiterd.laws.case.on_board import put_back_after_press
from arbiterd.laws.case.penalty import lost_by
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.case.touching import (
    Obligation,
    ObligationKind,
    obligation,
    order_unclear,
)
from arbiterd.laws.catalogue import of_group
from arbiterd.laws.catalogue.row import Group
from arbiterd.laws.drafting import RIGHT_LOST, cause_of, displaced_of, draft
from arbiterd.laws.register import Close, Finding, Opinion, law
from arbiterd.laws.ruling import LOOK_SOON, Certainty, Proposal, Ruling, RulingState, Window
from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import (
    How,
    MoveCompleted,
    MoveMade,
    MoveReplaced,
    MoveWithdrawn,
    Pressed,
    Touch,
    Turn,
)

ENFORCE = ("restore", "enforce-move")

TOUCH_KINDS = of_group(Group.TOUCH)
TAKEN_BACK = "takeback-after-press"
ROOK_FIRST = ("castle-rook-first", "castle-rook-first-pressed")
PRESSED = {
    "castle-rook-first": "castle-rook-first-pressed",
    "move-released-then-changed": "move-released-changed-pressed",
}
"""Rows that the press makes another one: the ruling stays the same, revised."""


# When it is asked.


@law(MoveMade)
def made(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """A half-move is told: did the touches of its turn leave it?"""
    if not fact.turn.touches and not fact.turn.changes:
        return
    if fact.how is How.ARBITER:
        return  # What an arbiter puts on the record is no player's act.
    pressed = fact.how is How.PRESSED
    if scene.settings.touch_alert_at == "press" and not pressed:
        return
    played = _played(fact, fact.move, scene, pressed=pressed)
    yield from _judged(played)
    yield from _refused(fact, scene)


@law(MoveCompleted)
def completed(fact: MoveCompleted, scene: Scene) -> Iterator[Opinion]:
    """The press came later: what was made before is asked again, now completed."""
    told = scene.file.told(fact.ply)
    if told is None or fact.how is not How.PRESSED:
        return
    move = scene.record.plies[fact.ply - 1].move
    if not move:
        return
    yield from _judged(_played(told, move, scene, pressed=True))


@law(MoveReplaced)
def replaced(fact: MoveReplaced, scene: Scene) -> Iterator[Opinion]:
    """Another move stands: the released piece was moved on (4.7), or tracking knows better now."""
    told = scene.file.told(fact.ply)
    if told is None or put_back_after_press(fact, scene) is not None:
        return
    if fact.how is How.ARBITER:
        return  # What an arbiter puts on the record is no player's act.
    pressed = fact.how is How.PRESSED
    turn = fact.turn
    if turn is None:
        since = [c for c in scene.turn.changes if c.at_ns > told.made_at_ns]
        turn = structs.replace(told.turn, changes=(*told.turn.changes, *since))
    played = _played(structs.replace(told, turn=turn), fact.move, scene, pressed=pressed)
    breach = _breach(replace(played, made_ns=fact.made_at_ns))
    yield Close(cause_of(fact.ply), TOUCH_KINDS)
    if breach is not None:
        yield from _told(played, breach)


@law(MoveWithdrawn)
def withdrawn(fact: MoveWithdrawn, scene: Scene) -> Iterator[Opinion]:
    """It was put back before its press: what is made instead is judged by the whole turn."""
    told, press = scene.file.told(fact.ply), scene.file.last_press
    if told is None:
        return
    pressed = press is not None and press.side is told.side and press.at_ns >= told.made_at_ns
    if not pressed:
        yield Close(cause_of(fact.ply), TOUCH_KINDS)


@law(Pressed)
def another_pressed(fact: Pressed, scene: Scene) -> Iterator[Opinion]:
    """What was pressed is not what was told first: the touches of the whole turn speak."""
    told = scene.file.told(fact.ply)
    if not fact.move or told is None or told.move == fact.move:
        return
    if scene.file.open_of(TAKEN_BACK):
        return  # Pieces put back with the move that was completed: that is what is said.
    position, ply = scene.before(fact.ply), scene.record.plies[fact.ply - 1]
    if ply.move == fact.move:
        move, turn = scene.rules.parse(position, fact.move), _undecided(fact.turn, scene)
        yield from _judged(Made(scene, turn, position, move, ply.made_at_ns, pressed=True))


def _played(told: MoveMade, wire: str, scene: Scene, *, pressed: bool) -> Made:
    position = scene.before(told.ply)
    move = scene.rules.parse(position, wire)
    turn = _undecided(told.turn, scene)
    return Made(scene, turn, position, move, told.made_at_ns, pressed)


def _undecided(turn: Turn, scene: Scene) -> Turn:
    """The turn without what was touched before an arbiter let it pass: the arbiter has seen all
    that; without the hands of a half-move that was taken back, for that was completed; and without
    pieces of the other side that were told to be displaced, which is no touch of this player, and
    of either side where nobody is known to have displaced them."""
    turn = _without_displaced(_without_fall(turn, scene), scene)
    since_ns = max(_let_pass_ns(turn, scene), _taken_back_ns(turn, scene))
    if not since_ns:
        return turn
    return structs.replace(
        turn,
        touches=tuple(touch for touch in turn.touches if touch.lifted_at_ns > since_ns),
        early_touches=tuple(t for t in turn.early_touches if t.lifted_at_ns > since_ns),
        changes=tuple(change for change in turn.changes if change.at_ns > since_ns),
    )


def _let_pass_ns(turn: Turn, scene: Scene) -> int:
    """When an arbiter dismissed what was told of this half-move; 0: nobody has."""
    last = scene.file.last_closed(cause_of(turn.ply))
    dismissed = last is not None and last.state is RulingState.DISMISSED
    return last.ack.at_ns if dismissed and last is not None and last.ack is not None else 0


def _taken_back_ns(turn: Turn, scene: Scene) -> int:
    """When it was told that play had gone back to the beginning of this turn; 0: it has not."""
    closed = (one.ruling for one in scene.file.closed if one.ruling.kind == TAKEN_BACK)
    told = (
        ruling.cause_to_ns
        for ruling in (*closed, *scene.file.open_of(TAKEN_BACK))
        if dict(ruling.facts)["stands_ply"] == turn.ply - 1
    )
    return max(told, default=0)


def _without_displaced(turn: Turn, scene: Scene) -> Turn:
    """Told in this turn, or when the other side pressed with them off their squares."""
    told = [
        *_told_under(displaced_of(turn.ply), scene),
        *_told_under(cause_of(turn.ply - 1), scene),
    ]
    shifted = {name for ruling in told for name in squares_of(ruling)}
    shifted |= set(_exchanged_late(turn, scene))
    names = scene.rules.geometry.names
    touches = (t for t in turn.touches if t.colour is turn.side or names[t.square] not in shifted)
    return structs.replace(turn, touches=tuple(touches)) if shifted else turn


def _without_fall(turn: Turn, scene: Scene) -> Turn:
    """Without what was displaced in this turn by nobody's known hand, of either side, from the
    first of it until it was told: accidents bind nobody (4.2.2)."""
    told = [r for r in _told_under(displaced_of(turn.ply), scene) if r.against is None]
    if not told:
        return turn
    names, told_ns = scene.rules.geometry.names, told[-1].cause_to_ns
    named = {name for ruling in told for name in squares_of(ruling)}
    fell = [t for t in turn.touches if names[t.square] in named and t.lifted_at_ns <= told_ns]
    fell += shifted_together(turn.touches, turn.changes, scene.at_ns, scene.sensing.scan_ns)
    first_ns = min((touch.lifted_at_ns for touch in fell), default=told_ns)

    def counts(at_ns: int) -> bool:
        return not first_ns <= at_ns <= told_ns

    return structs.replace(
        turn,
        touches=tuple(t for t in turn.touches if t not in fell and counts(t.lifted_at_ns)),
        changes=tuple(change for change in turn.changes if counts(change.at_ns)),
    )


def _told_under(cause: str, scene: Scene) -> list[Ruling]:
    held = [held.ruling for held in scene.file.open if held.cause == cause]
    return held + [closed.ruling for closed in scene.file.closed if closed.cause == cause]


def _exchanged_late(turn: Turn, scene: Scene) -> Iterator[str]:
    """Where a pawn was exchanged in the half-move before, and no sensor tells for what: it may have
    stood there until now."""
    before = scene.record.plies[turn.ply - 2] if turn.ply > 1 else None
    if before is None or not before.alternatives:
        return
    square = exchanged_on(scene, turn.ply - 1, before.move)
    if square is not None:
        yield scene.rules.geometry.names[square]


def _judged(played: Made) -> Iterator[Opinion]:
    breach = _breach(played)
    if breach is not None:
        yield from _told(played, breach)
        return
    yield from in_order(played)


def _told(played: Made, breach: Breach) -> Iterator[Opinion]:
    cause = cause_of(played.turn.ply)
    before = played.scene.file.held(cause)
    if before is not None and dict(before.facts).get("then") == RIGHT_LOST:
        return  # Told, and more has come since.
    kind = PRESSED.get(breach.kind, breach.kind) if played.pressed else breach.kind
    told_before = before is not None and before.kind == breach.kind
    yield Finding(_ruling(played, replace(breach, kind=kind)), cause, in_place=told_before)


def _ruling(played: Made, breach: Breach) -> Ruling:
    scene, side = played.scene, played.turn.side
    actions: tuple[str, ...] = ENFORCE
    gains: tuple[tuple[Colour, int], ...] = ()
    if played.pressed:
        actions = ("pause", *ENFORCE)
        if scene.settings.touch_breach_penalty_s:
            actions = (*actions, "add-time")
            gains = ((side.other, scene.settings.touch_breach_penalty_s * 1000),)
    if breach.kind in ROOK_FIRST and scene.settings.rook_first == "warn":
        actions, gains = ("ask", "log"), ()
    restore = scene.rules.fen(played.position) if "restore" in actions else None
    early = tuple(touch for touch in played.turn.early_touches if touch.colour is side)
    ruling = draft(
        breach.kind,
        scene,
        side,
        Proposal(actions, gains, restore),
        turn=structs.replace(played.turn, touches=(*early, *played.turn.touches)),
        from_ns=early[0].lifted_at_ns if early else None,
        facts={"played": played.wire, "pressed": played.pressed, **breach.facts},
        obligation=played.wires(breach.allowed),
    )
    if breach.kind == "move-corrected-before-press":
        ruling = replace(
            ruling, certainty=Certainty.PROBABLE, urgency=LOOK_SOON, window=Window.OPPONENT_TOUCHES
        )
    return ruling


# What is a breach.


def _breach(played: Made) -> Breach | None:
    """The first part of Article 4 that the move does not meet."""
    return released(played) or _not_what_was_touched(played)


def _not_what_was_touched(played: Made) -> Breach | None:
    """4.3 and 4.4: the move is none of those the touched pieces leave."""
    rules, touches = played.scene.rules, touches_of(played)
    ordered = _ordered(played.scene, played.turn)
    if ordered is not None:
        return _not_as_ordered(played, ordered)
    left = obligation(rules, played.position, touches)
    if played.move in left.doubtful:
        facts = {
            "duty": left.duty,
            "article": "4.3.1",
            "unsettled": "castled after touching another",
        }
        first = touches[0].colour is played.turn.side
        kind = "touch-own-then-other" if first else "touch-opp-capturable"
        return Breach(kind, left.moves, facts)
    if played.move in left.moves:
        return None
    facts = {"duty": left.duty, "article": left.article}
    wrong = wrongly_placed(played)
    if played.move in left.barred:
        return Breach("castle-rook-first", left.moves, facts)
    if wrong is not None and played.squares()[0] != wrong[0]:
        return Breach("move-corrected-before-press", left.moves, {**facts, **wrong[1]})
    return Breach(_touch_kind(played, left), left.moves, facts)


def _ordered(scene: Scene, turn: Turn) -> Ruling | None:
    """The confirmed ruling that this move has to make good: its obligation holds, and what was
    lifted to put the pieces back is no touch."""
    last = scene.file.last_closed(cause_of(turn.ply))
    if last is None or last.state is not RulingState.CONFIRMED or last.against is not turn.side:
        return None
    return last


def _not_as_ordered(played: Made, ordered: Ruling) -> Breach | None:
    """The replacement is bound by the touches of the turn it replaces (7.5.1, 4.3)."""
    allowed = ordered.obligation
    if not allowed or played.wire in allowed or ordered.kind in TOUCH_KINDS:
        return None
    moves = tuple(played.scene.rules.parse(played.position, wire) for wire in allowed)
    return Breach("touch-own-then-other", moves, {"duty": ObligationKind.MOVE, "article": "4.3.1"})


def _touch_kind(played: Made, left: Obligation) -> str:
    side, touches = played.turn.side, touches_of(played)
    if left.duty is ObligationKind.CASTLE:
        return "castle-touch-both"
    own = [touch for touch in touches if touch.colour is side]
    enemy = [touch for touch in touches if touch.colour is side.other]
    moved = played.squares()[0]
    others = {touch.square for touch in own if touch.square != moved}
    if not enemy or (left.article == "4.3.1" and others):
        return "touch-own-several" if len(others) > 1 else "touch-own-then-other"
    if not own:
        return "touch-opp-capturable"
    if order_unclear(own[0], enemy[0], touches):
        return "touch-both-order-unclear"
    if touches.index(own[0]) < touches.index(enemy[0]):
        return "touch-both-own-first"
    if not others and _back_before(enemy[0], own[0]):
        return "touch-opp-capturable"
    return "touch-both-opp-first"


def _back_before(enemy: Touch, own: Touch) -> bool:
    """Whether the other side's piece stood again before an own one was lifted."""
    return enemy.returned_at_ns is not None and enemy.returned_at_ns <= own.lifted_at_ns


def _refused(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """An order to move the touched piece was confirmed, and another piece is played again."""
    ordered = _ordered(scene, fact.turn)
    if ordered is None or ordered.kind not in TOUCH_KINDS:
        return
    if not ordered.obligation or fact.move in ordered.obligation:
        return
    ruling = draft(
        "touch-refusal",
        scene,
        fact.side,
        Proposal(("pause", "ask", "declare-result"), result=lost_by(fact.side)),
        turn=fact.turn,
        facts={"played": fact.move, "ordered": ordered.kind, "result_article": "11.7"},
        obligation=ordered.obligation,
    )
    yield Finding(ruling, f"refusal:{fact.ply}")
