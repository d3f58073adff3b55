"""Article 4: touched pieces, released pieces, and the moves they leave.

A touch alone is no offence, and a capture begins like a touch of both colours. The obligation is
worked out in silence; an alert is raised only when the move made does not meet it (or at the
press, by setting).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arbiterd.laws.art_03_8_castling import castling_fault
from arbiterd.laws.drafting import LOG, cause_of, draft
from arbiterd.laws.hands import Stay, stays
from arbiterd.laws.misplay import Misplay, Reading
from arbiterd.laws.register import Close, Finding, Looked, Opinion, Wake, Woken, law
from arbiterd.laws.ruling import Certainty, Proposal, Ruling, State, Window
from arbiterd.laws.scene import Scene
from arbiterd.laws.touching import (
    KING,
    ROOK,
    Duty,
    Obligation,
    is_castling,
    obligation,
    order_unclear,
)
from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import (
    How,
    MoveCompleted,
    MoveMade,
    MoveReplaced,
    Touch,
    Turn,
)
from eboards.events import EMPTY, Square

ENFORCE = ("restore", "enforce-move")
SECOND_NS = 1_000_000_000

TOUCH_KINDS = (
    "touch-own-then-other",
    "touch-own-several",
    "touch-opp-capturable",
    "touch-both-own-first",
    "touch-both-opp-first",
    "touch-both-order-unclear",
    "castle-touch-both",
    "castle-rook-first",
    "castle-rook-first-pressed",
    "castle-rook-released-first",
    "castle-king-released-then-other",
    "move-released-then-changed",
    "move-released-changed-pressed",
    "promo-choice-changed",
    "move-corrected-before-press",
)


@dataclass(frozen=True, slots=True)
class Made:
    """A half-move and the turn that led to it."""

    scene: Scene
    turn: Turn
    position: Any
    move: Any
    made_ns: int
    pressed: bool

    @property
    def wire(self) -> str:
        return self.scene.rules.wire(self.position, self.move)

    def wires(self, moves: Sequence[Any]) -> tuple[str, ...]:
        return tuple(self.scene.rules.wire(self.position, move) for move in moves)

    def name(self, square: Square) -> str:
        return self.scene.rules.geometry.names[square]

    def squares(self) -> tuple[Square, ...]:
        return self.scene.rules.touched(self.position, self.move)


@dataclass(frozen=True, slots=True)
class Breach:
    """A move that Article 4 does not leave."""

    kind: str
    allowed: tuple[Any, ...]
    facts: dict[str, Any]


# When it is asked.


@law(MoveMade)
def made(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """A half-move is told: did the touches of its turn leave it?"""
    if not fact.turn.touches and not fact.turn.changes:
        return
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
    """Another move stands: the released man was moved on (4.7), or tracking knows better now."""
    told = scene.file.told(fact.ply)
    if told is None:
        return
    pressed = fact.how is How.PRESSED
    since = [c for c in scene.turn.changes if c.at_ns > told.made_at_ns]
    turn = replace(told.turn, changes=(*told.turn.changes, *since))
    played = _played(replace(told, turn=turn), fact.move, scene, pressed=pressed)
    breach = _breach(replace(played, made_ns=fact.made_at_ns))
    yield Close(cause_of(fact.ply), TOUCH_KINDS)
    if breach is not None:
        yield from _told(played, breach)


def _played(told: MoveMade, wire: str, scene: Scene, *, pressed: bool) -> Made:
    position = scene.before(told.ply)
    move = scene.rules.parse(position, wire)
    return Made(scene, told.turn, position, move, told.made_at_ns, pressed)


def _judged(played: Made) -> Iterator[Opinion]:
    breach = _breach(played)
    if breach is not None:
        yield from _told(played, breach)
        return
    yield from _in_order(played)


def _told(played: Made, breach: Breach) -> Iterator[Opinion]:
    cause = cause_of(played.turn.ply)
    kind = breach.kind
    later = {
        "castle-rook-first": "castle-rook-first-pressed",
        "move-released-then-changed": "move-released-changed-pressed",
    }
    if played.pressed and kind in later:
        yield Close(cause, (kind,), State.SUPERSEDED)
        kind = later[kind]
    yield Finding(_ruling(played, replace(breach, kind=kind)), cause)


def _ruling(played: Made, breach: Breach) -> Ruling:
    scene, side = played.scene, played.turn.side
    actions: tuple[str, ...] = ENFORCE
    gains: tuple[tuple[Colour, int], ...] = ()
    if played.pressed:
        actions = ("pause", *ENFORCE)
        if scene.settings.touch_breach_penalty_s:
            actions = (*actions, "add-time")
            gains = ((side.other, scene.settings.touch_breach_penalty_s * 1000),)
    if breach.kind.startswith("castle-rook-first") and scene.settings.rook_first == "warn":
        actions, gains = ("ask", "log"), ()
    restore = scene.rules.fen(played.position) if "restore" in actions else None
    ruling = draft(
        breach.kind,
        scene,
        side,
        Proposal(actions, gains, restore),
        turn=played.turn,
        facts={"played": played.wire, "pressed": played.pressed, **breach.facts},
        obligation=played.wires(breach.allowed),
    )
    if breach.kind == "move-corrected-before-press":
        ruling = replace(
            ruling, certainty=Certainty.PROBABLE, urgency=2, window=Window.OPPONENT_TOUCHES
        )
    return ruling


# What is a breach.


def _breach(played: Made) -> Breach | None:
    """The first part of Article 4 that the move does not meet."""
    return (
        _choice_changed(played)
        or _rook_released(played)
        or _king_released(played)
        or _released(played)
        or _not_what_was_touched(played)
    )


def _placed(played: Made) -> list[Stay]:
    """Men of the mover that were put down in this turn, on other squares than their own."""
    home = played.scene.rules.placement(played.position)
    return [
        stay
        for stay in stays(played.turn.changes, played.made_ns)
        if stay.piece != home[stay.square]
        and played.scene.rules.owner(stay.piece) is played.turn.side
    ]


def _choice_changed(played: Made) -> Breach | None:
    """4.4.4: the choice is final when the new piece has touched the square."""
    rules, home = played.scene.rules, played.scene.rules.placement(played.position)
    origin = played.squares()[0]
    footprint = dict(rules.footprint(played.position, played.move))
    target = next((s for s, piece in footprint.items() if piece != EMPTY), None)
    if target is None or footprint[target] == home[origin] or len(footprint) != 2:
        return None
    for stay in _placed(played):
        if stay.square != target or stay.piece in (footprint[target], home[origin]):
            continue
        first = [
            move
            for move in rules.legal_moves(played.position)
            if dict(rules.footprint(played.position, move)).get(target) == stay.piece
            and rules.touched(played.position, move)[0] == origin
        ]
        if first:
            facts = {
                "square": played.name(target),
                "first": stay.piece.upper(),
                "second": footprint[target].upper(),
                "dwell_ms": stay.dwell_ms,
            }
            return Breach("promo-choice-changed", tuple(first), facts)
    return None


def _rook_released(played: Made) -> Breach | None:
    """The rook stood on a square it may move to before the king was lifted (4.7)."""
    rules = played.scene.rules
    squares = played.squares()
    if len(squares) != 2 or not is_castling(rules, played.position, played.move, squares[1]):
        return None
    king = next((t for t in played.turn.touches if t.square == squares[0]), None)
    if king is None:
        return None
    for stay in _placed(played):
        if stay.piece.upper() == ROOK and stay.from_ns < king.lifted_at_ns:
            moves = _to(played, squares[1], stay.square)
            if moves:
                facts = {"square": played.name(stay.square), "dwell_ms": stay.dwell_ms}
                return Breach("castle-rook-released-first", moves, facts)
    return None


def _king_released(played: Made) -> Breach | None:
    """4.7.2: the king was released two squares on, so only castling there is left."""
    rules = played.scene.rules
    for stay in _placed(played):
        if stay.piece.upper() != KING or stay.dwell_ms < played.scene.settings.release_ms:
            continue
        castling = [
            move
            for move in rules.legal_moves(played.position)
            if len(touched := rules.touched(played.position, move)) == 2
            and is_castling(rules, played.position, move, touched[1])
            and (stay.square, stay.piece) in rules.footprint(played.position, move)
        ]
        if castling and played.move not in castling and not _to_king(played, stay.square):
            facts = {"square": played.name(stay.square), "dwell_ms": stay.dwell_ms}
            return Breach("castle-king-released-then-other", tuple(castling), facts)
    return None


def _to_king(played: Made, square: Square) -> bool:
    """Whether the king could simply step there."""
    king = next(
        (s for s, piece in enumerate(played.scene.rules.placement(played.position))
         if piece.upper() == KING and played.scene.rules.owner(piece) is played.turn.side),
        None,
    )  # fmt: skip
    return king is not None and bool(_to(played, king, square))


def _released(played: Made) -> Breach | None:
    """4.7: the man was released on a square it may move to, and then moved on."""
    origin = played.squares()[0]
    home = played.scene.rules.placement(played.position)
    for stay in _placed(played):
        if stay.piece != home[origin] or stay.dwell_ms < played.scene.settings.release_ms:
            continue
        moves = _to(played, origin, stay.square)
        if moves and played.move not in moves and not stay.stands:
            facts = {
                "square": played.name(stay.square),
                "dwell_ms": stay.dwell_ms,
                "first": played.wires(moves)[0],
            }
            return Breach("move-released-then-changed", moves, facts)
    return None


def _to(played: Made, origin: Square, target: Square) -> tuple[Any, ...]:
    """Legal moves of one man between two squares; castling is none of them."""
    rules = played.scene.rules
    found = []
    for move in rules.legal_moves(played.position):
        squares = rules.touched(played.position, move)
        castling = len(squares) == 2 and is_castling(rules, played.position, move, squares[1])
        footprint = dict(rules.footprint(played.position, move))
        if squares[0] == origin and not castling and footprint.get(target, EMPTY) != EMPTY:
            found.append(move)
    return tuple(found)


def _not_what_was_touched(played: Made) -> Breach | None:
    """4.3 and 4.4: the move is none of those the touched men leave."""
    rules, touches = played.scene.rules, played.turn.touches
    ordered = _ordered(played.scene, played.turn)
    if ordered is not None:
        return _not_as_ordered(played, ordered)
    left = obligation(rules, played.position, touches)
    if played.move in left.moves:
        return None
    facts = {"duty": left.duty, "article": left.article}
    wrong = _wrongly_placed(played)
    if played.move in left.barred:
        return Breach("castle-rook-first", left.moves, facts)
    if wrong is not None and played.squares()[0] != wrong[0]:
        return Breach("move-corrected-before-press", left.moves, {**facts, **wrong[1]})
    return Breach(_touch_kind(played, left), left.moves, facts)


def _ordered(scene: Scene, turn: Turn) -> Ruling | None:
    """The confirmed ruling that this move has to make good: its obligation holds, and what was
    lifted to put the men back is no touch."""
    last = scene.file.last_closed(cause_of(turn.ply))
    if last is None or last.state is not State.CONFIRMED or last.against is not turn.side:
        return None
    return last


def _not_as_ordered(played: Made, ordered: Ruling) -> Breach | None:
    """The replacement is bound by the touches of the turn it replaces (7.5.1, 4.3)."""
    allowed = ordered.obligation
    if not allowed or played.wire in allowed or ordered.kind in TOUCH_KINDS:
        return None
    moves = tuple(played.scene.rules.parse(played.position, wire) for wire in allowed)
    return Breach("touch-own-then-other", moves, {"duty": Duty.MOVE, "article": "4.3.1"})


def _touch_kind(played: Made, left: Obligation) -> str:
    side, touches = played.turn.side, played.turn.touches
    if left.duty is Duty.CASTLE:
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
    """Whether the other side's man stood again before an own one was lifted."""
    return enemy.returned_at_ns is not None and enemy.returned_at_ns <= own.lifted_at_ns


