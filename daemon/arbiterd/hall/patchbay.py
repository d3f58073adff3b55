"""Devices to tables at run time: a link for each binding, begun and ended as bindings change."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from arbiterd.edges import Edges, Plugged
from arbiterd.hall.links.assignment import Assignment
from arbiterd.hall.links.link import Link
from arbiterd.hall.tables.desk import Desk
from arbiterd.hall.tables.seat import Seat
from arbiterd.journal.stations import Met, Station, Stations
from eboards.codec import DeviceCommand
from eboards.events import DeviceEvent, Fault, Identity, LinkDown, Noise

log = logging.getLogger(__name__)

AGAIN_S = 1.0
"""So long a driver that failed is left alone, a device is waited for that is being let go, and a
table is that may be given another board."""
NO_BOARD = "no board serves this table, its own went to another table or is not plugged in"


class Patchbay:
    """The links that run now."""

    def __init__(
        self, assignment: Assignment, desk: Desk, edges: Edges, stations: Stations
    ) -> None:
        self._assignment, self._desk, self._edges = assignment, desk, edges
        self._stations = stations
        self._links: dict[str, tuple[Link, asyncio.Task[None]]] = {}
        self._ending: dict[asyncio.Task[None], str] = {}
        """Links that were told to end and may have their device open still, with its name."""
        self._telling: asyncio.TimerHandle | None = None
        self._looking = asyncio.Lock()
        self.looks = 0
        """How often it was looked what is plugged in."""
        desk.send = self._send
        desk.listen_anew = self._begin_anew
        for table, device in desk.assigned_devices():
            assignment.rebind_again(table, device)

    async def close(self) -> None:
        """Ends all links."""
        if self._telling is not None:
            self._telling.cancel()
        for table in list(self._links):
            self._end(table)
        await asyncio.gather(*self._ending, return_exceptions=True)

    async def keep_looking(self) -> None:
        """Binds what is plugged in, whenever something comes or goes. Links run on beside it."""
        while True:
            for table, (link, _) in self._links.items():
                if link.trouble is not None:
                    self._assignment.lost(table)
            if self._assignment.waiting:
                self._assignment.plugged(await self._plugged())
            self._patch()
            self.looks += 1
            await self._edges.links.changed()
            for link, _ in self._links.values():
                link.try_again()

    async def _plugged(self) -> tuple[Plugged, ...]:
        """Boards that no link has open, and no table is bound to: one that was plugged in just now
        is not asked before its own table has opened it. One look at a time: it asks each port who
        it is."""
        async with self._looking:
            claimed = [link.port for link, _ in self._links.values() if link.port]
            claimed += [device for device, _ in self._assignment.bound.values()]
            return await self._edges.links.plugged(claimed)

    async def boards(self) -> list[tuple[Plugged, str | None]]:
        """What tables have, with the table, and what is plugged in beside, with None."""
        had = self._assignment.boards()
        taken = {board.device for board, _ in had}
        return [*had, *((free, None) for free in await self._plugged() if free.device not in taken)]

    async def may_open(self, device: str) -> bool:
        """For an arbiter: what is configured, and what is plugged in. No file, no other host."""
        return self._assignment.names(device) or await self._edges.links.present(device)

    def device_of(self, table: str) -> str:
        """What serves this table now; empty: nothing."""
        return self._assignment.device_of(table)

    def rebind(self, table: str, device: str) -> None:
        """An arbiter's word."""
        self._assignment.rebind(table, device)
        self._patch()

    def _patch(self) -> None:
        bound = self._assignment.bound
        for table, (link, _) in list(self._links.items()):
            if bound.get(table, ("", ""))[0] != link.device:
                self._end(table)
        for table, (device, driver) in bound.items():
            if table not in self._links:
                self._links[table] = self._begin(self._desk.seats[table], device, driver)
        if self._telling is None:
            # Where two tables change their boards, the second is without one for a moment.
            loop = asyncio.get_running_loop()
            self._telling = loop.call_later(AGAIN_S, self._tell_who_has_none)

    def _tell_who_has_none(self) -> None:
        """A table that takes its board to be there loses it where it has none any more: no link is
        left that would say so."""
        self._telling = None
        for seat in self._desk.seats.values():
            has_one = seat.name in self._assignment.bound
            if not has_one and seat.hears_a_board and not self._desk.no_room:
                self._desk.take(seat, (LinkDown(self._desk.now_ns(seat), NO_BOARD),))

    def _end(self, table: str) -> None:
        link, task = self._links.pop(table)
        self._ending[task] = link.device
        task.add_done_callback(self._ending.pop)
        task.cancel()

    async def _run(self, link: Link) -> None:
        """Once whoever had its device open has let it go."""
        before = {task for task, device in self._ending.items() if device == link.device}
        if before:
            await asyncio.wait(before, timeout=AGAIN_S)
        await link.run()

    def _begin(self, seat: Seat, device: str, driver: str) -> tuple[Link, asyncio.Task[None]]:
        def tell(events: Sequence[DeviceEvent], raw: bytes) -> None:
            for event in events:
                if isinstance(event, Identity) and event.serial:
                    self._assignment.knows(seat.name, event.serial)
                elif isinstance(event, Fault) and event.noise is Noise.TOO_MUCH:
                    self._stations.reached(Met.READ_SLOWLY)
            if events and raw:
                self._stations.took(Station.HEARD, events[-1].at_ns)
            if events or raw:
                self._desk.take(seat, events, raw)

        link = Link(device, driver, self._edges.links, self._edges.clock, lambda: seat.at_ns, tell)
        task = asyncio.create_task(self._run(link))
        task.add_done_callback(lambda done: self._ended(seat, done))
        return link, task

    def _ended(self, seat: Seat, task: asyncio.Task[None]) -> None:
        """A driver that fails is no reason for the others to stop: its link begins anew."""
        running = self._links.get(seat.name)
        if running is None or running[1] is not task:
            return  # It was ended on purpose.
        error = "it was ended" if task.cancelled() else repr(task.exception())
        log.error("table %s: its driver failed (%s) and is started again", seat.name, error)
        self._assignment.lost(seat.name)
        del self._links[seat.name]
        self._desk.take(seat, (LinkDown(self._desk.now_ns(seat), f"the driver failed: {error}"),))
        asyncio.get_running_loop().call_later(AGAIN_S, self._patch)

    def _begin_anew(self, table: str) -> None:
        """The table's device is to show all of its board again."""
        if table in self._links:
            self._end(table)
            self._patch()

    def _send(self, table: str, commands: Sequence[DeviceCommand]) -> None:
        if table in self._links:
            for command in commands:
                if not self._links[table][0].send(command):
                    self._stations.reached(Met.NOT_SENT)

    @property
    def unread(self) -> int:
        """The most that one line has said and nobody has looked at, in reads."""
        return max((link.unread for link, _ in self._links.values()), default=0)
