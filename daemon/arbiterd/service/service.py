"""The service: journal, tables, links and outlets under one roof.

build(config, edges) ─▶ Service.run():  open the journal, take the tables up where they were,
                                        then links, timers, outlets side by side until stopped
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import structs

from arbiterd import __version__
from arbiterd.access.admission import Admission
from arbiterd.access.people import read_people
from arbiterd.config import Config
from arbiterd.config.values import device as read_device
from arbiterd.edges import DiskError, Edges, ForeignError
from arbiterd.hall.assignment import Assignment
from arbiterd.hall.rounds import setups
from arbiterd.journal.delays import Delays
from arbiterd.journal.encode import RowError
from arbiterd.journal.journal import WAITING_MAX, Journal
from arbiterd.journal.stations import Station
from arbiterd.messages import topics
from arbiterd.messages.commands import Command
from arbiterd.messages.payloads import JournalEnd, Reply, State, Status
from arbiterd.messages.times import from_rfc3339, rfc3339
from arbiterd.outlets.http.source import BoardSeen
from arbiterd.outlets.mqtt.commands import Order
from arbiterd.outlets.mqtt.outbox import IN_FLIGHT
from arbiterd.outlets.mqtt.outlet import Hall, MqttOutlet
from arbiterd.outlets.public.clocks import ClockSeen
from arbiterd.outlets.public.gate import DelayGate
from arbiterd.service.broadcasts import broadcast_duties
from arbiterd.service.desk import Desk
from arbiterd.service.duties import Duties, Duty
from arbiterd.service.event import event_duties, neighbours
from arbiterd.service.examination import Examination
from arbiterd.service.metrics import Queue
from arbiterd.service.patchbay import Patchbay
from arbiterd.service.reloading import reloaded
from arbiterd.service.rounds import RoundDesk
from arbiterd.service.seating import seat_all
from arbiterd.service.waiting import waiting_page
from arbiterd.service.web import Addresses, Shown, WebSide
from arbiterd.table import TableSetup
from arbiterd.table.playback import StateChanges
from eboards.transport.inbox import ENOUGH

log = logging.getLogger(__name__)

PROOF_S = 5.0
"""A row is written and read back so often."""
TIDYING_S = 180.0
"""A minute passes, and old rows are taken out, in that time."""
PAGE_S = 30.0
"""All listeners are looked at in that time."""
EXAMINATION_S = 120.0
"""Longer than the bound on nodes lets a question take."""
SEARCH_S = 90.0
"""Boards are looked for every half minute if nothing is heard of them."""
DELIVERY_S = 30.0
"""So long a broker may leave all that is sent to it unconfirmed."""
STATUS_S = 60
"""`status` is told so often, with the seal of the journal's end."""
DISK_S = 2.0
"""A disk that refuses the journal at the start is tried so often."""
KNOWN_S = 2.0
"""So long a start waits until every table is known to all who may ask."""
SNAPSHOT_S = 0.2
"""A table's state is told five times a second at most."""
DAY_NS = 86_400_000_000_000
SILENCE_NS = 31 * DAY_NS
"""A longer silence between two runs of the service is not believed: its clock may be wrong."""
MINUTE_S, HOUSEKEEPING = 60.0, 60
"""Old rows are taken out every so many minutes."""
WATCHING_S = 5.0
"""How soon the machine is kept awake once a game has begun."""
AGAIN_S = 60.0
"""How soon it is tried again where systemd said no."""


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
        self._changes: dict[str, StateChanges] = {}
        self.ending = False
        """It was told to stop, and is putting down what it has."""
        self._duties: Duties | None = None
        self._proofs = 0
        """How often a row was written and read back."""
        self._told = self._watched = self._seconds = self._minutes = 0
        """Turns of the duties that tell states, keep awake, tell the status, keep the house."""
        self._telling = False
        self._known = asyncio.Event()
        """Every table's state has been told once."""
        self._began = ""
        self.journal: Journal
        self.desk: Desk
        self.mqtt: MqttOutlet
        self.addresses = Addresses()
        """Where the pages are, once it runs."""
        self._patchbay: Patchbay

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
        read = self.journal.read
        first = (read.setup(table) for table in read.tables())
        known = head.hall or next((setup.hall for setup in first if setup is not None), name)
        if known != name:
            raise ForeignError(
                f"the journal is of the hall {known!r}, and the configuration names {name!r}: write"
                f" [hall] name = {known!r} again, or give [journal] path another file"
            )
        self.journal.head = structs.replace(head, hall=name)

    async def _work(self, started: Callable[[], None]) -> None:
        journal, clock = self.journal, self.edges.clock
        await self._note_silence()
        await self._purge()
        self._delays = Delays(journal.read, self._setups, self.config.broadcast.delay)
        self.desk = seat_all(self._setups, journal, clock, self._delays)
        rounds = RoundDesk(
            self.config,
            self.folder,
            self.desk,
            clock,
            self.edges.workers,
            self.command,
            self._device_of,
        )
        journal.takes_commands(self.command, rounds.command)
        began = rfc3339(clock.now_ns())
        tables = tuple(self._setups)
        hall = Hall(
            self.config.hall.name,
            tables,
            self._doors_open,
            self._status("offline", began),
            self._refusal,
            self._admission.refusal,
        )
        gate = DelayGate(journal, tables, clock, self._delays)
        self.mqtt = MqttOutlet(hall, journal, self.edges.broker, clock, gate)
        self._others = neighbours(self.config, self.edges, self._admission.named)
        shown = Shown(
            self.config,
            self.folder,
            journal,
            gate,
            self._delays,
            clock,
            tables,
            self.ill,
            self._queues,
            self._admission,
            self.boards,
            self._others,
            self.edges.processes,
        )
        self._began = began
        known = {name: self.journal.read.identity(name) for name in self._setups}
        assignment = Assignment(self.config.tables, known)
        self._patchbay = Patchbay(assignment, self.desk, self.edges, journal.stations)
        web = self._web = WebSide(shown)
        try:
            self.addresses = await web.open()
            self._duties = Duties(clock)
            ready = asyncio.ensure_future(self._once_known(started))
            try:
                await self._duties.keep(self._all_duties(web, gate))
            finally:
                ready.cancel()
        finally:
            await self._patchbay.close()
            await web.close()
            if web.public is not None:
                web.public.close()

    async def _once_known(self, started: Callable[[], None]) -> None:
        """Who asks after the start is told of every table; a disk that hesitates delays nobody."""
        with suppress(TimeoutError):
            async with asyncio.timeout(KNOWN_S):
                await self._known.wait()
        started()

    def _all_duties(self, web: WebSide, gate: DelayGate) -> tuple[Duty, ...]:
        """Every long task, in the order in which they are begun and ended."""
        journal, desk, mqtt = self.journal, self.desk, self.mqtt
        examination = Examination(desk, self.edges.workers)
        return (
            Duty(
                "the journal's writer",
                journal.run,
                waiting=lambda: journal.waits,
                progress=lambda: journal.tries,
            ),
            Duty(
                "the proof of the journal",
                self._keep_proving,
                waiting=lambda: not journal.trouble,
                progress=lambda: self._proofs,
                patience_s=4 * PROOF_S,
            ),
            Duty(
                "the tables' own time",
                desk.keep_time,
                waiting=lambda: desk.behind and not journal.full,
                progress=lambda: desk.kept,
            ),
            Duty(
                "the taking up of tables",
                desk.keep_taking_up,
                waiting=lambda: desk.someone_waits and not journal.trouble,
                progress=lambda: desk.looked_after,
            ),
            Duty(
                "the examination of positions",
                examination.keep_answering,
                waiting=lambda: examination.asked,
                progress=lambda: examination.answered,
                patience_s=EXAMINATION_S,
            ),
            Duty(
                "the telling of states",
                partial(self._tell_states, gate),
                waiting=lambda: (desk.news.is_set() or self._telling) and not journal.trouble,
                progress=lambda: self._told,
            ),
            Duty(
                "the keeping of the house",
                self._keep_house,
                waiting=lambda: True,
                progress=lambda: self._minutes,
                patience_s=TIDYING_S,
                vital=False,
            ),
            Duty(
                "the keeping awake",
                self._keep_awake,
                waiting=lambda: True,
                progress=lambda: self._watched,
                patience_s=AGAIN_S + WATCHING_S,
                vital=False,
            ),
            Duty(
                "the search for boards",
                self._patchbay.keep_looking,
                waiting=lambda: True,
                progress=lambda: self._patchbay.looks,
                patience_s=SEARCH_S,
            ),
            Duty(
                "the way to the broker",
                mqtt.run,
                waiting=lambda: not mqtt.trouble and not journal.trouble and self._undelivered(),
                progress=lambda: journal.read.cursor("mqtt"),
                patience_s=DELIVERY_S,
            ),
            Duty(
                "the delay gate",
                gate.run,
                waiting=lambda: gate.behind,
                progress=lambda: gate.progress,
            ),
            Duty(
                "the page",
                web.keep,
                waiting=lambda: True,
                progress=lambda: web.looks,
                patience_s=PAGE_S,
            ),
            Duty(
                "the status",
                self._keep_status,
                waiting=lambda: not journal.trouble,
                progress=lambda: self._seconds,
            ),
            Duty(
                "the watch over logins",
                partial(self._admission.keep, self.edges.clock),
                waiting=lambda: True,
                progress=lambda: self._admission.looks,
            ),
            *web.public_duties(),
            *event_duties(self._others),
            *broadcast_duties(self.config, self.folder, journal, self.edges.clock, self._delays),
        )

    def _undelivered(self) -> bool:
        return self.journal.committed_outputs > self.journal.read.cursor("mqtt")

    # Proof of work.

    async def _keep_proving(self) -> None:
        """Writes a row and reads it back, again and again."""
        while True:
            await self.journal.prove()
            self._proofs += 1
            await self.edges.clock.rest(PROOF_S)

    @property
    def stuck(self) -> str:
        """Why only a new start of this process would help, in a sentence; empty: it does its work.

        A disk that refuses is no reason: the games go on in memory until it is mended.
        """
        if self._duties is None:
            return ""
        hopeless = self._duties.beyond_help
        return f"{hopeless} cannot be brought back" if hopeless else ""

    async def _keep_status(self) -> None:
        """`status` says how we do, whenever that changes, and from time to time where it ends."""
        await self.journal.synced()
        while True:
            ill = self.ill()
            self.journal.snapshots.put(topics.STATUS, self._status("online", self._began))
            for _ in range(STATUS_S):
                await self.edges.clock.rest(1.0)
                self._seconds += 1
                if self.ill() != ill:
                    break

    # What people see.

    @property
    def _doors_open(self) -> bool:
        """Every listener is on loopback: nobody is asked who they are."""
        config = self.config
        listeners = (config.http.listen, config.mqtt.listen, config.mqtt.websocket)
        embedded = config.mqtt.url is None
        return (
            embedded
            and not config.people
            and all(listen is None or listen.on_loopback for listen in listeners)
        )

    def _status(self, state: Literal["online", "offline"], began: str) -> bytes:
        head = self.journal.head
        end = JournalEnd(inputs=head.input, outputs=head.output, seal=head.seal)
        return msgspec.json.encode(
            Status(
                hall=self.config.hall.name,
                at=rfc3339(self.edges.clock.now_ns()),
                simulated=self.config.simulation is not None,
                state=state,
                version=__version__,
                started=began,
                tables=len(self._setups),
                ill=self.ill() if state == "online" else "",
                notes=[*self.journal.found.notes, *(self._notes() if state == "online" else ())],
                journal=end if state == "online" else msgspec.UNSET,
            )
        )

    def _notes(self) -> list[str]:
        return self._web.notes(self.edges.clock.now_ns())

    async def _tell_states(self, gate: DelayGate) -> None:
        """Snapshots of the tables that changed, once what they show is on the disk."""
        # Begun again, nobody knows what was told last.
        self._changes = {name: StateChanges() for name in self._setups}
        self.desk.all_changed()
        while True:
            await self.desk.news.wait()
            self._telling = True
            states = self._new_states()
            await self.journal.synced()
            for name, state in states.items():
                topic = topics.table(name, topics.STATE)
                self.journal.snapshots.put(topic, msgspec.json.encode(state))
                if state.standing is msgspec.UNSET:
                    gate.saw(ClockSeen(name, state.game, from_rfc3339(state.at), state.clock))
            self._told += 1
            self._known.set()
            self._telling = False
            await self.edges.clock.rest(SNAPSHOT_S)

    def _new_states(self) -> Mapping[str, State]:
        found: dict[str, State] = {}
        for seat in self.desk.take_changed():
            since_ns = self.journal.stations.now_ns()
            state = self.desk.state(seat)
            self.journal.stations.took(Station.STATE, since_ns)
            if state is not None and self._changes[seat.name].changed(state):
                found[seat.name] = state
        return found

    def ill(self) -> str:
        """What keeps the service from its work, in a sentence; empty when all is well."""
        failing = [seat.failing for seat in self.desk.seats.values() if seat.failing]
        duties = () if self._duties is None else self._duties.troubles()
        troubles = [self.journal.trouble, self.mqtt.trouble, *duties, *failing]
        return "; ".join(trouble for trouble in troubles if trouble)

    def _queues(self) -> Mapping[str, Queue]:
        """What waits where, of what may."""
        return {
            "journal-bytes": Queue(self.journal.waiting_bytes, WAITING_MAX),
            "mqtt-in-flight": Queue(self.mqtt.unconfirmed, IN_FLIGHT),
            "line-reads": Queue(self._patchbay.unread, ENOUGH),
        }

    # Commands of arbiters.

    async def command(self, table: str, command: Command, user: str) -> bytes:
        """Carries one out, or refuses it in a sentence; the answer's payload."""
        seat = self.desk.seats.get(table)
        error = ""
        if seat is None:
            error = f"there is no table {table!r} in this hall"
        elif seat.failing:
            error = self.desk.not_now(seat)
        elif command.action == "assign-device":
            error = await self._not_to_open(command.device)
        if error:
            order = Order((table,), command, error, command.id, command.action)
            return self._refusal(table, order)
        try:
            reply = await self.desk.command(table, command, user)
        except RowError as refused:
            order = Order((table,), command, str(refused), command.id, command.action)
            return self._refusal(table, order)
        if command.action == "assign-device" and msgspec.json.decode(reply, type=_Ok).ok:
            self._patchbay.rebind(table, command.device or "")
        return reply

    async def boards(self) -> tuple[BoardSeen, ...]:
        """What an arbiter can give to a table."""
        return tuple(
            BoardSeen(board.device, board.driver, board.identity, table)
            for board, table in await self._patchbay.boards()
        )

    def _device_of(self, table: str) -> str:
        return self._patchbay.device_of(table)

    async def _not_to_open(self, device: str | None) -> str:
        """Why an arbiter's word cannot bring this device to a table; empty: it can."""
        try:
            known = read_device(device)
        except ValueError as error:
            return f"the device {error}"
        if await self._patchbay.may_open(known):
            return ""
        return (
            f"{known} is neither plugged in nor named in the configuration; 'arbiterd devices'"
            " lists what is there, and anything else has to be written into [[tables]]"
        )

    def _refusal(self, table: str, order: Order) -> bytes:
        seat = self.desk.seats.get(table)
        head: dict[str, Any] = {
            "hall": self.config.hall.name,
            "at": rfc3339(self.edges.clock.now_ns()),
            "simulated": self.config.simulation is not None,
            "table": table,
            "game": "",
            "seq": 0,
        }
        if seat is not None:
            head = seat.table.view.announcer.head(self.desk.now_ns(seat))
        return msgspec.json.encode(
            Reply(**head, ok=False, id=order.id, action=order.action, error=order.error)
        )

    # Keeping house.

    def reload(self, config: Config) -> tuple[str, ...]:
        """Another configuration, as far as it can hold while games are played; what was done.

        Raises PairingsError, ListenError.
        """
        self._web.renew()
        made = setups(config, self.folder)
        told = tuple(reloaded(self.config, config, made, self.desk, self._patchbay.rebind))
        self.config = replace(self.config, journal=config.journal, tables=config.tables)
        return told

    async def _keep_awake(self) -> None:
        """No sleep while anybody plays. A simulated hall may sleep."""
        awake, told = self.edges.awake, ""
        try:
            while True:
                trouble = ""
                if self._watched_over:
                    trouble = await awake.hold("a round is played")
                else:
                    await awake.release()
                if trouble and trouble != told:
                    log.warning("%s", trouble)
                told = trouble
                self._watched += 1
                await self.edges.clock.rest(AGAIN_S if trouble else WATCHING_S)
        finally:
            await awake.release()

    @property
    def _watched_over(self) -> bool:
        """Real boards, and somebody plays."""
        playing = any(seat.table.in_play for seat in self.desk.seats.values())
        return self.config.simulation is None and playing

    async def _keep_house(self) -> None:
        while True:
            for _ in range(HOUSEKEEPING):
                await self.edges.clock.rest(MINUTE_S)
                self._minutes += 1
            await self._purge()

    async def _note_silence(self) -> None:
        """A clock that has gone on by months since the last row may be wrong: that ages nothing."""
        excess_ns = self.edges.clock.now_ns() - self.journal.found.at_ns - SILENCE_NS
        if excess_ns <= 0 or not self.journal.head.input:
            return
        try:
            await self.journal.note_silence(self.journal.found.at_ns, excess_ns)
        except sqlite3.Error as error:
            # Until it is noted nothing is taken out.
            self.config = replace(self.config, journal=replace(self.config.journal, keep=None))
            log.warning("nothing is taken out of the journal in this run: %s", error)
        log.warning(
            "this computer's clock is %d days past the journal's newest row; for [journal] keep"
            " that counts as %d. If it is right and older games are to go: arbiterd journal purge",
            (excess_ns + SILENCE_NS) // DAY_NS,
            SILENCE_NS // DAY_NS,
        )

    async def _purge(self) -> None:
        keep_ns = self.config.journal.keep
        if keep_ns is not None and not self.journal.found.notes:
            # A journal that was damaged loses nothing more: its times may be wrong too.
            try:
                gone = await self.journal.purge(self.edges.clock.now_ns() - keep_ns)
            except sqlite3.Error as error:
                log.warning("nothing was taken out of the journal: %s", error)
                return
            if gone:
                log.info("%d rows of the journal were older than [journal] keep and are gone", gone)


class _Ok(msgspec.Struct):
    ok: bool
