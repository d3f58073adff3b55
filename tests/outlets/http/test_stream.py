"""A reader of the stream ends up with the truth, whenever it came and however often it fell off."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from aiohttp import ClientResponse, ClientSession, TCPConnector

from arbiterd.outlets.http.fan import MISSED_MAX, WINDOW_FRAMES, Fan
from arbiterd.outlets.http.stream import STREAMS_MAX, STREAMS_OF_ONE
from paper.hall import START, move, ruling, state


@dataclass(frozen=True)
class Frame:
    kind: str
    id: int | None
    data: Any


async def frames(answer: ClientResponse, count: int) -> list[Frame]:
    """The next frames of a stream, the greeting's `hello` left out."""
    found: list[Frame] = []
    fields: dict[str, str] = {}
    while len(found) < count:
        line = (await asyncio.wait_for(answer.content.readline(), 60)).decode().rstrip("\n")
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
            continue
        if fields.get("event") != "hello":
            number = int(fields["id"]) if "id" in fields else None
            found.append(Frame(fields["event"], number, json.loads(fields["data"])))
        fields = {}
    return found


def stream(http: ClientSession, address: str, last: int | None = None) -> Any:
    headers = {} if last is None else {"Last-Event-ID": str(last)}
    return http.get(address + "api/v1/events", headers=headers)


async def test_first_what_is_then_what_comes(hall, http: ClientSession) -> None:
    open_ruling = ruling("1", 4, "illegal-move", 1, "Illegal move.")
    hall.live.retain("tables/1/rulings/1-0004", open_ruling)
    e4 = move("1", 5, 1, "e4", "e2e4", START)

    async with stream(http, hall.address) as answer:
        greeting = await frames(answer, 3)
        hall.live.tell("tables/1/moves", e4)
        hall.live.retain("tables/1/state", state("1", 5, ply=1))
        then = await frames(answer, 2)

    assert greeting == [
        Frame("state", None, state("1")),
        Frame("ruling", None, open_ruling),
        Frame("ready", None, {}),
    ]
    assert then == [Frame("moves", 1, e4), Frame("state", None, state("1", 5, ply=1))]


async def test_a_closed_ruling_is_cleared(hall, http: ClientSession) -> None:
    hall.live.retain("tables/1/rulings/1-0004", ruling("1", 4, "illegal-move", 1, "Illegal."))

    async with stream(http, hall.address) as answer:
        await frames(answer, 3)
        hall.live.clear("tables/1/rulings/1-0004")
        (cleared,) = await frames(answer, 1)

    assert cleared == Frame("cleared", None, {"topic": "tables/1/rulings/1-0004"})


@pytest.mark.parametrize("seen", range(6))
async def test_a_reader_that_fell_off_anywhere_gets_what_it_missed(
    hall, http: ClientSession, seen: int
) -> None:
    for ply in range(1, 6):
        hall.live.tell("tables/1/moves", move("1", ply, ply, "Nf3", "g1f3", START))

    async with stream(http, hall.address, last=seen) as answer:
        missed = await frames(answer, 5 - seen)

    assert [frame.id for frame in missed] == list(range(seen + 1, 6))


@pytest.mark.parametrize("last", ["7", "-1", "x", "9" * 40, "²"])
async def test_a_number_nobody_gave_out_starts_with_now(
    hall, http: ClientSession, last: str
) -> None:
    """After another journal was put in place, or from a client that makes numbers up."""
    hall.live.tell("tables/1/moves", move("1", 1, 1, "e4", "e2e4", START))
    headers = {"Last-Event-ID": last}

    async with http.get(hall.address + "api/v1/events", headers=headers) as answer:
        greeting = await frames(answer, 2)

    assert [frame.kind for frame in greeting] == ["state", "ready"]


