"""The other halls of an event, as they have told it on the broker that all halls share.

    arbiterd/<other>/status, tables/…  ─▶ the newest of each topic, in memory ─▶ whoever shows it
    an arbiter's act for a table there ─▶ arbiterd/<other>/tables/<t>/command/<login> ─▶ its answer

It is a session of its own: what others say never keeps this hall's messages waiting, and while
it is away the hall misses nothing but the sight of its neighbours. An act is sent by the login of
whoever acts, so that the broker's access list and the other hall judge it as if it came from there.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from msgspec import structs

from arbiterd.access.people import Account
from arbiterd.edges import (
    BrokerError,
    BrokerSession,
    EventBroker,
    Received,
    RefusedError,
    ServiceClock,
)
from arbiterd.journal.live import NumberedEvent
from arbiterd.journal.pulse import Pulse
from arbiterd.messages import topics
from arbiterd.messages.commands import Command
from arbiterd.messages.limits import Limit
from arbiterd.messages.payloads import Device, Ruling, State, Status
from arbiterd.messages.reading import BYTES_MAX
from arbiterd.messages.times import from_rfc3339, rfc3339

log = logging.getLogger(__name__)

BACK_OFF_S = (0.5, 1.0, 2.0, 5.0, 10.0)
LOOK_S = 1.0
"""How often it is looked how long each hall has been silent."""
SILENT_S = 75.0
"""Each hall tells its status once a minute; one that said nothing for longer is cut off."""
ANSWER_S = 6.0
"""So long an act waits for the other hall."""
TABLES_MAX = 1000
RULINGS_MAX = 2000
"""Of one hall."""
NS_PER_S = 1_000_000_000
KINDS: Mapping[str, type[Status | State | Device | Ruling]] = {
    topics.STATUS: Status,
    topics.STATE: State,
    topics.DEVICE: Device,
    topics.RULINGS: Ruling,
}
LIMITS = (
    Limit("other halls", "tables of one hall", "tables", f"{TABLES_MAX}", "left out"),
    Limit("other halls", "open rulings of one hall", "rulings", f"{RULINGS_MAX}", "left out"),
    Limit("other halls", "how long an act waits for the other hall's answer", "seconds",
          f"{ANSWER_S:.0f}", "answered with a sentence: nothing is known to be done"),
)  # fmt: skip

LinkState = Literal["live", "offline", "silent", "never"]


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """How a hall is heard."""

    hall: str
    page: str
    """The address of its own page; empty: not known."""
    link: LinkState
    heard: str | None
    """When it said something last, by our clock."""
    silent_s: int | None
    """For so long it has been silent; None while it is live, or was never heard."""


@dataclass(slots=True)
class Neighbour:
    """One other hall, as far as it is known."""

    name: str
    page: str
    said: dict[str, bytes]
    """The newest payload of each topic, relative to the hall."""
    heard_ns: int | None = None
    online: bool = False

    def count(self, leaf: str) -> int:
        return sum(kind_of(topic) == leaf for topic in self.said)


def kind_of(topic: str) -> str | None:
    """What a topic is of, relative to its hall; None: nothing that is shown."""
    match topic.split("/"):
        case [topics.STATUS]:
            return topics.STATUS
        case ["tables", _, topics.STATE | topics.DEVICE as leaf]:
            return leaf
        case ["tables", _, topics.RULINGS, _]:
            return topics.RULINGS
        case _:
            return None


def shown_of(hall: str) -> tuple[str, ...]:
    """Topic filters of what is shown of another hall."""
    leaves = (topics.STATE, topics.DEVICE, topics.ruling("+"))
    tables = (topics.table("+", leaf) for leaf in leaves)
    return tuple(f"{topics.hall(hall)}/{topic}" for topic in (topics.STATUS, *tables))


class Neighbours:
    """All of them: a `MessageReader` of what they retain. Topics begin with the hall's name."""

    def __init__(
        self,
        halls: Mapping[str, str],
        event: EventBroker,
        clock: ServiceClock,
        account: Callable[[str], Account | None],
    ) -> None:
        """`halls`: the pages by name. `account`: a login with its secret; None: nobody logs in."""
        self._halls = {name: Neighbour(name, page, {}) for name, page in halls.items()}
        self._event, self._clock, self._account = event, clock, account
        self._pulse = Pulse()
        self._shown: dict[str, bytes] | None = None
        self.trouble: str | None = None
        """Why none of them can be heard, in a sentence."""
        self.looks = 0
        """How often it was looked how they are heard."""

    # What they say.

    async def run(self) -> None:
        """Until cancelled."""
        looking = asyncio.create_task(self._keep_looking())
        failures = 0
        try:
            while True:
                try:
                    async with self._event.visit() as session:
                        await self._listen(session)
                except RefusedError as refused:
                    failures = len(BACK_OFF_S)
                    self._troubled(str(refused))
                except BrokerError as lost:
                    failures = failures + 1 if self.trouble else 1
                    self._troubled(str(lost))
                await self._clock.rest(BACK_OFF_S[min(failures, len(BACK_OFF_S)) - 1])
        finally:
            looking.cancel()

    async def _listen(self, session: BrokerSession) -> None:
        """Until the broker goes away. Raises BrokerError."""
        for name, hall in self._halls.items():
            # What the broker keeps is told again; what is no more comes with no message.
            hall.said.clear()
            await session.subscribe(*shown_of(name))
        self._troubled(None)
        self._changed()
        async for received in session.messages():
            self._take(received)

    def _troubled(self, sentence: str | None) -> None:
        if sentence != self.trouble:
            if sentence:
                log.warning("the other halls of the event are not heard: %s", sentence)
            else:
                log.info("the other halls of the event are listened to")
        self.trouble = sentence

    def _take(self, received: Received) -> None:
        _, name, topic = received.topic.split("/", 2)
        hall = self._halls.get(name)
        kind = kind_of(topic)
        if hall is None or kind is None:
            return
        now_ns = self._clock.now_ns()
        if not received.payload:
            hall.said.pop(topic, None)
            if not received.retained:
                hall.heard_ns = now_ns
        else:
            said = _read(received.payload, kind, name, topic)
            if said is None or not _room(hall, kind, topic):
                return
            hall.said[topic] = received.payload
            gone = isinstance(said, Status) and said.state == "offline"
            if isinstance(said, Status):
                hall.online = not gone
            if not gone:  # That it has gone the broker says, and not the hall.
                at_ns = min(now_ns, from_rfc3339(said.at)) if received.retained else now_ns
                hall.heard_ns = max(hall.heard_ns or 0, at_ns)
        self._changed()

    async def _keep_looking(self) -> None:
        told: list[LinkState] = []
        while True:
            links = [self._link(hall) for hall in self._halls.values()]
            if links != told or any(link == "silent" for link in links):
                self._changed()
            told = links
            self.looks += 1
            await self._clock.rest(LOOK_S)

    def _changed(self) -> None:
        self._shown = None
        self._pulse.beat()

    # How they are heard.

    def _silent_s(self, hall: Neighbour) -> float:
        """In the machine's own seconds."""
        assert hall.heard_ns is not None
        return (self._clock.now_ns() - hall.heard_ns) / NS_PER_S / self._clock.speed

    def _link(self, hall: Neighbour) -> LinkState:
        if hall.heard_ns is None:
            return "never"
        if self.trouble or self._silent_s(hall) > SILENT_S:
            return "silent"
        return "live" if hall.online else "offline"

    def _heard(self, hall: Neighbour) -> Heard:
        link = self._link(hall)
        known = link not in ("live", "never")
        return Heard(
            hall=hall.name,
            page=hall.page,
            link=link,
            heard=None if hall.heard_ns is None else rfc3339(hall.heard_ns),
            silent_s=int(self._silent_s(hall)) if known else None,
        )

    # The face of a MessageReader.

    def names(self) -> Sequence[str]:
        """In the order of the configuration."""
        return tuple(self._halls)

    def retained(self) -> Mapping[str, bytes]:
        """Each hall's newest messages, and how it is heard."""
        if self._shown is None:
            self._shown = {
                f"{name}/{topics.HEARD}": msgspec.json.encode(self._heard(hall))
                for name, hall in self._halls.items()
            }
            for name, hall in self._halls.items():
                self._shown.update((f"{name}/{topic}", said) for topic, said in hall.said.items())
        return self._shown

    @property
    def last(self) -> int:
        """No event is kept."""
        return 0

    async def after(self, _number: int, _limit: int) -> Sequence[NumberedEvent]:
        return ()

    async def timeline(self, _table: str, _after: int, _limit: int) -> Sequence[NumberedEvent]:
        return ()

    @property
    def mark(self) -> int:
        return self._pulse.mark

    async def changed(self, mark: int) -> None:
        await self._pulse.changed(mark)

    # Acts.

    async def submit_at(self, hall: str, table: str, command: Command, user: str) -> bytes:
        """Sends a command by this login; gives the other hall's own answer.

        `user` empty: nobody logs in, and `by` stands in the topic. Raises BrokerError.
        """
        known = self._halls[hall]
        link = self._link(known)
        if link != "live":
            raise BrokerError(
                f"the hall {hall} is not heard ({link}), so nothing was sent; decide it there"
            )
        account = self._account(user) if user else None
        if user and account is None:
            raise BrokerError(f"{user!r} has no password any more; log in again")
        root, login = topics.hall(hall), user or command.by
        if any(sign in login for sign in "/+#"):
            raise BrokerError(f"{login!r} cannot be sent to another hall; act without / + #")
        ask = f"{root}/{topics.table(table, topics.command(login))}"
        answer = f"{root}/{topics.table(table, topics.reply(login))}"
        secret = account.secret if account else ""
        try:
            async with asyncio.timeout(ANSWER_S), self._event.visit(user, secret) as session:
                await session.subscribe(answer)
                # What it waits for on its way is over when nobody waits for its answer any more.
                await session.publish(ask, _sent(command), expiry_s=int(ANSWER_S))
                return await _answered(session, command.id)
        except TimeoutError:
            raise BrokerError(
                f"the hall {hall} does not answer; nothing is known to be done. Is {login!r} one"
                " of its logins, and has the broker its access lists?"
            ) from None


