"""The embedded broker: started where there is room, guarded, watched, and gone with the service."""

from __future__ import annotations

import asyncio
import os
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic

import aiohttp
import aiomqtt
import pytest

from arbiterd.access.brake import GUESSES_AT_ONCE, GUESSES_PER_S
from arbiterd.access.people import Account, People
from arbiterd.config.values import BrokerUrl, Listen
from arbiterd.edges.real import WallClock
from arbiterd.outlets.mqtt import embedded as embedded_module
from arbiterd.outlets.mqtt.embedded import EmbeddedBroker, Program, find_program, free
from arbiterd.outlets.mqtt.embedded_config import Wanted, nats_config
from arbiterd.outlets.mqtt.kept import KEPT
from conftest import free_port

PEOPLE = People((Account("ana", "arbiter", "queen"), Account("tv", "viewer", "pawn")))


@asynccontextmanager
async def running(wanted: Wanted):
    broker = EmbeddedBroker(wanted, WallClock())
    async with broker.running():
        yield broker


def test_its_configuration_is_one(tmp_path: Path) -> None:
    wanted = Wanted(
        "main", Listen("127.0.0.1", 1883), Listen("127.0.0.1", 9001), tmp_path, PEOPLE, "secret"
    )
    file = tmp_path / "broker.conf"
    file.write_text(nats_config(wanted))

    checked = subprocess.run([find_program().path, "-t", "-c", file], capture_output=True)

    assert checked.returncode == 0, checked.stderr


async def test_a_port_that_is_taken_is_passed_over(tmp_path: Path) -> None:
    wanted = Wanted("main", Listen("127.0.0.1", 0), None, tmp_path / "a")
    async with (
        running(wanted) as first,
        running(Wanted("main", first.wanted.listen, None, tmp_path / "b")) as second,
    ):
        assert second.url.port > first.url.port


async def test_it_is_started_again_if_it_dies_and_remembers(tmp_path: Path) -> None:
    async with running(
        Wanted("main", Listen("127.0.0.1", free_port()), None, tmp_path / "a")
    ) as broker:
        async with aiomqtt.Client(broker.url.host, broker.url.port) as client:
            await client.publish("arbiterd/main/tables/1/result", b"1-0", qos=1, retain=True)
        os.kill(int((tmp_path / "a" / "broker.pid").read_text()), signal.SIGKILL)

        assert await kept(broker.url) == b"1-0"


async def kept(url: BrokerUrl) -> object:
    """What the broker has retained, as soon as it is there again."""
    async with asyncio.timeout(60):
        while True:
            with suppress(aiomqtt.MqttError, TimeoutError):
                async with (
                    asyncio.timeout(3),
                    aiomqtt.Client(url.host, url.port, timeout=2) as client,
                ):
                    await client.subscribe("arbiterd/#", qos=1)
                    return (await anext(client.messages)).payload


async def test_one_left_behind_by_a_killed_service_is_ended(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    left = EmbeddedBroker(Wanted("main", Listen("127.0.0.1", 0), None, folder), WallClock())
    await left._start()  # Nobody watches it: its service was killed.

    async with running(Wanted("main", left.wanted.listen, None, folder)) as broker:
        assert broker.url == left.url
        assert left._process is not None
        await asyncio.wait_for(left._process.wait(), 60)


async def test_one_that_answers_nobody_is_ended_and_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_module, "LOOK_S", 0.2)
    monkeypatch.setattr(embedded_module, "ANSWER_S", 0.5)
    wanted = Wanted("main", Listen("127.0.0.1", 0), None, tmp_path)
    async with running(wanted):
        held = int((tmp_path / "broker.pid").read_text())
        os.kill(held, signal.SIGSTOP)
        async with asyncio.timeout(60):
            # The broker writes its number there too, without the end of the line.
            while (tmp_path / "broker.pid").read_text().strip() in ("", f"{held}"):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        with pytest.raises(ProcessLookupError):
            os.kill(held, 0)


