"""Takes every table up where the journal left it, at the start of the service.

Whatever is wrong with the journal costs at most the tables it belongs to: they go on without the
rows concerned, and say so; one that cannot go on at all is marked, and the others play.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from arbiterd import __version__
from arbiterd.edges import Clock
from arbiterd.hall.seat import Seat, StumbledError
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Batch, InputRow
from arbiterd.service.desk import STUMBLES_MAX, Desk, attempt
from arbiterd.table import Table, TableSetup
from arbiterd.table.inputs import Missed, ServiceStarted

log = logging.getLogger(__name__)


def seat_all(setups: Mapping[str, TableSetup], journal: Journal, clock: Clock) -> Desk:
    """The tables of the configuration, with whatever the journal knows of them."""
    seats: dict[str, Seat] = {}
    for name, setup in setups.items():
        restored = _restored(name, journal)
        if isinstance(restored, str):
            seats[name] = Seat(name, Table(setup), 0, 0)
            seats[name].failing = restored
        elif restored is not None:
            seats[name] = restored
    newest_ns = max((seat.at_ns for seat in seats.values()), default=0)
    clock.not_before(max(newest_ns, journal.found.at_ns) + 1)
    for name, setup in setups.items():
        if name not in seats:
            seats[name] = _new(setup, journal, clock)
    # In the order of the configuration, which people know.
    desk = Desk({name: seats[name] for name in setups}, journal, clock)
    for name, setup in setups.items():
        _seat(desk, seats[name], setup, journal)
    return desk


def _restored(name: str, journal: Journal) -> Seat | str | None:
    """A sentence: the table cannot be taken up. None: it is new."""
    aside = dict(journal.found.suspect)
    for _ in range(STUMBLES_MAX):
        found = attempt(name, lambda: _tried(name, journal, aside))
        if not isinstance(found, StumbledError):
            return found
        log.error("table %s: input %d cannot be taken up: %s", name, found.number, found)
        aside[found.number] = str(found)
    return f"table {name} has stopped: too many rows of the journal cannot be taken up"


def _tried(name: str, journal: Journal, aside: Mapping[int, str]) -> Seat | StumbledError | None:
    try:
        return Seat.restored(journal.read, name, aside, journal.found.at_ns)
    except StumbledError as error:
        return error


def _new(setup: TableSetup, journal: Journal, clock: Clock) -> Seat:
    row = InputRow(journal.next_input(), clock.now_ns(), setup.table, setup)
    journal.write(Batch(inputs=(row,)))
    return Seat(setup.table, Table(setup), 0, row.number)


def _seat(desk: Desk, seat: Seat, setup: TableSetup, journal: Journal) -> None:
    """What a table is told first."""
    desk.tell_passed_over(seat)
    lost = journal.found.all_tables
    told = journal.head.seq.get(seat.name, 0)
    if lost or told > seat.table.announcer.numbering.seq:
        words = f"{lost or 'events of this table are missing'}; compare the moves with the board"
        desk.take(seat, (Missed(desk.now_ns(seat), words, seq=told),))
    # What a command said stands until the configuration says something else than before.
    if journal.read.configured(seat.name) not in (None, setup):
        desk.take(seat, (setup,))
    desk.take(seat, (ServiceStarted(desk.now_ns(seat), __version__),))
