"""From the explanations held, to those of a new placement.

steps      the placement is exactly a position one half-move on, or the last one taken back
leaps      exactly a position two or three half-moves on, the ones between never shown
presses    what a press says about explanations held
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from arbiterd.rules.ruleset import Colour, differing
from arbiterd.tracking import weights
from arbiterd.tracking.book import HORIZON_PLIES
from arbiterd.tracking.facts import SquareSeen
from arbiterd.tracking.lines import Line
from arbiterd.tracking.search import nearly, ways
from arbiterd.tracking.sight import M, P, Sight
from eboards.events import Placement

UNDONE_MAX = 3
"""So many unpressed half-moves a leap may undo to branch off before them."""


class Look(Generic[P, M]):
    """One look at the board: what it shows, when, and what led to it."""

    __slots__ = ("at_ns", "changes", "hash", "placement", "runs", "sight", "slide_ns")

    def __init__(
        self,
        sight: Sight[P, M],
        at_ns: int,
        placement: Placement,
        number: int,
        changes: Sequence[SquareSeen],
        runs: Colour | None,
        slide_ns: int,
    ) -> None:
        self.sight = sight
        self.at_ns = at_ns
        self.placement = placement
        """As sensed."""
        self.hash = number
        self.changes = changes
        self.runs = runs
        """Whose clock runs, where that is known."""
        self.slide_ns = slide_ns


def steps(look: Look[P, M], live: Sequence[Line[P, M]]) -> list[Line[P, M]]:
    """Lines that show exactly this: one half-move on, else the last one replaced or undone."""
    found: list[Line[P, M]] = []
    for line in live:
        found += onward(look, line, line.cost)
    if found:
        return found
    for line in live:
        found += _instead(look, line)
    return found


def onward(look: Look[P, M], line: Line[P, M], cost: float) -> list[Line[P, M]]:
    moves = line.seen.moves_to(look.hash)
    several = len(moves) > 1
    return [
        Line(
            look.sight.after(line.seen, move),
            line,
            move,
            look.at_ns,
            ply=line.ply + 1,
            cost=cost + (_untouched(look, line, move) if several else 0.0),
        )
        for move in moves
    ]


def _untouched(look: Look[P, M], line: Line[P, M], move: M) -> float:
    """What speaks against a move whose men were not all seen to leave."""
    changed = {change.square for change in look.changes if change.at_ns > line.made_at_ns}
    squares = look.sight.rules.touched(line.seen.position, move)
    return weights.UNTOUCHED * sum(square not in changed for square in squares)


def _instead(look: Look[P, M], line: Line[P, M]) -> list[Line[P, M]]:
    """An ancestor as it was, or another move in place of the last one."""
    cost = line.cost
    before = line
    while before.parent is not None and line.ply - before.ply < HORIZON_PLIES:
        undone, before = before, before.parent
        cost += _undoing(undone)
        if before.seen.hash == look.hash:
            return [before]
        if line.ply - before.ply == 1 and not _stays(look, undone):
            found = onward(look, before, cost)
            if found:
                return found
    return []


def _undoing(line: Line[P, M]) -> float:
    return weights.TAKEN_BACK_PRESSED if line.pressed else weights.TAKEN_BACK


def _stays(look: Look[P, M], line: Line[P, M]) -> bool:
    """Pressed so long ago that another move in its place would be a second one."""
    if not line.pressed or line.completed_at_ns is None:
        return line.irregular
    return look.at_ns - line.completed_at_ns > look.sight.sensing.scan_ns


def origins(line: Line[P, M]) -> list[tuple[Line[P, M], float]]:
    """Where another line may have branched off, with the cost of undoing what is undone.

    The line itself, and those before it as long as nothing pressed is undone.
    """
    found, cost = [(line, line.cost)], line.cost
    while line.parent is not None and len(found) <= UNDONE_MAX:
        if line.pressed or line.irregular:
            break
        cost += weights.TAKEN_BACK if line.watched else 0.0
        line = line.parent
        found.append((line, cost))
    return found


def leaps(look: Look[P, M], live: Sequence[Line[P, M]], plies: int) -> list[Line[P, M]]:
    """Lines of exactly so many half-moves from one held, or from where it may have branched."""
    found: list[Line[P, M]] = []
    for line in live:
        for origin, cost in origins(line):
            found += _leap(look, origin, plies, cost)
    return found


def almost(look: Look[P, M], live: Sequence[Line[P, M]]) -> list[Line[P, M]]:
    """Lines the board shows but for men in the air for the reply, or one that shows twice."""
    found: list[Line[P, M]] = []
    for line in live:
        for origin, cost in origins(line)[:2]:
            for near in nearly(look.sight, origin.seen, look.placement):
                against = weights.LIFTED * len(near.lifted) + weights.GHOST * len(near.ghosts)
                found.append(
                    Line(
                        look.sight.after(origin.seen, near.move),
                        origin,
                        near.move,
                        look.at_ns,
                        ply=origin.ply + 1,
                        cost=cost + against,
                        doubtful=bool(near.ghosts),
                    )
                )
    return found


def _leap(look: Look[P, M], line: Line[P, M], plies: int, cost: float) -> list[Line[P, M]]:
    found = []
    for moves in ways(look.sight, line.seen, look.placement, look.hash, plies):
        end, total = line, cost + weights.UNWATCHED * (len(moves) - 1)
        for number, move in enumerate(moves):
            last = number == len(moves) - 1
            after = look.sight.after(end.seen, move)
            made_at_ns = look.at_ns if last else _made_at(look, end, after.placement)
            total += _untouched(look, end, move)
            end = Line(after, end, move, made_at_ns, ply=end.ply + 1, cost=total, watched=last)
        found.append(end)
    return found


def _made_at(look: Look[P, M], line: Line[P, M], after: Placement) -> int:
    """When the squares of a half-move that was never shown by itself last came to read so."""
    squares = set(differing(line.seen.placement, after))
    times = [
        change.at_ns
        for change in look.changes
        if change.at_ns > line.made_at_ns
        and change.square in squares
        and look.sight.see(change.after) == after[change.square]
    ]
    return max(times, default=look.at_ns)


def weighed(found: Sequence[Line[P, M]]) -> list[Line[P, M]]:
    """Best first; the hopeless and those beyond what is kept are dropped."""
    if len(found) < 2:
        for line in found:
            line.cost = 0.0
        return list(found)
    ranked = sorted(found, key=lambda line: line.cost)
    best = ranked[0].cost
    kept = [line for line in ranked if line.cost - best <= weights.FORGOTTEN]
    kept = kept[: weights.EXPLANATIONS_MAX]
    for line in kept:
        line.cost -= best
    return kept
