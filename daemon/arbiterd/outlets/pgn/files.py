"""PGN files: a round's games, a table's present game."""

from __future__ import annotations

from collections.abc import Sequence

from arbiterd.edges import Clock
from arbiterd.journal.reader import Reader
from arbiterd.outlets.pgn.book import ScoreBook, place_of
from arbiterd.outlets.pgn.games import scores
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
    return (
        "".join(
            pgn(score) for score in sorted(found, key=lambda score: place_of(score.match.table))
        )
        if found
        else None
    )


class PgnFiles:
    """Files as they are now, or as they were `delay_ns` ago."""

    def __init__(
        self, read: Reader, tables: Sequence[str], clock: Clock, delay_ns: int | None = None
    ) -> None:
        self._book, self._tables = ScoreBook(read, clock, delay_ns), frozenset(tables)

    async def of_round(self, number: int) -> str | None:
        """None: no such round."""
        return await self._book.of_round(number)

    async def of_table(self, table: str) -> str | None:
        """The table's present game. None: no such table or no game."""
        return await self._book.of_table(table) if table in self._tables else None
