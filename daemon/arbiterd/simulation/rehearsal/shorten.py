"""A shorter script that fails in the same way: troubles are left out while it still does."""

from __future__ import annotations

from collections.abc import Callable, Collection

from arbiterd.simulation.rehearsal.findings import RehearsalReport
from arbiterd.simulation.rehearsal.script import Script

Play = Callable[[Script], RehearsalReport]


def shortest(
    script: Script, report: RehearsalReport, play: Play, tries: int
) -> tuple[Script, RehearsalReport]:
    """The shortest found in so many runs, and how it came out.

    First what comes after the failure goes, then halves, then quarters, down to single troubles.
    """
    attempts = _Attempts(play, report.rules, tries)
    best = script, report
    until_s = report.findings[0].at_s
    best = attempts.better(best, [t.number for t in script.troubles if t.at_s <= until_s])
    size = max(1, len(best[0].troubles) // 2)
    while attempts.left and best[0].troubles:
        numbers = [trouble.number for trouble in best[0].troubles]
        for begin in range(0, len(numbers), size):
            kept = {trouble.number for trouble in best[0].troubles}
            best = attempts.better(best, kept - set(numbers[begin : begin + size]))
        if size == 1 and len(best[0].troubles) == len(numbers):
            break
        size = max(1, min(size, len(best[0].troubles)) // 2)
    return best


class _Attempts:
    """So many runs, and what counts as the same failure."""

    def __init__(self, play: Play, rules: frozenset[str], left: int) -> None:
        self._play, self._rules, self.left = play, rules, left

    def better(
        self, best: tuple[Script, RehearsalReport], numbers: Collection[int]
    ) -> tuple[Script, RehearsalReport]:
        """The day with these troubles alone, if it fails so too."""
        shorter = best[0].only(numbers)
        if not self.left or len(shorter.troubles) == len(best[0].troubles):
            return best
        self.left -= 1
        report = self._play(shorter)
        return (shorter, report) if report.rules & self._rules else best
