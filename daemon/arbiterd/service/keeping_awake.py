"""The computer is kept awake while anybody plays."""

from __future__ import annotations

import logging

from arbiterd.edges import ServiceClock, Wakefulness
from arbiterd.hall.tables.desk import Desk
from arbiterd.service.duties import Duty

log = logging.getLogger(__name__)

WATCHING_S = 5.0
"""How soon the machine is kept awake once a game has begun."""
AGAIN_S = 60.0
"""How soon it is tried again where systemd said no."""


class KeptAwake:
    """No sleep while anybody plays. A simulated hall may sleep."""

    def __init__(
        self, desk: Desk, awake: Wakefulness, clock: ServiceClock, *, simulated: bool
    ) -> None:
        self._desk, self._awake, self._clock = desk, awake, clock
        self._simulated = simulated
        self._looks = 0

    def duty(self) -> Duty:
        """To be kept with the others."""
        return Duty(
            "the keeping awake",
            self._keep_awake,
            waiting=lambda: True,
            progress=lambda: self._looks,
            patience_s=AGAIN_S + WATCHING_S,
            vital=False,
        )

    async def _keep_awake(self) -> None:
        told = ""
        try:
            while True:
                trouble = ""
                if self._played:
                    trouble = await self._awake.hold("a round is played")
                else:
                    await self._awake.release()
                if trouble and trouble != told:
                    log.warning("%s", trouble)
                told = trouble
                self._looks += 1
                await self._clock.rest(AGAIN_S if trouble else WATCHING_S)
        finally:
            await self._awake.release()

    @property
    def _played(self) -> bool:
        """Real boards, and somebody plays."""
        playing = any(seat.table.in_play for seat in self._desk.seats.values())
        return playing and not self._simulated
