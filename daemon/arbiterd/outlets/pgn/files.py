"""PGN files: a round's games, a table's present game."""

from __future__ import annotations

from collections.abc import Sequence

from arbiterd.edges import Clock
from arbiterd.journal.reader import Reader
from arbiterd.outlets.pgn.games import Score, scores
from arbiterd.outlets.pgn.text import pgn


def of_round(read: Reader, number: int, until_ns: int | None = None) -> str | None:
    """All games of a round, table by table; None: there are none.

    Games played without a round in the configuration are round 1.
    """
    found = [
        score
        for table in read.tables()
        for score in scores(read, table, until_ns)
        if (score.match.round or 1) == number
    ]
    return "".join(pgn(score) for score in sorted(found, key=_place)) if found else None


def _place(score: Score) -> tuple[int, str]:
    """Table 2 before table 10."""
    table = score.match.table
    return (int(table), "") if table.isdigit() else (1 << 31, table)


class PgnFiles:
    """Files on demand, as they are now or as they were `delay_ns` ago."""

    def __init__(
        self, read: Reader, tables: Sequence[str], clock: Clock, delay_ns: int | None = None
    ) -> None:
        self._read, self._tables, self._clock, self._delay_ns = read, tables, clock, delay_ns

    @property
    def _until_ns(self) -> int | None:
        return None if self._delay_ns is None else self._clock.now_ns() - self._delay_ns

    async def of_round(self, number: int) -> str | None:
        """None: no such round."""
        return of_round(self._read, number, self._until_ns)

    async def of_table(self, table: str) -> str | None:
        """The table's present game. None: no such table or no game."""
        if table not in self._tables:
            return None
        games = list(scores(self._read, table, self._until_ns))
        return pgn(games[-1]) if games else None