async def test_a_result_is_told_once(hall, http: ClientSession) -> None:
    """It is an event and retained as well."""
    result = state("1", 9, result="1-0", reason="checkmate")

    async with stream(http, hall.address) as answer:
        await frames(answer, 2)
        hall.live.retain("tables/1/result", result)
        hall.live.tell("tables/1/result", result)
        hall.live.tell("tables/1/moves", move("1", 10, 1, "e4", "e2e4", START))
        kinds = [frame.kind for frame in await frames(answer, 2)]

    assert kinds == ["result", "moves"]


async def test_twenty_readers_hear_the_same(hall, http: ClientSession) -> None:
    async def listen() -> list[int | None]:
        async with stream(http, hall.address) as answer:
            await frames(answer, 2)
            ready.release()
            return [frame.id for frame in await frames(answer, 300) if frame.kind == "moves"]

    ready = asyncio.Semaphore(0)
    async with asyncio.TaskGroup() as group:
        readers = [group.create_task(listen()) for _ in range(20)]
        for _ in readers:
            await ready.acquire()
        for ply in range(1, 301):
            hall.live.tell("tables/1/moves", move("1", ply, ply, "Nf3", "g1f3", START))
            if ply % 7 == 0:
                await http.get(hall.address + "healthz")  # Lets the readers read.

    assert {tuple(reader.result()) for reader in readers} == {tuple(range(1, 301))}


async def test_who_was_away_too_long_gets_what_is_and_what_was_left_out(
    hall, http: ClientSession
) -> None:
    for ply in range(1, MISSED_MAX + 3):
        hall.live.tell("tables/1/moves", move("1", ply, ply, "Nf3", "g1f3", START))

    async with stream(http, hall.address, 1) as answer:
        greeting = await frames(answer, 3)

    assert [frame.kind for frame in greeting] == ["missed", "state", "ready"]
    assert greeting[0].data == {"after": 1, "until": MISSED_MAX + 2}
    async with stream(http, hall.address, 2) as answer:
        greeting = await frames(answer, MISSED_MAX + 2)
    assert [frame.id for frame in greeting[:MISSED_MAX]] == list(range(3, MISSED_MAX + 3))


async def test_a_window_is_all_that_is_kept_for_a_slow_reader(hall) -> None:
    fan = Fan(hall.live)
    with fan.joined() as slow, fan.joined() as quick:
        await slow.greeting(None)
        await quick.greeting(None)
        told = b""
        for ply in range(1, WINDOW_FRAMES + 3):
            hall.live.tell("tables/1/moves", move("1", ply, ply, "Nf3", "g1f3", START))
            told += await quick.news()
        assert await slow.news() is None
        late = slow.anew()

    assert told.count(b"event: moves") == WINDOW_FRAMES + 2
    assert b"event: missed" not in told
    assert late.startswith(b"event: missed")
    assert late.count(b"event: state") == 1
    assert late.count(b"event: moves") == 0


@pytest.mark.parametrize("last", ["9" * 5_000, "-1", "\u0663", "1e9", "999999999999"])
async def test_a_number_that_is_none_is_as_if_nothing_was_said(
    hall, http: ClientSession, last: str
) -> None:
    headers = {"Last-Event-ID": last}
    async with http.get(hall.address + "api/v1/events", headers=headers) as answer:
        assert answer.status == 200
        assert [frame.kind for frame in await frames(answer, 2)] == ["state", "ready"]


async def test_streams_have_a_number(hall, http: ClientSession) -> None:
    async with AsyncExitStack() as many, ClientSession(connector=TCPConnector(limit=0)) as session:
        for _ in range(STREAMS_MAX):
            answer = await many.enter_async_context(stream(session, hall.public_address))
            assert answer.status == 200
        refused = await session.get(hall.public_address + "api/v1/events")
        assert refused.status == 503


async def test_one_client_leaves_streams_to_the_others(hall, http: ClientSession) -> None:
    async with AsyncExitStack() as many, ClientSession(connector=TCPConnector(limit=0)) as session:
        for _ in range(STREAMS_OF_ONE):
            await many.enter_async_context(stream(session, hall.address))
        refused = await session.get(hall.address + "api/v1/events")
        assert refused.status == 503
        elsewhere = TCPConnector(local_addr=("127.0.0.2", 0))
        async with ClientSession(connector=elsewhere) as other, stream(other, hall.address) as said:
            assert said.status == 200
    async with stream(http, hall.address) as again:
        assert again.status == 200