def _wrongly_placed(played: Made) -> tuple[Square, dict[str, str]] | None:
    """A man of the mover that stood where no legal move puts it: its own square, and the facts.
    Passing over is no standing."""
    home = played.scene.rules.placement(played.position)
    moved = played.squares()[0]
    scan_ms = played.scene.sensing.scan_ns // 1_000_000
    for stay in _placed(played):
        origins = [t.square for t in played.turn.touches if home[t.square] == stay.piece]
        passing = played.scene.settings.release_ms if moved in origins else scan_ms
        if not origins or stay.stands or stay.dwell_ms < passing:
            continue
        if not _to(played, origins[0], stay.square):
            facts = {"square": played.name(stay.square), "piece": stay.piece.upper()}
            return origins[0], facts
    return None


# What is in order, for the journal.


def _in_order(played: Made) -> Iterator[Opinion]:
    """Rows that are told to nobody: what was touched and left the move free."""
    scene, turn = played.scene, played.turn
    rules, side, cause = scene.rules, turn.side, cause_of(turn.ply)
    moved = played.squares()
    for touch in turn.touches:
        if touch.square in moved:
            continue
        own = touch.colour is side
        alone = obligation(rules, played.position, (touch,))
        if alone.duty is Duty.NONE:
            kind = "touch-own-no-legal-move" if own else "touch-opp-not-capturable"
            facts = {"square": played.name(touch.square), "piece": touch.piece.upper()}
            yield Finding(draft(kind, scene, side, LOG, turn=turn, facts=facts), cause)
    wrong = _wrongly_placed(played)
    if wrong is not None:
        facts = {"played": played.wire, **wrong[1]}
        castling = _castling_tried(played, wrong[0], wrong[1]["square"])
        kind = "move-corrected-before-press"
        if castling is not None:
            kind, facts = "castle-illegal-unpressed", {**facts, **castling.facts}
        yield Finding(draft(kind, scene, side, LOG, turn=turn, facts=facts), cause)
    together = _off_together(played)
    if together:
        squares = {"squares": [played.name(s) for s in together]}
        ruling = draft("displaced-own-restored", scene, side, LOG, turn=turn, facts=squares)
        yield Finding(ruling, cause)
    brushed = _brushed(played)
    if brushed:
        squares = {"squares": [played.name(s) for s in brushed]}
        yield Finding(draft("touch-brush", scene, side, LOG, turn=turn, facts=squares), cause)