async def test_one_that_found_the_disk_full_takes_messages_once_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """nats-server stores nothing more where a write failed, however much room there is later."""
    monkeypatch.setattr(embedded_module, "LOOK_S", 0.2)
    wanted = Wanted("main", Listen("127.0.0.1", free_port()), None, tmp_path)
    no_room = shutil.disk_usage(tmp_path)._replace(free=0)
    async with running(wanted) as broker:
        pid = int((tmp_path / "broker.pid").read_text())
        async with aiomqtt.Client(broker.url.host, broker.url.port) as hearer:
            await hearer.subscribe("arbiterd/#", qos=1)  # What nobody hears is not stored.
            await told(broker.url, b"0")
            with monkeypatch.context() as full:
                full.setattr(shutil, "disk_usage", lambda _: no_room)
                # Its files may not grow by that much: it hears what a full disk would say.
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (50_000, resource.RLIM_INFINITY))
                with pytest.raises((aiomqtt.MqttError, TimeoutError)):
                    await told(broker.url, bytes(100_000))
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
                os.kill(pid, 0)  # While there is no room it is left alone.
        async with asyncio.timeout(60):
            while True:
                with suppress(aiomqtt.MqttError, TimeoutError):
                    async with aiomqtt.Client(broker.url.host, broker.url.port) as hearer:
                        await hearer.subscribe("arbiterd/#", qos=1)
                        await told(broker.url, b"2")
                        break


async def told(url: BrokerUrl, payload: bytes) -> None:
    """Confirmed by the broker, or it raises."""
    async with asyncio.timeout(5), aiomqtt.Client(url.host, url.port, timeout=3) as client:
        await client.publish("arbiterd/main/tables/1/moves", payload, qos=1)


