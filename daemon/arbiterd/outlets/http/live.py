"""The arbiter's application: everything, without delay. Never on a listener for the public."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import msgspec
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from arbiterd.access.login import role_here, signed_in
from arbiterd.access.rights import DEEDS, Reads
from arbiterd.config.values import Listen, is_loopback
from arbiterd.laws.catalogue import ROWS
from arbiterd.laws.texts import TEXTS
from arbiterd.messages import topics
from arbiterd.messages.reading import BYTES_MAX
from arbiterd.outlets.http.audience import GamesAlone, routes_by_role
from arbiterd.outlets.http.commands import Commands
from arbiterd.outlets.http.doors import add_headers, doorkeeper
from arbiterd.outlets.http.games import games
from arbiterd.outlets.http.halls import OtherHalls
from arbiterd.outlets.http.pages import Pages
from arbiterd.outlets.http.reading import (
    ReadApi,
    bad_request,
    json_array,
    json_bytes,
    not_found,
    whole_number,
)
from arbiterd.outlets.http.scores import score_routes
from arbiterd.outlets.http.source import (
    BoardSeen,
    CommandIntake,
    EvidenceInputs,
    MessageReader,
    Others,
    PageClock,
    Scores,
)
from arbiterd.outlets.http.stream import STREAMS_OF_ONE, keep_streams
from arbiterd.outlets.http.turns import acts_first

BESIDE = frozenset({"/api/v1/events", "/api/v1/halls/events", "/healthz"})
"""A stream lasts; whether the service is well is not for readers to delay."""
INPUTS_MAX = 5000
"""Inputs handed out at once; a ruling rests on far fewer."""


@dataclass(frozen=True, slots=True)
class Live:
    """All that the arbiter's side rests on."""

    reader: MessageReader
    desk: CommandIntake
    evidence: EvidenceInputs
    scores: Scores
    """Without delay."""
    games: Scores
    """The same for who may not know rulings."""
    delayed: Scores
    clock: PageClock
    metrics: CollectorRegistry
    ill: Callable[[], str]
    """What keeps the service from its work, in a sentence; empty when all is well."""
    names: frozenset[str] = frozenset()
    """What this machine is called, beside its addresses and localhost."""
    origins: frozenset[str] = frozenset()
    """Of pages of others that may ask from a browser."""
    authority: Callable[[], bytes | None] = lambda: None
    """Who vouches for this service to tablets, as PEM; None: nobody of the hall's own."""
    boards: Callable[[], Awaitable[Sequence[BoardSeen]]] | None = None
    """Those that tables have, and those that are plugged in; None: nobody can say."""
    others: Others | None = None
    """The other halls of the event; None: this one is alone."""
    public: Callable[[], str] = lambda: ""
    """Where the public's side listens; empty: nowhere."""
    zone: Callable[[], str] = lambda: ""
    """Of the clock on the hall's wall, such as Europe/Madrid; empty: nobody says."""
    design: bool = False
    """Serve the page of the parts too, for whoever works on them."""


def live_app(live: Live) -> web.Application:
    """The application of `[http]`."""
    app = web.Application(
        middlewares=[doorkeeper(live.names, live.origins), acts_first(BESIDE)],
        client_max_size=BYTES_MAX,
    )
    app.on_response_prepare.append(add_headers)
    keep_streams(app)
    pages = Pages.read()
    reading = ReadApi(
        live.reader, live.clock, prefix="", streams_of_one=STREAMS_OF_ONE, zone=live.zone
    )
    games = ReadApi(GamesAlone(live.reader), live.clock, prefix="", zone=live.zone)
    arbiter = _Arbiter(live, pages, reading)
    commands = Commands(live.reader, live.desk, reading, live.clock)
    app.add_routes(
        [
            *arbiter.routes(),
            *routes_by_role(reading.routes(), games.routes()),
            *commands.routes(),
            *OtherHalls(live.others, commands, live.clock).routes(),
            *score_routes("/pgn", live.delayed),
            *routes_by_role(
                score_routes("/live/pgn", live.scores), score_routes("/live/pgn", live.games)
            ),
        ]
    )
    return app


