"""A connection to a broker: MQTT 5 where it speaks it, else 3.1.1.

The client library takes every PUBACK for a yes. On MQTT 5 a broker may refuse in it (0x87, not
authorized), so what is published here is published through `Publisher.publish_checked`.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Self

import aiomqtt
from aiomqtt import ProtocolVersion
from aiomqtt.exceptions import MqttConnectError
from paho.mqtt.client import MQTT_ERR_SUCCESS, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.client import Client as Paho
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties, VariableByteIntegers
from paho.mqtt.reasoncodes import ReasonCode

from arbiterd.access.people import SecretError
from arbiterd.config.values import BrokerUrl
from arbiterd.edges import BrokerError, Received, RefusedError
from arbiterd.messages.limits import Limit
from arbiterd.messages.reading import BYTES_MAX
from arbiterd.outlets.mqtt.turns import SENDERS_MAX, UNREAD_MAX, Newest, UnreadMessages

log = logging.getLogger(__name__)

QOS = 1
ANSWER_S = 5.0
"""A broker that has not answered a CONNECT by then does not speak this version."""
KEEPALIVE_S = 15
PENDING_CALLS = 10_000
"""Above this the library warns of publishes under way; the outbox has its own bound."""
NO_ENTRY = frozenset({4, 5, 0x86, 0x87})
"""CONNACK codes of MQTT 3.1.1 and MQTT 5 for a wrong or missing login."""
UNSPOKEN = frozenset({1, 0x84})
"""CONNACK codes of either for a version that the broker does not speak."""
JSON_TYPE = "application/json"
UTF_8 = 1
"""The payload format indicator of text."""
TAKEN_OVER = 0x8E
"""DISCONNECT of MQTT 5: another client came with our client id."""
TOO_LARGE = 0x95
"""DISCONNECT of MQTT 5: a packet was larger than the broker takes."""
RAISE_IT = "raise its limit (Mosquitto: max_packet_size, message_size_limit)"

LIMITS = (
    Limit("MQTT, any topic", "a payload", "bytes", f"{BYTES_MAX}",
          "cut off as it comes in; a command is then refused with a sentence"),
    Limit("MQTT, any topic", "unread of a sender", "messages", f"{UNREAD_MAX}",
          "dropped and counted in the log; others' are read in their turn"),
    Limit("MQTT, any topic", "senders with unread messages", "senders", f"{SENDERS_MAX}",
          "dropped and counted in the log"),
)  # fmt: skip


class Publisher(aiomqtt.Client):
    """A client that hears what the broker says to each publish."""

    def __init__(
        self,
        *args: Any,
        protocol: ProtocolVersion,
        queue_type: type[asyncio.Queue[aiomqtt.Message]] = UnreadMessages,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, protocol=protocol, queue_type=queue_type, **kwargs)
        self.version = protocol
        self.pending_calls_threshold = PENDING_CALLS
        self._of_json = _json_properties(protocol, _PackedOnce)
        self._unconfirmed: dict[int, asyncio.Future[None]] = {}
        self.reached = False
        """Somebody took the connection, whatever was said on it."""
        self._abandoned = False
        self._why_lost = "the connection to the broker is lost"
        self._refused = False
        """It is lost because of what was sent, which would be sent again."""
        self._largest: int | None = None
        """The bytes of the largest packet that the broker has said it takes."""

    def _on_message(self, client: Paho, userdata: Any, message: MQTTMessage) -> None:
        """Of a message that is too long so much is kept that whoever reads it sees that it is."""
        if len(message.payload) > BYTES_MAX:
            message.payload = message.payload[: BYTES_MAX + 1]
        super()._on_message(client, userdata, message)

    def publish_checked(
        self, topic: str, payload: bytes, retained: bool, correlation: bytes, expiry_s: int | None
    ) -> asyncio.Future[None]:
        """Sent at once; done when the broker has confirmed. Fails with BrokerError."""
        confirmed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        properties = self._properties_of(correlation, expiry_s)
        if (bytes_ := self._too_large(topic, payload, properties)) is not None:
            confirmed.set_exception(
                RefusedError(
                    f"the broker takes no message of more than {self._largest} bytes, and one of"
                    f" ours has {bytes_}; {RAISE_IT}"
                )
            )
            confirmed.exception()  # Whoever has stopped waiting need not hear of it.
            return confirmed
        info = self._client.publish(topic, payload, QOS, retained, properties)
        if info.rc != MQTT_ERR_SUCCESS or self._disconnected.done():
            confirmed.set_exception(self.loss())
        else:
            self._unconfirmed[info.mid] = confirmed
        confirmed.add_done_callback(partial(self._settled, info.mid))
        return confirmed

    def loss(self, more: str = "") -> BrokerError:
        """What is to be said of this connection once it is lost."""
        return (RefusedError if self._refused else BrokerError)(self._why_lost + more)

    def _too_large(self, topic: str, payload: bytes, properties: Properties | None) -> int | None:
        """How many bytes a PUBLISH of QoS 1 has, where that is more than the broker takes.

        MQTT 5, 3.2.2.3.6: such a packet must not be sent; whoever sends it is thrown off.
        """
        if self._largest is None:
            return None
        remaining = 2 + len(topic.encode()) + 2 + len(payload)
        if properties is not None:
            remaining += len(properties.pack())
        packet = 1 + len(VariableByteIntegers.encode(remaining)) + remaining
        return packet if packet > self._largest else None

    def _settled(self, mid: int, confirmed: asyncio.Future[None]) -> None:
        if self._unconfirmed.get(mid) is confirmed:
            del self._unconfirmed[mid]
        # Whoever has stopped waiting need not hear of it.
        if not confirmed.cancelled():
            confirmed.exception()

    def _properties_of(self, correlation: bytes, expiry_s: int | None) -> Properties | None:
        # Most messages have none, and share theirs: the library takes as long to make them as to
        # send them.
        if self._of_json is None or (not correlation and expiry_s is None):
            return self._of_json
        properties = _json_properties(self.version)
        assert properties is not None, "MQTT 5 has properties"
        if correlation:
            properties.CorrelationData = correlation
        if expiry_s is not None:
            properties.MessageExpiryInterval = expiry_s
        return properties

    def _on_publish(
        self,
        client: Paho,
        userdata: Any,
        mid: int,
        reason_code: ReasonCode,
        properties: Properties,
    ) -> None:
        super()._on_publish(client, userdata, mid, reason_code, properties)
        self._acknowledge(client)
        confirmed = self._unconfirmed.get(mid)
        if confirmed is None or confirmed.done():
            return
        if reason_code.is_failure:
            confirmed.set_exception(
                RefusedError(
                    f"the broker refuses a message ({reason_code});"
                    " let this login publish below arbiterd/ and the hall's name"
                )
            )
        else:
            confirmed.set_result(None)

    def _on_socket_open(self, client: Paho, userdata: Any, sock: Any) -> None:
        """In the thread that connects: the loop may have given the connection up by then."""
        self.reached = True
        self._loop.call_soon_threadsafe(self._watch, client, userdata, sock)

    def _watch(self, client: Paho, userdata: Any, sock: Any) -> None:
        """In the loop. A wire that is closed already has a number that may be another's."""
        if self._abandoned:
            self._loop.call_soon(client.disconnect)  # After what the thread has asked for by now.
        if self._abandoned or sock.fileno() < 0:
            return
        if isinstance(sock, socket.socket):
            # Else our kernel holds what is short until the broker's has said that the last is here.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super()._on_socket_open(client, userdata, sock)

    def _acknowledge(self, client: Paho) -> None:
        """The broker's kernel learns at once that its confirmation is here.

        Else ours waits 40 ms for something to send along; the broker's holds the confirmations
        that follow for as long, and with the window full nothing is sent that could go along.
        """
        wire = client.socket()
        if isinstance(wire, socket.socket):
            wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        _need_not_be_heard_of(self._disconnected)
        self._disconnected.add_done_callback(lambda _: self._lost())
        # From here on the library is called in the loop alone.
        self._client.on_socket_register_write = self._write_soon
        return self

    def _write_soon(self, client: Paho, userdata: Any, sock: Any) -> None:
        """At the loop's next turn, all that was said in this one; `aiomqtt` takes three for it."""
        self._loop.call_soon(self._write, client, userdata, sock)

    def _write(self, client: Paho, userdata: Any, sock: Any) -> None:
        try:
            client.loop_write()
        except OSError as error:
            if not self._disconnected.done():
                self._disconnected.set_exception(error)
            return
        if client.want_write() and client.socket() is not None:
            # It takes no more now.
            self._on_socket_register_write(client, userdata, sock)

    def _on_disconnect(
        self,
        client: Paho,
        userdata: Any,
        flags: DisconnectFlags,
        reason_code: ReasonCode,
        properties: Properties | None = None,
    ) -> None:
        if not self._connected.cancelled():  # Else the library asks it what went wrong.
            super()._on_disconnect(client, userdata, flags, reason_code, properties)
        if _code(reason_code) == TAKEN_OVER:
            self._why_lost = (
                "another client took our place at the broker with our own client id;"
                " find the program that does and give it an id of its own"
            )
        if _code(reason_code) == TOO_LARGE:
            self._why_lost = f"the broker takes no message as large as one of ours; {RAISE_IT}"
            self._refused = True
        self._lost()

    def _lost(self) -> None:
        for confirmed in list(self._unconfirmed.values()):
            if not confirmed.done():
                confirmed.set_exception(self.loss())

    def _on_connect(
        self,
        client: Paho,
        userdata: Any,
        flags: ConnectFlags,
        reason_code: ReasonCode,
        properties: Properties | None = None,
    ) -> None:
        super()._on_connect(client, userdata, flags, reason_code, properties)
        self._largest = getattr(properties, "MaximumPacketSize", None)
        if self._abandoned:
            self._loop.call_soon(self._client.disconnect)

    def abandon(self) -> None:
        """Give up a connection that nobody waits for: it was refused, or whoever did was cancelled.

        A thread may still be on its way to the broker.
        """
        self._abandoned = True
        _need_not_be_heard_of(self._connected)
        _need_not_be_heard_of(self._disconnected)
        # The goodbye is written in one go, and the wire closed: nobody need watch it for room.
        self._client.on_socket_register_write = None
        # Not before the loop watches the wire, if it is just about to.
        self._loop.call_soon(self._client.disconnect)