async def test_two_doors_side_by_side_stay_two_where_the_first_is_taken(tmp_path: Path) -> None:
    """MQTT's port is another program's; the next is asked for pages, and stays theirs."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", free_port()))
        taken.listen()
        port = taken.getsockname()[1]
        beside = free(Listen("127.0.0.1", port + 1))
        wanted = Wanted("main", Listen("127.0.0.1", port), beside, tmp_path)
        async with running(wanted) as broker:
            assert str(broker.websocket_url) == f"ws://{beside}/mqtt"
            assert broker.url.port not in (port, beside.port)
            async with aiomqtt.Client(broker.url.host, broker.url.port):
                pass


CONNECT_5 = b"\x10\x10\0\4MQTT\5\2\0\x3c\0\0\3tab"
TOO_NEW = b"\x20\2\0\1"


async def test_a_client_of_mqtt_5_hears_that_it_is_too_new(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """In the words of MQTT 3.1.1: return code 1, unacceptable protocol version. Over WebSocket
    nats-server hangs up, as a rule before that has gone out; so the service's log says it too.
    """
    loopback = Listen("127.0.0.1", 0)
    async with running(Wanted("main", loopback, loopback, tmp_path / "a")) as broker:
        host, port = broker.url.host, broker.url.port
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(CONNECT_5)
        assert await asyncio.wait_for(reader.read(), 60) == TOO_NEW
        writer.close()
        with pytest.raises(aiomqtt.MqttError, match="Unsupported protocol version"):
            async with aiomqtt.Client(host, port, protocol=aiomqtt.ProtocolVersion.V5):
                pass
        assert broker.wanted.websocket is not None
        at = f"ws://{broker.wanted.websocket}/mqtt"
        async with aiohttp.ClientSession() as http, http.ws_connect(at, protocols=["mqtt"]) as page:
            await page.send_bytes(CONNECT_5)
            async with asyncio.timeout(60):
                said = [message.data async for message in page]
        assert said in ([], [TOO_NEW]), "it hangs up, and says nothing else before"
        assert "a client came to the embedded broker with MQTT 5" in caplog.text
        async with aiomqtt.Client(host, port):
            pass


ELSEWHERE = "127.0.0.2"


async def enters(broker: EmbeddedBroker, name: str, secret: str, address: str = "") -> bool:
    try:
        async with aiomqtt.Client(
            broker.url.host, broker.url.port, username=name, password=secret, bind_address=address
        ):
            return True
    except aiomqtt.MqttError:
        return False


async def test_wrong_passwords_are_braked_and_right_ones_are_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """From one address for one login: nobody else, and nobody who was in from there, notices."""
    wanted = Wanted("main", Listen("127.0.0.1", 0), None, tmp_path / "a", PEOPLE, "secret")
    async with running(wanted) as broker:
        assert await enters(broker, "ana", "queen")
        guesses = [enters(broker, name, f"{n}") for name in ("tv", "ana") for n in range(30)]
        begun_s = monotonic()
        shut_out = [enters(broker, "tv", "pawn")]
        assert not any(await asyncio.gather(*guesses, *shut_out))
        at_most = GUESSES_AT_ONCE + 1 + (monotonic() - begun_s) * GUESSES_PER_S
        assert 0 < caplog.text.count("a wrong password for login 'tv'") <= at_most
        assert "'tv' from 127.0.0.1; too many: further ones" in caplog.text

        assert await enters(broker, "ana", "queen")
        assert await enters(broker, "tv", "pawn", ELSEWHERE)
        async with asyncio.timeout(30):
            while not await enters(broker, "tv", "pawn"):
                await WallClock().rest(0.2)


async def test_after_the_broker_was_started_again_logins_are_answered(tmp_path: Path) -> None:
    wanted = Wanted(
        "main", Listen("127.0.0.1", free_port()), None, tmp_path / "a", PEOPLE, "secret"
    )
    async with running(wanted) as broker:
        os.kill(int((tmp_path / "a" / "broker.pid").read_text()), signal.SIGKILL)
        async with asyncio.timeout(60):
            while not await enters(broker, "ana", "queen"):
                await WallClock().rest(0.2)
        assert not await enters(broker, "ana", "pawn")


@pytest.mark.parametrize("size", [300, 60_000, 3_000_000])
async def test_a_password_of_any_length_is_refused_and_the_next_login_is_answered(
    tmp_path: Path, size: int
) -> None:
    wanted = Wanted("main", Listen("127.0.0.1", 0), None, tmp_path / "a", PEOPLE, "secret")
    async with running(wanted) as broker:
        said = (
            b"\0\4MQTT\4\xc2\0\x0a\0\1c\0\2tv" + size.to_bytes(2, "big") + b"p" * size
            if size < 1 << 16
            else b"\0\4MQTT\4\2\0\x0a\0\1c" + b"\0" * size
        )
        _, writer = await asyncio.open_connection(broker.url.host, broker.url.port)
        writer.write(b"\x10" + length(len(said)) + said)
        assert await enters(broker, "tv", "pawn")
        writer.close()


async def test_a_session_that_is_away_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All it had not fetched was kept; once the store was full nobody was let in any more."""
    monkeypatch.setattr("arbiterd.outlets.mqtt.embedded_config.STORE_MAX", 8 * 1024**2)
    for bounds in KEPT.values():
        monkeypatch.setitem(bounds, "max_bytes", 1024**2)
    for _ in range(2):  # Its store is there at the second start.
        wanted = Wanted("main", Listen("127.0.0.1", 0), None, tmp_path / "a", PEOPLE, "secret")
        async with running(wanted) as broker, asyncio.timeout(60):
            host, port = broker.url.host, broker.url.port
            tv = partial(
                aiomqtt.Client, host, port, username="tv", password="pawn", identifier="tv",
                clean_session=False,
            )  # fmt: skip
            async with tv() as away:
                await away.subscribe("arbiterd/main/#", qos=1)
            async with aiomqtt.Client(host, port, username="arbiterd", password="secret") as ours:
                for number in range(40):
                    said = b"%d " % number + b"x" * 500_000
                    await ours.publish("arbiterd/main/tables/1/moves", said, qos=1)
                await ours.publish("arbiterd/main/tables/1/state", b"last", qos=1, retain=True)
            async with tv() as back:
                heard = b""
                while heard != b"last":
                    heard = (await anext(back.messages)).payload


