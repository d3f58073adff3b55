"""Article 7.5.2: the pawn had left and nothing stood on the last rank when the clock was pressed.

What is put there afterwards comes too late, however soon: the choice is gone, it is a queen. Below
the time in which the board tells what it sees nobody knows which came first: that is a note.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from arbiterd.laws.articles.art_03_7_pawns import QUEEN, exchanged_on, promotes
from arbiterd.laws.articles.art_06_presses import LAG_MS, after_the_press, by_one_scan, in_the_hand
from arbiterd.laws.articles.art_07_5_illegal import offence
from arbiterd.laws.case.misplay import MisplayRow
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.drafting import cause_of
from arbiterd.laws.register import Finding, Opinion, law
from arbiterd.laws.ruling import NOTE, Certainty
from arbiterd.rules.customs import Custom
from arbiterd.tracking.facts import How, MoveCompleted, MoveMade, PlyCertainty
from eboards.events import EMPTY


@law(MoveCompleted, of=Custom.CHESS_PIECES)
def piece_after_the_reply(fact: MoveCompleted, scene: Scene) -> Iterator[Opinion]:
    """The piece came after the reply: the half-move is told first, and then its press."""
    told = scene.file.told(fact.ply)
    if told is None or not scene.stands(fact.ply, told.move):
        return
    if fact.how is How.PRESSED and told.how is not How.PRESSED:
        pressed = replace(told, how=fact.how, completed_at_ns=fact.completed_at_ns)
        yield from piece_after_the_press(pressed, scene)


@law(MoveMade, of=Custom.CHESS_PIECES)
def piece_after_the_press(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """A promotion whose piece came after the press that was meant for it."""
    if fact.how is How.ARBITER:
        return  # What an arbiter puts on the record is no player's act.
    fact = replace(fact, made_at_ns=_placed_ns(fact, scene))
    interval = after_the_press(fact, scene)
    if not interval or scene.result is not None or by_one_scan(fact):
        return
    # Which piece it is need not be known.
    other = any(wire[:4] != fact.move[:4] for wire in fact.alternatives)
    doubtful = fact.sureness is not PlyCertainty.CERTAIN and (other or not fact.alternatives)
    if doubtful or not in_the_hand(fact, interval):
        return
    position = scene.before(fact.ply)
    move = scene.rules.parse(position, fact.move)
    held = scene.file.held(cause_of(fact.ply))
    if not promotes(scene.rules, position, move) or (held and held.kind == "promo-pawn-left"):
        return
    unclear = interval <= scene.sensing.scan_ns // 1_000_000 + LAG_MS
    square = scene.rules.geometry.names.index(fact.move[2:4])
    reading = MisplayRow(
        "promo-nothing-placed",
        "7.5.2",
        {
            "square": fact.move[2:4],
            "then": "piece-perhaps" if unclear else "piece-came",
            "placed": scene.rules.placement(scene.before(fact.ply + 1))[square].upper(),
            "interval_ms": interval,
        },
        counts_as=f"{fact.move[:4]}{QUEEN.lower()}",
    )
    ruling = offence(
        reading.kind, reading, fact.turn, fact.side, scene, pressed_ns=fact.completed_at_ns,
        ply=fact.ply,
    )  # fmt: skip
    if unclear:
        ruling = replace(
            ruling, urgency=NOTE, certainty=Certainty.HUMAN,
            proposal=replace(ruling.proposal, actions=("ask", *ruling.proposal.actions)),
        )  # fmt: skip
    yield Finding(ruling, cause_of(fact.ply))


def _placed_ns(fact: MoveMade, scene: Scene) -> int:
    """When the piece came; the half-move itself is of its press, however late that was."""
    square = exchanged_on(scene, fact.ply, fact.move)
    if square is None:
        return fact.made_at_ns
    came = (c.at_ns for c in fact.turn.changes if c.square == square and c.after != EMPTY)
    return max(came, default=fact.at_ns)
