"""A lost tablet: its password is another one, and what the old one had open is closed at once."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiomqtt
import pytest
from aiohttp import ClientError, ClientResponse, ClientSession, CookieJar, encode_basic_auth, web

from arbiterd.access.admission import Admission
from arbiterd.access.login import login_wall
from arbiterd.access.people import read_people
from arbiterd.access.session import COOKIE
from arbiterd.config import Config, read_text
from arbiterd.config.values import Listen
from arbiterd.edges.real import WallClock
from arbiterd.messages.commands import read_command
from arbiterd.outlets.http.server import serving
from arbiterd.outlets.mqtt import embedded as embedded_module
from arbiterd.outlets.mqtt.embedded import EmbeddedBroker, Program
from arbiterd.outlets.mqtt.embedded_config import Wanted

ANA, BOB = encode_basic_auth("ana", "queen"), encode_basic_auth("bob", "rook")
TEXT = "".join(
    f'[[people]]\nname = "{name}"\npassword_file = "{name}"\n' for name in ("ana", "bob")
)


@pytest.fixture
def config(tmp_path: Path) -> Config:
    for name, secret in (("ana", "queen"), ("bob", "rook")):
        (tmp_path / name).write_text(f"{secret}\n")
        (tmp_path / name).chmod(0o600)
    return read_text(TEXT, str(tmp_path / "a.toml"))


@pytest.fixture
def admission(config: Config, tmp_path: Path) -> Admission:
    return Admission.of(config, read_people(config, tmp_path), tmp_path)


async def streamed(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    await response.write(b"open\n")
    await asyncio.sleep(3600)
    return response


async def fine(_request: web.Request) -> web.Response:
    return web.Response(text="fine")


class Told(WallClock):
    """Its time is set by hand."""

    at_ns = 1_000

    def now_ns(self) -> int:
        return self.at_ns


@asynccontextmanager
async def served(admission: Admission, clock: WallClock, session_ns: int) -> AsyncIterator[str]:
    app = web.Application(middlewares=[login_wall(admission, clock, session_ns)])
    app.add_routes([web.get("/stream", streamed), web.get("/{path:.*}", fine)])
    async with serving(app, "127.0.0.1", 0) as address:
        yield address


HOUR_NS = 3600 * 1_000_000_000


async def rest_of(answer: ClientResponse) -> bytes:
    """What still comes until it is closed, with or without a word."""
    try:
        return await answer.content.read()
    except ClientError:
        return b""


async def test_what_a_login_has_open_ends_with_its_password(
    admission: Admission, tmp_path: Path
) -> None:
    async with (
        served(admission, WallClock(), HOUR_NS) as address,
        ClientSession(headers={"Authorization": ANA}) as ana,
        ClientSession(headers={"Authorization": BOB}) as bob,
        ana.get(address + "stream") as hers,
        bob.get(address + "stream") as his,
    ):
        assert await hers.content.readline() == await his.content.readline() == b"open\n"
        (tmp_path / "ana").write_text("another\n")
        os.utime(tmp_path / "ana", (1, 1))

        await admission.look()

        assert await asyncio.wait_for(rest_of(hers), 20) == b"", "it has ended"
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(his.content.readline(), 0.2)
        async with ana.get(address) as answer:
            assert answer.status == 401
        async with bob.get(address) as answer:
            assert answer.status == 200
        anew = encode_basic_auth("ana", "another")
        async with ana.get(address, headers={"Authorization": anew}) as answer:
            assert answer.status == 200


async def test_who_has_no_password_any_more_is_nobody_and_no_door_opens(
    admission: Admission, tmp_path: Path
) -> None:
    for name in ("ana", "bob"):
        (tmp_path / name).unlink()
    await admission.look()

    async with (
        served(admission, WallClock(), HOUR_NS) as address,
        ClientSession() as http,
        http.get(address) as answer,
    ):
        assert answer.status == 401, "without anybody who may come in, nobody may"
    pause = read_command({"action": "pause", "by": "ana"})
    assert "'ana' is shut out" in admission.refusal("ana", pause), "nor by a broker of others"


async def test_a_browser_is_asked_again_when_its_session_is_over(admission: Admission) -> None:
    clock, page = Told(), {"Authorization": ANA, "Accept": "text/html"}
    async with (
        served(admission, clock, HOUR_NS) as address,
        ClientSession(headers=page, cookie_jar=CookieJar(unsafe=True)) as browser,
        ClientSession(headers={"Authorization": ANA}) as program,
    ):
        async with browser.get(address) as answer:
            assert answer.status == 200
            said = answer.headers["Set-Cookie"]
            assert "HttpOnly" in said
            assert "SameSite=Strict" in said
        clock.at_ns += HOUR_NS - 1
        async with browser.get(address) as answer:
            assert answer.status == 200
            assert "Set-Cookie" not in answer.headers, "looking at it makes it no longer"
        clock.at_ns += 2
        async with browser.get(address) as answer:
            assert answer.status == 401, "the password is given again"
        async with browser.get(address) as answer:
            assert answer.status == 200
        async with program.get(address) as answer:
            assert answer.status == 200
            assert "Set-Cookie" not in answer.headers


async def test_a_session_cannot_be_made_up(admission: Admission) -> None:
    clock = Told()
    clock.at_ns = HOUR_NS
    page = {"Authorization": ANA, "Accept": "text/html"}
    async with served(admission, clock, HOUR_NS) as address, ClientSession(headers=page) as browser:
        for made_up in (f"{10**18}.", f"{10**18}.00", "x.y", "", "9" * 5000, "1.é", "é.0"):
            cookie = {"Cookie": f"{COOKIE}={made_up}"}
            async with browser.get(address, headers=cookie) as answer:
                assert COOKIE in answer.headers["Set-Cookie"], "it is none, and one begins"


@pytest.fixture(params=["nats-server", "mosquitto"])
def program(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, mosquitto) -> None:
    """Either broker embedded."""
    if request.param == "mosquitto":
        found = Program("mosquitto", mosquitto.process.args[0])
        monkeypatch.setattr(embedded_module, "find_program", lambda: found)


async def test_the_embedded_broker_throws_off_who_is_shut_out(
    program: None, admission: Admission, tmp_path: Path
) -> None:
    wanted = Wanted(
        "main", Listen("127.0.0.1", 0), None, tmp_path / "broker", admission.people, "secret"
    )
    broker = EmbeddedBroker(wanted, WallClock())
    async with broker.running():
        host, port = broker.url.host, broker.url.port
        async with aiomqtt.Client(host, port, username="arbiterd", password="secret") as own:
            await own.subscribe("arbiterd/main/tables/+/command/+", qos=1)
            ana = aiomqtt.Client(host, port, username="ana", password="queen")
            await ana.__aenter__()
            (tmp_path / "ana").write_text("another\n")
            await admission.look(broker.let_in)
            with pytest.raises(aiomqtt.MqttError):
                await asyncio.wait_for(anext(ana.messages), 20)
            with pytest.raises(aiomqtt.MqttError):
                async with aiomqtt.Client(host, port, username="ana", password="queen"):
                    pass
            for name, secret in (("ana", "another"), ("bob", "rook")):
                async with aiomqtt.Client(host, port, username=name, password=secret) as client:
                    topic = f"arbiterd/main/tables/1/command/{name}"
                    await client.publish(topic, b"{}", qos=1)
                heard = await asyncio.wait_for(anext(own.messages), 20)
                assert heard.topic.value == topic, "the service's own connection was not closed"
