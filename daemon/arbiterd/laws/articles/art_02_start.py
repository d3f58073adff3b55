"""Articles 2 and 7.2: the board and the pieces before the first move, and a wrong start found
later.

Where A.5 applies nothing is changed once both have completed ten moves; a king or rook that
stood wrong then cannot castle (A.5.1.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from arbiterd.laws.act import Act
from arbiterd.laws.articles.art_06_flags import completed_moves
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.drafting import ASK, LOG, draft
from arbiterd.laws.register import Close, Finding, Looked, Opinion, Remember, law
from arbiterd.laws.ruling import LOOK_SOON, Certainty, JsonValue, Proposal, RulingState
from arbiterd.rules.customs import Custom
from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.arrays import PIECES_OUT
from arbiterd.tracking.facts import (
    GameBegun,
    How,
    IrregularEntered,
    MoveCompleted,
    MoveMade,
    StartArray,
)
from eboards.events import EMPTY, UNKNOWN, Placement

CAUSE, GAP = "start", "gap"
UNTOLD: dict[str, Any] = {"candidates": [], "count": 0, "unique": False}
SWAPPED = "start-king-queen-swapped"
STOOD = "array_stood"
"""Note: the position whose pieces stood ready, as a FEN."""
KING, QUEEN, ROOK = "K", "Q", "R"

Misplaced = tuple[tuple[int, str, str], ...]
"""Square, what belongs there, what stands there."""


@law(StartArray, unless=Custom.FOULS_LOSE)
def array_shown(fact: StartArray, scene: Scene) -> Iterator[Opinion]:
    """What the board shows before the first move (2.3)."""
    if not fact.wrong:
        yield Close(CAUSE)
        yield Remember("array", None)
        yield Remember(STOOD, scene.record.start)
        yield Finding(draft("start-ok", scene, None, LOG), CAUSE)
        return
    if all(stands == UNKNOWN for _, _, stands in fact.wrong):
        return
    if scene.file.notes.get(STOOD) and (scene.turn.touches or scene.file.last_press):
        # The game is on: what is off its square now was moved by a hand.
        return
    home = scene.wanted
    if _quarter(fact.placement, home) or fact.placement == home[::-1]:
        return
    if _played_on(fact.wrong):
        yield Close(CAUSE)
        yield Remember("array", None)
        yield Finding(draft("tech-gap", scene, None, ASK, facts=UNTOLD), GAP)
        return
    kind, facts = _wrong_how(fact.placement, fact.wrong, scene)
    held = scene.file.held(CAUSE)
    if held is not None and held.kind != kind:
        yield Close(CAUSE, (), RulingState.SUPERSEDED)
    yield Remember("array", _kept(kind, facts, fact.wrong, scene))
    certainty = Certainty.FACT if kind == SWAPPED else None
    facts |= {"white_moves": 0, "black_moves": 0}
    ruling = draft(kind, scene, None, Proposal(("restore",)), facts=facts, certainty=certainty)
    if kind == SWAPPED:
        facts["ruled"] = "swapped-before"
        told = tuple(facts.items())
        ruling = replace(ruling, urgency=LOOK_SOON, facts=told, articles=("2.3",))
    yield Finding(ruling, CAUSE)


def _played_on(wrong: Misplaced) -> bool:
    """Pieces stand where no array has any: a game that was going on before the board was heard."""
    return sum(belongs == EMPTY != stands for _, belongs, stands in wrong) >= PIECES_OUT


def _kept(kind: str, facts: dict[str, Any], wrong: Misplaced, scene: Scene) -> JsonValue:
    """What the first array was, for when it is found during the game."""
    names = scene.rules.geometry.names
    return {
        "kind": kind,
        "squares": facts["squares"],
        "sides": facts.get("sides", []),
        "wrong": [[names[square], belongs, stands] for square, belongs, stands in wrong],
    }


def _wrong_how(placement: Placement, wrong: Misplaced, scene: Scene) -> tuple[str, dict[str, Any]]:
    names = scene.rules.geometry.names
    facts: dict[str, Any] = {"squares": [names[square] for square, _, _ in wrong]}
    home = scene.rules.placement(scene.rules.start(scene.record.start))
    swapped = _swapped(wrong) if Custom.CHESS_PIECES in scene.rules.customs else []
    if swapped:
        facts["sides"] = swapped
        return SWAPPED, facts
    count, wanted = _pieces(placement), _pieces(home)
    kings = (KING, KING.lower())
    if count != wanted or any(placement.count(king) != home.count(king) for king in kings):
        facts |= {"men": count, "wanted": wanted}
        return "start-piece-extra-or-missing", facts
    facts["stand"] = [f"{stands}{names[square]}" for square, _, stands in wrong if stands != EMPTY]
    return "start-setup-wrong-before", facts


def _pieces(placement: Placement) -> int:
    return sum(piece != EMPTY for piece in placement)


def _swapped(wrong: Misplaced) -> list[str]:
    """The sides whose king and queen stand on each other's squares, if nothing else is wrong."""
    sides: list[str] = []
    rest = list(wrong)
    for side, king, queen in ((Colour.WHITE, KING, QUEEN), (Colour.BLACK, "k", "q")):
        pair = [w for w in rest if {w[1], w[2]} == {king, queen}]
        if len(pair) == 2:
            sides.append(side.value)
            rest = [w for w in rest if w not in pair]
    return sides if not rest else []


def _quarter(placement: Placement, home: Placement) -> bool:
    """Whether the array stands on the files: the board turned by 90 or 270 degrees."""
    size = 8
    if len(placement) != size * size:
        return False
    turned = tuple(
        home[column * size + size - 1 - rank] for rank in range(size) for column in range(size)
    )
    return placement in (turned, turned[::-1])


