"""The proof that the journal works: a row is written and read back, again and again."""

from __future__ import annotations

from arbiterd.edges import ServiceClock
from arbiterd.journal.journal import Journal
from arbiterd.service.duties import Duty

PROOF_S = 5.0
"""A row is written and read back so often."""


class JournalProof:
    """Proves the journal for as long as the service runs."""

    def __init__(self, journal: Journal, clock: ServiceClock) -> None:
        self._journal, self._clock = journal, clock
        self.proofs = 0
        """How often a row was written and read back."""

    def duty(self) -> Duty:
        """To be kept with the others."""
        return Duty(
            "the proof of the journal",
            self._keep_proving,
            waiting=lambda: not self._journal.trouble,
            progress=lambda: self.proofs,
            patience_s=4 * PROOF_S,
        )

    async def _keep_proving(self) -> None:
        while True:
            await self._journal.prove()
            self.proofs += 1
            await self._clock.rest(PROOF_S)
