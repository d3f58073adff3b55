"""Presses whose half-move the board shows: it is told, and completed."""

from __future__ import annotations

from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.belief import Belief
from arbiterd.tracking.facts import Fact, How, MoveMade, Pressed
from arbiterd.tracking.lines import Line
from arbiterd.tracking.presses import Press, pressed_line
from arbiterd.tracking.sight import M, P
from arbiterd.tracking.telling import tell


def prefer_presser(belief: Belief[P, M], side: Colour) -> None:
    """Among rivals, one in which the side that pressed has moved is the better one."""
    for rival in belief.live if len(belief.live) > 1 else ():
        if pressed_line(belief.image, rival, side, belief.now.at_ns) is not None:
            belief.live = [rival, *(line for line in belief.live if line is not rival)]
            return


def resolve_presses(belief: Belief[P, M], at_ns: int) -> list[Fact]:
    """Presses whose half-move the board shows, oldest first."""
    facts: list[Fact] = []
    while belief.presses:
        press = belief.presses[0]
        line = pressed_line(belief.image, belief.live[0], press.side, press.at_ns)
        if line is None:
            break
        facts += _complete(belief, at_ns, belief.presses.pop(0), line)
    return facts


def _complete(belief: Belief[P, M], at_ns: int, press: Press, line: Line[P, M]) -> list[Fact]:
    for rival in belief.live:
        same = next((past for past in rival.back() if past.ply == line.ply), None)
        if same is not None and same.side is press.side:
            same.pressed = True
            same.hastily_pressed = press.at_ns - press.late_ns < same.made_at_ns
    facts = belief.book.complete(at_ns, line, press.at_ns, How.PRESSED)
    turn = None
    if line not in belief.book.told:
        path = [past for past in belief.live[0].path() if past.ply <= line.ply]
        facts += tell(belief, at_ns, path, How.PRESSED)
        turn = next((f.turn for f in reversed(facts) if isinstance(f, MoveMade)), None)
    turn = turn or belief.book.turn_of(line, belief.placement)
    begun_ns = press.at_ns - press.late_ns
    replied = belief.live[0].ply > line.ply and belief.live[0].made_at_ns < begun_ns
    lifted = any(touch.lifted_at_ns < begun_ns for touch in belief.book.touches())
    begun = replied or (belief.book.last is line and lifted)
    pressed = Pressed(
        press.at_ns, press.late_ns, press.side, line.wire() or None, line.ply, turn, begun
    )
    return [*facts, pressed]
