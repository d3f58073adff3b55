"""Takes every table up where the journal left it, at the start of the service.

Whatever is wrong with the journal costs at most the tables it belongs to: they go on without the
rows concerned, and say so; one that cannot go on at all is marked, and the others play.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Container, Mapping
from functools import partial

from arbiterd import __version__
from arbiterd.edges import ServiceClock
from arbiterd.hall.tables.desk import STUMBLES_MAX, TOO_MANY, Desk, attempt
from arbiterd.hall.tables.differing import BESIDE, differing, relabelled, words
from arbiterd.hall.tables.seat import Seat, StumbledError
from arbiterd.hall.tables.taking_up import NO_ROWS, SLICE_ROWS, TakingUp
from arbiterd.journal.delays import Delays
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Batch, InputRow
from arbiterd.messages import topics
from arbiterd.table.inputs import DelaySaid, Missed, ServiceStarted
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table

log = logging.getLogger(__name__)

START_ROWS = 4000
"""So many rows are folded before the hall is there, two or three seconds; a table with more than
what is left of them is made again while the others play."""


def seat_all(
    setups: Mapping[str, TableSetup], journal: Journal, clock: ServiceClock, delays: Delays
) -> Desk:
    """The tables of the configuration, with whatever the journal knows of them."""
    _name_what_is_left(setups, journal)
    seats: dict[str, Seat] = {}
    behind: list[Seat] = []
    room = START_ROWS
    for name, setup in setups.items():
        taking = attempt(name, partial(_begun, setup, journal))
        if isinstance(taking, str):
            seats[name] = Seat(name, Table(setup), 0, 0)
            seats[name].failing = taking
        elif not taking.new:
            rows = taking.left(START_ROWS + 1)
            if rows > room:
                behind.append(_standing(setup, journal))
                seats[name] = behind[-1]
                continue
            room -= rows
            seats[name] = _restored(setup, journal)
            if not seats[name].failing:
                _add_strayed(seats[name], setups, journal)
    newest_ns = max((seat.at_ns for seat in seats.values()), default=0)
    clock.not_before(max(newest_ns, journal.found.at_ns) + 1)
    for name, setup in setups.items():
        if name not in seats:
            seats[name] = _new(setup, journal, clock)
            delays.hear(name, clock.now_ns(), setup)
    # In the order of the configuration, which people know.
    desk = Desk({name: seats[name] for name in setups}, journal, clock)
    desk.hear = delays.hear
    desk.joined = partial(_joined, desk, journal)
    for seat in behind:
        desk.falls_behind(seat)
    for name, setup in setups.items():
        if seats[name] not in behind:
            _tell_missed(desk, seats[name], journal)
        _begin(desk, seats[name], setup, journal)
        delay_ns = setup.public_delay_ns
        if delay_ns is not None and delays.configured_ns.get(name, delay_ns) != delay_ns:
            desk.take(seats[name], (DelaySaid(desk.now_ns(seats[name]), delay_ns, True),))
    return desk


def _name_what_is_left(setups: Container[str], journal: Journal) -> None:
    """Alerts of tables that the configuration does not name any more: nobody is shown them."""
    rows = journal.read.retained(journal.committed_outputs)
    left = Counter(
        row.table
        for row in rows
        if row.payload and row.table not in setups and row.topic.startswith(f"{topics.RULINGS}/")
    )
    for table, count in left.items():
        log.warning(
            "table %s is not in the configuration any more, and has undecided alerts (%d): name it"
            " there again to see and decide them",
            table,
            count,
        )


def _begun(setup: TableSetup, journal: Journal, aside: Mapping[int, str] = NO_ROWS) -> TakingUp:
    found = journal.found
    return TakingUp(journal.read, setup.table, {**found.suspect, **aside}, found.at_ns, setup)


def _standing(setup: TableSetup, journal: Journal) -> Seat:
    """In the place of a table that is made again while the others play: its names alone."""
    newest = journal.read.setup(setup.table) or setup
    table = attempt(setup.table, lambda: Table(newest))
    return Seat(setup.table, Table(setup) if isinstance(table, str) else table, 0, 0)


def _restored(setup: TableSetup, journal: Journal) -> Seat:
    """A table that the journal knows; where it cannot be taken up, it says why."""
    name = setup.table
    aside: dict[int, str] = {}
    why = f"table {name} has stopped: {TOO_MANY}"
    for _ in range(STUMBLES_MAX):
        found = attempt(name, lambda: _tried(_begun(setup, journal, aside)))
        if isinstance(found, Seat):
            return found
        if isinstance(found, str):
            why = found
            break
        log.error("table %s: input %d cannot be taken up: %s", name, found.number, found)
        aside[found.number] = str(found)
    seat = Seat(name, Table(setup), 0, 0)
    seat.failing = why
    return seat


def _tried(taking: TakingUp) -> Seat | StumbledError:
    try:
        while taking.fold(SLICE_ROWS):
            pass
        return taking.done()
    except StumbledError as error:
        return error


def _add_strayed(seat: Seat, tables: Container[str], journal: Journal) -> None:
    seat.passed_over = _strayed(seat, tables, journal) | seat.passed_over


def _strayed(seat: Seat, tables: Container[str], journal: Journal) -> dict[int, str]:
    """Suspect inputs that are this table's, or nobody knows whose, under whatever name."""
    found, told = journal.found, journal.read.missed(seat.name, seat.written_down)
    return {
        number: found.suspect[number]
        for number, owner in found.owners.items()
        if (owner == seat.name or owner not in tables)
        and number > seat.written_down
        and number not in told
    }


