"""Journal rows out to the broker: each sent until confirmed, in order, with a cursor behind.

    rows      1 2 3 4 5 6 7 8 …
    cursor        ^               everything up to here is confirmed, without a hole
    in flight         3 4 5       sent in order, confirmed in any
    next                    6

Killed anywhere, it loses nothing; what was in flight comes again, and its `seq` shows it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable

from arbiterd.edges import Session
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import OutputRow

IN_FLIGHT = 20
PAGE = 200
JOURNAL_ONLY = frozenset({"log"})
"""Topics that people read in the journal and nowhere else."""

Correlate = Callable[[OutputRow], bytes]
"""The MQTT 5 correlation data that goes back with a reply."""


class Outbox:
    """Delivers one journal over one session; made anew with each."""

    def __init__(
        self, journal: Journal, session: Session, root: str, outlet: str, correlate: Correlate
    ) -> None:
        self._journal, self._session, self._root = journal, session, root
        self._outlet, self._correlate = outlet, correlate
        cursor = journal.read.cursor(outlet)
        # One beyond all rows is of another journal, or damaged: what was sent is sent again.
        self._cursor = cursor if cursor <= journal.committed_outputs else 0
        self._flying: deque[tuple[int, Awaitable[None] | None]] = deque()

    async def deliver(self) -> None:
        """For as long as the session lasts. Raises BrokerError."""
        sent = self._cursor
        while True:
            committed = self._journal.committed_outputs
            rows = list(self._journal.read.outputs(after=sent, limit=PAGE))
            for row in rows:
                if len(self._flying) >= IN_FLIGHT:
                    await self._confirmed(IN_FLIGHT // 2)
                self._send(row)
                sent = row.number
            if len(rows) < PAGE:
                sent = max(sent, committed)  # Rows may be missing from a damaged journal.
            if sent >= self._journal.committed_outputs:
                await self._confirmed(0)
                await self._journal.grown(sent)

    def _send(self, row: OutputRow) -> None:
        if row.topic in JOURNAL_ONLY:
            self._flying.append((row.number, None))
            return
        topic = f"{self._root}/tables/{row.table}/{row.topic}"
        confirmed = self._session.publish(
            topic, row.payload, retained=row.retained, correlation=self._correlate(row)
        )
        self._flying.append((row.number, confirmed))

    async def _confirmed(self, left: int) -> None:
        """Waits for the oldest in flight, until so many are left; the cursor follows."""
        cursor = self._cursor
        try:
            while len(self._flying) > left:
                number, confirmed = self._flying[0]
                if confirmed is not None:
                    await confirmed
                self._flying.popleft()
                cursor = number
        finally:
            if cursor != self._cursor:
                self._cursor = cursor
                self._journal.move_cursor(self._outlet, cursor)