async def test_a_reader_that_takes_nothing_is_let_go(
    hall, http: ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before, it kept its place for as long as it liked."""
    monkeypatch.setattr("arbiterd.outlets.http.stream.STALLED_S", 0.5)
    monkeypatch.setattr("arbiterd.outlets.http.stream.STREAMS_MAX", 1)
    port = int(hall.address.rstrip("/").rsplit(":", 1)[1])
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", port))
        deaf.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        deaf.settimeout(30)
        await asyncio.to_thread(deaf.recv, 12)
        refused = await http.get(hall.address + "api/v1/events")
        assert refused.status == 503
        for ply in range(1, 20):
            said = move("1", ply, ply, "Nf3", "g1f3", START) | {"note": "x" * 500_000}
            hall.live.tell("tables/1/moves", said)
            await asyncio.sleep(0.05)
        async with asyncio.timeout(60):
            while (await http.get(hall.address + "api/v1/events")).status != 200:
                pass


class Trickle:
    """A client over a raw socket that takes so much at a time."""

    def __init__(self, wire: socket.socket) -> None:
        self._wire = wire
        self.heard = b""

    def more(self, bytes_: int) -> bool:
        """False: the other side has closed."""
        try:
            data = self._wire.recv(bytes_)
        except ConnectionResetError:
            return False
        self.heard += data
        return bool(data)


@contextmanager
def trickling(address: str) -> Iterator[Trickle]:
    port = int(address.rstrip("/").rsplit(":", 1)[1])
    with socket.socket() as wire:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 17)
        wire.connect(("127.0.0.1", port))
        wire.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wire.settimeout(60)
        yield Trickle(wire)


async def test_who_reads_slowly_is_not_let_go(hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tablet at the edge of the radio: five seconds for what it is told at first."""
    monkeypatch.setattr("arbiterd.outlets.http.stream.STALLED_S", 0.5)
    for table in range(30):
        hall.live.retain(f"tables/{table}/state", state(str(table)) | {"note": "x" * 300_000})

    with trickling(hall.address) as slow:
        while b"event: ready" not in slow.heard[-200:]:
            assert await asyncio.to_thread(slow.more, 200_000), f"{len(slow.heard)} bytes came"
            await asyncio.sleep(0.05)

    assert slow.heard.count(b"event: state") == 30


async def test_for_who_fell_behind_the_stream_begins_anew(
    hall, http: ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ruling that was closed meanwhile stood on the page until somebody loaded it again."""
    closed, stands = "tables/1/rulings/1-0004", "tables/1/rulings/1-0005"
    hall.live.retain(closed, ruling("1", 4, "illegal-move", 1, "Illegal."))
    hall.live.retain(stands, ruling("1", 5, "illegal-move", 1, "Illegal."))
    known: set[str] = set()

    async with stream(http, hall.address) as quick:
        await frames(quick, 4)
        with trickling(hall.address) as slow:
            while b"event: ready" not in slow.heard:
                assert await asyncio.to_thread(slow.more, 1000)
            hall.live.clear(closed)
            await frames(quick, 1)
            for ply in range(1, 41):
                said = move("1", ply, ply, "Nf3", "g1f3", START) | {"note": "x" * 400_000}
                hall.live.tell("tables/1/moves", said)
                await frames(quick, 1)
            while slow.heard.count(b"event: ready") < 2:
                assert await asyncio.to_thread(slow.more, 1 << 20)
                assert b"event: time" not in slow.heard, "all was told, and no end of it"

    for said in slow.heard.split(b"\n\n"):
        if b"event: hello" in said:
            known = set()
        if b"event: ruling\n" in said:
            known.add(json.loads(said.partition(b"\ndata: ")[2].splitlines()[0])["id"])
    assert b"event: missed" in slow.heard
    assert known == {"1-0005"}
