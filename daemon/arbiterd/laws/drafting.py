"""From a row of the catalogue and a scene to a ruling, filled in as far as the row knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace

from arbiterd.laws.case.scene import Scene
from arbiterd.laws.catalogue import row
from arbiterd.laws.ruling import NOTE, Asked, Certainty, Proposal, Ruling, TouchSeen, Window
from arbiterd.rules.ruleset import Colour
from arbiterd.timing.control import Kind, Rate
from arbiterd.tracking.facts import PlyCertainty, Touch, Turn

LOG = Proposal(("log",))
"""Nothing is proposed."""
ASK = Proposal(("ask",))
"""The arbiter looks or asks, and decides."""
RESTORE = Proposal(("pause", "restore", "ask"))
"""Clocks stopped, pieces put back; who did it, and what it costs, is asked (7.4.3, 12.9)."""


BOARD_LOST = "board"
"""The cause of a board that does not answer: nothing is ruled from what it does not show."""


RIGHT_LOST = "right-lost"
"""Fact `then` of a breach of Article 4: the opponent has touched a piece since (4.8)."""


ANY_MOVE = "any_move"
"""Fact of a ruling whose obligation is every legal move: nothing that was touched binds."""


def stamp(at_ns: int) -> str:
    """A time as rulings name it: RFC 3339, UTC, milliseconds."""
    ms = at_ns // 1_000_000
    moment = datetime.fromtimestamp(ms // 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{ms % 1000:03}Z"


def cause_of(ply: int) -> str:
    """Everything irregular about one half-move has one cause."""
    return f"ply:{ply}"


def out_of_turn_of(ply: int) -> str:
    """The cause of a move by the other side while this half-move is to be played."""
    return f"out-of-turn:{ply}"


def displaced_of(ply: int) -> str:
    """The cause of pieces that stand wrong while this half-move is to be played."""
    return f"displaced:{ply}"


def back_to(fen: str | None) -> Proposal:
    """`RESTORE`, with the position that the pieces go back to where it is known."""
    return replace(RESTORE, restore=fen)


def draft(
    kind: str,
    scene: Scene,
    against: Colour | None,
    proposal: Proposal,
    *,
    turn: Turn | None = None,
    facts: Mapping[str, Any] | None = None,
    obligation: Iterable[str] = (),
    certainty: Certainty | None = None,
    articles: tuple[str, ...] | None = None,
    position: str | None = None,
    ply: int | None = None,
    from_ns: int | None = None,
    asked: tuple[Asked, ...] = (),
) -> Ruling:
    """A ruling of this row. `turn` is the one it speaks of (left out: the present one): its
    touches, its position before, its half-move; the rest is what the row leaves open."""
    entry = row(kind)
    turn = turn or scene.turn
    ply = turn.ply if ply is None else ply
    began_ns = min((seen.at_ns for seen in turn.changes), default=scene.at_ns)
    ruling = Ruling(
        kind=kind,
        articles=articles_at(articles or entry.articles, scene.rate),
        certainty=certainty or entry.certainty,
        urgency=entry.urgency,
        against=against,
        ply=ply,
        position=turn.fen if position is None else position,
        placement=scene.placement,
        cause_from_ns=min(began_ns if from_ns is None else from_ns, scene.at_ns),
        cause_to_ns=scene.at_ns,
        facts_certainty=entry.facts,
        touched=touches_seen(turn.touches, scene),
        obligation=tuple(obligation),
        facts=tuple((facts or {}).items()),
        proposal=proposal,
        window=window_of(kind, scene),
        asked=asked,
    )
    last_ns = max((seen.at_ns for seen in turn.changes), default=ruling.cause_from_ns)
    until_ns = scene.at_ns if turn.ply == scene.turn.ply else last_ns
    doubted = in_doubt(ply, scene) or badly_heard(ruling, until_ns, scene)
    return if_nothing_was_lost(ruling, against is None or not doubted)


UNSURE_NS = 60_000_000_000
"""What was heard within so long of bytes that came damaged, or of messages that were lost, is no
fact of a player: a message may have come as another whole one, and a cable that does so once does
so again."""


OF_NO_HAND = (9, 10, 12)
"""Sections of the catalogue that speak of no hand over the board: flags, results, conduct."""


def badly_heard(ruling: Ruling, until_ns: int, scene: Scene) -> bool:
    """Whether the board was badly heard from the ruling's cause on, or a little before or after.

    Where only messages of squares were lost, what a clock showed is known as well as ever.
    """
    of_hands = row(ruling.kind).section not in OF_NO_HAND
    signs = (scene.damaged_ns, scene.missed_ns if of_hands else None)
    since_ns = ruling.cause_from_ns
    return any(
        sign_ns is not None and since_ns - UNSURE_NS <= sign_ns <= until_ns + UNSURE_NS
        for sign_ns in signs
    )


DOUBT_PLIES = 6
"""What is told of a player so soon after a half-move that is not certain is not certain either."""


def in_doubt(ply: int, scene: Scene) -> bool:
    """Whether a half-move just before is not certain: the position before this one may have been
    another."""
    newest = scene.record.plies[max(0, ply - 1 - DOUBT_PLIES) : ply - 1]
    return any(before.sureness is PlyCertainty.LIKELY for before in newest)


UNSUPERVISED, RAPID_PLAY, BLITZ_PLAY = "A.5", "A.", "B.3"
"""What articles begin with that hold without supervision, in rapid play and so in unsupervised
blitz, and the one that calls them in there."""


def articles_at(articles: tuple[str, ...], rate: Rate) -> tuple[str, ...]:
    """Each once, and none that does not hold at this rate of play."""
    held = tuple(
        dict.fromkeys(a for a in articles if rate.open_window or not a.startswith(UNSUPERVISED))
    )
    called_in = any(article.startswith(RAPID_PLAY) for article in held)
    blitz = called_in and rate.kind is Kind.BLITZ and BLITZ_PLAY not in held
    return (*held, BLITZ_PLAY) if blitz else held or articles


def bound_as(ruling: Ruling, before: Ruling) -> Ruling:
    """The ruling with what was touched, and what that leaves, as an earlier one has it."""
    told, then = dict(ruling.facts), dict(before.facts)
    for name in ("duty", ANY_MOVE):
        told.pop(name, None)
        if name in then:
            told[name] = then[name]
    return replace(
        ruling, touched=before.touched, obligation=before.obligation, facts=tuple(told.items())
    )


def left_alone(ruling: Ruling, rate: Rate) -> Ruling:
    """What A.5.2 leaves to the players once the reply is made: a note, and nothing to be done."""
    facts = dict(ruling.facts) | {"then": "a5-replied"}
    facts.pop("goes_back", None)
    if facts.pop("block", None) is not None:
        ruling = replace(ruling, kind="illegal-a5-replied", window=Window.NEVER)
        facts = {name: value for name, value in facts.items() if name not in OF_THE_NUMBER}
        facts.pop("then")
    return replace(
        ruling, articles=articles_at(("A.5.2",), rate), urgency=NOTE, proposal=LOG, obligation=(),
        facts=tuple(facts.items()), asked=(),
    )  # fmt: skip


OF_THE_NUMBER = ("count", "hangs_on", "can_mate", "result_reason", "result_article", "either")
"""Facts that say what an illegal move leads to by its number."""


def if_nothing_was_lost(ruling: Ruling, witnessed: bool) -> Ruling:
    """The ruling; where a lost message may explain what the board did not show, none of it is a
    fact."""
    if witnessed:
        return ruling
    sure = Certainty.FACT
    return replace(
        ruling,
        certainty=Certainty.PROBABLE if ruling.certainty is sure else ruling.certainty,
        facts_certainty=Certainty.PROBABLE
        if ruling.facts_certainty is sure
        else ruling.facts_certainty,
    )


def window_of(kind: str, scene: Scene) -> Window:
    """The window of a row at this rate of play."""
    entry = row(kind)
    if scene.rate.open_window and entry.window_a5 is not None:
        return entry.window_a5
    return entry.window


def touches_seen(touches: Iterable[Touch], scene: Scene) -> tuple[TouchSeen, ...]:
    """The ordered list of touches, as a ruling carries it.

    A time off the square that is below one scan is unknown, not zero.
    """
    return tuple(
        TouchSeen(
            scene.rules.geometry.names[touch.square],
            touch.piece,
            touch.lifted_at_ns,
            down_ms(touch, scene.sensing.scan_ns),
        )
        for touch in touches
    )


def down_ms(touch: Touch, scan_ns: int) -> int | None:
    """How long the piece was off its square; None while it is, or below one scan."""
    if touch.returned_at_ns is None:
        return None
    off_ns = touch.returned_at_ns - touch.lifted_at_ns
    return off_ns // 1_000_000 if off_ns >= scan_ns else None
