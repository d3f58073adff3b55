"""Which device serves which table.

A table that names its device keeps it. A table with `auto` takes a board that nobody has: the
one it had before, known by its identity, else the first in the order of the configuration. It
gives the board back when that is unplugged.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence

from arbiterd.config.model import TableEntry
from arbiterd.config.values import AUTO
from arbiterd.edges import Plugged

log = logging.getLogger(__name__)

PORTS = frozenset({"serial", "usb", "dgt-bus"})
"""Kinds of devices that are found by being plugged in."""


class Assignment:
    """The present bindings."""

    def __init__(self, tables: Sequence[TableEntry], identities: Mapping[str, str]) -> None:
        self._order = [entry.table for entry in tables]
        self._auto = [entry.table for entry in tables if entry.device == AUTO]
        self._bound = {
            entry.table: (entry.device, entry.driver) for entry in tables if entry.device != AUTO
        }
        self._identities = dict(identities)
        """What the board at each table last called itself."""
        self._named = {entry.device: entry.driver for entry in tables}
        """Devices of the configuration, with their drivers; empty: found by probing."""

    @property
    def bound(self) -> Mapping[str, tuple[str, str]]:
        """Device and driver by table."""
        return self._bound

    @property
    def waiting(self) -> bool:
        """True while a table with `auto` has no board."""
        return any(table not in self._bound for table in self._auto)

    def knows(self, table: str, identity: str) -> None:
        """What the board at this table calls itself."""
        self._identities[table] = identity

    def lost(self, table: str) -> None:
        """The board of this table is gone; with `auto` another may come."""
        if table in self._auto:
            self._bound.pop(table, None)

    def plugged(self, found: Collection[Plugged]) -> None:
        """Boards that are there and that nobody has opened."""
        taken = {device for device, _ in self._bound.values()}
        free = [board for board in found if board.device not in taken]
        empty = [table for table in self._auto if table not in self._bound]
        for table in empty:
            for board in free:
                if board.identity and board.identity == self._identities.get(table):
                    self._bind(table, board, free)
                    break
        for table in empty:
            if table not in self._bound and free:
                self._bind(table, free[0], free)

    def _bind(self, table: str, board: Plugged, free: list[Plugged]) -> None:
        self._bound[table] = (board.device, board.driver)
        free.remove(board)

    def device_of(self, table: str) -> str:
        """What serves this table now; empty: nothing."""
        return self._bound.get(table, ("", ""))[0]

    def boards(self) -> list[tuple[Plugged, str]]:
        """Every binding: the device, what its board last called itself, and the table."""
        return [
            (Plugged(device, driver, self._identities.get(table, "")), table)
            for table, (device, driver) in self._bound.items()
        ]

    def names(self, device: str) -> bool:
        """True if the configuration names it, or it is a board that discovery found before."""
        bound = {had for had, _ in self._bound.values()}
        return device == AUTO or device in self._named or device in bound

    def rebind_again(self, table: str, device: str) -> None:
        """An arbiter's word of an earlier run. Only ports are opened that nothing but a board is
        plugged into; whatever else was assigned has to stand in the configuration."""
        if self.names(device) or device.partition(":")[0] in PORTS:
            self.rebind(table, device)
        else:
            log.warning("table %s: %s was assigned, but is not configured", table, device)

    def rebind(self, table: str, device: str) -> None:
        """An arbiter's word. Whoever had the device is left without one."""
        found = (how for had, how in self._bound.values() if had == device)
        driver = next(found, self._named.get(device, ""))
        for other in [name for name, (had, _) in self._bound.items() if had == device]:
            del self._bound[other]
        self._auto = [name for name in self._auto if name != table]
        self._bound.pop(table, None)
        if device == AUTO:
            self._auto = sorted([*self._auto, table], key=self._order.index)
        else:
            self._bound[table] = (device, driver)
