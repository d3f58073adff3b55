from __future__ import annotations

import asyncio
import re
import ssl
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from aiohttp import ClientSession, web

from arbiterd.access.authority import new_authority, service_certificate
from arbiterd.outlets.http import server as server_module
from arbiterd.outlets.http.server import ListenError, serving
from arbiterd.outlets.http.turns import acts_first


@pytest.mark.parametrize(("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]")])
async def test_a_taken_port_is_named_with_the_mend(host: str, shown: str) -> None:
    async with serving(web.Application(), host, 0) as address:
        port = int(address.rstrip("/").rsplit(":", 1)[1])

        taken = rf"cannot listen on {re.escape(shown)}:{port} .*'listen'"
        with pytest.raises(ListenError, match=taken):
            async with serving(web.Application(), host, port):
                pass


async def test_a_stopped_listener_is_free_again() -> None:
    async with serving(web.Application(), "127.0.0.1", 0) as address:
        port = int(address.rstrip("/").rsplit(":", 1)[1])

    async with serving(web.Application(), "127.0.0.1", port) as again:
        assert again == address


ELSEWHERE = ("127.0.0.2", 0)


def tls_of(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Of a listener with a certificate of its own, and of whoever knows its authority."""
    now = datetime.now(UTC)
    authority = new_authority("main", ("127.0.0.1",), now)
    certificate = service_certificate(authority, ("127.0.0.1",), now)
    chain = folder / "chain.pem"
    chain.write_bytes(certificate.key + certificate.certificate)
    here = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    here.load_cert_chain(chain)
    return here, ssl.create_default_context(cadata=authority.certificate.decode())


async def heard(
    port: int, address: tuple[str, int] | None = None, tls: ssl.SSLContext | None = None
) -> bytes:
    """What a request is answered, at most its first bytes; none: the connection was closed."""
    try:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port, local_addr=address, ssl=tls
        )
    except ConnectionError:
        return b""
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    try:
        return await asyncio.wait_for(reader.read(12), 30)
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


async def test_a_client_that_holds_sockets_open_takes_nobodys_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They say nothing. Before, they were taken until the service had no descriptor left."""
    monkeypatch.setattr(server_module, "CONNECTIONS_MAX", 8)
    monkeypatch.setattr(server_module, "CONNECTIONS_OF_ONE", 6)
    async with serving(web.Application(), "127.0.0.1", 0) as address:
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(9)]

        assert await heard(port) == b""
        assert await heard(port, ELSEWHERE) == b"HTTP/1.1 404"
        assert await asyncio.wait_for(held[-1][0].read(), 30) == b""

        for _, writer in held:
            writer.close()
        async with asyncio.timeout(30):
            while await heard(port) != b"HTTP/1.1 404":
                pass


async def test_behind_tls_too_silent_sockets_are_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """They make no handshake. Whoever was in the same network could take every descriptor."""
    monkeypatch.setattr(server_module, "CONNECTIONS_MAX", 8)
    monkeypatch.setattr(server_module, "CONNECTIONS_OF_ONE", 6)
    here, there = tls_of(tmp_path)
    async with serving(web.Application(), "127.0.0.1", 0, here) as address:
        assert address.startswith("https://")
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(9)]
        for reader, _ in held[6:]:
            with suppress(ConnectionResetError):
                assert await asyncio.wait_for(reader.read(), 30) == b""

        assert await heard(port, ELSEWHERE, there) == b"HTTP/1.1 404"
        for _, writer in held:
            writer.close()
        async with asyncio.timeout(30):
            while await heard(port, tls=there) != b"HTTP/1.1 404":
                pass


async def test_handshakes_that_fail_keep_no_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(server_module, "CONNECTIONS_MAX", 8)
    monkeypatch.setattr(server_module, "CONNECTIONS_OF_ONE", 6)
    here, there = tls_of(tmp_path)
    async with serving(web.Application(), "127.0.0.1", 0, here) as address:
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        for _ in range(20):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            with suppress(ConnectionResetError):
                await asyncio.wait_for(reader.read(), 30)
            writer.close()

        assert await heard(port, tls=there) == b"HTTP/1.1 404"
    assert not caplog.records


