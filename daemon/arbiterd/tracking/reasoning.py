"""In which order explanations are sought, and how far, for a placement none of those held shows.

    at_once      hands are busy: what is cheap and leaves little open, else wait
    at_press     a press says that its side has moved
    at_rest      the board rests, or was pressed and should show a half-move: look deeper
    recovered    nothing else helped: even what was pressed may have been otherwise

Every search has a budget of positions; beyond it nothing is known, and that is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic

from arbiterd.tracking import weights
from arbiterd.tracking.doubts import Doubt, doubted, doubts
from arbiterd.tracking.explain import (
    UNDONE_MAX,
    Look,
    Weighed,
    almost,
    came_at_once,
    hidden,
    in_the_air,
    leaps,
    leaps_from,
    onward,
    put_back,
    ranked,
    slides,
    steps,
)
from arbiterd.tracking.lines import Line
from arbiterd.tracking.search import Effort
from arbiterd.tracking.sight import M, P
from eboards.events import EMPTY, UNKNOWN

POSITIONS_AT_ONCE = 32
"""So many positions may be looked at for one placement while hands are busy."""
POSITIONS_AT_REST = 80
"""The same for a placement that rests, or that was pressed."""
POSITIONS_AT_PAUSE = 0
"""While both clocks stand half-moves are watched, and none are searched for."""
RIVALS_SEARCHED = 4
"""Of several explanations held, so many of the best are searched from."""
LEAP_MAX = 5
"""So many half-moves may be missing at most before what the board shows."""


@dataclass(frozen=True, slots=True)
class Found(Generic[P, M]):
    """Explanations, best first; none: nothing is known. They may rest on a doubt."""

    lines: list[Line[P, M]]
    doubt: Doubt | None = None


def at_once(
    look: Look[P, M],
    live: Sequence[Line[P, M]],
    bases: Sequence[Line[P, M]],
    *,
    pressed: bool,
) -> Found[P, M]:
    """While hands are busy. `pressed`: a press waits for its half-move."""
    found = steps(look, live)
    dear = not found or min(cost for cost, _ in found) > weights.TAKEN_BACK
    if found:
        found = slides(look, found)
        if not look.hides and not _something_arrived(look):
            # Men may only have been lifted: what came before is not given up for that.
            found += [way for line in live for way in in_the_air(look, line)]
    elif bases:
        found = [way for base in bases for way in onward(look, base, base.cost)]
        dear = not found
    if look.hides and not _something_arrived(look):
        found += hidden(look, live)
    # Only an arrival ends a half-move; a lift alone is worth no search.
    if not (dear and _something_arrived(look)):
        return Found(ranked(found))
    found += almost(look, live, hands_busy=True)
    found += _leaps_at_once(look, live, pressed=pressed)
    if not found:
        return _doubting(look, live, (1, 2), hands_busy=True)
    return Found(_for_the_unsearched(ranked(found), live[RIVALS_SEARCHED:]))


def _something_arrived(look: Look[P, M]) -> bool:
    for change in reversed(look.changes):
        if change.at_ns != look.at_ns:
            return False
        if change.after != EMPTY:
            return True
    return False


def _leaps_at_once(
    look: Look[P, M], live: Sequence[Line[P, M]], *, pressed: bool
) -> list[Weighed[P, M]]:
    """Two half-moves at once, men in the air or not; three if it takes them."""
    raised, lifted = put_back(look, live[0])
    looks = [(look, 0.0)]
    if lifted:
        looks.append((raised, weights.LIFTED * lifted))
    unseen = pressed or not lifted
    found: list[Weighed[P, M]] = []
    for plies in (2, 3):
        for way, against in looks:
            if plies == 3 and found:
                way = replace(way, effort=Effort(POSITIONS_AT_ONCE))
            ways = leaps(way, live[: 5 - plies], plies, hands_busy=True, unseen=unseen)
            found += [(cost + against, line) for cost, line in ways]
        if found and not (plies == 2 and came_at_once(look)):
            break
    return found


def at_press(look: Look[P, M], live: Sequence[Line[P, M]]) -> Found[P, M]:
    """Lost half-moves are looked for without delay."""
    found = leaps(look, live, 1, hands_busy=True, unseen=True)
    if found:
        return Found(ranked(found))
    for plies in range(2, LEAP_MAX):
        found = leaps(look, live[:RIVALS_SEARCHED], plies, hands_busy=True, unseen=True)
        if found:
            return Found(_for_the_unsearched(ranked(found), live[RIVALS_SEARCHED:]))
    return Found([])


def _for_the_unsearched(found: list[Line[P, M]], rivals: Sequence[Line[P, M]]) -> list[Line[P, M]]:
    """Rivals that nobody searched from are given up, not refuted."""
    for rival in rivals:
        if found and rival.cost <= weights.MARGIN:
            found[0].speak_for(rival)
    return found


def at_rest(look: Look[P, M], live: Sequence[Line[P, M]], *, held: bool) -> Found[P, M]:
    """When the board rests (men may be `held` in the air), or was pressed."""
    found = [*steps(look, live, silent=True), *almost(look, live, held=held)]
    if look.hides:
        found += hidden(look, live)
    leapt = not found
    found += leaps(look, live[:RIVALS_SEARCHED], 2)
    raised, lifted = put_back(look, live[0])
    against = weights.LIFTED * lifted
    if lifted:
        found += [(cost + against, line) for cost, line in leaps(raised, live[:1], 2)]
    for plies in range(3, LEAP_MAX + 1 - 2 * held):
        if not found:
            found = leaps(look, live[:1], plies)
        if not found and lifted:
            found = leaps(raised, live[:1], plies)
    lines = _for_the_unsearched(ranked(found), live[RIVALS_SEARCHED:] if leapt else ())
    return Found(lines) if lines else _doubting(look, live, (1, 2, 3), hands_busy=False)


def recovered(look: Look[P, M], live: Sequence[Line[P, M]]) -> Found[P, M]:
    """Lines that undo even what was pressed: better another past than none."""
    found: list[Weighed[P, M]] = []
    past = [line for line in live[0].back() if not line.irregular][1 : UNDONE_MAX + 1]
    for undone, line in enumerate(past, start=1):
        against = weights.TAKEN_BACK_PRESSED * undone
        for plies in (undone, undone + 1, undone + 2):
            found += [(cost + against, end) for cost, end in leaps_from(look, line, plies)]
        if found:
            break
    for _, line in found:
        line.doubtful = True
    return Found(ranked(found))


def _doubting(
    look: Look[P, M], live: Sequence[Line[P, M]], plies: Sequence[int], *, hands_busy: bool
) -> Found[P, M]:
    """Lines that explain the placement if one square is not what it shows."""
    found: list[tuple[float, Line[P, M], Doubt]] = []
    effort = Effort(POSITIONS_AT_ONCE)
    for doubt in doubts(look, live[0], at_once=hands_busy):
        other = replace(doubted(look, doubt), effort=effort)
        for length in plies:
            ways = leaps(other, live[:1], length, hands_busy=hands_busy)
            found += [(cost + weights.DOUBTED, line, doubt) for cost, line in ways]
    several = len({doubt for _, _, doubt in found if look.placement[doubt[0]] != UNKNOWN}) > 1
    if not found or (hands_busy and several):
        return Found([])
    found.sort(key=lambda way: way[0])
    believed = found[0][2]
    for _, line, _ in found:
        line.doubtful = True
    ways = [(cost, line) for cost, line, doubt in found if doubt == believed]
    return Found(ranked(ways), believed)