async def test_who_does_not_read_costs_little_and_the_others_hear_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty spectators who subscribed and never read took a gigabyte of the broker's memory."""
    monkeypatch.setattr("arbiterd.outlets.mqtt.embedded_config.UNREAD_MAX", 2 * 1024**2)
    async with running(Wanted("main", Listen("127.0.0.1", 0), None, tmp_path / "a")) as broker:
        host, port = broker.url.host, broker.url.port
        deaf = [await asyncio.open_connection(host, port, limit=1) for _ in range(10)]
        for number, (_, writer) in enumerate(deaf):
            topic = b"arbiterd/#"
            writer.write(b"\x10\x0d\0\4MQTT\4\2\0\0\0\1%d" % number)
            writer.write(b"\x82\x0f\0\1\0\x0a%b\0" % topic)
            await writer.drain()
        async with (
            aiomqtt.Client(host, port) as ours,
            aiomqtt.Client(host, port) as reader,
            asyncio.timeout(60),
        ):
            await reader.subscribe("arbiterd/#", qos=1)
            for number in range(400):
                said = b"%d " % number + bytes(100_000)
                await ours.publish("arbiterd/main/tables/1/moves", said, qos=1)
                assert bytes((await anext(reader.messages)).payload).startswith(b"%d " % number)
        pid = int((tmp_path / "a" / "broker.pid").read_text())
        assert memory(pid) < 200 * 1024**2
        for _, writer in deaf:
            writer.transport.abort()


