"""What a ruling rests on: inputs of the journal, with the bytes they were read from."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arbiterd.journal.encode import BYTES
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.roster import Match, Roster
from arbiterd.journal.rows import InputRow
from arbiterd.messages.times import rfc3339
from arbiterd.outlets.http.source import PageClock

PAGE = 100
"""Rows read at a time: about a millisecond."""


class JournalEvidence:
    """The evidence of the arbiter's side, read from the journal each time it is asked for."""

    def __init__(self, read: JournalReader, clock: PageClock) -> None:
        self._read, self._clock = read, clock
        self._rosters: dict[str, Roster] = {}

    def match(self, table: str, number: int) -> Match | None:
        """Whose game this input is of."""
        if table not in self._rosters:
            self._rosters[table] = Roster(self._read, table)
        return self._rosters[table].of_game(number)

    async def inputs(self, table: str, first: int, last: int) -> Sequence[bytes]:
        """A page after another, so that acts have their turn between them."""
        found: list[bytes] = []
        after = first - 1
        while rows := list(self._read.inputs(table, after, PAGE)):
            found += [_told(row) for row in rows if row.number <= last]
            after = rows[-1].number
            if after >= last:
                break
            await self._clock.rest(0)
        return found


def _told(row: InputRow) -> bytes:
    said = {} if row.item is None else msgspec.to_builtins(row.item)
    said.pop("at_ns", None)
    told = {
        "number": row.number,
        "at": rfc3339(row.at_ns),
        "kind": BYTES if row.item is None else type(row.item).__name__,
        "said": said,
        "raw": row.raw.hex(" "),
    }
    return msgspec.json.encode(told)