class _Arbiter:
    """What only this side has."""

    def __init__(self, live: Live, pages: Pages, reading: ReadApi) -> None:
        self._live = live
        self._pages = pages
        self._reading = reading

    def routes(self) -> list[web.RouteDef]:
        design = [web.get("/design", self._design)] if self._live.design else []
        return [
            *design,
            web.get("/", self._page),
            web.get("/web/{path:.+}", self._pages.asset),
            web.get("/overlay/{table}", self._overlay),
            web.get("/overlays", self._overlays),
            web.get("/authority.pem", self._authority),
            web.get("/healthz", self._healthz),
            web.get("/metrics", self._metrics),
            web.get("/api/v1/me", self._me),
            web.get("/api/v1/catalogue", self._catalogue),
            web.get("/api/v1/languages", self._pages.spoken),
            web.get("/api/v1/games", self._games),
            web.get("/api/v1/boards", self._boards),
            web.get("/api/v1/status", self._status),
            web.get("/api/v1/rulings", self._all_rulings),
            web.get("/api/v1/tables/{table}/rulings", self._rulings),
            web.get("/api/v1/tables/{table}/rulings/{id}", self._ruling),
            web.get("/api/v1/tables/{table}/inputs", self._inputs),
        ]

    async def _page(self, request: web.Request) -> web.Response:
        return self._pages.page("page.html", request)

    async def _overlay(self, request: web.Request) -> web.Response:
        return self._pages.page("overlay.html", request)

    async def _design(self, request: web.Request) -> web.Response:
        return self._pages.page("design.html", request)

    async def _overlays(self, request: web.Request) -> web.Response:
        return self._pages.page("overlays.html", request)

    async def _authority(self, _request: web.Request) -> web.Response:
        """For a tablet to keep; it tells its owner what it is asked to trust."""
        authority = self._live.authority()
        if authority is None:
            not_found("this service has no authority of its own; see arbiterd trust init")
        return web.Response(body=authority, content_type="application/x-x509-ca-cert")

    async def _healthz(self, _request: web.Request) -> web.Response:
        ill = self._live.ill()
        return web.Response(text=(ill or "ok") + "\n", status=503 if ill else 200)

    async def _metrics(self, _request: web.Request) -> web.Response:
        return web.Response(
            body=generate_latest(self._live.metrics),
            headers={"Content-Type": CONTENT_TYPE_LATEST},
        )

    async def _me(self, request: web.Request) -> web.Response:
        """Who is signed in, and what they may. Without accounts everybody may all, by any name."""
        account, role = signed_in(request), role_here(request)
        said = {
            "login": account and account.name,
            "role": account and account.role,
            "acts": role is None or bool(role.does),
            "does": sorted(DEEDS if role is None else role.does),
            "reads": [reads.name.lower() for reads in Reads if role is None or reads in role.reads],
            "halls": [] if self._live.others is None else list(self._live.others.names()),
            "public": _as_reached(self._live.public(), request),
        }
        return json_bytes(msgspec.json.encode(said))

    async def _boards(self, _request: web.Request) -> web.Response:
        """What `assign-device` can name."""
        boards = [] if self._live.boards is None else await self._live.boards()
        return json_bytes(msgspec.json.encode({"boards": boards}))

    async def _catalogue(self, _request: web.Request) -> web.Response:
        """The situations that are known: of an article, or for an arbiter's report."""
        rows = [
            {
                "id": row.id,
                "what": row.what,
                "line": {language: _outline(texts[row.id][0]) for language, texts in TEXTS.items()},
                "articles": row.articles,
                "entered": row.entered,
            }
            for row in ROWS.values()
        ]
        return json_bytes(msgspec.json.encode({"rows": rows}))

    async def _games(self, _request: web.Request) -> web.Response:
        # The first time it reads rule sets that nobody plays here: not on the loop.
        return json_bytes(msgspec.json.encode(await asyncio.to_thread(games)))

    async def _status(self, _request: web.Request) -> web.Response:
        status = self._live.reader.retained().get(topics.STATUS)
        if status is None:
            not_found("the service has not said yet that it is there")
        return json_bytes(status)

    async def _all_rulings(self, _request: web.Request) -> web.Response:
        return self._open_rulings("tables/")

    async def _rulings(self, request: web.Request) -> web.Response:
        table = request.match_info["table"]
        self._reading.known(table)
        return self._open_rulings(topics.table(table, ""))

    def _open_rulings(self, prefix: str) -> web.Response:
        found = [
            payload
            for topic, payload in self._live.reader.retained().items()
            if topic.startswith(prefix) and topic.split("/")[-2] == topics.RULINGS
        ]
        return json_bytes(b'{"rulings":' + json_array(found) + b"}")

    async def _ruling(self, request: web.Request) -> web.Response:
        table, ruling = request.match_info["table"], request.match_info["id"]
        self._reading.known(table)
        topic = topics.table(table, topics.ruling(ruling))
        payload = self._live.reader.retained().get(topic)
        if payload is None:
            not_found(f"{ruling!r} is not open at table {table!r}; the timeline has what was")
        return json_bytes(payload)

    async def _inputs(self, request: web.Request) -> web.Response:
        """The evidence of a ruling, and in whose game: ?from=78211&to=78263."""
        table = request.match_info["table"]
        self._reading.known(table)
        first = whole_number(request.query, "from", 0)
        last = whole_number(request.query, "to", 0)
        if not 0 < first <= last:
            bad_request("say which inputs: ?from=N&to=M, as a ruling's evidence has them")
        match = self._live.evidence.match(table, last)
        last = min(last, first + INPUTS_MAX - 1)
        inputs = await self._live.evidence.inputs(table, first, last)
        whose = None if match is None else _Whose(match.round, match.white, match.black)
        told = b',"of":' + msgspec.json.encode(whose)
        return json_bytes(b'{"inputs":' + json_array(inputs) + told + b"}")


class _Whose(msgspec.Struct):
    """A game, by its round and its players."""

    round: int | None
    white: str
    black: str


def _as_reached(address: str, request: web.Request) -> str | None:
    """The address of another listener of ours for whoever asked; None: not to be reached there."""
    url, asked = urlsplit(address), request.url.host or ""
    listens = Listen(url.hostname or "", url.port or 0)
    if listens.is_unspecified:
        return f"{url.scheme}://{Listen(asked, listens.port)}/"
    if not address or (listens.on_loopback and not is_loopback(asked)):
        return None
    return address


def _outline(text: str) -> str:
    """A text without the facts of a case: what it always says."""
    always = re.sub(r"\[[^\]]*\]", "", text)
    return re.sub(r"\{[^}]*\}", "…", always).strip()
