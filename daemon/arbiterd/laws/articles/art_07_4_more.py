"""Article 7.4 and 7.5.1: a move was completed, and another piece had left its square with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from arbiterd.laws.articles.art_06_presses import by_one_scan
from arbiterd.laws.articles.art_07_4_displaced import KNOCKED_PIECES
from arbiterd.laws.articles.art_07_5_illegal import no_offence, offence, read
from arbiterd.laws.case.misplay import Misplay
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.drafting import cause_of
from arbiterd.laws.register import Finding, Opinion, Watch, Woken, law
from arbiterd.rules.ruleset import differing
from arbiterd.tracking.facts import MoveMade, Pressed
from eboards.events import EMPTY, Square

MORE_NS = 3_000_000_000
"""A piece that was off its square before the move was finished and is still off so long after the
press is no reply begun early."""

QUIET_NS = 1_500_000_000
"""So long must nothing have changed."""


@law(Pressed)
def more_than_the_move(fact: Pressed, scene: Scene) -> Iterator[Opinion]:
    """The move is complete, and another piece had left its square before: look again in a while.
    Of a press that only the times after a silence tell of, nobody saw what stood there."""
    if fact.move is not None and fact.late_ns <= MORE_NS and _more(fact.ply, scene):
        yield Watch(f"more:{fact.ply}", fact.at_ns + MORE_NS)


@law(Woken)
def still_more(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    """Nobody has put it back or replied: it went off together with the move (7.4, 7.5.1)."""
    name, _, number = fact.name.partition(":")
    if name != "more" or scene.turn.ply != int(number) + 1 or not _more(int(number), scene):
        return
    ply = int(number)
    changes = scene.turn.changes
    if changes and changes[-1].at_ns + QUIET_NS > scene.at_ns:
        # Hands are on the board: what is not as it should be may be half-moves not told yet.
        yield Watch(fact.name, changes[-1].at_ns + QUIET_NS)
        return
    if scene.file.held(cause_of(ply)) is not None:
        return
    told = scene.file.told(ply)
    assert told is not None, "it was there when the press came"
    play = Misplay(
        scene.rules, scene.before(ply), scene.placement, told.side, scene=scene, ply=ply,
        touches=told.turn.touches,
    )  # fmt: skip
    reading = read(play)
    if reading is None:
        return
    pressed = Pressed(scene.at_ns, 0, told.side, None, ply, told.turn, False)
    if not reading.article and len(play.own_left + play.enemy_left) >= KNOCKED_PIECES:
        return  # The board was knocked in the end: that has a row of its own.
    if not reading.kind:
        facts = {**reading.facts, "squares": play.names(play.squares)}
        reading = replace(reading, kind="move-unexplained-press", facts=facts)
    if reading.article:
        ruling = offence(
            reading.kind, reading, told.turn, told.side, scene,
            pressed_ns=told.completed_at_ns, ply=ply,
        )  # fmt: skip
        yield Finding(ruling, cause_of(ply))
    else:
        yield from no_offence(reading, play, pressed, scene)


def _more(ply: int, scene: Scene) -> list[str]:
    """Squares of pieces that left before this half-move was finished and are still not as they
    should be."""
    told = scene.file.told(ply)
    if told is None or len(scene.record.plies) < ply:
        return []
    wanted = scene.rules.placement(scene.record.positions(scene.rules)[ply])
    before = scene.record.plies[ply - 2] if ply > 1 else None
    # What changed before the other side pressed was that side's doing.
    since_ns = (before and before.completed_at_ns) or 0
    changed = {change.square for change in told.turn.changes if change.at_ns > since_ns} | {
        touch.square for touch in scene.turn.early_touches
    }
    shown = scene.known(scene.placement, wanted)
    off = differing(wanted, shown)
    rules, after = scene.rules, scene.position
    came = {(s, shown[s]) for s in off if rules.owner(shown[s]) is told.side.other}
    if came and any(came <= set(rules.footprint(after, m)) for m in rules.legal_moves(after)):
        # The reply is being made: its piece stands on its new square already.
        return []
    lifted = len(off) == 1 and shown[off[0]] == EMPTY
    if lifted and rules.owner(wanted[off[0]]) is not told.side and by_one_scan(told):
        # Which was first is not known: who has the move may have taken up a piece after it.
        return []
    names = scene.rules.geometry.names
    return [names[s] for s in off if s in changed and not _since(s, told, scene)]


def _since(square: Square, told: MoveMade, scene: Scene) -> bool:
    """A hand has come to it since the press, which may have been earlier than it was heard: who has
    the move may have taken up a piece. A piece of the side that pressed counts until then."""
    press = scene.file.last_press
    if press is None or press.side is not told.side:
        return False
    placement = scene.rules.placement(scene.before(told.ply))
    own = scene.rules.owner(placement[square]) is told.side
    until_ns = press.at_ns if own else max(press.at_ns - press.late_ns, told.made_at_ns)
    changes = (*told.turn.changes, *scene.turn.changes)
    return any(change.square == square and change.at_ns > until_ns for change in changes)