def _need_not_be_heard_of(done: asyncio.Future[None]) -> None:
    """That it went wrong is told elsewhere, or to nobody."""
    done.add_done_callback(lambda said: said.cancelled() or said.exception())


class MqttSession:
    """`edges.BrokerSession` over a connected client."""

    def __init__(self, client: Publisher) -> None:
        self._client = client

    def publish(
        self,
        topic: str,
        payload: bytes,
        *,
        retained: bool = False,
        correlation: bytes = b"",
        expiry_s: int | None = None,
    ) -> Awaitable[None]:
        return self._client.publish_checked(topic, payload, retained, correlation, expiry_s)

    async def subscribe(self, *filters: str) -> None:
        try:
            granted: Iterable[ReasonCode | int] = await self._client.subscribe(
                [(name, QOS) for name in filters]
            )
        except aiomqtt.MqttError as error:
            raise BrokerError(f"the broker takes no subscription: {error}") from None
        for name, code in zip(filters, granted, strict=True):
            if _code(code) >= 0x80:
                raise RefusedError(
                    f"the broker refuses the subscription to {name}; give this login the right"
                )

    async def unsubscribe(self, *filters: str) -> None:
        try:
            await self._client.unsubscribe(list(filters))
        except aiomqtt.MqttError as error:
            raise BrokerError(f"the broker ends no subscription: {error}") from None

    async def messages(self) -> AsyncIterator[Received]:
        try:
            async for message in self._client.messages:
                payload, asked = message.payload, message.properties
                assert isinstance(payload, bytes), "the library hands on what came in"
                yield Received(
                    message.topic.value,
                    payload,
                    bool(message.retain),
                    getattr(asked, "CorrelationData", b""),
                    getattr(asked, "ResponseTopic", ""),
                    getattr(asked, "MessageExpiryInterval", None),
                )
        except aiomqtt.MqttError as error:
            raise self._client.loss(f" ({error})") from None


