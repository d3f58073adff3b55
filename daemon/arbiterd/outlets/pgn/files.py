"""PGN files: a round's games, a table's present game; in full, or safe for a broadcast."""

from __future__ import annotations

from collections.abc import Sequence

from arbiterd.edges import ServiceClock
from arbiterd.journal.delays import Delays
from arbiterd.journal.reader import JournalReader
from arbiterd.outlets.pgn.book import Form, ScoreBook, in_round
from arbiterd.outlets.pgn.full import full_pgn
from arbiterd.outlets.pgn.games import scores


def of_round(
    read: JournalReader, number: int, until_ns: int | None = None, form: Form = full_pgn
) -> str | None:
    """All games of a round, table by table; None: there are none."""
    every = (score for table in read.tables() for score in scores(read, table, until_ns))
    found = in_round(every, number)
    return "".join(form(score) for score in found if not score.cut) or None


class PgnFiles:
    """Files as they are now; with `delays`, as far as they are public."""

    def __init__(
        self,
        read: JournalReader,
        tables: Sequence[str],
        clock: ServiceClock,
        delays: Delays | None = None,
        form: Form = full_pgn,
    ) -> None:
        self._book, self._tables = ScoreBook(read, clock, delays, form), frozenset(tables)

    async def of_round(self, number: int) -> str | None:
        """None: no such round."""
        return await self._book.of_round(number)

    async def of_table(self, table: str) -> str | None:
        """The table's present game. None: no such table or no game."""
        return await self._book.of_table(table) if table in self._tables else None
