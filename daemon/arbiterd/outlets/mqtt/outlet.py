"""One session with the broker after another, for as long as the service runs.

In each: listen for commands, put the retained truth in its place; then deliver the journal, keep
the snapshots fresh (that we are online is one) and carry out commands, side by side.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from arbiterd.access.pace import RateLimit
from arbiterd.edges import Broker, BrokerError, BrokerSession, Received, RefusedError, ServiceClock
from arbiterd.journal.journal import Journal, NotTakenError
from arbiterd.journal.stations import Met
from arbiterd.messages import topics
from arbiterd.messages.commands import Command
from arbiterd.messages.limits import Limit
from arbiterd.outlets.mqtt.answering import EXPIRY_S, Answering, Answers, read_answering
from arbiterd.outlets.mqtt.commands import (
    Address,
    May,
    Order,
    WaitingCommand,
    anything,
    filters,
    read_address,
    read_order,
    too_late,
    too_many,
)
from arbiterd.outlets.mqtt.delayed import Gate, clear_old, deliver_public
from arbiterd.outlets.mqtt.outbox import Outbox, delivered
from arbiterd.outlets.mqtt.turns import Turns

log = logging.getLogger(__name__)

OUTLET = "mqtt"
BACK_OFF_S = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
RETAINED = (topics.STATE, topics.DEVICE, topics.RESULT)
"""What a table that is no longer in the hall leaves behind on a broker, even one that this journal
never knew: of another day's hall."""
COMMANDS_PER_S, COMMANDS_AT_ONCE = 20, 60
"""Of one login. A tablet that was offline sends all it kept at once; nobody taps faster."""
WAITING_MAX, LINES_MAX = 60, 256
REFUSALS_PER_S = 20
"""Who sends faster than this is no more told, only counted in the log."""
SECOND_NS = 1_000_000_000
MINUTE_NS = 60 * SECOND_NS
OFTEN = 3
THROWN_OFF = (
    ", again and again: does another program use our client id, or is one of our messages too large"
    " for the broker? Its log says which"
)
"""What it may mean that the broker lets us in and throws us off, so often within a minute."""
STAYS_S = 20.0
"""Who was thrown off again and again is back when that has not happened for so long."""
LOOK_S = 1.0
SILENT_S = 20.0
"""A broker that has confirmed nothing for so long is left, and tried again. Less than what is
allowed to the outlet itself: a new start of the service would not make it speak."""
SILENT = (
    f"the way to the broker stands still: for {SILENT_S:.0f} s it has confirmed nothing of what it"
    " was sent; look into its log, and whether its disk is full"
)
KEPT_COMES_S = 2.0
"""So long a broker may take to hand out what it has kept of one kind. Meanwhile what is new of it
comes back to us."""
GOODBYE_S = 2.0
"""So long a broker may take to hear that we go."""


@dataclass(frozen=True, slots=True)
class HallAtBroker:
    """What the outlet has to know of the hall."""

    name: str
    tables: tuple[str, ...]
    open_doors: bool
    """Every listener is on loopback: commands need no login."""
    offline: bytes
    """The payload of `status` once we are gone."""
    refusal: Callable[[str | None, Order], bytes]
    """The answer of a table to a command that is not carried out; None: the hall's own."""
    may: May = anything


