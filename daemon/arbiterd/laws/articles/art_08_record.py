"""Article 8.5 and the sensors: lost boards, gaps, pieces that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.articles.art_06_presses import LAG_MS
from arbiterd.laws.case.casefile import BoardAnswered
from arbiterd.laws.case.hands import stays
from arbiterd.laws.case.scene import TELL_KINDS, Scene
from arbiterd.laws.drafting import (
    ASK,
    BOARD_LOST,
    LOG,
    badly_heard,
    cause_of,
    draft,
    if_nothing_was_lost,
)
from arbiterd.laws.register import (
    Close,
    Finding,
    Looked,
    Opinion,
    Remember,
    Watch,
    Woken,
    answers,
    law,
)
from arbiterd.rules.ruleset import Planks
from arbiterd.tracking.facts import (
    BoardBack,
    BoardLost,
    Explained,
    Gap,
    GapFilled,
    Knocked,
    MoveMade,
    Pressed,
    Settled,
    SquareSuspect,
    Touch,
)
from eboards.events import UNKNOWN, Square

GAP = "gap"
CANDIDATES_TOLD = 5
"""So many lines are named; more would help nobody."""


@law(BoardLost)
def board_lost(fact: BoardLost, scene: Scene) -> Iterator[Opinion]:
    """No board data: the game goes on, the record is completed later (8.5)."""
    if not scene.playing or scene.result is not None:
        return
    facts = {
        "why": fact.reason,
        "white_clock": scene.shown.white_ms,
        "black_clock": scene.shown.black_ms,
    }
    ruling = draft("tech-board-lost", scene, None, LOG, facts=facts)
    yield Finding(ruling, BOARD_LOST, deed_ns=fact.at_ns)


@law(BoardBack)
def board_back(_: BoardBack, scene: Scene) -> Iterator[Opinion]:
    """What changed meanwhile is for tracking to explain, and no displacement."""
    yield Close(BOARD_LOST)
    yield BoardAnswered(scene.turn.ply)


@law(Gap)
def gap(fact: Gap, scene: Scene) -> Iterator[Opinion]:
    """8.5.3: several lines explain the board: the scoresheets decide."""
    yield _gap(fact.candidates, scene, fact.turn.fen)


@law(GapFilled)
def gap_filled(_: GapFilled, __: Scene) -> Iterator[Opinion]:
    """Nobody has to be asked any more."""
    yield Close(GAP)


@law(Knocked, Settled)
def gap_without_a_line(fact: Knocked | Settled, scene: Scene) -> Iterator[Opinion]:
    """The board was away or cannot tell its pieces apart, and no line explains what it shows
    now."""
    lost = scene.file.board_back_ply == fact.turn.ply or scene.loses_turns
    if lost and scene.file.held(GAP) is None:
        yield _gap((), scene)


@law(Explained)
def gap_explained(_: Explained, scene: Scene) -> Iterator[Opinion]:
    """A line explains what a board that cannot tell its pieces apart shows."""
    if scene.loses_turns:
        yield Close(GAP)


def _gap(
    candidates: tuple[tuple[str, ...], ...], scene: Scene, before: str | None = None
) -> Finding:
    """`before`: the position that the lines are played from, as a FEN."""
    lines = [" ".join(line) for line in candidates[:CANDIDATES_TOLD]]
    facts = {"candidates": lines, "count": len(candidates), "unique": len(candidates) == 1}
    return Finding(draft("tech-gap", scene, None, ASK, facts=facts, position=before), GAP)


@answers("set-move", "set-position")
def record_corrected(_: Act, __: Scene) -> tuple[Answer, Iterator[Opinion]]:
    """The arbiter says what was played: the gap is closed."""
    return Answer(True), iter([Close(GAP)])


FLICKERS, FLICKER_NS = 6, 1_500_000_000
"""So many changes of one square within so long are no hand's."""


