"""Each table's state to whoever listens, when something of it is new and on the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import msgspec

from arbiterd.edges import ServiceClock
from arbiterd.hall.tables.desk import Desk
from arbiterd.journal.journal import Journal
from arbiterd.journal.stations import Station
from arbiterd.messages import topics
from arbiterd.messages.payloads import State
from arbiterd.messages.times import from_rfc3339
from arbiterd.outlets.public.clocks import ClockSeen
from arbiterd.outlets.public.gate import DelayGate
from arbiterd.service.duties import Duty
from arbiterd.table.playback import StateChanges

SNAPSHOT_S = 0.2
"""A table's state is told five times a second at most."""
STATES_AT_ONCE = 8
"""So many are made before half-moves and alerts have their turn again."""


class StatesTold:
    """Snapshots of the tables that changed."""

    def __init__(self, desk: Desk, journal: Journal, gate: DelayGate, clock: ServiceClock) -> None:
        self._desk, self._journal, self._gate, self._clock = desk, journal, gate, clock
        self._changes: dict[str, StateChanges] = {}
        self._followed: set[str] = set()
        """Tables whose clocks the gate has been told since this began."""
        self._turns = 0
        self._telling = False
        self.known = asyncio.Event()
        """Every table's state has been told once."""

    def duty(self) -> Duty:
        """To be kept with the others."""
        return Duty(
            "the telling of states",
            self._keep_telling,
            waiting=lambda: (
                (self._desk.news.is_set() or self._telling) and not self._journal.trouble
            ),
            progress=lambda: self._turns,
        )

    async def _keep_telling(self) -> None:
        # Begun again, nobody knows what was told last.
        self._changes = {name: StateChanges() for name in self._desk.seats}
        self._followed.clear()
        self._desk.all_changed()
        while True:
            await self._desk.news.wait()
            self._telling = True
            states = await self._new_states()
            await self._journal.synced()
            for name, state in states.items():
                topic = topics.table(name, topics.STATE)
                self._journal.snapshots.put(topic, msgspec.json.encode(state))
                if state.standing is msgspec.UNSET:
                    self._tell_clock(name, state)
            self._turns += 1
            self.known.set()
            self._telling = False
            await self._clock.rest(SNAPSHOT_S)

    def _tell_clock(self, name: str, state: State) -> None:
        """To the public's gate; what was on its way there when the service ended goes before."""
        told_ns, names = from_rfc3339(state.at), (state.white, state.black)
        if name not in self._followed:
            self._followed.add(name)
            for game, at_ns, clock in self._desk.seats[name].table.clock_turns():
                if at_ns < told_ns:  # It may have gone on since.
                    self._gate.saw(ClockSeen(name, game, at_ns, clock, names))
        self._gate.saw(ClockSeen(name, state.game, told_ns, state.clock, names))

    async def _new_states(self) -> Mapping[str, State]:
        found: dict[str, State] = {}
        for count, seat in enumerate(self._desk.take_changed(), 1):
            since_ns = self._journal.stations.now_ns()
            state = self._desk.state(seat)
            self._journal.stations.took(Station.STATE, since_ns)
            if state is not None and self._changes[seat.name].changed(state):
                found[seat.name] = state
            if count % STATES_AT_ONCE == 0:
                await self._clock.rest(0)
        return found
