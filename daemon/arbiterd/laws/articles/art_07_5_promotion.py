"""Article 7.5.2: the pawn had left and nothing stood on the last rank when the clock was pressed.

What is put there afterwards comes too late, however soon: the choice is gone, it is a queen. Below
the time in which the board tells what it sees nobody knows which came first: that is a note.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from arbiterd.laws.articles.art_03_7_pawns import QUEEN, promotes
from arbiterd.laws.articles.art_06_presses import LAG_MS, after_the_press, by_one_scan, in_the_hand
from arbiterd.laws.articles.art_07_5_illegal import offence
from arbiterd.laws.case.misplay import MisplayRow
from arbiterd.laws.case.offences import NOTE
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.drafting import cause_of
from arbiterd.laws.register import Finding, Opinion, law
from arbiterd.laws.ruling import Certainty
from arbiterd.tracking.facts import MoveMade, PlyCertainty


@law(MoveMade)
def piece_after_the_press(fact: MoveMade, scene: Scene) -> Iterator[Opinion]:
    """A promotion whose piece came after the press that was meant for it."""
    interval = after_the_press(fact, scene)
    if not interval or scene.result is not None or by_one_scan(fact):
        return
    if fact.sureness is not PlyCertainty.CERTAIN or not in_the_hand(fact, interval):
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