class _PackedOnce(Properties):
    """For all messages that share them; not to be changed once one was sent."""

    def pack(self) -> bytes:
        return self._packed

    @cached_property
    def _packed(self) -> bytes:
        packed: bytes = Properties.pack(self)
        return packed


def _json_properties(
    version: ProtocolVersion, made: type[Properties] = Properties
) -> Properties | None:
    if version is not ProtocolVersion.V5:
        return None
    properties = made(PacketTypes.PUBLISH)
    properties.ContentType = JSON_TYPE
    properties.PayloadFormatIndicator = UTF_8
    return properties


def _code(code: ReasonCode | int | None) -> int:
    return code.value if isinstance(code, ReasonCode) else code or 0


@dataclass(frozen=True, slots=True)
class BrokerLogin:
    """Who we are at the broker."""

    identifier: str
    username: str = ""
    password: str = ""
    tls: ssl.SSLContext | None = None


class MqttBroker:
    """`edges.Broker`: any broker by its URL."""

    def __init__(
        self,
        url: BrokerUrl,
        login: BrokerLogin,
        newest: ProtocolVersion = ProtocolVersion.V5,
        password: Callable[[], str] | None = None,
    ) -> None:
        """`newest` is tried first, and nothing newer ever.

        `password`, which may raise SecretError, is asked before each connection in the place of the
        login's: whoever puts a new one in its file has not to start the service anew.
        """
        self.url = url
        self._login, self._password = login, password
        self._spoken = [
            each for each in (ProtocolVersion.V5, ProtocolVersion.V311) if each <= newest
        ]
        self.version = newest
        """What the broker was found to speak."""
        self._visits = 0

    @asynccontextmanager
    async def connect(self, will_topic: str, will: bytes) -> AsyncIterator[MqttSession]:
        last = aiomqtt.Will(will_topic, will, QOS, True)
        async with self._session(self._ours(), will=last) as session:
            yield session

    @asynccontextmanager
    async def visit(self, name: str = "", secret: str = "") -> AsyncIterator[MqttSession]:
        """A session beside ours, by this login or by our own: `edges.EventBroker`."""
        self._visits += 1
        login = replace(self._login, username=name, password=secret) if name else self._ours()
        login = replace(login, identifier=f"{login.identifier}-{self._visits}")
        async with self._session(login, queue_type=Newest) as session:
            yield session

    def _ours(self) -> BrokerLogin:
        """Raises RefusedError."""
        if self._password is None:
            return self._login
        try:
            return replace(self._login, password=self._password())
        except SecretError as error:
            raise RefusedError(str(error)) from None

    @asynccontextmanager
    async def _session(self, login: BrokerLogin, **more: Any) -> AsyncIterator[MqttSession]:
        client = await self._connected(login, **more)
        try:
            yield MqttSession(client)
        finally:
            with suppress(aiomqtt.MqttError):
                await client.__aexit__(None, None, None)

    async def _connected(self, login: BrokerLogin, **more: Any) -> Publisher:
        sentence = ""
        # The one that the broker was found to speak comes first.
        for version in sorted(self._spoken, key=lambda each: each is not self.version):
            client = self._client(version, login, **more)
            try:
                await client.__aenter__()
            except MqttConnectError as error:
                client.abandon()
                if _code(error.rc) in NO_ENTRY:
                    who, mend = ("us", "[mqtt] username and password_file")
                    if login.username != self._login.username:
                        who, mend = (repr(login.username), "that it has the logins of this hall")
                    raise RefusedError(
                        f"the broker at {self.url} does not let {who} in ({error}); check {mend}"
                    ) from None
                if not (sentence and _code(error.rc) in UNSPOKEN):
                    sentence = f"the broker at {self.url} refuses the connection: {error}"
            except (aiomqtt.MqttError, ssl.SSLError) as error:
                client.abandon()
                sentence = f"the broker at {self.url} cannot be reached: {error}"
                if not client.reached:
                    break  # That says nothing of what it speaks, once it is there.
            except asyncio.CancelledError:
                client.abandon()
                raise
            else:
                if version is not self.version:
                    log.info("the broker at %s speaks MQTT 3.1.1 only", self.url)
                self.version = version
                return client
        raise BrokerError(sentence)

    def _client(self, version: ProtocolVersion, login: BrokerLogin, **more: Any) -> Publisher:
        five = version is ProtocolVersion.V5
        return Publisher(
            self.url.host,
            self.url.port,
            protocol=version,
            identifier=login.identifier,
            username=login.username or None,
            password=login.password or None,
            tls_context=login.tls if self.url.tls else None,
            transport="websockets" if self.url.websocket else "tcp",
            websocket_path=self.url.path if self.url.websocket else None,
            clean_session=None if five else True,
            keepalive=KEEPALIVE_S,
            timeout=ANSWER_S,
            **more,
        )
