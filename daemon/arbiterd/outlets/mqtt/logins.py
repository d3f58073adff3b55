"""Logins at nats-server: it asks us about each, so that wrong passwords are braked there too.

    a client's CONNECT ─▶ nats-server ─▶ $SYS.REQ.USER.AUTH ─▶ the brake ─▶ a signed answer, or none

It asks over its native port; the NATS documentation has the claims under "auth callout". Who
guesses too often is not answered, which the broker takes for a no after ANSWER_S.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Any

import msgspec

from arbiterd.access.brake import Brake, TooManyGuessesError
from arbiterd.access.people import People
from arbiterd.edges import ServiceClock
from arbiterd.outlets.mqtt.access_lists import nats_claims
from arbiterd.outlets.mqtt.claims import said_in
from arbiterd.outlets.mqtt.embedded_config import Wanted, known_logins
from arbiterd.outlets.mqtt.native import native

SUBJECT = "$SYS.REQ.USER.AUTH"
HALL = "$G"
"""The account that all logins share, as nats-server calls it."""
ASKED_MAX = 1 << 16
"""Bytes of a question; a longer one holds a name or a password that is nobody's."""
AGAIN_S = 0.2
MQTT = "mqtt"
"""By the broker's own protocol anybody could listen in on what it sends to others at QoS 1: that
goes through subjects (`$MQTT.sub.>`) which each of them must be allowed."""


class _Server(msgspec.Struct):
    id: str


class _Client(msgspec.Struct):
    host: str = ""
    type: str = ""
    """The protocol; MQTT over WebSocket is `mqtt` too."""


class _Said(msgspec.Struct):
    user: str = ""
    secret: str = msgspec.field(default="", name="pass")


class _Login(msgspec.Struct):
    user_nkey: str
    server_id: _Server
    client_info: _Client
    connect_opts: _Said


class _Asked(msgspec.Struct):
    nats: _Login


class Logins:
    """Answers the broker, again after each start of it, until cancelled."""

    def __init__(self, wanted: Wanted, clock: ServiceClock) -> None:
        self._wanted, self._clock = wanted, clock
        self._brake = Brake(wanted.people, clock)
        self.ready = asyncio.Event()
        """The broker asks us from now on."""

    def let_in(self, people: People) -> None:
        """These and nobody else from now on."""
        self._wanted = replace(self._wanted, people=people)
        self._brake.people = people

    async def run(self) -> None:
        while True:
            with suppress(OSError, EOFError, ValueError):
                await self._serve()
            self.ready.clear()
            await self._clock.rest(AGAIN_S)

    async def _serve(self) -> None:
        """Until the broker ends. Raises OSError, EOFError, ValueError."""
        async with native(self._wanted) as (reader, writer):
            writer.write(b"SUB %s 1\r\nPING\r\n" % SUBJECT.encode())
            while line := await reader.readline():
                match line.split():
                    case [b"PING"]:
                        writer.write(b"PONG\r\n")
                    case [b"PONG"]:
                        self.ready.set()
                    case [b"MSG", _, _, reply, size]:
                        token = await reader.readexactly(int(size) + len(b"\r\n"))
                        if answer := self._answer(token.strip()):
                            writer.write(b"PUB %s %d\r\n%s\r\n" % (reply, len(answer), answer))
                        await self._clock.rest(0)  # However many ask, others have their turn.

    def _answer(self, token: bytes) -> bytes:
        """Empty: none."""
        if len(token) > ASKED_MAX:
            return b""
        login = msgspec.json.decode(said_in(token), type=_Asked).nats
        said = login.connect_opts
        if not (said.user or said.secret):
            return self._signed(login, {"error": "nobody logged in"})  # That is no guess.
        if login.client_info.type != MQTT:
            return self._signed(login, {"error": "this broker is for MQTT"})
        try:
            account = self._brake.find(login.client_info.host, said.user, said.secret)
        except TooManyGuessesError:
            return b""
        if account is None:
            return self._signed(login, {"error": "a wrong name or password"})
        user = {"type": "user", "version": 2, "subs": -1, "data": -1, "payload": -1}
        (known,) = (each for each in known_logins(self._wanted) if each.name == account.name)
        allowed = nats_claims(known)
        claims = {"sub": login.user_nkey, "aud": HALL, "name": account.name}
        return self._signed(login, {"jwt": self._token({**claims, "nats": {**user, **allowed}})})

    def _signed(self, login: _Login, answer: dict[str, str]) -> bytes:
        said = {"type": "authorization_response", "version": 2, **answer}
        claims = {"sub": login.user_nkey, "aud": login.server_id.id, "nats": said}
        return self._token(claims).encode()

    def _token(self, claims: dict[str, Any]) -> str:
        return self._wanted.issuer.token(claims)
