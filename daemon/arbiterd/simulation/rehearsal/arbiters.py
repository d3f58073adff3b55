"""Arbiters at their tablets: each act is sent until it is answered, now and then twice, or late."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import Final

from arbiterd.messages import topics
from arbiterd.simulation.rehearsal.broker import SimulatedBroker
from arbiterd.simulation.rehearsal.reader import RehearsalReader
from arbiterd.simulation.rehearsal.script import Trouble

AGAIN_S: Final = 5.0
"""A client asks again after so long."""
LATE_S: Final = (60.0, 600.0)
"""A command that was answered long ago comes once more."""
REPORTED: Final = "conduct-distraction"
ACTS: Final = (
    {"action": "report", "kind": REPORTED, "side": "white"},
    {"action": "mute"},
    {"action": "unmute"},
    {"action": "draw-offer", "side": "black"},
)
"""What changes neither the moves nor the clocks, whenever it is done."""


@dataclass(slots=True)
class WantedAct:
    """One act, and how often it was sent."""

    table: str
    id: str
    payload: bytes
    twice: bool
    late_s: float
    """So long after its answer it is sent again; 0: not."""
    sent: int = 0

    @property
    def topic(self) -> str:
        return topics.table(self.table, topics.command("ana"))


class Arbiters:
    """All that they want done."""

    def __init__(self, hall: str, broker: SimulatedBroker, reader: RehearsalReader) -> None:
        self._root, self._broker, self._reader = topics.hall(hall), broker, reader
        self.wanted: list[WantedAct] = []

    def want(self, trouble: Trouble, dice: Random) -> WantedAct:
        """What this act is."""
        said = {**dice.choice(ACTS), "id": f"act-{trouble.number}", "by": "ana"}
        if said["action"] == "report":
            said["note"] = said["id"]
        late_s = dice.uniform(*LATE_S) if dice.random() < 0.3 else 0.0
        payload = json.dumps(said).encode()
        wanted = WantedAct(trouble.table, said["id"], payload, dice.random() < 0.4, late_s)
        self.wanted.append(wanted)
        return wanted

    def answered(self, wanted: WantedAct) -> bool:
        return wanted.id in self._reader.replies

    def send(self, wanted: WantedAct) -> None:
        """To the broker; nobody keeps it for a service that is away."""
        wanted.sent += 1
        for _ in range(2 if wanted.twice else 1):
            self._broker.take(f"{self._root}/{wanted.topic}", wanted.payload, retained=False)