@law(Looked)
def board_lies_wrong(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """The array as it looks on a board that lies turned, before the first move (2.1)."""
    if scene.record.plies:
        return
    home = scene.wanted
    if scene.placement == home:
        return
    if _quarter(scene.placement, home):
        yield Close(CAUSE, (), RulingState.SUPERSEDED)
        yield Finding(draft("start-board-quarter-turn", scene, None, ASK), "turned")
    elif scene.placement == home[::-1]:
        yield Close(CAUSE, (), RulingState.SUPERSEDED)
        yield Finding(draft("start-board-half-turn", scene, None, LOG), "turned")


@law(GameBegun)
def board_turned(fact: GameBegun, scene: Scene) -> Iterator[Opinion]:
    """The array seen from another side: coordinates are mapped, play is not touched (2.1)."""
    if fact.turned == 180:
        yield Finding(draft("start-board-half-turn", scene, None, LOG), "turned")
    elif fact.turned:
        yield Finding(draft("start-board-quarter-turn", scene, None, ASK), "turned")


@law(MoveMade, MoveCompleted, IrregularEntered)
def found_during_the_game(
    _: MoveMade | MoveCompleted | IrregularEntered, scene: Scene
) -> Iterator[Opinion]:
    """7.2.1: a wrong array found during the game: a new game; under A.5 after ten moves not."""
    array: Any = scene.file.notes.get("array")
    if array is None:
        return
    if _was_in_a_hand(array, scene):
        yield Close(CAUSE)
        yield Remember("array", None)
        return
    facts: dict[str, Any] = {"squares": array["squares"]}
    swapped = array["kind"] == SWAPPED
    if swapped:
        facts["sides"] = array["sides"]
    if _too_late(scene):
        facts["no_castling"] = _no_castling(array)
        yield Close(CAUSE, ("start-setup-wrong-std",), RulingState.SUPERSEDED)
        yield Remember("array", None)
    yield _found(swapped, facts, scene)


@law(MoveMade, unless=Custom.FOULS_LOSE)
def begun_elsewhere(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """The pieces stood ready, and play goes on from where no move led: it is taken for the start,
    and nobody saw what came before. An arbiter who enters the half-move knows from where."""
    if fact.how is How.ARBITER:
        return
    stood, array = scene.file.notes.get(STOOD), scene.file.notes.get("array")
    if fact.ply > 1 or not isinstance(stood, str) or array is not None:
        return
    if stood.split()[0] != scene.record.start.split()[0]:
        yield Remember(STOOD, scene.record.start)
        ruling = draft("tech-gap", scene, None, ASK, facts=UNTOLD, position=stood, ply=fact.ply)
        yield Finding(ruling, GAP)


def set_up_reported(act: Act, scene: Scene) -> Iterator[Opinion]:
    """The same, found by people: the board was not heard when the game began."""
    facts: dict[str, Any] = {"by": act.by, "note": act.note}
    if act.kind == SWAPPED and act.side is not None:
        facts["sides"] = [act.side.value]
    yield _found(act.kind == SWAPPED, facts, scene)


def _too_late(scene: Scene) -> bool:
    """Whether A.5.1.2 lets no claim about the set-up be made any more."""
    return scene.rate.open_window and min(_completed(scene)) >= scene.settings.set_up_moves


def _found(swapped: bool, facts: dict[str, Any], scene: Scene) -> Finding:
    """What becomes of the game: by the rate of play, and how many moves are completed."""
    late, made = _too_late(scene), _completed(scene)
    told = {**facts, "white_moves": made[0], "black_moves": made[1], "late": late}
    proposal = ASK if late else Proposal(("pause", "declare-result"), result="replay")
    kind, articles = "start-setup-wrong-late" if late else "start-setup-wrong-std", None
    if swapped:
        kind, articles = SWAPPED, ("A.5.1.2",) if late else ("2.3", "7.2.1")
        told["ruled"] = "swapped-late" if late else "swapped-new-game"
    return Finding(draft(kind, scene, None, proposal, facts=told, articles=articles), CAUSE)


def _was_in_a_hand(array: dict[str, Any], scene: Scene) -> bool:
    """What was missing from the array was the piece of the first move, on its way."""
    plies, rules = scene.record.plies, scene.rules
    if not plies or not plies[0].move:
        return False
    position = scene.before(1)
    moved = rules.touched(position, rules.parse(position, plies[0].move))
    names = {rules.geometry.names[square] for square in moved}
    return all(stands == EMPTY and square in names for square, _, stands in array["wrong"])


def _completed(scene: Scene) -> tuple[int, int]:
    """How many moves White and Black have completed: by a press, or by their next move though the
    clock was not pressed (6.2.1.2)."""
    white, black = (completed_moves(side, scene)[1] for side in Colour)
    return white, black


def _no_castling(array: dict[str, Any]) -> list[str]:
    """Pieces that may not castle because they stood wrong (A.5.1.2)."""
    return [
        f"{stands}{square}"
        for square, _, stands in array["wrong"]
        if stands.upper() in (KING, ROOK)
    ]


@law(Looked)
def moved_before_the_round(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """Board events before the announced start (6.6, 11.1): adjusting is normal."""
    start_ns = scene.round_started_ns
    if start_ns is None or scene.at_ns >= start_ns or not scene.turn.changes:
        return
    if scene.file.notes.get("early"):
        return
    yield Remember("early", True)
    facts = {"early_ms": (start_ns - scene.turn.changes[0].at_ns) // 1_000_000}
    yield Finding(draft("start-move-before-round", scene, None, LOG, facts=facts), "early")
