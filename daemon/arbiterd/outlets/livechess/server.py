"""The listener: WebSocket at `/api/v1.0`, and the same boards over REST.

Web pages may connect only from the origins the configuration lists; programs send no origin.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Any, Protocol
from uuid import NAMESPACE_URL, uuid5

import msgspec
from aiohttp import WSMsgType, web

from arbiterd.access.hosts import host_is_ours
from arbiterd.access.pace import RateLimit
from arbiterd.edges import ServiceClock
from arbiterd.journal.live import NumberedEvent
from arbiterd.messages import topics
from arbiterd.messages.limits import Limit
from arbiterd.messages.payloads import Move, State
from arbiterd.messages.reading import BYTES_MAX
from arbiterd.messages.times import rfc3339
from arbiterd.outlets.livechess.boards import EBoards, listed, readable, shuffled
from arbiterd.outlets.livechess.session import FEEDS_MAX, LiveChessSession, PresentGame

API = "/api/v1.0"
RESULTS = {
    "1-0": "WHITEWIN", "0-1": "BLACKWIN", "1/2-1/2": "DRAW",
    "1-0F": "WHITEFORFAIT", "0-1F": "BLACKFORFAIT",
}  # fmt: skip
ELSEWHERE = "play goes on from another position: see the PGN of this game"
EVENTS_MAX = 4000
"""The newest events of a table, looked through for its moves; no game has more."""
LOOK_S = 0.04
"""So often feeds are looked at: a half-move is told with the board that shows it."""
CLIENTS_MAX = 64
CLIENTS_OF_ONE = 32
CALLS_PER_S, CALLS_AT_ONCE = 100, 200
"""Of one address. What is beyond is read later: a program that never stops asking waits."""
DIGITS_MAX = 6

LIMITS = (
    Limit("LiveChess server", "programs connected", "sockets", f"{CLIENTS_MAX}", "503"),
    Limit("LiveChess server", "programs connected from one address", "sockets",
          f"{CLIENTS_OF_ONE}", "503"),
    Limit("LiveChess server", "calls of one address", "a second",
          f"{CALLS_PER_S}, {CALLS_AT_ONCE} at once", "read later"),
    Limit("LiveChess server", "a call", "bytes", f"{BYTES_MAX}", "the socket is closed"),
    Limit("LiveChess server", "boards one program follows", "feeds", f"{FEEDS_MAX}",
          "an error with a sentence"),
    Limit("LiveChess server", "Host, Origin", "header",
          "an address, localhost or this machine's name; a listed origin", "403"),
)  # fmt: skip


class HallMessages(Protocol):
    """What this outlet asks of the journal: live retained messages and one table's events."""

    def retained(self) -> Mapping[str, bytes]: ...
    async def timeline(self, table: str, after_seq: int, limit: int) -> Sequence[NumberedEvent]: ...
    @property
    def mark(self) -> int: ...
    async def changed(self, mark: int) -> None: ...