def memory(pid: int) -> int:
    """Most bytes the process ever had in memory."""
    status = Path(f"/proc/{pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


def length(number: int) -> bytes:
    """As MQTT has it: seven bits a byte, the lowest first."""
    low, rest = number % 128, number // 128
    return bytes([low | (128 if rest else 0)]) + (length(rest) if rest else b"")


SERVICE = """
import asyncio, sys
from pathlib import Path
from arbiterd.config.values import Listen
from arbiterd.edges.real import WallClock
from arbiterd.outlets.mqtt.embedded import EmbeddedBroker
from arbiterd.outlets.mqtt.embedded_config import Wanted

async def main():
    wanted = Wanted("main", Listen("127.0.0.1", 0), None, Path(sys.argv[1]))
    async with EmbeddedBroker(wanted, WallClock()).running():
        print("up", flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


def test_a_service_that_is_killed_leaves_none_behind(tmp_path: Path) -> None:
    service = subprocess.Popen(
        [sys.executable, "-c", SERVICE, tmp_path], stdout=subprocess.PIPE, text=True
    )
    assert service.stdout is not None
    assert service.stdout.readline() == "up\n"
    broker = os.pidfd_open(int((tmp_path / "broker.pid").read_text()))
    service.kill()
    service.wait()
    ended, _, _ = select.select([broker], [], [], 30)
    assert ended, "the broker is still there"
    os.close(broker)


async def test_it_stops_with_the_service(tmp_path: Path) -> None:
    async with running(Wanted("main", Listen("127.0.0.1", 0), None, tmp_path / "a")) as broker:
        pid = int((tmp_path / "a" / "broker.pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(broker.url.host, broker.url.port)


@pytest.fixture(params=["nats-server", "mosquitto"])
def program(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, mosquitto) -> None:
    """Either broker embedded."""
    if request.param == "mosquitto":
        found = Program("mosquitto", mosquitto.process.args[0])
        monkeypatch.setattr(embedded_module, "find_program", lambda: found)


async def test_a_port_that_is_taken_before_it_starts_is_left_for_another(
    program: None, tmp_path: Path
) -> None:
    wanted = Wanted("main", Listen("127.0.0.1", 0), None, tmp_path / "a", PEOPLE, "secret")
    broker = EmbeddedBroker(wanted, WallClock())
    taken = broker.url.port
    with socket.socket() as other:
        other.bind(("127.0.0.1", taken))

        async with (
            broker.running(),
            aiomqtt.Client("127.0.0.1", broker.url.port, username="ana", password="queen"),
        ):
            assert broker.url.port != taken


async def test_people_do_what_they_may_and_nothing_else(program: None, tmp_path: Path) -> None:
    """What a broker refuses it may still acknowledge: what arrives is the proof."""
    wanted = Wanted("main", Listen("127.0.0.1", 0), None, tmp_path / "a", PEOPLE, "secret")
    async with running(wanted) as broker:
        host, port = broker.url.host, broker.url.port
        async with (
            aiomqtt.Client(host, port, username="arbiterd", password="secret") as service,
            aiomqtt.Client(host, port, username="ana", password="queen") as ana,
            aiomqtt.Client(host, port, username="tv", password="pawn") as tv,
        ):
            await service.subscribe("arbiterd/main/#", qos=1)
            await tv.subscribe("arbiterd/main/tables/+/state", qos=1)
            for client, topic in (
                (tv, "arbiterd/main/tables/1/command/tv"),
                (tv, "arbiterd/main/tables/1/command/ana"),
                (ana, "arbiterd/main/tables/1/command/bob"),
                (ana, "arbiterd/main/tables/1/moves"),
                (ana, "arbiterd/main/tables/1/command/ana"),
            ):
                await client.publish(topic, b"{}", qos=1)
            await service.publish("arbiterd/main/tables/1/state", b"live", qos=1)

            heard = [(await anext(service.messages)).topic.value for _ in range(2)]
            assert heard == ["arbiterd/main/tables/1/command/ana", "arbiterd/main/tables/1/state"]
            assert (await asyncio.wait_for(anext(tv.messages), 60)).payload == b"live"
        with pytest.raises(aiomqtt.MqttError):
            async with aiomqtt.Client(host, port):
                pass


NOT_MQTT = b'CONNECT {"verbose":false,"user":"tv","pass":"pawn"}\r\nSUB $MQTT.sub.> 1\r\nPING\r\n'
REFUSED = b"Authorization Violation"


async def test_nobody_hears_by_another_protocol_what_others_are_sent(tmp_path: Path) -> None:
    """nats-server speaks one of its own too, on loopback and over WebSocket; there a screen could
    listen to what arbiters' tablets are sent at QoS 1."""
    loopback = Listen("127.0.0.1", 0)
    wanted = Wanted("main", loopback, loopback, tmp_path / "a", PEOPLE, "secret")
    async with running(wanted) as broker, asyncio.timeout(60):
        host, port = broker.url.host, broker.url.port
        reader, writer = await asyncio.open_connection("127.0.0.1", broker.wanted.native_port)
        writer.write(NOT_MQTT)
        async with (
            aiohttp.ClientSession() as http,
            http.ws_connect(f"ws://{broker.wanted.websocket}/") as page,
            aiomqtt.Client(host, port, username="ana", password="queen") as ana,
            aiomqtt.Client(host, port, username="arbiterd", password="secret") as service,
            aiomqtt.Client(host, port, username="tv", password="pawn") as tv,
        ):
            await page.send_bytes(NOT_MQTT)
            for each in ("$MQTT/sub/#", "arbiterd/main/public/#"):
                with suppress(aiomqtt.MqttError):
                    await tv.subscribe(each, qos=1)
            await ana.subscribe("arbiterd/main/#", qos=1)
            await service.publish("arbiterd/main/tables/1/rulings", b"for arbiters", qos=1)
            assert (await anext(ana.messages)).payload == b"for arbiters"
            await service.publish("arbiterd/main/public/tables/1/moves", b"for all", qos=1)
            assert (await anext(tv.messages)).payload == b"for all"
            over_websocket = b"".join([message.data async for message in page])
        over_loopback = await reader.read()
        writer.close()
    for heard in (over_loopback, over_websocket):
        assert REFUSED in heard
        assert b"arbiters" not in heard


@pytest.mark.parametrize("origins", [(), ("http://127.0.0.1:8000",)], ids=["none", "one"])
async def test_a_page_of_a_name_that_was_pointed_here_is_not_let_in(
    tmp_path: Path, origins: tuple[str, ...]
) -> None:
    """Its Host and its Origin are the same. Without logins it would act as an arbiter."""
    loopback = Listen("127.0.0.1", 0)
    wanted = Wanted("main", loopback, loopback, tmp_path / "a", origins=origins)
    async with running(wanted) as broker, aiohttp.ClientSession() as http:
        assert broker.wanted.websocket is not None
        port = broker.wanted.websocket.port

        async def opens(host: str, origin: str) -> bool:
            said = {"Host": host} | ({"Origin": origin} if origin else {})
            with suppress(aiohttp.WSServerHandshakeError):
                async with http.ws_connect(f"ws://127.0.0.1:{port}/mqtt", headers=said):
                    return True
            return False

        assert not await opens(f"evil.example:{port}", f"http://evil.example:{port}")
        assert not await opens(f"127.0.0.1:{port}", f"http://evil.example:{port}")
        assert await opens(f"127.0.0.1:{port}", "")
        for named in origins:
            assert await opens(f"127.0.0.1:{port}", named)
