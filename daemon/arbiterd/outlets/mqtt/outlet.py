"""One session with the broker after another, for as long as the service runs.

In each: listen for commands, put the retained truth in its place; then deliver the journal, keep
the snapshots fresh (that we are online is one) and carry out commands, side by side.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from arbiterd.edges import Broker, BrokerError, Clock, Received, RefusedError, Session
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import OutputRow
from arbiterd.messages import topics
from arbiterd.outlets.mqtt.commands import Address, Order, filters, read_address, read_order
from arbiterd.outlets.mqtt.delayed import Gate, deliver_public
from arbiterd.outlets.mqtt.outbox import Outbox

log = logging.getLogger(__name__)

OUTLET = "mqtt"
BACK_OFF_S = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
RETAINED = (topics.STATE, topics.DEVICE, topics.RESULT)
"""What a table that is no longer in the hall leaves behind on a broker."""
CORRELATIONS_KEPT = 256
GOODBYE_S = 2.0
"""So long a broker may take to hear that we go."""


@dataclass(frozen=True, slots=True)
class Hall:
    """What the outlet has to know of the hall."""

    name: str
    tables: tuple[str, ...]
    open_doors: bool
    """Every listener is on loopback: commands need no login."""
    offline: bytes
    """The payload of `status` once we are gone."""
    refusal: Callable[[str, Order], bytes]
    """The answer to a command that is not carried out."""


class MqttOutlet:
    """`trouble` is a sentence while the broker is away or refuses, else None."""

    def __init__(
        self, hall: Hall, journal: Journal, broker: Broker, clock: Clock, gate: Gate | None = None
    ) -> None:
        self._hall, self._journal, self._broker, self._clock = hall, journal, broker, clock
        self._gate = gate
        self._root = topics.hall(hall.name)
        self.trouble: str | None = None
        self._correlations: dict[tuple[str, str], bytes] = {}

    async def run(self) -> None:
        """Until cancelled; then the broker is told that we go."""
        failures = 0
        while True:
            try:
                async with self._broker.connect(
                    f"{self._root}/{topics.STATUS}", self._hall.offline
                ) as session:
                    await self._open(session)
                    failures = 0
                    self._mended()
                    await self._serve(session)
            except* RefusedError as refusals:
                failures = len(BACK_OFF_S)
                self._troubled(str(refusals.exceptions[0]))
            except* BrokerError as losses:
                self._troubled(str(losses.exceptions[0]))
            await self._clock.rest(BACK_OFF_S[min(failures, len(BACK_OFF_S) - 1)])
            failures += 1

    def _troubled(self, sentence: str) -> None:
        if sentence != self.trouble:
            log.warning("mqtt: %s; trying again", sentence)
        self.trouble = sentence

    def _mended(self) -> None:
        if self.trouble is not None:
            log.info("mqtt: the broker is back")
        self.trouble = None

    async def _open(self, session: Session) -> None:
        rulings = f"{self._root}/tables/+/{topics.ruling('+')}"
        await session.subscribe(*filters(self._root, self._hall.open_doors), rulings)
        await self._put_truth(session)

    async def _serve(self, session: Session) -> None:
        outbox = Outbox(self._journal, session, self._root, OUTLET, self._correlation)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(outbox.deliver())
                tasks.create_task(self._snapshots(session))
                tasks.create_task(self._listen(session))
                if self._gate is not None:
                    tasks.create_task(
                        deliver_public(self._gate, self._journal, session, self._root)
                    )
        except asyncio.CancelledError:
            # A broker that does not answer any more says it itself: the will.
            with suppress(TimeoutError, BrokerError):
                async with asyncio.timeout(GOODBYE_S):
                    await self._retain(session, topics.STATUS, self._hall.offline)
            raise

    # Retained truth.

    async def _put_truth(self, session: Session) -> None:
        """What the broker keeps may be of another day: all that is known to be true goes over it.

        Rows beyond the cursor follow in their order, so nothing goes back in time.
        """
        rows = self._journal.read.retained(self._journal.read.cursor(OUTLET))
        truth = {
            topics.table(row.table, row.topic): row.payload
            for row in rows
            if row.payload or row.topic in RETAINED
        }
        for table in self._hall.tables:
            truth.setdefault(topics.table(table, topics.DEVICE), b"")
            truth.setdefault(topics.table(table, topics.RESULT), b"")
        for table in self._journal.read.tables():
            if table not in self._hall.tables:
                truth.update((topics.table(table, leaf), b"") for leaf in RETAINED)
        sent = [
            session.publish(f"{self._root}/{topic}", payload, retained=True)
            for topic, payload in truth.items()
        ]
        for confirmed in sent:
            await confirmed

    def _open_rulings(self) -> frozenset[str]:
        return frozenset(
            topics.table(row.table, row.topic)
            for row in self._journal.read.retained(self._journal.committed_outputs)
            if row.payload
        )

    async def _retain(self, session: Session, topic: str, payload: bytes) -> None:
        await session.publish(f"{self._root}/{topic}", payload, retained=True)

    async def _snapshots(self, session: Session) -> None:
        count = 0
        while True:
            count, newer = self._journal.snapshots.after(count)
            sent = [
                session.publish(f"{self._root}/{topic}", payload, retained=True)
                for topic, payload in newer.items()
            ]
            for confirmed in sent:
                await confirmed
            await self._journal.snapshots.changed(count)

    # What comes in.

    async def _listen(self, session: Session) -> None:
        async for received in session.messages():
            address = read_address(self._root, received.topic)
            if address is not None:
                await self._command(session, received, address)
            elif received.retained and received.payload:
                topic = received.topic.removeprefix(f"{self._root}/")
                if topic not in self._open_rulings():
                    await self._retain(session, topic, b"")

    async def _command(self, session: Session, received: Received, address: Address) -> None:
        if not received.payload:
            return
        if received.retained:
            await session.publish(received.topic, b"", retained=True)
        order = read_order(received, address, self._hall.tables)
        command = order.command
        if command is None:
            for table in order.tables:
                await self._answer(session, table, address.user, self._hall.refusal(table, order))
            return
        if received.correlation and command.id:
            self._remember(address.user, command.id, received.correlation)
        for table in order.tables:
            await self._journal.submit(table, command, address.user)

    async def _answer(self, session: Session, table: str, user: str, payload: bytes) -> None:
        topic = topics.table(table, topics.reply(user))
        await session.publish(f"{self._root}/{topic}", payload)

    # Replies leave through the outbox like all else; correlation data is put to them there.

    def _remember(self, user: str, command_id: str, correlation: bytes) -> None:
        self._correlations[topics.reply(user), command_id] = correlation
        while len(self._correlations) > CORRELATIONS_KEPT:
            del self._correlations[next(iter(self._correlations))]

    def _correlation(self, row: OutputRow) -> bytes:
        if not self._correlations or not row.topic.startswith("reply"):
            return b""
        command_id = msgspec.json.decode(row.payload, type=_Id).id
        return self._correlations.get((row.topic, command_id), b"")


class _Id(msgspec.Struct):
    id: str = ""
