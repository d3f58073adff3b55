"""Takes every table up where the journal left it, at the start of the service."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from arbiterd import __version__
from arbiterd.edges import Clock
from arbiterd.hall.seat import Seat
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Batch, InputRow
from arbiterd.service.desk import Desk, attempt
from arbiterd.table import Table, TableSetup
from arbiterd.table.inputs import ServiceStarted


def seat_all(setups: Mapping[str, TableSetup], journal: Journal, clock: Clock) -> Desk:
    """The tables of the configuration, with whatever the journal knows of them."""
    seats: dict[str, Seat] = {}
    for name, setup in setups.items():
        restored = attempt(name, partial(Seat.restored, journal.read, name))
        if isinstance(restored, str):
            seats[name] = Seat(name, Table(setup), 0, 0)
            seats[name].failing = restored
        elif restored is not None:
            seats[name] = restored
    newest_ns = max((seat.at_ns for seat in seats.values()), default=0)
    clock.not_before(max(newest_ns, journal.read.last_at_ns()) + 1)
    for name, setup in setups.items():
        if name not in seats:
            seats[name] = _new(setup, journal, clock)
    # In the order of the configuration, which people know.
    desk = Desk({name: seats[name] for name in setups}, journal, clock)
    for name, setup in setups.items():
        seat = seats[name]
        if journal.read.setup(name) not in (None, setup):
            desk.take(seat, (setup,))
        desk.take(seat, (ServiceStarted(desk.now_ns(seat), __version__),))
    return desk


def _new(setup: TableSetup, journal: Journal, clock: Clock) -> Seat:
    row = InputRow(journal.next_input(), clock.now_ns(), setup.table, setup)
    journal.write(Batch(inputs=(row,)))
    return Seat(setup.table, Table(setup), 0, row.number)
