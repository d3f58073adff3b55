"""Devices to tables at run time: a link for each binding, begun and ended as bindings change."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from arbiterd.edges import Edges
from arbiterd.hall.assignment import Assignment
from arbiterd.hall.links import Link
from arbiterd.hall.seat import Seat
from arbiterd.service.desk import Desk
from eboards.codec import Command
from eboards.events import DeviceEvent, Identity, LinkDown

log = logging.getLogger(__name__)


class Patchbay:
    """The links that run now."""

    def __init__(self, assignment: Assignment, desk: Desk, edges: Edges) -> None:
        self._assignment, self._desk, self._edges = assignment, desk, edges
        self._links: dict[str, tuple[Link, asyncio.Task[None]]] = {}
        desk.send = self._send

    async def keep_looking(self) -> None:
        """Binds what is plugged in, whenever something comes or goes; all links end with it."""
        try:
            await self._look()
        finally:
            running = [task for _, task in self._links.values()]
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _look(self) -> None:
        for table, device in self._desk.assigned_devices():
            self._assignment.rebind(table, device)
        while True:
            for table, (link, _) in self._links.items():
                if link.trouble is not None:
                    self._assignment.lost(table)
            if self._assignment.waiting:
                claimed = [link.port for link, _ in self._links.values() if link.port]
                self._assignment.plugged(await self._edges.links.plugged(claimed))
            self._patch()
            await self._edges.links.changed()
            for link, _ in self._links.values():
                link.try_again()

    def rebind(self, table: str, device: str) -> None:
        """An arbiter's word."""
        self._assignment.rebind(table, device)
        self._patch()

    def _patch(self) -> None:
        bound = self._assignment.bound
        for table, (link, task) in list(self._links.items()):
            if bound.get(table, ("", ""))[0] != link.device:
                task.cancel()
                del self._links[table]
        for table, (device, driver) in bound.items():
            if table not in self._links:
                self._links[table] = self._begin(self._desk.seats[table], device, driver)

    def _begin(self, seat: Seat, device: str, driver: str) -> tuple[Link, asyncio.Task[None]]:
        def tell(events: Sequence[DeviceEvent], raw: bytes) -> None:
            for event in events:
                if isinstance(event, Identity) and event.serial:
                    self._assignment.knows(seat.name, event.serial)
            if events or raw:
                self._desk.take(seat, events, raw)

        link = Link(device, driver, self._edges.links, self._edges.clock, lambda: seat.at_ns, tell)
        task = asyncio.create_task(link.run())
        task.add_done_callback(lambda done: self._ended(seat, done))
        return link, task

    def _ended(self, seat: Seat, task: asyncio.Task[None]) -> None:
        """A driver that fails is no reason for the others to stop: its link begins anew."""
        if task.cancelled():
            return
        error = task.exception()
        log.error("table %s: its driver failed (%r) and is started again", seat.name, error)
        self._assignment.lost(seat.name)
        self._links.pop(seat.name, None)
        self._desk.take(seat, (LinkDown(self._desk.now_ns(seat), f"the driver failed: {error!r}"),))

    def _send(self, table: str, commands: Sequence[Command]) -> None:
        if table in self._links:
            for command in commands:
                self._links[table][0].send(command)
