"""Is a clock set as the time control says? It shows that before the first press (6.10.2).

The credit of the first move is in it already; some clocks add that only when they start.
"""

from __future__ import annotations

from arbiterd.rules.ruleset import Colour
from arbiterd.timing.arithmetic import DISPLAY_MS
from arbiterd.timing.control import Period
from arbiterd.timing.face import MS, Face


def wrongly_set(face: Face, first: Period, *, pressed: bool) -> bool:
    """`face`, on which both times are known, is not that of a game in its first period.

    `pressed`: one side has pressed since the start, and what both show is no setting any more.
    """
    runs, still, shows = _read(face, first)
    if face.running is None:
        # A clock left from the game before shows two times; one that is set shows one.
        return runs == still and not _about(still, shows)
    return not (pressed or _about(still, shows)) or runs > shows[0] + DISPLAY_MS


def rightly_set(face: Face, first: Period) -> bool:
    """Both times, which are known, are those of a game that begins, or has begun to run."""
    runs, still, shows = _read(face, first)
    begun = runs <= shows[0] + DISPLAY_MS if face.running else _about(runs, shows)
    return begun and _about(still, shows)


def _read(face: Face, first: Period) -> tuple[int, int, tuple[int, int]]:
    """The time that runs, or would, the other one, and what a clock may show at the start."""
    running = face.running or Colour.WHITE
    runs, still = face.of(running), face.of(running.other)
    assert runs is not None, "both times are known here"
    assert still is not None, "both times are known here"
    return runs, still, (first.opening_ms + first.increment_ms, first.opening_ms)


def pressed_since(before: Face, after: Face, first: Period) -> bool:
    """Both stood, and one side has been credited: the start and its press both came since."""
    assert after.running is not None, "one runs now"
    was, now = before.of(after.running.other), after.of(after.running.other)
    if before.running is not None or was is None or now is None:
        return False
    least_ms = first.increment_ms - (after.at_ns - before.at_ns) // MS
    return least_ms - DISPLAY_MS <= now - was <= first.increment_ms and now != was


def _about(ms: int, shows: tuple[int, ...]) -> bool:
    """Within what a display leaves open."""
    return any(abs(ms - each) <= DISPLAY_MS for each in shows)
