"""The service: journal, tables, links and outlets under one roof.

build(config, edges) ─▶ Service.run():  open the journal, take the tables up where they were,
                                        then links, timers, outlets side by side until stopped
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from msgspec import structs

from arbiterd.access.admission import Admission
from arbiterd.access.people import read_people
from arbiterd.config import Config
from arbiterd.config.values import is_loopback
from arbiterd.edges import DiskError, Edges, ForeignError
from arbiterd.hall.links.assignment import Assignment
from arbiterd.hall.patchbay import Patchbay
from arbiterd.hall.round.rounds import setups
from arbiterd.hall.tables.desk import Desk
from arbiterd.hall.tables.examination import Examination
from arbiterd.hall.tables.seating import seat_all
from arbiterd.journal.delays import Delays
from arbiterd.journal.journal import WAITING_MAX, Journal
from arbiterd.messages.commands import Command
from arbiterd.outlets.http.source import BoardSeen
from arbiterd.outlets.mqtt.neighbours import Neighbours
from arbiterd.outlets.mqtt.outbox import IN_FLIGHT
from arbiterd.outlets.mqtt.outlet import HallAtBroker, MqttOutlet
from arbiterd.outlets.public.gate import DelayGate
from arbiterd.service.broadcasts import broadcast_duties
from arbiterd.service.commanding import Commanding
from arbiterd.service.duties import Duties, Duty
from arbiterd.service.event import event_duties, neighbours
from arbiterd.service.housekeeping import Housekeeping
from arbiterd.service.keeping_awake import KeptAwake
from arbiterd.service.metrics import Queue
from arbiterd.service.proving import JournalProof
from arbiterd.service.reloading import reloaded
from arbiterd.service.rounds import RoundDesk
from arbiterd.service.states import StatesTold
from arbiterd.service.status import StatusTold
from arbiterd.service.time_of_day import TimeOfDay, go_on
from arbiterd.service.waiting import waiting_page
from arbiterd.service.web import Addresses, ServiceShown, WebSide
from arbiterd.table.setup import TableSetup
from eboards.transport.inbox import ENOUGH

log = logging.getLogger(__name__)

PAGE_S = 30.0
"""All listeners are looked at in that time."""
EXAMINATION_S = 120.0
"""Longer than the bound on nodes lets a question take."""
SEARCH_S = 90.0
"""Boards are looked for every half minute if nothing is heard of them."""
DELIVERY_S = 30.0
"""So long a broker may leave all that is sent to it unconfirmed."""
DISK_S = 2.0
"""A disk that refuses the journal at the start is tried so often."""
KNOWN_S = 2.0
"""So long a start waits until every table is known to all who may ask."""


def build(config: Config, edges: Edges, folder: Path = Path()) -> Service:
    """The service of a configuration. Relative paths count from `folder`.

    Raises PairingsError, SecretError.
    """
    return Service(config, edges, setups(config, folder), folder)


class Service:
    """Everything of one hall."""

    def __init__(
        self, config: Config, edges: Edges, tables: Mapping[str, TableSetup], folder: Path
    ) -> None:
        self.config, self.edges, self.folder = config, edges, folder
        self._setups = tables
        self._admission = Admission.of(config, read_people(config, folder), folder)
        self.ending = False
        """It was told to stop, and is putting down what it has."""
        self._duties: Duties | None = None
        self.journal: Journal
        self.desk: Desk
        self.mqtt: MqttOutlet
        self.addresses = Addresses()
        """Where the pages are, once it runs."""
        self._patchbay: Patchbay
        self._commanding: Commanding
        self._rounds: RoundDesk
        self._house: Housekeeping

    async def run(self, started: Callable[[], None] = lambda: None) -> None:
        """Until cancelled. `started` is called once all is at work. Raises StoreError."""
        self.journal = await self._opened(started)
        self._of_this_hall()
        try:
            await self._work(started)
        finally:
            self.ending = True
            if hasattr(self, "desk"):
                self.desk.put_down()
            self.journal.close()
            await self.journal.run()

    async def _opened(self, started: Callable[[], None]) -> Journal:
        """The journal, as soon as its disk lets us have it; the page says so until then.

        Raises StoreError.
        """
        edges = self.edges
        try:
            return await Journal.open(edges.store, edges.clock, edges.workers)
        except DiskError as error:
            trouble = str(error)
        log.error("%s; waiting for that", trouble)
        async with waiting_page(self.config.http, self.folder, trouble) as self.addresses:
            started()
            while True:
                await edges.clock.rest(DISK_S)
                with suppress(DiskError):
                    return await Journal.open(edges.store, edges.clock, edges.workers)

    def _of_this_hall(self) -> None:
        """Raises ForeignError: games of another hall are not gone on with under this name."""
        name, head = self.config.hall.name, self.journal.head
        known = self.journal.read.hall(head.hall) or name
        if known != name:
            raise ForeignError(
                f"the journal is of the hall {known!r}, and the configuration names {name!r}: write"
                f" [hall] name = {known!r} again, or give [journal] path another file"
            )
        self.journal.head = structs.replace(head, hall=name)

    async def _work(self, started: Callable[[], None]) -> None:
        config, edges, journal, clock = self.config, self.edges, self.journal, self.edges.clock
        delays = Delays(journal.read, self._setups, config.broadcast.delay)
        go_on(clock, journal, delays, self._setups)
        self._house = Housekeeping(journal, clock, config.journal.keep)
        await self._house.note_silence()
        await self._house.purge()
        self.desk = seat_all(self._setups, journal, clock, delays)
        known = {name: journal.read.identity(name) for name in self._setups}
        assignment = Assignment(config.tables, known)
        self._patchbay = Patchbay(assignment, self.desk, edges, journal.stations)
        self._take_commands()
        gate = DelayGate(journal, tuple(self._setups), clock, delays)
        status = self._status_told()
        self.mqtt = MqttOutlet(self._hall(status), journal, edges.broker, clock, gate)
        others = neighbours(config, edges, self._admission.named)
        web = self._web = WebSide(self._shown(gate, delays, others))
        states = StatesTold(self.desk, journal, gate, clock)
        awake = KeptAwake(self.desk, edges.awake, clock, simulated=self._simulated)
        try:
            self.addresses = await web.open()
            self._duties = Duties(clock)
            ready = asyncio.ensure_future(_once_known(states, started))
            try:
                await self._duties.keep(
                    (
                        *self._duties_of_tables(),
                        states.duty(),
                        self._house.duty(),
                        awake.duty(),
                        *self._duties_of_ways(gate, web),
                        status.duty(),
                        self._duty_of_logins(),
                        *web.public_duties(),
                        *event_duties(others),
                        *broadcast_duties(config, self.folder, journal, edges, delays),
                    )
                )
            finally:
                ready.cancel()
        finally:
            await self._patchbay.close()
            await web.close()
            if web.public is not None:
                web.public.close()

    def _status_told(self) -> StatusTold:
        """What the service says of itself."""
        clock = self.edges.clock
        time_of_day = TimeOfDay(clock)
        return StatusTold(
            self.config.hall.name,
            len(self._setups),
            self.journal,
            clock,
            simulated=self._simulated,
            ill=self.ill,
            notes=lambda: [*time_of_day.notes(), *self._web.notes(clock.now_ns())],
        )

    def _take_commands(self) -> None:
        """Of arbiters, for tables and for rounds."""
        name, clock, desk = self.config.hall.name, self.edges.clock, self.desk
        commanding = self._commanding = Commanding(
            name, desk, self._patchbay, clock, simulated=self._simulated
        )
        rounds = self._rounds = RoundDesk(
            self.config,
            self.folder,
            desk,
            self.journal.read,
            clock,
            self.edges.workers,
            commanding.command,
            self._patchbay.device_of,
            self.journal.read.ordered,
        )
        self.journal.takes_commands(commanding.fold, rounds.command)

    def _hall(self, status: StatusTold) -> HallAtBroker:
        """What the way to the broker knows of this hall."""
        return HallAtBroker(
            self.config.hall.name,
            tuple(self._setups),
            self._doors_open,
            status.payload("offline"),
            self._commanding.refusal,
            self._admission.refusal,
        )

    def _wall_zone(self) -> str:
        """UTC is what a machine that says nothing is taken to have, and no hall's: ""."""
        zone = str(self.config.settings.get("time_zone", "UTC"))
        return "" if zone.upper() == "UTC" else zone

    def _shown(self, gate: DelayGate, delays: Delays, others: Neighbours | None) -> ServiceShown:
        """What the pages show of this hall."""
        return ServiceShown(
            self.config,
            self.folder,
            self.journal,
            gate,
            delays,
            self.edges.clock,
            tuple(self._setups),
            lambda: "\n".join(self.troubles()),
            self._queues,
            self._admission,
            self.boards,
            self._wall_zone,
            others,
            self.edges.processes,
        )

    # Every long task, in the order in which they are begun and ended.

    def _duties_of_tables(self) -> Iterator[Duty]:
        """What writes down what boards say, and what keeps the tables."""
        journal, desk = self.journal, self.desk
        examination = Examination(desk, self.edges.workers)
        yield Duty(
            "the journal's writer",
            journal.run,
            waiting=lambda: journal.waits,
            progress=lambda: journal.tries,
        )
        yield JournalProof(journal, self.edges.clock).duty()
        yield Duty(
            "the tables' own time",
            desk.keep_time,
            waiting=lambda: desk.behind and not journal.full,
            progress=lambda: desk.kept,
        )
        yield Duty(
            "the taking up of tables",
            desk.keep_taking_up,
            waiting=lambda: desk.someone_waits and not journal.trouble,
            progress=lambda: desk.looked_after,
        )
        yield Duty(
            "the examination of positions",
            examination.keep_answering,
            waiting=lambda: examination.asked,
            progress=lambda: examination.answered,
            patience_s=EXAMINATION_S,
        )

    def _duties_of_ways(self, gate: DelayGate, web: WebSide) -> Iterator[Duty]:
        """In from the boards, out to the broker and to the pages."""
        journal, mqtt = self.journal, self.mqtt
        yield Duty(
            "the search for boards",
            self._patchbay.keep_looking,
            waiting=lambda: True,
            progress=lambda: self._patchbay.looks,
            patience_s=SEARCH_S,
        )
        yield Duty(
            "the way to the broker",
            mqtt.run,
            waiting=lambda: not mqtt.trouble and not journal.trouble and self._undelivered(),
            progress=lambda: mqtt.progress,
            patience_s=DELIVERY_S,
        )
        yield Duty(
            "the delay gate",
            gate.run,
            waiting=lambda: gate.behind,
            progress=lambda: gate.progress,
        )
        yield Duty(
            "the page",
            web.keep,
            waiting=lambda: True,
            progress=lambda: web.looks,
            patience_s=PAGE_S,
        )

    def _duty_of_logins(self) -> Duty:
        return Duty(
            "the watch over logins",
            partial(self._admission.keep, self.edges.clock),
            waiting=lambda: True,
            progress=lambda: self._admission.looks,
        )

    def _undelivered(self) -> bool:
        return self.journal.committed_outputs > self.journal.read.cursor("mqtt")

    # How it does.

    def troubles(self) -> Sequence[str]:
        """What keeps the service from its work, a sentence each; none when all is well."""
        failing = [seat.failing for seat in self.desk.seats.values() if seat.failing]
        duties = () if self._duties is None else self._duties.troubles()
        troubles = [self.journal.trouble, self.mqtt.trouble, *duties, *failing]
        return [trouble for trouble in troubles if trouble]

    def ill(self) -> str:
        """All of them on one line; empty when all is well."""
        return "; ".join(self.troubles())

    @property
    def stuck(self) -> str:
        """Why only a new start of this process would help, in a sentence; empty: it does its work.

        A disk that refuses is no reason: the games go on in memory until it is mended.
        """
        if self._duties is None:
            return ""
        hopeless = self._duties.beyond_help
        return f"{hopeless} cannot be brought back" if hopeless else ""

    @property
    def _simulated(self) -> bool:
        return self.config.simulation is not None

    @property
    def _doors_open(self) -> bool:
        """Every listener is on loopback: nobody is asked who they are.

        A broker of others is one where it is reached by loopback and without a login.
        """
        mqtt, http = self.config.mqtt, self.config.http
        if self.config.people or not (http.listen is None or http.listen.on_loopback):
            return False
        if mqtt.url is not None:
            return is_loopback(mqtt.url.host) and not mqtt.username
        return all(listen is None or listen.on_loopback for listen in (mqtt.listen, mqtt.websocket))

    def _queues(self) -> Mapping[str, Queue]:
        """What waits where, of what may."""
        return {
            "journal-bytes": Queue(self.journal.waiting_bytes, WAITING_MAX),
            "mqtt-in-flight": Queue(self.mqtt.unconfirmed, IN_FLIGHT),
            "line-reads": Queue(self._patchbay.unread, ENOUGH),
        }

    # What people ask for.

    async def boards(self) -> tuple[BoardSeen, ...]:
        """What an arbiter can give to a table."""
        return tuple(
            BoardSeen(board.device, board.driver, board.identity, table)
            for board, table in await self._patchbay.boards()
        )

    async def command(self, table: str, command: Command, user: str) -> bytes:
        """Carries out an arbiter's command, or refuses it in a sentence; the answer's payload."""
        return await self._commanding.command(table, command, user)

    def reload(self, config: Config) -> tuple[str, ...]:
        """Another configuration, as far as it can hold while games are played; what was done.

        Raises PairingsError, ListenError.
        """
        self._web.renew()
        made = setups(config, self.folder)
        told = tuple(reloaded(self.config, config, made, self.desk, self._patchbay.rebind))
        entries = {entry.table: entry for entry in config.tables}
        self.config = replace(
            self.config,
            journal=config.journal,
            tables=tuple(entries.get(entry.table, entry) for entry in self.config.tables),
            rates=config.rates,
            round=config.round,
            settings=config.settings,
        )
        self._rounds.take_configuration(self.config)
        self._house.keep_ns = config.journal.keep
        return told


async def _once_known(states: StatesTold, started: Callable[[], None]) -> None:
    """Who asks after the start is told of every table; a disk that hesitates delays nobody."""
    with suppress(TimeoutError):
        async with asyncio.timeout(KNOWN_S):
            await states.known.wait()
    started()
