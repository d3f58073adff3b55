"""Play went on from what no legal move explains, before anybody could say so."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, takewhile

from arbiterd.rules.ruleset import differing
from arbiterd.tracking import weights
from arbiterd.tracking.attribution import is_firm
from arbiterd.tracking.belief import Belief
from arbiterd.tracking.causes import POSITIONS_PLAYED, best_answered
from arbiterd.tracking.completing import resolve_presses
from arbiterd.tracking.facts import Fact, How
from arbiterd.tracking.hypothesis import Cause, Hypothesis, PlacementWindow, shown, window_of
from arbiterd.tracking.leaping import Weighed
from arbiterd.tracking.lines import Line
from arbiterd.tracking.on_change import agreed
from arbiterd.tracking.phases import LinesFound
from arbiterd.tracking.propose import ranked
from arbiterd.tracking.sensors import HORIZON_PLIES
from arbiterd.tracking.sliding import begun_early
from arbiterd.tracking.snapshot import Effort
from arbiterd.tracking.telling import tell


def played_on(belief: Belief, at_ns: int, most: float = weights.PLAYED) -> list[Fact]:
    """What nothing explains, or nothing against which less speaks than `most`, was played ply by
    ply, one of them irregular and answered.

    An irregular ply that stands there now may be put back yet: only what it answers is told.
    """
    # Before the first half-move both clocks stand, and pieces are shown, set up and tried.
    waits = belief.status.clock_known and belief.status.runs is None
    if belief.agrees or waits or belief.status.loss_ns is not None or belief.status.lost:
        return []
    window = window_of(belief.image, belief.book.changes)
    bases = ((base.cost, base) for base in belief.bases if _may_go_on(belief, base))
    held = [*_shown(belief, window), *bases]
    firm = [line for _, line in held if is_firm(belief, line.parent or line)]
    hypothesis = best_answered(window, held, Effort(POSITIONS_PLAYED), most) if firm else None
    # What is not firm may explain it better, but nobody is accused of what comes after it.
    if hypothesis is None or hypothesis.origin not in firm:
        return []
    newest = _line(hypothesis, window)
    if not _pressed_for(belief, hypothesis.origin) <= set(newest.wires()):
        return []
    if newest.irregular and newest.parent is not None:
        belief.take(at_ns, LinesFound(ranked([(0.0, newest.parent)])))
        pressed = resolve_presses(belief, at_ns, waited=True)
        return pressed or tell(belief, at_ns, belief.path(), How.REPLIED)
    belief.take(at_ns, LinesFound(ranked([(0.0, newest)])))
    return resolve_presses(belief, at_ns, waited=True) + agreed(belief, at_ns)


def _pressed_for(belief: Belief, origin: Line) -> set[str]:
    """What stood there when it was pressed for, since then: it was made, whatever else was."""
    since = takewhile(lambda past: past.ply > origin.ply, belief.live[0].back())
    return {past.wire() for past in since if past.pressed and past.watched}


def _shown(belief: Belief, window: PlacementWindow) -> Iterator[Weighed]:
    """The newest half-moves that the board showed by themselves, for others may have come between;
    back to an irregular one, a doubt or an arbiter's word. What speaks against the order of those
    since the oldest speaks against the newest."""
    look, decided_ply = belief.snapshot(belief.status.at_ns, 0), belief.status.decided_ply or 0
    newest = list(islice(belief.live[0].back(), HORIZON_PLIES))
    known = takewhile(lambda p: not (p.irregular or p.doubtful or p.ply <= decided_ply), newest)
    cost = 0.0
    for line in reversed(newest[: len(list(known)) + 1]):
        cost += begun_early(look, line)
        if line is newest[0] or shown(Hypothesis(line), window):
            yield cost, line


def _may_go_on(belief: Belief, base: Line) -> bool:
    """The side that is said to have led to this position has not pressed for another ply since."""
    if base.parent is None:
        return False
    told = belief.book.told
    instead = (line for line in told if line.ply >= base.ply and line.side is base.side)
    return base in told or not any(line.pressed for line in instead)


def _line(hypothesis: Hypothesis, window: PlacementWindow) -> Line:
    line = hypothesis.origin
    for cause in hypothesis.plies:
        at_ns = max(_made_ns(cause, window), line.made_at_ns)
        irregular = cause.move is None
        line = Line(cause.seen, line, cause.move, at_ns, ply=line.ply + 1, irregular=irregular)
    return line


def _made_ns(cause: Cause, window: PlacementWindow) -> int:
    """The last change that the ply made: what was lifted for the reply since is none of it."""
    for number in range(cause.stage, 0, -1):
        stage, after = window.stages[number], cause.seen.placement
        changed = differing(window.stages[number - 1].placement, stage.placement)
        if any(stage.placement[square] == after[square] for square in changed):
            return stage.at_ns
    return window.stages[cause.stage].at_ns
