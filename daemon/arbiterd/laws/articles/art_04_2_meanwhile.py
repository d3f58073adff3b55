"""Articles 4.2 and 4.8: touches while nothing is made yet, and the windows that they close."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from arbiterd.laws.case.offences import counted, offender, squares_of
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.case.touching import obligation
from arbiterd.laws.catalogue import of_group, row
from arbiterd.laws.catalogue.row import Group
from arbiterd.laws.drafting import ASK, LOG, RIGHT_LOST, cause_of, draft
from arbiterd.laws.register import Close, Finding, Looked, Opinion, Watch, Woken, law
from arbiterd.laws.ruling import Window
from arbiterd.tracking.facts import MoveMade, Touch, Turn

SECOND_NS = 1_000_000_000
ARTICLE_4 = (2, 4, 5)
"""Sections of the catalogue with breaches of 4.1 to 4.7: touches, castling, promotion."""
LOOK_SOON = 2
DISPLACED = of_group(Group.DISPLACED)


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
            yield Watch("lifted-long", due_ns)
    if _only_enemy_returned(turn):
        due_ns = _last_return_ns(turn) + scene.settings.adjust_alert_s * SECOND_NS
        if due_ns > scene.at_ns:
            yield Watch("adjusted", due_ns)
    elif scene.file.held(f"adjust:{turn.ply}") is not None:
        yield Close(f"adjust:{turn.ply}")


def _in_the_air(scene: Scene) -> Touch | None:
    """A piece that was lifted and stands nowhere, captured pieces aside."""
    home, turn = scene.wanted, scene.turn
    shown = scene.known(turn.placement)
    return next(
        (
            touch
            for touch in turn.touches
            if touch.returned_at_ns is None and shown.count(touch.piece) < home.count(touch.piece)
        ),
        None,
    )


def _right_lost(turn: Turn, scene: Scene) -> Iterator[Opinion]:
    """4.8: the opponent touched a piece after what was told. A breach stays one, and its ruling
    says that it can no more be claimed; an offer of a draw is refused by it (9.1.2.1)."""
    for held in scene.file.open:
        told = held.ruling
        if told.window is not Window.OPPONENT_TOUCHES or told.against is not turn.side.other:
            continue
        first = next((touch for touch in turn.touches if _may_be_his(touch, turn, scene)), None)
        if told.ply >= turn.ply or first is None:
            continue
        if row(told.kind).section not in ARTICLE_4:
            yield Close(held.cause, (told.kind,))
            continue
        facts = dict(told.facts) | {
            "then": RIGHT_LOST,
            "breach": told.kind,
            "touched_square": scene.rules.geometry.names[first.square],
            "after_ms": max(0, first.lifted_at_ns - told.cause_to_ns) // 1_000_000,
        }
        ruling = replace(
            told,
            articles=tuple(dict.fromkeys((*told.articles, "4.8"))),
            urgency=max(told.urgency, LOOK_SOON),
            window=Window.OPPONENT_MOVES,
            facts=tuple(facts.items()),
            cause_to_ns=scene.at_ns,
        )
        yield Finding(ruling, held.cause, in_place=True)
        yield Finding(
            draft(
                "touch-right-lost", scene, told.against, LOG, facts=facts, position=told.position,
                ply=told.ply,
            ),
            held.cause,
        )  # fmt: skip


def _may_be_his(touch: Touch, turn: Turn, scene: Scene) -> bool:
    """Whether the player to move touched it. Whose clock runs still may be putting back the piece
    that was just moved: a reply that captures it is made on that clock too, but then one of the
    player's own is lifted with it."""
    return touch.colour is turn.side or scene.shown.running is not turn.side.other


def _only_enemy_returned(turn: Turn) -> bool:
    """Nothing but pieces of the side that has not the move was lifted, and all of them stand."""
    return bool(turn.touches) and all(
        touch.colour is turn.side.other and touch.returned_at_ns is not None
        for touch in turn.touches
    )


def _last_return_ns(turn: Turn) -> int:
    return max(touch.returned_at_ns or 0 for touch in turn.touches)


@law(Woken)
def still_so(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    """A piece is still in the air; or nothing followed after the other side's pieces were
    lifted."""
    turn = scene.turn
    names = scene.rules.geometry.names
    if fact.name == "lifted-long":
        aloft = _in_the_air(scene)
        if aloft is not None:
            facts = {"square": names[aloft.square], "piece": aloft.piece.upper()}
            ruling = draft("touch-lifted-long", scene, turn.side, LOG, facts=facts)
            yield Finding(ruling, cause_of(turn.ply))
    elif fact.name == "adjusted" and _only_enemy_returned(turn) and not _excused(scene):
        squares = {"squares": [names[touch.square] for touch in turn.touches]}
        left = obligation(scene.rules, scene.position, turn.touches)
        moves = () if left.free else tuple(scene.rules.wire(scene.position, m) for m in left.moves)
        ruling = draft(
            "adjust-on-opponent-time", scene, turn.side.other, ASK, facts=squares,
            obligation=moves,
        )  # fmt: skip
        yield Finding(ruling, f"adjust:{turn.ply}")


@law(MoveMade)
def adjusting_is_past(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """The move made speaks for itself now."""
    if scene.file.held(f"adjust:{fact.ply}") is not None:
        yield Close(f"adjust:{fact.ply}")
    yield Watch("adjusted", None)
    yield Watch("lifted-long", None)


def _excused(scene: Scene) -> bool:
    """The other side put its pieces right, or lifted them on its own time: its clock runs, or the
    press that gave it the move completed no legal one (7.5.1)."""
    turn = scene.turn
    told = scene.file.held(cause_of(turn.ply))
    answering = told is not None and counted(told) and offender(told) is turn.side
    return answering or scene.shown.running is turn.side.other or _put_right(scene)


def _put_right(scene: Scene) -> bool:
    """These pieces were displaced, with the half-move before or in this one, and it was told: now
    they stand. One that was lifted after it had been told in this one was touched once more."""
    turn = scene.turn
    names = {scene.rules.geometry.names[touch.square] for touch in turn.touches}
    newest_ns = max((touch.lifted_at_ns for touch in turn.touches), default=0)
    told = [
        *(held.ruling for held in scene.file.open),
        *(closed.ruling for closed in scene.file.closed),
    ]
    return any(
        ruling.kind in DISPLACED
        and names <= squares_of(ruling)
        and (
            ruling.ply == turn.ply - 1
            or (ruling.ply == turn.ply and newest_ns <= ruling.cause_to_ns)
        )
        for ruling in told
    )
