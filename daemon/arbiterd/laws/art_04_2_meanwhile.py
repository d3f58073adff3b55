"""Articles 4.2 and 4.8: touches while nothing is made yet, and the windows that they close."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from arbiterd.laws.drafting import LOG, cause_of, draft
from arbiterd.laws.misplay import as_known
from arbiterd.laws.register import Close, Finding, Looked, Opinion, Wake, Woken, law
from arbiterd.laws.ruling import Proposal, State, Window
from arbiterd.laws.scene import Scene
from arbiterd.laws.touching import obligation
from arbiterd.tracking.facts import MoveMade, Touch, Turn

SECOND_NS = 1_000_000_000


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
    shown = as_known(scene.rules, home, turn.placement, scene.sensing.kind)
    return next(
        (
            touch
            for touch in turn.touches
            if touch.returned_at_ns is None and shown.count(touch.piece) < home.count(touch.piece)
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