def _untold(name: str, tables: Container[str], journal: Journal) -> str:
    """Outputs of this table, or nobody knows whose, that will not reach the broker any more."""
    delivered = journal.read.cursor("mqtt")
    ours = [
        number
        for number, owner in journal.found.altered.items()
        if number > delivered and (owner == name or owner not in tables)
    ]
    named = ", ".join(map(str, ours[:3])) + (" and more" if len(ours) > 3 else "")
    return f"outputs {named} of the journal are not as they were written" if ours else ""


def _new(setup: TableSetup, journal: Journal, clock: ServiceClock) -> Seat:
    row = InputRow(journal.next_input(), clock.now_ns(), setup.table, setup)
    journal.write(Batch(inputs=(row,)))
    return Seat(setup.table, Table(setup), 0, row.number)


def _joined(desk: Desk, journal: Journal, seat: Seat) -> None:
    """A table that was made again after the start."""
    _add_strayed(seat, desk.seats, journal)
    _tell_missed(desk, seat, journal)


def _tell_missed(desk: Desk, seat: Seat, journal: Journal) -> None:
    """What a table goes on without."""
    desk.tell_passed_over(seat)
    lost = journal.found.all_tables or _untold(seat.name, desk.seats, journal)
    told = journal.head.seq.get(seat.name, 0)
    if lost or told > seat.table.view.announcer.numbering.seq:
        words = f"{lost or 'events of this table are missing'}; compare the moves with the board"
        desk.take(seat, (Missed(desk.now_ns(seat), words, seq=told),))


def _begin(desk: Desk, seat: Seat, setup: TableSetup, journal: Journal) -> None:
    """What a table is told first; one that fell behind has it recorded."""
    # What a command said stands until the configuration says something else than before. Another
    # delay, label or time zone alone begins no game anew.
    before = journal.read.configured(seat.name) or setup
    changed = differing(before, setup) - BESIDE
    # Written down it may be further on than its rows: what was due came, and nobody was told.
    heard_ns = max(min(journal.read.newest_ns(seat.name), journal.found.at_ns), seat.table.at_ns)
    if changed:
        if seat.table.in_play:
            log.warning(
                "table %s was in play, and a new game is set up there: the configuration has"
                " changed of it (%s). What was played stays in the journal",
                seat.name,
                words(changed),
            )
        desk.set_up(seat, setup, heard_ns)
    desk.take(seat, (ServiceStarted(desk.now_ns(seat), __version__, heard_ns),))
    label = relabelled(seat.table.setup, setup, desk.now_ns(seat))
    if not changed and label:
        desk.take(seat, (label,))