@pytest.mark.parametrize(
    "said",
    [b"", b"GET / HTTP/1.1\r\nHost: local", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ids=["nothing", "half a request", "one request"],
)
async def test_who_asks_nothing_more_keeps_no_place(
    monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    """Telephones that have gone kept theirs for an hour, and two silent ones kept others out."""
    monkeypatch.setattr(server_module, "IDLE_S", 0.5)
    async with serving(web.Application(), "127.0.0.1", 0) as address:
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(said)
        async with asyncio.timeout(30):
            while await reader.read(1000):
                pass
        writer.close()


HEAD = b"%s / HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n"


@pytest.mark.parametrize(
    "said",
    [
        HEAD % (b"POST", b"Content-Length: 50"),
        HEAD % (b"POST", b"Content-Length: 50") + b"{",
        HEAD % (b"POST", b"Transfer-Encoding: chunked") + b"5\r\n{",
        HEAD % (b"GET", b"Content-Length: 50"),
    ],
    ids=["no body", "half a body", "half a chunk", "a stream asked for with half a body"],
)
async def test_who_never_sends_the_rest_of_a_body_keeps_no_place(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, said: bytes
) -> None:
    """A telephone that has gone in the middle of it kept its place for ever."""
    monkeypatch.setattr(server_module, "IDLE_S", 0.5)

    async def command(request: web.Request) -> web.Response:
        return web.Response(body=await request.read())

    async def stream(_request: web.Request) -> web.Response:
        await asyncio.Event().wait()
        raise AssertionError

    app = web.Application()
    app.add_routes([web.post("/", command), web.get("/", stream)])
    async with serving(app, "127.0.0.1", 0) as address:
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(said)
        async with asyncio.timeout(30):
            with suppress(ConnectionResetError):
                assert await reader.read() == b""
        writer.close()
    assert not caplog.records


async def test_what_came_whole_may_be_worked_on_for_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server_module, "IDLE_S", 0.2)

    async def command(request: web.Request) -> web.Response:
        body = await request.read()
        await asyncio.sleep(0.6)
        return web.Response(body=body)

    app = web.Application()
    app.add_routes([web.post("/", command)])
    async with (
        serving(app, "127.0.0.1", 0) as address,
        ClientSession() as session,
        session.post(address, data=b"all of it") as answer,
    ):
        assert await answer.read() == b"all of it"


UNREADABLE = [
    b"GET /\xd9\xa3 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
]


async def test_what_is_no_http_does_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """Each was an error with all the places in the library that it had come through."""
    async with serving(web.Application(), "127.0.0.1", 0) as address:
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        for number in range(60):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(UNREADABLE[number % 3])
            async with asyncio.timeout(30):
                assert b" 40" in await reader.read(12)
            writer.close()
    assert 0 < len(caplog.records) < 10
    assert all(record.levelname == "WARNING" for record in caplog.records)
    assert all(record.exc_info is None for record in caplog.records)
    assert "requests that cannot be read were refused" in caplog.text


async def test_a_listener_takes_no_more_than_its_share_of_the_descriptors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server_module.resource, "getrlimit", lambda _which: (16, 16))
    async with serving(web.Application(), "127.0.0.1", 0) as address:
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        assert await heard(port) == b""
        assert await heard(port, ELSEWHERE) == b"HTTP/1.1 404"
        for _, writer in held:
            writer.close()


async def test_readers_wait_for_each_other_and_acts_for_nobody() -> None:
    """However many read: while one is served the others wait, and an act is done meanwhile."""
    at_work, most, begun, done = 0, 0, asyncio.Event(), asyncio.Event()

    async def read(_request: web.Request) -> web.Response:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        begun.set()
        await done.wait()
        at_work -= 1
        return web.Response()

    async def act(_request: web.Request) -> web.Response:
        done.set()
        return web.Response()

    app = web.Application(middlewares=[acts_first(frozenset({"/beside"}))])
    app.add_routes([web.get("/read", read), web.post("/act", act), web.get("/beside", act)])
    async with serving(app, "127.0.0.1", 0) as address, ClientSession() as http:
        for method, path in (("POST", "act"), ("GET", "beside")):
            begun.clear()
            done.clear()
            reading = [asyncio.create_task(http.get(address + "read")) for _ in range(5)]
            async with asyncio.timeout(30):
                await begun.wait()
                async with http.request(method, address + path) as answer:
                    assert answer.status == 200
                assert [each.status for each in await asyncio.gather(*reading)] == [200] * 5
    assert most == 1
