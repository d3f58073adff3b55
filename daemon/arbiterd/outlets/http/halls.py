"""The other halls of the event, for the page, for `arbiterd top` and for programs of others.

    GET  api/v1/halls                            {"halls": [heard, …]}: how each is heard
    GET  api/v1/halls/events                     a stream as api/v1/events, of all of them; `heard`
                                                 is one kind more
    POST api/v1/halls/<h>/tables/<t>/commands    one table there; the answer is that hall's own

503 where the hall is not heard or does not answer: then nothing is known to be done. The role at
this hall is asked before anything is sent, and the other hall asks its own.
"""

from __future__ import annotations

import msgspec
from aiohttp import web

from arbiterd.access.login import role_here
from arbiterd.access.rights import Reads, is_of_rulings
from arbiterd.edges import BrokerError
from arbiterd.messages import topics
from arbiterd.outlets.http.audience import GamesAlone
from arbiterd.outlets.http.commands import Commands, said_yes, user_of
from arbiterd.outlets.http.reading import (
    bad_request,
    json_array,
    json_bytes,
    not_found,
    refusal,
)
from arbiterd.outlets.http.source import Others, PageClock
from arbiterd.outlets.http.stream import STREAMS_OF_ONE, Streams


def _of_rulings(topic: str) -> bool:
    """The same as for one hall, below its name."""
    _, _, below = topic.partition("/")
    return below != topics.HEARD and is_of_rulings(below)


class OtherHalls:
    """The routes. Without other halls the list is empty."""

    def __init__(self, others: Others | None, commands: Commands, clock: PageClock) -> None:
        self._others, self._commands = others, commands
        if others is not None:
            self._whole = Streams(others, clock, of_one=STREAMS_OF_ONE)
            self._games = Streams(GamesAlone(others, _of_rulings), clock, of_one=STREAMS_OF_ONE)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/api/v1/halls", self._listed),
            web.get("/api/v1/halls/events", self._events),
            web.post("/api/v1/halls/{hall}/tables/{table}/commands", self._command),
        ]

    async def _listed(self, _request: web.Request) -> web.Response:
        found: list[bytes] = []
        if self._others is not None:
            retained = self._others.retained()
            found = [retained[f"{name}/{topics.HEARD}"] for name in self._others.names()]
        return json_bytes(b'{"halls":' + json_array(found) + b"}")

    async def _events(self, request: web.Request) -> web.StreamResponse:
        if self._others is None:
            not_found("this hall is alone; [[halls]] in the configuration names others")
        role = role_here(request)
        knows = role is None or Reads.RULINGS in role.reads
        return await (self._whole if knows else self._games).serve(request)

    async def _command(self, request: web.Request) -> web.Response:
        hall, table = request.match_info["hall"], request.match_info["table"]
        if self._others is None or hall not in self._others.names():
            not_found(f"{hall!r:.60} is no hall of [[halls]] in this configuration")
        if f"{hall}/{topics.table(table, topics.STATE)}" not in self._others.retained():
            not_found(f"the hall {hall} has told of no table {table!r:.40}")
        command = await self._commands.read(request)
        if command.action == "round" or command.tables is not None:
            bad_request("one table of another hall at a time; rounds are for its own page")
        if not command.id:
            bad_request("the command has no id; send it again with one of your own")
        try:
            reply = await self._others.submit_at(hall, table, command, user_of(request))
            return json_bytes(reply, status=200 if said_yes(reply) else 409)
        except BrokerError as away:
            raise web.HTTPServiceUnavailable(
                text=refusal(str(away)), content_type="application/json"
            ) from None
        except msgspec.DecodeError:
            raise web.HTTPBadGateway(
                text=refusal(f"the hall {hall} answered what is no answer; look at its own page"),
                content_type="application/json",
            ) from None
