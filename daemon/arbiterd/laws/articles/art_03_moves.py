"""Articles 1.3, 3, 4.7 and 6.2: moves made and completed, and the order they come in.

Nearly all of it is for the journal alone; what is told are moves by the side that has not the
move (1.2, 1.3), and suspicions of two hands (4.1, 7.5.4).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from arbiterd.laws.articles.art_03_7_pawns import promotes
from arbiterd.laws.case.hands import newest_change, two_hands
from arbiterd.laws.case.misplay import by_the_other_side
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.case.touching import is_castling
from arbiterd.laws.drafting import (
    LOG,
    back_to,
    cause_of,
    displaced_of,
    draft,
    if_nothing_was_lost,
    out_of_turn_of,
)
from arbiterd.laws.register import Finding, Opinion, Remember, law
from arbiterd.rules.customs import Custom
from arbiterd.rules.ruleset import Colour, differing
from arbiterd.rules.sensed import may_be
from arbiterd.tracking.facts import (
    How,
    MoveCompleted,
    MoveMade,
    OutOfTurn,
    PlyCertainty,
    Pressed,
    Turn,
)
from arbiterd.tracking.record import RecordedPly
from eboards.events import EMPTY

SCRAMBLE = 4
"""A half-move and the next of its side within so many messages of the clock."""
UNPRESSED = (How.SETTLED, How.REPLIED)
"""How a half-move is on the record whose press was not heard."""


@law(MoveMade)
def made(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """A legal move stands (4.7); what kind of move it was decides the row."""
    facts: dict[str, Any] = {
        "played": fact.move,
        "made_ms": fact.made_at_ns // 1_000_000,
        "sureness": fact.sureness,
    }
    kind = _kind_of(fact, scene)
    yield Finding(
        draft(kind, scene, fact.side, LOG, turn=fact.turn, facts=facts), cause_of(fact.ply)
    )
    if fact.how is How.PRESSED:
        yield _completed(fact.ply, scene, fact)
    if fact.sureness is PlyCertainty.CERTAIN:
        yield from _before_the_press(fact, scene)
        yield from _too_early(fact, scene)


def _kind_of(fact: MoveMade, scene: Scene) -> str:
    rules, position = scene.rules, scene.before(fact.ply)
    move = rules.parse(position, fact.move)
    squares = rules.touched(position, move)
    if not squares:
        return "move-made"
    castles = Custom.CHESS_PIECES in rules.customs and len(squares) == 2
    if castles and is_castling(rules, position, move, squares[1]):
        return "castle-960" if Custom.SHUFFLED in rules.customs else "castle-ok"
    chess = Custom.CHESS_PIECES in rules.customs
    if chess and promotes(rules, position, move):
        return "promo-ok"
    footprint = dict(rules.footprint(position, move))
    if len(squares) == 2:
        return "ep-ok" if chess and footprint[squares[1]] == "." else "capture-ok"
    return "move-made"


def _completed(ply: int, scene: Scene, told: MoveMade) -> Finding:
    facts = {
        "played": scene.record.plies[ply - 1].move,
        "white_clock": scene.shown.white_ms,
        "black_clock": scene.shown.black_ms,
    }
    ruling = draft("move-completed", scene, told.side, LOG, turn=told.turn, facts=facts)
    return Finding(ruling, cause_of(ply))


def _before_the_press(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """The reply came before the press: legal, and nobody is to be told (6.2.2, 12.6)."""
    if fact.ply < 2 or not scene.shown.known:
        return
    before = scene.record.plies[fact.ply - 2]
    pressed_ns = before.completed_at_ns if before.how is How.PRESSED else None
    if (
        before.move
        and before.how is not How.ARBITER
        and (pressed_ns or fact.at_ns) > fact.made_at_ns
    ):
        facts = {"played": fact.move}
        ruling = draft("move-opp-before-press", scene, fact.side, LOG, turn=fact.turn, facts=facts)
        yield Finding(ruling, cause_of(fact.ply))


def _too_early(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """1.3: the piece stood on its new square while the opponent's was still in the air.

    Squares are sampled in turn: what is nearer than a scan came in no order that is known, and
    what was put on the record later neither.
    """
    told = scene.file.told(fact.ply - 1)
    if told is None or not fact.turn.early_touches or fact.how is How.ARBITER:
        return
    before = scene.record.plies[fact.ply - 2]
    if before.sureness is not PlyCertainty.CERTAIN or before.move != told.move:
        return
    finished_ns = _last_put_down(told.ply, before.move, told.turn, scene)
    stood_ns = _last_put_down(fact.ply, fact.move, told.turn, scene)
    if finished_ns is None or stood_ns is None:
        return
    if before.completed_at_ns is not None and before.completed_at_ns <= stood_ns:
        return  # Whoever pressed has given the move away, whatever is put right later.
    early_ns = finished_ns - stood_ns
    if early_ns <= scene.sensing.scan_ns:
        return
    names = scene.rules.geometry.names
    facts = {
        "played": fact.move,
        "square": names[fact.turn.early_touches[0].square],
        "early_ms": early_ns // 1_000_000,
    }
    proposal = back_to(fact.turn.fen)
    ruling = draft("move-opp-too-early", scene, fact.side, proposal, turn=fact.turn, facts=facts)
    yield Finding(ruling, f"early:{fact.ply}")


def _last_put_down(ply: int, wire: str, turn: Turn, scene: Scene) -> int | None:
    """When the last piece of this half-move came to stand, as far as this turn saw it.

    What only a picture of the whole board showed had come some time before: nobody knows when. So
    it is where squares changed at one instant.
    """
    position = scene.before(ply)
    rules, sensing = scene.rules, scene.sensing.kind
    brought = {
        square: piece
        for square, piece in rules.footprint(position, rules.parse(position, wire))
        if piece != EMPTY
    }
    stood = [
        seen
        for seen in turn.changes
        if seen.square in brought and may_be(rules, brought[seen.square], seen.after, sensing)
    ]
    last_ns = max((seen.at_ns for seen in stood), default=None)
    at_once = [seen for seen in turn.changes if seen.at_ns == last_ns]
    return last_ns if len(at_once) == 1 and not at_once[0].pictured else None


@law(MoveMade)
def two_hands_suspected(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """4.1: two pieces within one scan. A suspicion, told when the clock was pressed (7.5.4)."""
    if fact.how is How.PRESSED:
        yield from _two_hands(fact, scene)


@law(MoveCompleted)
def completed(fact: MoveCompleted, scene: Scene) -> Iterator[Opinion]:
    """A half-move is completed by its press, or because its side moved again (6.2.1.2)."""
    told, played = scene.file.told(fact.ply), scene.record.plies[fact.ply - 1].move
    if told is None or told.sureness is not PlyCertainty.CERTAIN or not played:
        return
    told = replace(told, move=played)
    if fact.how is How.PRESSED:
        yield _completed(fact.ply, scene, told)
        yield from _two_hands(told, scene)
    elif scene.file.held(out_of_turn_of(fact.ply + 1)) is not None:
        return  # One press for two moves: that is told.
    elif fact.ply > 1 and scene.record.plies[fact.ply - 2].how in UNPRESSED:
        return  # The opponent had not pressed, so there was nothing to press: one forgotten press.
    elif _press_unheard(told, scene):
        return
    elif scene.shown.known and scene.shown.running is not None and not _scramble(told, scene):
        facts = {"played": scene.record.plies[fact.ply - 1].move}
        ruling = draft(
            "move-next-without-press", scene, told.side, LOG, turn=told.turn, facts=facts
        )
        yield Finding(ruling, f"unpressed:{fact.ply}")


def _press_unheard(told: MoveMade, scene: Scene) -> bool:
    """The board or the clock was not heard for a while since it was made: the press may lie
    there."""
    file = scene.file
    if file.clock_heard_ns is not None and file.clock_heard_ns > told.made_at_ns:
        return True
    heard_ns = file.heard_again_ns
    return file.unheard_ns is not None or (heard_ns is not None and heard_ns > told.at_ns)


def _scramble(told: MoveMade, scene: Scene) -> bool:
    """So quick that presses may have fallen between two messages of the clock."""
    press = scene.file.last_press
    late_ns = press.late_ns if press is not None else 0
    return scene.at_ns - told.made_at_ns < SCRAMBLE * late_ns


def _two_hands(told: MoveMade, scene: Scene) -> Iterator[Opinion]:
    kinds = {"castle-ok": "castle-two-hands", "promo-ok": "promo-two-hands"}
    kind = kinds.get(_kind_of(told, scene))
    if kind is None or not two_hands(told.turn, scene.sensing.scan_ns, kind == "promo-two-hands"):
        return
    facts = {"played": told.move}
    ruling = draft(kind, scene, told.side, LOG, turn=told.turn, facts=facts)
    yield Finding(ruling, f"hands:{told.ply}")


@law(Pressed)
def pressed_after_the_reply(fact: Pressed, scene: Scene) -> Iterator[Opinion]:
    """6.2.2: the player must be allowed to press even after the reply."""
    if fact.move is not None and fact.reply_begun:
        facts = {"played": fact.move}
        yield Finding(
            draft("move-press-after-reply", scene, fact.side, LOG, facts=facts, ply=fact.ply),
            cause_of(fact.ply),
        )


@law(OutOfTurn)
def out_of_turn(fact: OutOfTurn, scene: Scene) -> Iterator[Opinion]:
    """1.2: the side that has not the move has moved; again, if it completed a move just before."""
    ply = fact.turn.ply
    if scene.file.held(cause_of(ply)) is not None:
        return
    if fact.side is fact.turn.side and scene.shown.known:
        # Two pieces of the side to move: what it made of them is asked when it presses (4.7, 7.4).
        return
    before = scene.record.plies[ply - 2] if ply > 1 else None
    to_press = scene.shown.running is not fact.side.other
    if before is not None and before.side is fact.side and to_press and _unpressed(ply - 1, scene):
        yield Remember(SECOND, {"ply": ply, "first": before.move, "move": fact.move})
        return
    if (
        before is not None
        and before.side is fact.side
        and _at_once(fact.move, fact.turn, before, scene)
    ):
        yield _shifted(fact, before, scene)
        return
    if before is not None and before.side is fact.side and _stood_at_the_press(fact, before, scene):
        yield _made_two(fact.side, fact.move, fact.turn, scene)
        return
    yield _moved_again(fact.side, fact.move, fact.turn, scene)


def _at_once(wire: str, turn: Turn, before: RecordedPly, scene: Scene) -> bool:
    """The second piece left within a scan of when the first one stood: no hand moved one after the
    other."""
    return any(
        scene.rules.geometry.names[touch.square] == wire[:2]
        and abs(touch.lifted_at_ns - before.made_at_ns) < scene.sensing.scan_ns
        for touch in turn.touches
    )


def _stood_at_the_press(fact: OutOfTurn, before: RecordedPly, scene: Scene) -> bool:
    """Whether the second move was made, too, when the press came that completed the first one."""
    names, pressed_ns = scene.rules.geometry.names, before.completed_at_ns
    if before.how is not How.PRESSED or pressed_ns is None or not fact.move:
        return False
    last = scene.file.last_press
    if last is not None and last.at_ns == pressed_ns:
        pressed_ns -= last.late_ns
    squares = (fact.move[:2], fact.move[2:4])
    seen_ns = [seen.at_ns for seen in fact.turn.changes if names[seen.square] in squares]
    return bool(seen_ns) and max(seen_ns) <= pressed_ns


def _shifted(fact: OutOfTurn, before: RecordedPly, scene: Scene) -> Finding:
    """Two pieces that went together, as by a sleeve (7.4), though the first made a legal move."""
    ply = fact.turn.ply
    squares: list[Any] = [
        wire[at : at + 2] for wire in (before.move, fact.move) for at in (0, 2) if wire
    ]
    proposal = back_to(scene.rules.fen(scene.before(ply - 1)))
    facts = {"squares": squares}
    ruling = draft("displaced-two", scene, None, proposal, turn=fact.turn, facts=facts)
    return Finding(ruling, displaced_of(ply))


SECOND = "second"
"""Note: a second own move of the side that has not pressed for its first one."""


def _moved_again(side: Colour, wire: str, turn: Turn, scene: Scene) -> Finding:
    before = scene.record.plies[turn.ply - 2] if turn.ply > 1 else None
    again = before is not None and before.side is side and before.how is not How.ARBITER
    kind = "move-twice-after-press" if again else "move-out-of-turn"
    facts = {"attempt": wire, "before": before.move if before else ""}
    proposal = back_to(turn.fen)
    ruling = draft(kind, scene, side, proposal, turn=turn, facts=facts)
    # Where the side to move has lifted a piece, it may have moved, and messages of it were lost.
    lifted = any(touch.colour is turn.side for touch in turn.touches)
    ruling = if_nothing_was_lost(ruling, not lifted)
    squares = [s for s, name in enumerate(scene.rules.geometry.names) if name in _ends_of(wire)]
    return Finding(ruling, out_of_turn_of(turn.ply), deed_ns=newest_change(squares, turn))


def _ends_of(wire: str) -> tuple[str, str]:
    """The names of the squares a move in wire form leads from and to."""
    return wire[:2], wire[2:4]


@law(Pressed)
def two_moves_for_one_press(fact: Pressed, scene: Scene) -> Iterator[Opinion]:
    """4.7: the first of two own moves was made, and the press came after the second."""
    plies, noted = scene.record.plies, scene.file.notes.get(SECOND)
    if not plies or plies[-1].side is not fact.side or fact.ply < len(plies):
        return
    if fact.side is scene.rules.turn(scene.position):
        return
    turn, second = fact.turn if fact.move is None else scene.turn, ""
    if isinstance(noted, dict) and noted["ply"] == len(plies) + 1:
        yield Remember(SECOND, None)
        if noted.get("first") != plies[-1].move:
            return  # What it came second to was none.
        second = str(noted["move"])
    elif fact.move is None and turn.ply == len(plies) + 1:
        second = _second_shown(fact, scene)
        if _at_once(second, turn, plies[-1], scene):
            return  # As by a sleeve: what is displaced is told once it rests.
    if not second or turn.placement[scene.rules.geometry.square(second[:2])] != EMPTY:
        return  # None, or put back before the press.
    yield _made_two(fact.side, second, turn, scene)


def _second_shown(fact: Pressed, scene: Scene) -> str:
    """The second own move that stood on the board at the press, in wire form; empty: none did."""
    if scene.record.plies[-1].completed_at_ns is not None:
        return ""
    rules, position = scene.rules, scene.position
    home, shown = scene.wanted, scene.known(fact.turn.placement)
    again = rules.taken_as_played(position, home, fact.side)
    since_ns = fact.at_ns - fact.late_ns
    later = {seen.square for seen in fact.turn.changes if seen.at_ns > since_ns}
    if again is None or later.intersection(differing(home, shown)):
        return ""
    found = (m for m in rules.legal_moves(again) if rules.placement(rules.play(again, m)) == shown)
    move = next(found, None)
    return "" if move is None else rules.wire(again, move)


def _made_two(side: Colour, second: str, turn: Turn, scene: Scene) -> Finding:
    """The record's last half-move and another one by the same side, before one press."""
    first = scene.record.plies[turn.ply - 2].move
    facts = {"moves": [first, second], "first": first}
    ruling = draft(
        "move-twice-before-press", scene, side, back_to(turn.fen),
        turn=turn, facts=facts, position=scene.rules.fen(scene.before(turn.ply - 1)),
    )  # fmt: skip
    return Finding(ruling, out_of_turn_of(turn.ply))


@law(Pressed)
def handed_back(fact: Pressed, scene: Scene) -> Iterator[Opinion]:
    """The side whose clock ran pressed, and the other's hands have moved: whose they were is told,
    not who pressed (1.2)."""
    if fact.move is not None or fact.turn.side is not fact.side:
        return
    if scene.file.held(out_of_turn_of(fact.ply)) is not None:
        return
    wire = by_the_other_side(fact, scene)
    if wire:
        yield _moved_again(fact.side.other, wire, fact.turn, scene)


def _unpressed(ply: int, scene: Scene) -> bool:
    """Whether its press is still to come, or has just shown what was made before it."""
    waits = scene.shown.known and scene.record.plies[ply - 1].completed_at_ns is None
    return waits or scene.file.held(cause_of(ply)) is not None
