"""The newest outputs, handed on as they are committed: who follows closely reads nothing back."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from arbiterd.journal.rows import OutputRow

ROWS_MAX = 4096
"""A minute of 200 boards, about 6 MB. Who is further behind reads from the disk."""


class RecentOutputs:
    """Outputs in order of number, all beyond `begin`."""

    def __init__(self, begin: int) -> None:
        self.begin = begin
        self._rows: deque[OutputRow] = deque()

    def add(self, rows: Iterable[OutputRow]) -> None:
        """They are on the disk now."""
        self._rows.extend(rows)
        while len(self._rows) > ROWS_MAX:
            self.begin = self._rows.popleft().number

    def after(self, number: int, limit: int) -> Sequence[OutputRow] | None:
        """Those beyond a number, so many at most; None: they are not all here any more."""
        if number < self.begin:
            return None
        # From the newest on: who follows closely pays for what is new to them alone.
        found: list[OutputRow] = []
        for row in reversed(self._rows):
            if row.number <= number:
                break
            found.append(row)
        return found[: -limit - 1 : -1]
