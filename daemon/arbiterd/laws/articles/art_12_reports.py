"""Articles 11 and 12, and what else only people can see: rows that an arbiter enters.

The report is kept with the game, by whom and when. Nothing follows from it but what the arbiter
confirms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.articles.art_02_start import set_up_reported
from arbiterd.laws.case.penalty import lost_by
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.case.touching import obligation
from arbiterd.laws.catalogue import ROWS, of_group
from arbiterd.laws.catalogue.row import Group
from arbiterd.laws.drafting import ASK, LOG, cause_of, draft
from arbiterd.laws.register import Close, Finding, Opinion, answers
from arbiterd.laws.ruling import NOTE, Proposal, RulingState
from arbiterd.rules.ruleset import Colour

FORFEIT_BOTH = "0-0"
NEEDS_SIDE = frozenset(("conduct-device", "conduct-refusal", "conduct-left-game", "touch-refusal"))


@answers("report")
def report(act: Act, scene: Scene) -> tuple[Answer, Iterator[Opinion]]:
    """A row of the catalogue that people enter."""
    row = ROWS.get(act.kind)
    if row is None or not row.entered:
        known = ", ".join(
            row.id for row in ROWS.values() if row.entered and row.holds(scene.rules.customs)
        )
        return Answer(False, f"{act.kind!r} is not entered by people; use one of {known}"), iter(())
    if not row.holds(scene.rules.customs):
        sentence = f"{act.kind} is no matter of this game; report what happened by another row"
        return Answer(False, sentence), iter(())
    if act.kind in NEEDS_SIDE and act.side is None:
        return Answer(False, f"{act.kind} needs 'side'; say white or black"), iter(())
    return Answer(True), _entered(act, scene)


def _entered(act: Act, scene: Scene) -> Iterator[Opinion]:
    special = _SPECIAL.get(act.kind)
    if special is not None:
        yield from special(act, scene)
        return
    facts = {**_SPOKEN.get(act.kind, {}), **_noted(act)}
    ruling = draft(act.kind, scene, act.side, _proposal(act), facts=facts)
    yield Finding(ruling, _cause(act))


_SPOKEN = {"touch-refusal": {"played": "another piece", "ordered": "an order"}}
"""What the text of a row that is also seen by sensors says where people enter it."""


def _cause(act: Act) -> str:
    """Each report is a case of its own."""
    return f"report:{act.kind}:{act.at_ns}"


def _noted(act: Act) -> dict[str, Any]:
    return {"by": act.by, "note": act.note}


def _proposal(act: Act) -> Proposal:
    """What the articles lay down for it (11.3.2, 11.7, 11.8); else the arbiter decides."""
    if act.kind in ("conduct-device", "conduct-refusal", "touch-refusal") and act.side is not None:
        return Proposal(("pause", "declare-result"), result=lost_by(act.side))
    if act.kind == "conduct-both-refuse":
        return Proposal(("pause", "declare-result"), result=FORFEIT_BOTH)
    return LOG if ROWS[act.kind].urgency == NOTE else ASK


def _colours_reversed(act: Act, scene: Scene) -> Iterator[Opinion]:
    """7.3: a new game with the right colours unless both have made ten moves."""
    made = [ply.side for ply in scene.record.plies]
    white, black = (scene.moved_before(side) + made.count(side) for side in Colour)
    again = min(white, black) < scene.settings.set_up_moves
    proposal = Proposal(("pause", "declare-result"), result="replay") if again else ASK
    facts = {**_noted(act), "white_moves": white, "black_moves": black, "again": again}
    yield Finding(draft(act.kind, scene, act.side, proposal, facts=facts), "colours")


def _adjusting(act: Act, scene: Scene) -> Iterator[Opinion]:
    """4.2.1: announced before the touch, so no obligation; what was told of it is struck out."""
    yield Close(cause_of(scene.turn.ply), of_group(Group.TOUCH), RulingState.DISMISSED)
    yield Close(cause_of(scene.turn.ply - 1), of_group(Group.TOUCH), RulingState.DISMISSED)
    yield Close(f"adjust:{scene.turn.ply}", (), RulingState.DISMISSED)
    yield Finding(draft(act.kind, scene, act.side, LOG, facts=_noted(act)), _cause(act))


def _adjusting_late(act: Act, scene: Scene) -> Iterator[Opinion]:
    """4.3.1: said after the touch, so the piece must be moved."""
    left = obligation(scene.rules, scene.position, scene.turn.touches)
    moves = () if left.free else tuple(scene.rules.wire(scene.position, m) for m in left.moves)
    side = act.side or scene.turn.side
    facts = {**_noted(act), "duty": left.duty}
    proposal = Proposal(("enforce-move", "ask"))
    yield Finding(
        draft(act.kind, scene, side, proposal, facts=facts, obligation=moves), _cause(act)
    )


_SPECIAL: dict[str, Callable[[Act, Scene], Iterator[Opinion]]] = {
    "start-colours-reversed": _colours_reversed,
    "start-king-queen-swapped": set_up_reported,
    "start-setup-wrong-late": set_up_reported,
    "start-setup-wrong-std": set_up_reported,
    "touch-adjust-announced": _adjusting,
    "touch-j-adoube-late": _adjusting_late,
}


@answers("penalty")
def penalty(act: Act, scene: Scene) -> tuple[Answer, Iterator[Opinion]]:
    """12.9: a penalty the arbiter gives. Clock times and the result change only when the arbiter
    confirms it."""
    if act.side is None:
        return Answer(False, "a penalty needs 'side'; say white or black"), iter(())
    delta_ms = act.clock_delta_ms
    gains = ((act.side.other, delta_ms),) if delta_ms else ()
    if delta_ms and act.kind == "take-time":
        gains = ((act.side, -abs(delta_ms)),)
    proposal = Proposal(("add-time",) if gains else ("log",), gains)
    if act.kind == "loss-of-game" and scene.result is None:
        proposal = Proposal(("pause", "declare-result"), result=lost_by(act.side))
    facts = {**_noted(act), "penalty_kind": act.kind}
    ruling = draft("penalty-12-9", scene, act.side, proposal, facts=facts)
    return Answer(True), iter([Finding(ruling, _cause(act))])
