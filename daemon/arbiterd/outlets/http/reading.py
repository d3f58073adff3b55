"""The routes that both sides have, over the messages of whichever reader they are given.

GET api/v1                          what there is
GET api/v1/tables                   {"tables": [state, …]}
GET api/v1/tables/<t>/state         as on MQTT; so are device and result
GET api/v1/tables/<t>/moves         {"moves": [move, …]} of the present game
GET api/v1/tables/<t>/timeline      {"events": [{"topic", "payload"}, …]}; ?after=SEQ&limit=N
GET api/v1/events                   see stream.py
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

import msgspec
from aiohttp import web

from arbiterd.journal.live import NumberedEvent
from arbiterd.messages import topics
from arbiterd.outlets.http.source import MessageReader, PageClock
from arbiterd.outlets.http.stream import STREAMS_MAX, Streams

GAMES_KEPT = 2
"""Of a table: the present one, and the one before it."""
PAGE = 1000
"""Events read, and handed out, at a time."""


class ReadApi:
    """The read side of the API. `prefix` is where the reader's tables stand: "" or "public/"."""

    def __init__(
        self,
        reader: MessageReader,
        clock: PageClock,
        prefix: str,
        gap_s: float = 0.0,
        streams_of_one: int = STREAMS_MAX,
        zone: Callable[[], str] = lambda: "",
    ) -> None:
        """`gap_s`: between two messages on a stream at least. `zone`: as `Streams` has it."""
        self._reader = reader
        self._prefix = prefix
        self._streams = Streams(reader, clock, gap_s, streams_of_one, zone)
        self._listed: tuple[Mapping[str, bytes], bytes] | None = None
        self._records: dict[str, _Record] = {}

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/api/v1/tables", self._tables),
            web.get(r"/api/v1/tables/{table}/{leaf:state|device|result}", self._snapshot),
            web.get("/api/v1/tables/{table}/moves", self._moves),
            web.get("/api/v1/tables/{table}/timeline", self._timeline),
            web.get("/api/v1/events", self._streams.serve),
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
        """Made when a table has changed, and the same bytes for all who ask until then."""
        retained = self._reader.retained()
        if self._listed is None or self._listed[0] is not retained:
            states = [
                payload
                for topic, payload in retained.items()
                if topic.startswith(self._prefix + "tables/") and topic.endswith("/" + topics.STATE)
            ]
            self._listed = retained, b'{"tables":' + json_array(states) + b"}"
        return json_bytes(self._listed[1])

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
        record = self._records.get(table)
        # The public's timeline is of the present game alone, and begins again with each.
        if record is None or (self._prefix and record.game != game):
            record = self._records[table] = _Record(game)
        async with record.reading:
            while page := await self._reader.timeline(table, record.seq, PAGE):
                for event in page:
                    record.take(event, event.topic == self.topic(table, topics.MOVES))
        return json_bytes(b'{"moves":' + json_array(record.moves.get(game, ())) + b"}")

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


class _Game(msgspec.Struct):
    """The little of a payload that is looked at here."""

    game: str
    seq: int


@dataclass(slots=True)
class _Record:
    """The moves of a table's newest games, read on from where they were."""

    game: str
    """The present one when it was begun."""
    seq: int = 0
    moves: dict[str, list[bytes]] = field(default_factory=dict)
    """By game: one that was left comes back where the act that began another is undone."""
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    def take(self, event: NumberedEvent, is_move: bool) -> None:
        said = msgspec.json.decode(event.payload, type=_Game)
        self.seq = said.seq
        if is_move:
            moves = self.moves.pop(said.game, [])
            moves.append(event.payload)
            self.moves[said.game] = moves
            while len(self.moves) > GAMES_KEPT:
                del self.moves[next(iter(self.moves))]


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