def _castling_tried(played: Made, origin: Square, target: str) -> Reading | None:
    """Illegal castling (4.4.3), if that is what the king's stay on `target` was."""
    scene, turn = played.scene, played.turn
    shown = list(scene.rules.placement(played.position))
    square = scene.rules.geometry.square(target)
    shown[square], shown[origin] = shown[origin], EMPTY
    play = Misplay(
        scene.rules, played.position, tuple(shown), turn.side, scene=scene, ply=turn.ply
    )  # fmt: skip
    reading = castling_fault(play)
    return reading if reading and reading.kind == "castle-illegal-pressed" else None


def _off_together(played: Made) -> list[Square]:
    """Men that were off their squares at the same time, beside the move, and came back (7.4.1)."""
    moved = played.squares()
    back = [
        (touch.square, touch.lifted_at_ns, touch.returned_at_ns)
        for touch in played.turn.touches
        if touch.returned_at_ns is not None and touch.square not in moved
    ]
    return sorted(
        {
            square
            for square, lifted_ns, returned_ns in back
            for other, other_lifted_ns, other_returned_ns in back
            if square != other and lifted_ns < other_returned_ns and other_lifted_ns < returned_ns
        }
    )


def _brushed(played: Made) -> list[Square]:
    """Men that were off their squares for too short a time to count as touched (4.2.2)."""
    home = played.scene.rules.placement(played.position)
    touched = {(touch.square, touch.lifted_at_ns) for touch in played.turn.touches}
    found = []
    lifted: dict[Square, int] = {}
    for change in played.turn.changes:
        if change.before == home[change.square] and change.before != EMPTY:
            lifted[change.square] = change.at_ns
        elif change.after == home[change.square] and change.square in lifted:
            at_ns = lifted.pop(change.square)
            if (change.square, at_ns) not in touched and change.at_ns - at_ns < SECOND_NS:
                found.append(change.square)
    return sorted(set(found))


