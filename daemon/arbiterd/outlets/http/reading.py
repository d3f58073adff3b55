"""The routes that both sides have, over the messages of whichever reader they are given.

GET api/v1                          what there is
GET api/v1/tables                   {"tables": [state, …]}
GET api/v1/tables/<t>/state         as on MQTT; so are device and result
GET api/v1/tables/<t>/moves         {"moves": [move, …]} of the present game
GET api/v1/tables/<t>/timeline      {"events": [{"topic", "payload"}, …]}; ?after=SEQ&limit=N
GET api/v1/events                   see stream.py
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

import msgspec
from aiohttp import web

from arbiterd.journal.live import Event
from arbiterd.messages import topics
from arbiterd.outlets.http.source import Clock, Reader
from arbiterd.outlets.http.stream import stream

PAGE = 1000
"""Events read, and handed out, at a time."""


class Reading:
    """The read side of the API. `prefix` is where the reader's tables stand: "" or "public/"."""

    def __init__(self, reader: Reader, clock: Clock, prefix: str) -> None:
        self._reader = reader
        self._clock = clock
        self._prefix = prefix

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/api/v1/tables", self._tables),
            web.get(r"/api/v1/tables/{table}/{leaf:state|device|result}", self._snapshot),
            web.get("/api/v1/tables/{table}/moves", self._moves),
            web.get("/api/v1/tables/{table}/timeline", self._timeline),
            web.get("/api/v1/events", self._events),
        ]

    def topic(self, table: str, leaf: str) -> str:
        return self._prefix + topics.table(table, leaf)

    def known(self, table: str) -> bytes:
        """The table's state. Raises 404."""
        state = self._reader.retained().get(self.topic(table, topics.STATE))
        if state is None:
            not_found(f"there is no table {table!r}; GET /api/v1/tables lists them")
        return state

    async def _tables(self, _request: web.Request) -> web.Response:
        states = [
            payload
            for topic, payload in self._reader.retained().items()
            if topic.startswith(self._prefix + "tables/") and topic.endswith("/" + topics.STATE)
        ]
        return json_bytes(b'{"tables":' + json_array(states) + b"}")

    async def _snapshot(self, request: web.Request) -> web.Response:
        table, leaf = request.match_info["table"], request.match_info["leaf"]
        self.known(table)
        payload = self._reader.retained().get(self.topic(table, leaf))
        if payload is None:
            not_found(f"table {table!r} has no {leaf} yet")
        return json_bytes(payload)

    async def _moves(self, request: web.Request) -> web.Response:
        table = request.match_info["table"]
        game = msgspec.json.decode(self.known(table), type=_Game).game
        moves = [
            event.payload
            for event in await self._all_events(table)
            if event.topic == self.topic(table, topics.MOVES)
            and msgspec.json.decode(event.payload, type=_Game).game == game
        ]
        return json_bytes(b'{"moves":' + json_array(moves) + b"}")

    async def _timeline(self, request: web.Request) -> web.Response:
        table = request.match_info["table"]
        self.known(table)
        after = whole_number(request.query, "after", 0)
        limit = min(whole_number(request.query, "limit", PAGE), PAGE)
        events = await self._reader.timeline(table, after, limit)
        listed = [
            b'{"topic":' + json.dumps(event.topic).encode() + b',"payload":' + event.payload + b"}"
            for event in events
        ]
        return json_bytes(b'{"events":' + json_array(listed) + b"}")

    async def _all_events(self, table: str) -> list[Event]:
        found: list[Event] = []
        after = 0
        while page := await self._reader.timeline(table, after, PAGE):
            found += page
            after = msgspec.json.decode(page[-1].payload, type=_Game).seq
        return found

    async def _events(self, request: web.Request) -> web.StreamResponse:
        return await stream(request, self._reader, self._clock)


class _Game(msgspec.Struct):
    """The little of a payload that is looked at here."""

    game: str
    seq: int


def json_array(items: Iterable[bytes]) -> bytes:
    """Payloads side by side, each byte for byte."""
    return b"[" + b",".join(items) + b"]"


def json_bytes(body: bytes, status: int = 200) -> web.Response:
    return web.Response(
        body=body,
        status=status,
        content_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


def refusal(sentence: str) -> str:
    return json.dumps({"error": sentence}, ensure_ascii=False)


def not_found(sentence: str) -> NoReturn:
    raise web.HTTPNotFound(text=refusal(sentence), content_type="application/json")


def bad_request(sentence: str) -> NoReturn:
    raise web.HTTPBadRequest(text=refusal(sentence), content_type="application/json")


def whole_number(query: Mapping[str, Any], name: str, otherwise: int) -> int:
    """A number of the query string, not negative. Raises 400."""
    text = query.get(name, str(otherwise))
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        bad_request(f"{name} is {text!r}; write a whole number")
    return int(text)