class LiveChess:
    """The application; `origins` are the web origins that may connect."""

    def __init__(
        self,
        hall: HallMessages,
        clock: ServiceClock,
        name: str,
        origins: frozenset[str],
        names: frozenset[str] = frozenset(),
    ) -> None:
        self._hall, self._clock, self._name, self._origins = hall, clock, name, origins
        self._names = names
        self._clients: Counter[str] = Counter()
        self._pace = RateLimit(CALLS_PER_S, CALLS_AT_ONCE)
        self._uuid = str(uuid5(NAMESPACE_URL, f"arbiterd:{name}"))
        self._boards = EBoards(hall.retained)

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self._door_kept], client_max_size=BYTES_MAX)
        app.router.add_get(API, self._websocket)
        app.router.add_get(f"{API}/eboards", self._eboards)
        app.router.add_get(f"{API}/tournaments", self._tournaments)
        app.router.add_get(f"{API}/tournament/{{uuid}}", self._tournament)
        app.router.add_get(f"{API}/round/{{uuid}}/{{number}}", self._round)
        app.router.add_get(f"{API}/game/{{uuid}}", self._game)
        return app

    @web.middleware
    async def _door_kept(self, request: web.Request, handler: Any) -> web.StreamResponse:
        """A page from elsewhere comes neither by its origin nor by a name it lets point here."""
        if not host_is_ours(request.headers.get("Host", ""), self._names):
            raise web.HTTPForbidden(
                text="This name is not one of this service; use its address, or localhost.\n"
            )
        origin = request.headers.get("Origin")
        if origin is not None and origin not in self._origins:
            raise web.HTTPForbidden(
                text=f"{origin!r:.80} may not connect; list it under [livechess] origins.\n"
            )
        response: web.StreamResponse = await handler(request)
        return response

    # The WebSocket.

    async def _websocket(self, request: web.Request) -> web.WebSocketResponse:
        address = request.remote or ""
        if self._clients.total() >= CLIENTS_MAX or self._clients[address] >= CLIENTS_OF_ONE:
            raise web.HTTPServiceUnavailable(text="Too many programs are connected; close one.\n")
        socket = web.WebSocketResponse(compress=False, max_msg_size=BYTES_MAX)
        await socket.prepare(request)
        self._clients[address] += 1
        session = LiveChessSession(self._boards, self._game_on)
        telling = asyncio.create_task(self._tell(socket, session))
        try:
            async for message in socket:
                while not self._pace.allows(address, self._clock.now_ns()):
                    await self._clock.rest(1 / CALLS_PER_S)
                if message.type is WSMsgType.TEXT:
                    for frame in await session.receive(message.data, self._clock.now_ns()):
                        await socket.send_str(frame)
        finally:
            self._clients[address] -= 1
            self._clients += Counter()  # Those who have none open are forgotten.
            telling.cancel()
            with suppress(asyncio.CancelledError, ConnectionError):
                await telling
        return socket

    async def _tell(self, socket: web.WebSocketResponse, session: LiveChessSession) -> None:
        """Events as soon as there is something new."""
        mark: int | None = None
        while not socket.closed:
            now_ns, due_ns = self._clock.now_ns(), session.due_at_ns
            if self._hall.mark != mark or (due_ns is not None and due_ns <= now_ns):
                mark = self._hall.mark
                for frame in session.news(now_ns):
                    await socket.send_str(frame)
            if session.subscribed:
                await self._clock.rest(LOOK_S)
            else:
                await self._hall.changed(mark)

    async def _game_on(self, serial: str) -> PresentGame:
        """The present game on this board, as the table told it."""
        table = self._boards.table_of(serial)
        state = next((state for state in self._states() if state.table == table), None)
        if state is None:
            return ()
        game = await self._moves(state)
        played = (game[ply] for ply in sorted(game))
        return [("" if move.irregular else move.uci or "", move.fen) for move in played]

    # REST.

    async def _eboards(self, _request: web.Request) -> web.Response:
        return _json(listed(self._boards()))

    def _states(self) -> list[State]:
        retained = self._hall.retained()
        told = (retained[topics.table(t, topics.STATE)] for t in topics.tables_in(retained))
        found = [msgspec.json.decode(body, type=State) for body in told]
        shown = [state for state in found if readable(state.ruleset)]
        return sorted(shown, key=lambda state: topics.place_of(state.table))

    def _rounds(self) -> int:
        return max((state.round or 1 for state in self._states()), default=1)

    async def _tournaments(self, _request: web.Request) -> web.Response:
        return _json([{"uuid": self._uuid, "description": self._name, "rounds": self._rounds()}])

    async def _tournament(self, request: web.Request) -> web.Response:
        self._known(request)
        return _json(
            {
                "uuid": self._uuid,
                "name": self._name,
                "description": self._name,
                "location": None,
                "country": None,
                "rounds": self._rounds(),
                "eboards": listed(self._boards()),
            }
        )

    def _known(self, request: web.Request) -> None:
        if request.match_info["uuid"] != self._uuid:
            raise web.HTTPNotFound(text="There is no such tournament; ask 'tournaments'.\n")

    async def _round(self, request: web.Request) -> web.Response:
        self._known(request)
        number = request.match_info["number"]
        if not (number.isdecimal() and len(number) <= DIGITS_MAX):
            raise web.HTTPNotFound(text="A round has a number.\n")
        pairings = [
            {
                "nr": place,
                "uuid": self._game_uuid(state.table),
                "white": _player(state.white),
                "black": _player(state.black),
                "live": state.status in ("playing", "paused"),
                "result": RESULTS.get(state.result or ""),
            }
            for place, state in enumerate(self._states(), 1)
            if (state.round or 1) == int(number)
        ]
        today = rfc3339(self._clock.now_ns())[:10]
        return _json({"nr": int(number), "date": today, "pairings": pairings})

    def _game_uuid(self, table: str) -> str:
        return str(uuid5(NAMESPACE_URL, f"arbiterd:{self._name}:{table}"))

    async def _game(self, request: web.Request) -> web.Response:
        uuid = request.match_info["uuid"]
        for state in self._states():
            if self._game_uuid(state.table) == uuid:
                return _json(await self._score(state))
        raise web.HTTPNotFound(text="There is no such game; ask for its round.\n")

    async def _score(self, state: State) -> dict[str, Any]:
        moves = await self._moves(state)
        record = [moves[ply] for ply in sorted(moves)]
        # What follows a half-move that is not there cannot be played by who reads this.
        told = list(takewhile(lambda move: move.san is not None, record))
        return {
            "chess960": shuffled(state.ruleset),
            "result": RESULTS.get(state.result or ""),
            "comment": None if len(told) == len(record) else ELSEWHERE,
            "clock": None,
            "moves": [_timed(move) for move in told],
        }

    async def _moves(self, state: State) -> dict[int, Move]:
        """The table's present game by ply, irregular half-moves without their SAN."""
        moves: dict[int, Move] = {}
        before = max(0, state.seq - EVENTS_MAX)
        for event in await self._hall.timeline(state.table, before, EVENTS_MAX):
            if event.topic != topics.table(state.table, topics.MOVES):
                continue
            move = msgspec.json.decode(event.payload, type=Move)
            if move.game != state.game:
                continue
            moves.pop(move.ply, None)
            if move.san is not None or move.irregular:
                moves[move.ply] = move
        return moves


def _timed(move: Move) -> str:
    """`Nf3 5391`: the mover's seconds; left out where the move was not seen."""
    left = None
    if move.clock is not None:
        left = move.clock.white_ms if move.color == "white" else move.clock.black_ms
    return f"{move.san} {left // 1000}" if left is not None else f"{move.san}"


def _player(name: str) -> dict[str, Any]:
    last, _, first = name.partition(",")
    return {
        "fname": first.strip() or None,
        "mname": None,
        "lname": last.strip() or None,
        "title": None,
        "federation": None,
        "gender": None,
        "fideid": None,
    }


def _json(value: Any) -> web.Response:
    return web.Response(body=msgspec.json.encode(value), content_type="application/json")