@law(Looked)
def flickering(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """One square toggles faster than a hand can: no touch, a sign of the board's health."""
    newest = scene.turn.changes[-FLICKERS:]
    if len(newest) < FLICKERS or newest[-1].at_ns - newest[0].at_ns > FLICKER_NS:
        return
    squares = {change.square for change in newest}
    note = f"{scene.turn.ply}:{newest[-1].square}"
    if len(squares) > 1 or scene.file.notes.get("flicker") == note:
        return
    yield Remember("flicker", note)
    facts = {"square": scene.rules.geometry.names[newest[-1].square], "why": "flicker"}
    yield Finding(draft("tech-flicker", scene, None, LOG, facts=facts), "flicker")


@law(Pressed)
def out_of_order(fact: Pressed, scene: Scene) -> Iterator[Opinion]:
    """The press is known to be earlier than the move it completes: put in order within the
    latency that is known, and never beyond it (6.2.1). Told once a game: it is the way of that
    clock."""
    told = scene.file.told(fact.ply) if fact.move is not None else None
    lag_ns = scene.sensing.scan_ns + LAG_MS * 1_000_000
    if scene.file.held("skew") is not None or scene.file.last_closed("skew") is not None:
        return
    if told is None or not 0 < told.made_at_ns - fact.at_ns <= lag_ns:
        return
    if scene.file.held(cause_of(fact.ply)) is not None:
        return  # What the order may mean is told.
    facts = {
        "skew_ms": (told.made_at_ns - fact.at_ns) // 1_000_000,
        "late_ms": fact.late_ns // 1_000_000,
    }
    ruling = draft("tech-clock-board-skew", scene, None, LOG, facts=facts, ply=fact.ply)
    yield Finding(ruling, "skew")


@law(SquareSuspect)
def suspect(fact: SquareSuspect, scene: Scene) -> Iterator[Opinion]:
    """A square toggles faster than a hand: no touch, no ruling, a sign of the board's health."""
    facts = {"square": scene.rules.geometry.names[fact.square], "why": fact.note}
    yield Finding(draft("tech-flicker", scene, None, LOG, facts=facts), f"square:{fact.square}")


@law(Looked)
def unknown_pieces(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """A piece whose kind a board that tells kinds cannot read: nothing is ruled from its square."""
    if scene.sensing.kind not in TELL_KINDS:
        return
    if UNKNOWN not in scene.placement:
        if scene.file.held("unknown") is not None:
            yield Close("unknown")
        return
    names = scene.rules.geometry.names
    squares = [names[s] for s, piece in enumerate(scene.placement) if piece == UNKNOWN]
    held = scene.file.held("unknown")
    if held is not None and dict(held.facts)["squares"] == squares:
        return
    yield Finding(
        draft("tech-unknown-piece", scene, None, LOG, facts={"squares": squares}), "unknown"
    )


@law(Looked)
def badly_heard_since(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """Bytes came damaged, or messages were lost: what was told of players a moment ago may be what
    was lost, and is no fact any more."""
    if scene.at_ns not in (scene.damaged_ns, scene.missed_ns):
        return
    for held in scene.file.open:
        ruling = held.ruling
        if ruling.against is None or ruling.ack is not None:
            continue
        if badly_heard(ruling, ruling.cause_to_ns, scene):
            less = if_nothing_was_lost(ruling, witnessed=False)
            if less != ruling:
                yield Finding(less, held.cause)


BETWEEN_NS = 3_000_000_000
"""A piece that was seen on its way and then on no square for so long stands between squares."""


@law(Looked)
def off_its_way(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """A piece that moves was seen on a square, and is on none now: look again in a while."""
    if not scene.playing or not scene.turn.touches:
        return
    if _between_squares(scene) is not None:
        yield Watch("between", scene.turn.changes[-1].at_ns + BETWEEN_NS)


def _between_squares(scene: Scene) -> tuple[Touch, Square] | None:
    """The one piece in the air, and where it was last seen on its way."""
    turn = scene.turn
    aloft = [touch for touch in turn.touches if touch.returned_at_ns is None]
    if len(aloft) != 1 or aloft[0].colour is not turn.side:
        return None
    passed = [
        stay
        for stay in stays(turn.changes, scene.at_ns)
        if stay.piece == aloft[0].piece and stay.square != aloft[0].square
    ]
    if not passed or any(stay.still_there for stay in passed) or _planked(scene):
        return None
    return aloft[0], passed[-1].square


def _planked(scene: Scene) -> bool:
    """It became a plank, though it may not: no square will show it again."""
    rules = scene.rules
    if not isinstance(rules, Planks):
        return False
    return rules.planked(scene.position, scene.known(scene.turn.placement))


@law(Woken)
def between_squares(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    """It stands between squares and is to be centred (7.4.1), or its chip is dead."""
    found = _between_squares(scene) if fact.name == "between" else None
    if found is None:
        return
    names, (piece, near) = scene.rules.geometry.names, found
    facts = {"square": names[piece.square], "piece": piece.piece.upper(), "near": names[near]}
    ruling = draft("move-between-squares", scene, scene.turn.side, ASK, facts=facts)
    yield Finding(ruling, f"between:{scene.turn.ply}")


@law(Explained, MoveMade)
def seen_again(fact: Explained | MoveMade, scene: Scene) -> Iterator[Opinion]:
    """It stands on a square now."""
    yield Watch("between", None)
    cause = f"between:{fact.turn.ply}"
    if scene.file.held(cause) is not None:
        yield Close(cause)


@law(Looked)
def after_the_end(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """11.4: what is moved after the result is analysis; the record is frozen."""
    if scene.result is None or not scene.turn.changes or scene.file.notes.get("analysis"):
        return
    yield Remember("analysis", True)
    yield Finding(draft("tech-analysis-after-end", scene, None, LOG), "analysis")
