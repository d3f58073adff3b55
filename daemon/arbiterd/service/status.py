"""What the service says of itself: that it runs, how it does, where its journal ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from arbiterd import __version__
from arbiterd.edges import ServiceClock
from arbiterd.journal.journal import Journal
from arbiterd.messages import topics
from arbiterd.messages.payloads import JournalEnd, Status
from arbiterd.messages.times import rfc3339
from arbiterd.service.duties import Duty

STATUS_S = 60
"""`status` is told so often, with the seal of the journal's end."""


class StatusTold:
    """The payload of `status`, told whenever how we do has changed, and from time to time."""

    def __init__(
        self,
        hall: str,
        tables: int,
        journal: Journal,
        clock: ServiceClock,
        *,
        simulated: bool,
        ill: Callable[[], str],
        notes: Callable[[], list[str]],
    ) -> None:
        """`ill`: what keeps the service from its work; `notes`: what is to be mended in time."""
        self._hall, self._tables, self._simulated = hall, tables, simulated
        self._journal, self._clock = journal, clock
        self._ill, self._notes = ill, notes
        self._began = rfc3339(clock.now_ns())
        self._seconds = 0

    def duty(self) -> Duty:
        """To be kept with the others."""
        return Duty(
            "the status",
            self._keep_telling,
            waiting=lambda: not self._journal.trouble,
            progress=lambda: self._seconds,
        )

    async def _keep_telling(self) -> None:
        await self._journal.synced()
        while True:
            ill = self._ill()
            self._journal.snapshots.put(topics.STATUS, self.payload("online"))
            for _ in range(STATUS_S):
                await self._clock.rest(1.0)
                self._seconds += 1
                if self._ill() != ill:
                    break

    def payload(self, state: Literal["online", "offline"]) -> bytes:
        """As JSON. `offline` is what the broker says for us once we are gone."""
        head, online = self._journal.head, state == "online"
        end = JournalEnd(inputs=head.input, outputs=head.output, seal=head.seal)
        return msgspec.json.encode(
            Status(
                hall=self._hall,
                at=rfc3339(self._clock.now_ns()),
                simulated=self._simulated,
                state=state,
                version=__version__,
                started=self._began,
                tables=self._tables,
                ill=self._ill() if online else "",
                notes=[*self._journal.found.notes, *(self._notes() if online else ())],
                journal=end if online else msgspec.UNSET,
            )
        )
