"""How long the journal keeps its rows: the old ones are taken out, where the configuration says so.

A computer's clock that has gone on by months since the last row may be wrong, and a journal that
was damaged may hold wrong times: neither ages anything.
"""

from __future__ import annotations

import logging
import sqlite3

from arbiterd.edges import ServiceClock
from arbiterd.journal.journal import Journal
from arbiterd.service.duties import Duty

log = logging.getLogger(__name__)

MINUTE_S, HOUSEKEEPING = 60.0, 60
"""Old rows are taken out every so many minutes."""
TIDYING_S = 180.0
"""A minute passes, and old rows are taken out, in that time."""
DAY_NS = 86_400_000_000_000
SILENCE_NS = 31 * DAY_NS
"""A longer silence between two runs of the service is not believed: its clock may be wrong."""


class Housekeeping:
    """Takes out of the journal what is older than `keep_ns`; None: nothing ever."""

    def __init__(self, journal: Journal, clock: ServiceClock, keep_ns: int | None) -> None:
        self._journal, self._clock = journal, clock
        self.keep_ns = keep_ns
        """May be another once the configuration was read again."""
        self._unnoted = False
        """A silence that could not be noted would age what came before it."""
        self._minutes = 0

    def duty(self) -> Duty:
        """To be kept with the others."""
        return Duty(
            "the keeping of the house",
            self._keep_house,
            waiting=lambda: True,
            progress=lambda: self._minutes,
            patience_s=TIDYING_S,
            vital=False,
        )

    async def _keep_house(self) -> None:
        while True:
            for _ in range(HOUSEKEEPING):
                await self._clock.rest(MINUTE_S)
                self._minutes += 1
            await self.purge()

    async def note_silence(self) -> None:
        """A silence of months before this run is noted in the journal: it ages nothing."""
        journal = self._journal
        excess_ns = self._clock.now_ns() - journal.found.at_ns - SILENCE_NS
        if excess_ns <= 0 or not journal.head.input:
            return
        try:
            await journal.note_silence(journal.found.at_ns, excess_ns)
        except sqlite3.Error as error:
            self._unnoted = True
            log.warning("nothing is taken out of the journal in this run: %s", error)
        log.warning(
            "this computer's clock is %d days past the journal's newest row; for [journal] keep"
            " that counts as %d. If it is right and older games are to go: arbiterd journal purge",
            (excess_ns + SILENCE_NS) // DAY_NS,
            SILENCE_NS // DAY_NS,
        )

    async def purge(self) -> None:
        """Takes the old rows out, and says how many they were."""
        if self.keep_ns is None or self._unnoted or self._journal.found.notes:
            # A journal that was damaged loses nothing more: its times may be wrong too.
            return
        try:
            gone = await self._journal.purge(self._clock.now_ns() - self.keep_ns)
        except sqlite3.Error as error:
            log.warning("nothing was taken out of the journal: %s", error)
            return
        if gone:
            log.info("%d rows of the journal were older than [journal] keep and are gone", gone)