def _refused(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """An order to move the touched piece was confirmed, and another piece is played again."""
    ordered = _ordered(scene, fact.turn)
    if ordered is None or ordered.kind not in TOUCH_KINDS:
        return
    if not ordered.obligation or fact.move in ordered.obligation:
        return
    result = "0-1" if fact.side is Colour.WHITE else "1-0"
    ruling = draft(
        "touch-refusal",
        scene,
        fact.side,
        Proposal(("pause", "ask", "declare-result"), result=result),
        turn=fact.turn,
        facts={"played": fact.move, "ordered": ordered.kind, "result_article": "11.7"},
        obligation=ordered.obligation,
    )
    yield Finding(ruling, f"refusal:{fact.ply}")


# While nothing is made yet.


@law(Looked)
def touched_meanwhile(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """Windows that a touch closes, and what is to be asked again after a while."""
    turn = scene.turn
    if not turn.touches or not scene.playing:
        return
    yield from _right_lost(turn, scene)
    aloft = _in_the_air(scene)
    if aloft is not None:
        due_ns = aloft.lifted_at_ns + scene.settings.long_lift_s * SECOND_NS
        if due_ns > scene.at_ns:
            yield Wake("lifted-long", due_ns)
    if _only_enemy_returned(turn):
        due_ns = _last_return_ns(turn) + scene.settings.adjust_alert_s * SECOND_NS
        if due_ns > scene.at_ns:
            yield Wake("adjusted", due_ns)
    elif scene.file.held(f"adjust:{turn.ply}") is not None:
        yield Close(f"adjust:{turn.ply}")


def _in_the_air(scene: Scene) -> Touch | None:
    """A man that was lifted and stands nowhere, captured men aside."""
    home, turn = scene.rules.placement(scene.position), scene.turn
    return next(
        (
            touch
            for touch in turn.touches
            if touch.returned_at_ns is None
            and turn.placement.count(touch.piece) < home.count(touch.piece)
        ),
        None,
    )


def _right_lost(turn: Turn, scene: Scene) -> Iterator[Opinion]:
    """4.8: the opponent touched a piece after a breach that was told."""
    breach = scene.file.last_closed(cause_of(turn.ply - 1))
    if breach is None or breach.state is not State.EXPIRED:
        return
    if breach.window is not Window.OPPONENT_TOUCHES or breach.against is not turn.side.other:
        return
    first = turn.touches[0]
    facts = {
        "breach": breach.kind,
        "square": scene.rules.geometry.names[first.square],
        "after_ms": max(0, first.lifted_at_ns - breach.cause_to_ns) // 1_000_000,
    }
    ruling = draft(
        "touch-right-lost",
        scene,
        breach.against,
        Proposal(("ask",)),
        facts=facts,
        obligation=breach.obligation,
        position=breach.position,
        ply=breach.ply,
        from_ns=breach.cause_from_ns,
    )
    cause = f"right-lost:{breach.ply}"
    if scene.file.held(cause) is None:
        yield Finding(replace(ruling, touched=breach.touched), cause)


def _only_enemy_returned(turn: Turn) -> bool:
    """Nothing but men of the side that has not the move was lifted, and all of them stand."""
    return bool(turn.touches) and all(
        touch.colour is turn.side.other and touch.returned_at_ns is not None
        for touch in turn.touches
    )


def _last_return_ns(turn: Turn) -> int:
    return max(touch.returned_at_ns or 0 for touch in turn.touches)


@law(Woken)
def still_so(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    """A piece is still in the air; or nothing followed after the other side's men were lifted."""
    turn = scene.turn
    names = scene.rules.geometry.names
    if fact.name == "lifted-long":
        aloft = _in_the_air(scene)
        if aloft is not None:
            facts = {"square": names[aloft.square], "piece": aloft.piece.upper()}
            ruling = draft("touch-lifted-long", scene, turn.side, LOG, facts=facts)
            yield Finding(ruling, cause_of(turn.ply))
    elif fact.name == "adjusted" and _only_enemy_returned(turn):
        squares = {"squares": [names[touch.square] for touch in turn.touches]}
        left = obligation(scene.rules, scene.position, turn.touches)
        moves = () if left.free else tuple(scene.rules.wire(scene.position, m) for m in left.moves)
        ruling = draft(
            "adjust-on-opponent-time", scene, turn.side.other, Proposal(("ask",)), facts=squares,
            obligation=moves,
        )  # fmt: skip
        yield Finding(ruling, f"adjust:{turn.ply}")


@law(MoveMade)
def adjusting_is_past(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """The move made speaks for itself now."""
    if scene.file.held(f"adjust:{fact.ply}") is not None:
        yield Close(f"adjust:{fact.ply}")
    yield Wake("adjusted", None)
    yield Wake("lifted-long", None)
