"""Acts of arbiters.

    POST api/v1/tables/<t>/commands     one table; the answer is the reply of MQTT
    POST api/v1/commands                with "tables": [...] or "all"; {"ok", "replies": [...]};
                                        a "round": its own answer

200 done, 409 refused (the answer says why), 400 not to be read, 404 no such table, 429 too many
from one login. The same `id` sent again is answered again and applied once, so a client repeats
until it has an answer.
"""

from __future__ import annotations

import asyncio

import msgspec
from aiohttp import web

from arbiterd.access.login import login_of, may_do, signed_in
from arbiterd.access.pace import RateLimit
from arbiterd.messages import topics
from arbiterd.messages.commands import (
    Command,
    CommandError,
    read_command,
    sent_from,
    signed,
)
from arbiterd.messages.limits import Limit
from arbiterd.messages.reading import MessageError, read_json
from arbiterd.outlets.http.reading import (
    ReadApi,
    bad_request,
    json_array,
    json_bytes,
    refusal,
)
from arbiterd.outlets.http.source import CommandIntake, MessageReader, PageClock

COMMANDS_PER_S, COMMANDS_AT_ONCE = 20, 60
"""Of one login; without logins, of one address."""

LIMITS = (
    Limit("HTTP commands", "rate of a login", "commands a second",
          f"{COMMANDS_PER_S}, {COMMANDS_AT_ONCE} at once", "429 with a sentence"),
)  # fmt: skip


class Commands:
    """The write side of the API; only the arbiter's application has it."""

    def __init__(
        self, reader: MessageReader, desk: CommandIntake, reading: ReadApi, clock: PageClock
    ) -> None:
        self._reader = reader
        self._desk = desk
        self._reading = reading
        self._clock = clock
        self._pace = RateLimit(COMMANDS_PER_S, COMMANDS_AT_ONCE)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/api/v1/tables/{table}/commands", self._one_table),
            web.post("/api/v1/commands", self._tables),
        ]

    async def _one_table(self, request: web.Request) -> web.Response:
        command = await self.read(request)
        table = request.match_info["table"]
        self._reading.known(table)
        if command.action == "round":
            bad_request("a round belongs to no table; send it to /api/v1/commands")
        if command.tables is not None:
            bad_request("'tables' belongs to /api/v1/commands; leave it out here")
        reply = await self._desk.submit(table, command, user_of(request))
        return json_bytes(reply, status=200 if said_yes(reply) else 409)

    async def _tables(self, request: web.Request) -> web.Response:
        command = await self.read(request)
        if command.action == "round":
            reply = await self._desk.submit_round(command, user_of(request))
            return json_bytes(reply, status=200 if said_yes(reply) else 409)
        if not command.tables:
            bad_request("the command names no tables; fill 'tables' with a list of them, or 'all'")
        every = command.tables == "all"
        tables = topics.tables_in(self._reader.retained()) if every else command.tables
        for table in tables:
            self._reading.known(table)
        user = user_of(request)
        replies = await asyncio.gather(
            *(self._desk.submit(table, command, user) for table in dict.fromkeys(tables))
        )
        done = all(said_yes(reply) for reply in replies)
        body = b'{"ok":' + (b"true" if done else b"false")
        body += b',"replies":' + json_array(replies) + b"}"
        return json_bytes(body, status=200 if done else 409)

    async def read(self, request: web.Request) -> Command:
        """What is asked for, by somebody who may. Raises 400, 403, 415, 429."""
        if not self._pace.allows(login_of(request), self._clock.now_ns()):
            raise web.HTTPTooManyRequests(
                text=refusal("too many commands came from here; send this one again in a moment"),
                content_type="application/json",
                headers={"Retry-After": "1"},
            )
        command = await _command(request)
        may_do(request, command)
        return sent_from(command, f"http {request.remote or ''}".strip())


class _Answer(msgspec.Struct):
    ok: bool


def said_yes(reply: bytes) -> bool:
    """Raises msgspec.DecodeError for what is no answer."""
    return msgspec.json.decode(reply, type=_Answer).ok


def user_of(request: web.Request) -> str:
    """The login; empty where nobody has to log in."""
    account = signed_in(request)
    return account.name if account else ""


async def _command(request: web.Request) -> Command:
    # A form of another site can send text or form data unasked, but not this type.
    if request.content_type != "application/json":
        raise web.HTTPUnsupportedMediaType(
            text=refusal("send the command as application/json"), content_type="application/json"
        )
    try:
        said = read_json(await request.read())
        return read_command(signed(said, user_of(request)) if isinstance(said, dict) else {})
    except MessageError as wrong:
        bad_request(f"the command cannot be read: {wrong}")
    except CommandError as wrong:
        bad_request(str(wrong))