def _sent(command: Command) -> bytes:
    """As a tablet would have sent it."""
    said = structs.asdict(command).items()
    kept = {name: value for name, value in said if name != "origin" and value not in (None, "")}
    return msgspec.json.encode({name: kept[name] for name in kept if kept[name] is not False})


async def _answered(session: BrokerSession, command_id: str) -> bytes:
    async for received in session.messages():
        with suppress(msgspec.DecodeError):
            if msgspec.json.decode(received.payload, type=_Id).id == command_id:
                return received.payload
    raise BrokerError("the connection to the broker is lost")


class _Id(msgspec.Struct):
    id: str = ""


def _room(hall: Neighbour, kind: str, topic: str) -> bool:
    if topic in hall.said or kind == topics.STATUS:
        return True
    return hall.count(kind) < (RULINGS_MAX if kind == topics.RULINGS else TABLES_MAX)


def _read(payload: bytes, kind: str, hall: str, topic: str) -> Any:
    """None: it is no such payload, or not of the place it came from."""
    if len(payload) > BYTES_MAX or b"\n" in payload:
        return None
    try:
        said = msgspec.json.decode(payload, type=KINDS[kind])
        from_rfc3339(said.at)
    except (ValueError, RecursionError):  # A DecodeError is a ValueError.
        return None
    here = said.hall == hall
    if not isinstance(said, Status):
        here = here and said.table == topic.split("/")[1]
    if isinstance(said, Ruling):
        here = here and said.id == topic.split("/")[-1]
    return said if here else None