class MqttOutlet:
    """`trouble` is a sentence while the broker is away or refuses, else None."""

    def __init__(
        self,
        hall: HallAtBroker,
        journal: Journal,
        broker: Broker,
        clock: ServiceClock,
        gate: Gate | None = None,
    ) -> None:
        self._hall, self._journal, self._broker, self._clock = hall, journal, broker, clock
        self._gate = gate
        self._root = topics.hall(hall.name)
        self.trouble: str | None = None
        self._outbox: Outbox | None = None
        self._answers = Answers()
        self._pace = RateLimit(COMMANDS_PER_S, COMMANDS_AT_ONCE)
        self._refusing = RateLimit(REFUSALS_PER_S, REFUSALS_PER_S)
        self._unheard = 0
        self._losses: list[int] = []
        self._put = 0
        """How much of what is true the broker has confirmed."""
        self._kept: asyncio.Queue[str] = asyncio.Queue()
        self._kept_public: asyncio.Queue[str] = asyncio.Queue()
        """What the broker has kept from before this session, and of the public's."""

    @property
    def unconfirmed(self) -> int:
        """Messages that wait for the broker's word, of `IN_FLIGHT`."""
        return 0 if self._outbox is None else self._outbox.unconfirmed

    @property
    def progress(self) -> tuple[int, ...]:
        """Changes whenever the broker confirms what is true, or a row of the journal.

        A slow one takes minutes for the first, and for the rows of one kind before any of another.
        """
        return self._put, *delivered(self._journal, OUTLET).values()

    async def run(self) -> None:
        """Until cancelled; then the broker is told that we go."""
        failures = 0
        while True:
            let_in = False
            try:
                async with self._broker.connect(
                    f"{self._root}/{topics.STATUS}", self._hall.offline
                ) as session:
                    let_in = True
                    await self._open(session)
                    failures = 0
                    await self._serve(session)
            except* RefusedError as refusals:
                failures = len(BACK_OFF_S)
                if let_in:
                    self._losses.append(self._clock.now_ns())
                self._troubled(str(refusals.exceptions[0]))
            except* BrokerError as losses:
                loss = str(losses.exceptions[0])
                if let_in:
                    self._losses.append(self._clock.now_ns())
                    failures = max(failures, self._losses_lately() - 1)
                    if self._losses_lately() >= OFTEN:
                        loss += THROWN_OFF
                else:
                    self._losses.clear()  # It was away, and has thrown nobody off.
                self._troubled(loss)
            await self._clock.rest(BACK_OFF_S[min(failures, len(BACK_OFF_S) - 1)])
            failures += 1

    def _losses_lately(self) -> int:
        """How often we were let in and thrown off within the last minute."""
        now_ns = self._clock.now_ns()
        self._losses = [at_ns for at_ns in self._losses if now_ns - at_ns < MINUTE_NS]
        return len(self._losses)

    def _troubled(self, sentence: str) -> None:
        if sentence != self.trouble:
            log.warning("mqtt: %s; trying again", sentence)
        self.trouble = sentence

    async def _mended(self) -> None:
        if self._losses_lately() >= OFTEN:
            await self._clock.rest(STAYS_S)
        if self.trouble is not None:
            log.info("mqtt: the broker is back")
        self.trouble = None

    async def _open(self, session: BrokerSession) -> None:
        self._kept, self._kept_public = asyncio.Queue(), asyncio.Queue()
        rulings = topics.table("+", topics.ruling("+"))
        commands = filters(self._root, self._hall.open_doors)
        await session.subscribe(*commands, f"{self._root}/{rulings}")
        await self._put_truth(session)

    async def _serve(self, session: BrokerSession) -> None:
        outbox = self._outbox = Outbox(self._journal, session, self._root, OUTLET, self._answers.of)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._mended())
                tasks.create_task(outbox.deliver())
                tasks.create_task(self._listen_for_silence(outbox))
                turns: Turns[WaitingCommand] = Turns(WAITING_MAX, LINES_MAX)
                tasks.create_task(self._listen(session, turns))
                tasks.create_task(self._carry_out(session, turns))
                tasks.create_task(self._look_at_what_is_kept(session))
                tasks.create_task(self._clear_what_is_untrue(session))
                if self._gate is not None:
                    tasks.create_task(
                        deliver_public(self._gate, self._journal, session, self._root)
                    )
                    tasks.create_task(clear_old(self._gate, session, self._root, self._kept_public))
        except asyncio.CancelledError:
            # A broker that does not answer any more says it itself: the will.
            with suppress(TimeoutError, BrokerError):
                async with asyncio.timeout(GOODBYE_S):
                    await self._retain(session, topics.STATUS, self._hall.offline)
            raise
        finally:
            self._outbox = None

    # Retained truth.

    async def _put_truth(self, session: BrokerSession) -> None:
        """What the broker keeps may be of another day: all that is known to be true goes over it.

        Rows beyond the cursor follow in their order, so nothing goes back in time.
        """
        cursors = delivered(self._journal, OUTLET)
        kept = {number: self._journal.read.retained(number) for number in set(cursors.values())}
        truth = {
            topics.table(row.table, row.topic): row.payload
            for kind, number in cursors.items()
            for row in kept[number]
            if topics.rank(row.topic) is kind and (row.payload or row.topic in RETAINED)
        }
        for table in self._hall.tables:
            truth.setdefault(topics.table(table, topics.DEVICE), b"")
            truth.setdefault(topics.table(table, topics.RESULT), b"")
        for table in self._journal.read.tables():
            if table not in self._hall.tables:
                truth.update((topics.table(table, leaf), b"") for leaf in RETAINED)
        truth.update((topic, b"") for topic in self._of_no_table())
        sent = [
            session.publish(f"{self._root}/{topic}", payload, retained=True)
            for topic, payload in truth.items()
        ]
        for confirmed in sent:
            try:
                async with asyncio.timeout(SILENT_S):
                    await confirmed
                self._put += 1
            except TimeoutError:
                raise BrokerError(SILENT) from None

    async def _listen_for_silence(self, outbox: Outbox) -> None:
        """For as long as something is confirmed of what is sent. Raises BrokerError."""
        confirmed, silent_s = 0, 0.0
        while silent_s < SILENT_S:
            await self._clock.rest(LOOK_S)
            if outbox.unconfirmed and outbox.confirmed == confirmed:
                silent_s += LOOK_S
            else:
                confirmed, silent_s = outbox.confirmed, 0.0
        raise BrokerError(SILENT)

    def _of_no_table(self) -> list[str]:
        """What the journal keeps of tables that the configuration does not name any more.

        Nobody can decide it; it is true again when the table is named again.
        """
        rows = self._journal.read.retained(self._journal.committed_outputs)
        gone = (row for row in rows if row.payload and row.table not in self._hall.tables)
        return [topics.table(row.table, row.topic) for row in gone]

    async def _look_at_what_is_kept(self, session: BrokerSession) -> None:
        """Once, one kind after another: Mosquitto hands out 1,020 messages at once, and no more."""
        kept = [topics.table("+", leaf) for leaf in RETAINED]
        if self._gate is not None:
            kept += [topics.public("+", leaf) for leaf in (topics.STATE, topics.RESULT)]
        for topic in kept:
            await session.subscribe(f"{self._root}/{topic}")
            await self._clock.rest(KEPT_COMES_S)
            await session.unsubscribe(f"{self._root}/{topic}")

    async def _clear_what_is_untrue(self, session: BrokerSession) -> None:
        while True:
            topic = await self._kept.get()
            if not self._stands(topic):
                await self._retain(session, topic, b"")

    def _stands(self, topic: str) -> bool:
        """What the broker has kept there may stay: an open ruling, or of a table of this hall."""
        _, table, leaf = topic.split("/", 2)
        if table not in self._hall.tables or leaf in RETAINED:
            return table in self._hall.tables
        # It alone is asked for: the journal of an event has thousands that are decided.
        ruling = self._journal.read.newest(table, leaf)
        return ruling is not None and bool(ruling.payload)

    async def _retain(self, session: BrokerSession, topic: str, payload: bytes) -> None:
        await session.publish(f"{self._root}/{topic}", payload, retained=True)

    # What comes in.

    async def _listen(self, session: BrokerSession, turns: Turns[WaitingCommand]) -> None:
        """Never waits for a command to be done: whoever sends much waits for their own alone."""
        async for received in session.messages():
            address = read_address(self._root, received.topic)
            if address is not None:
                if received.payload:
                    self._line_up(session, turns, received, address)
            elif received.retained and received.payload:
                topic = received.topic.removeprefix(f"{self._root}/")
                kept = self._kept_public if topic.startswith("public/") else self._kept
                kept.put_nowait(topic)

    def _line_up(
        self,
        session: BrokerSession,
        turns: Turns[WaitingCommand],
        received: Received,
        address: Address,
    ) -> None:
        if received.retained:
            session.publish(received.topic, b"", retained=True)
        now_ns, login = self._clock.now_ns(), address.user
        answering = read_answering(self._root, received, login)
        expiry_s = received.expiry_s
        until_ns = None if expiry_s is None else now_ns + expiry_s * SECOND_NS
        if not self._pace.allows(login, now_ns):
            if not self._refusing.allows(login, now_ns):
                self._not_heard(login)
                return
            order = too_many(received, address, self._hall.tables)
        else:
            order = read_order(received, address, self._hall.tables, self._hall.may)
        waiting = WaitingCommand(order, login, answering, until_ns)
        if order.command is not None and not turns.put(login or order.command.by, waiting):
            waiting = replace(waiting, order=too_many(received, address, self._hall.tables))
        if waiting.order.command is None:
            self._refuse(session, waiting)

    def _not_heard(self, login: str) -> None:
        """Said at the first, and then as seldom as it is still news."""
        self._unheard += 1
        self._journal.stations.reached(Met.COMMANDS_UNHEARD)
        if self._unheard.bit_count() == 1:
            log.warning(
                "mqtt: login %r sends commands faster than anybody is answered; %d were not heard",
                login,
                self._unheard,
            )

    async def _carry_out(self, session: BrokerSession, turns: Turns[WaitingCommand]) -> None:
        """One command after another, by turns of the logins; a hall's tables all at once."""
        while True:
            waiting = await turns.next()
            command = waiting.order.command
            assert command is not None, "what cannot be done does not wait"
            if waiting.until_ns is not None and waiting.until_ns < self._clock.now_ns():
                self._refuse(session, replace(waiting, order=too_late(waiting.order)))
                continue
            self._answers.remember(waiting.user, command.id, waiting.answering)
            if command.action == "round":
                reply = await self._journal.submit_round(command, waiting.user)
                self._answer(session, topics.reply(waiting.user), waiting.answering, reply)
                continue
            await asyncio.gather(
                *(self._fold(session, waiting, command, table) for table in waiting.order.tables)
            )

    async def _fold(
        self, session: BrokerSession, waiting: WaitingCommand, command: Command, table: str
    ) -> None:
        """Replies leave through the outbox like all else; what was asked is put to them there.

        A refusal of which the table does not know is in no journal, and leaves from here.
        """
        try:
            await self._journal.fold(table, command, waiting.user)
        except NotTakenError as refused:
            usual = topics.table(table, topics.reply(waiting.user))
            self._answer(session, usual, waiting.answering, refused.answer)

    def _refuse(self, session: BrokerSession, waiting: WaitingCommand) -> None:
        reply = topics.reply(waiting.user)
        for table in waiting.order.tables or (None,):
            usual = reply if table is None else topics.table(table, reply)
            refusal = self._hall.refusal(table, waiting.order)
            self._answer(session, usual, waiting.answering, refusal)

    def _answer(self, session: BrokerSession, usual: str, how: Answering, payload: bytes) -> None:
        """Sent at once. Nobody waits for its confirmation: the next command is to be heard."""
        topic = how.topic or f"{self._root}/{usual}"
        session.publish(topic, payload, correlation=how.correlation, expiry_s=EXPIRY_S)


LIMITS = (
    Limit("MQTT commands", "rate of a login", "commands a second",
          f"{COMMANDS_PER_S}, {COMMANDS_AT_ONCE} at once",
          f"refused with a sentence; beyond {REFUSALS_PER_S} refusals a second counted in the log"),
    Limit("MQTT commands", "waiting of a login", "commands", f"{WAITING_MAX}", "refused"),
    Limit("MQTT commands", "logins that wait", "logins", f"{LINES_MAX}", "refused"),
)  # fmt: skip
