"""What is published is confirmed, refused or lost; never taken for done when it is not."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from aiomqtt import ProtocolVersion

from arbiterd.cli.run.broker import broker_of
from arbiterd.config import Config
from arbiterd.config.model import HallConfig, JournalFile, Mqtt
from arbiterd.config.values import BrokerUrl
from arbiterd.edges import BrokerError, Received, RefusedError
from arbiterd.edges.real import WallClock
from arbiterd.outlets.mqtt import client
from arbiterd.outlets.mqtt.client import BrokerLogin, MqttBroker, Publisher
from arbiterd.outlets.mqtt.embedded import EmbeddedBroker


async def test_what_is_published_arrives_in_order(broker: MqttBroker, listening) -> None:
    async with listening(broker.url) as other, broker.connect("arbiterd/main/status", b"{}") as us:
        sent = [us.publish("arbiterd/main/tables/1/moves", b"%d" % n) for n in range(50)]
        await asyncio.gather(*sent)

        await other.until(lambda heard: len(heard) >= 50)
        assert other.payloads("moves") == [b"%d" % n for n in range(50)]


async def test_what_is_retained_is_there_for_whoever_comes_later(
    broker: MqttBroker, listening
) -> None:
    async with broker.connect("arbiterd/main/status", b"gone") as us:
        await us.publish("arbiterd/main/tables/1/state", b"{}", retained=True)
        await us.publish("arbiterd/main/tables/1/rulings/1-0001", b"{}", retained=True)
        await us.publish("arbiterd/main/tables/1/rulings/1-0001", b"", retained=True)

    async with listening(broker.url) as later:
        await later.until(lambda heard: len(heard) >= 1)
        assert later.heard == [("arbiterd/main/tables/1/state", b"{}", True)]


async def test_what_others_say_comes_in(broker: MqttBroker, listening) -> None:
    async with broker.connect("arbiterd/main/status", b"") as us, listening(broker.url) as other:
        await us.subscribe("arbiterd/main/tables/+/command/+")
        await other.client.publish("arbiterd/main/tables/1/command/ana", b"{}", qos=1)

        assert await anext(us.messages()) == Received(
            "arbiterd/main/tables/1/command/ana", b"{}", retained=False
        )


async def test_each_broker_is_spoken_to_in_the_newest_version_it_knows(
    mosquitto, embedded: EmbeddedBroker
) -> None:
    for url, version in ((mosquitto.url, ProtocolVersion.V5), (embedded.url, ProtocolVersion.V311)):
        broker = MqttBroker(url, BrokerLogin("arbiterd-main"))
        async with broker.connect("arbiterd/main/status", b""):
            assert broker.version is version


async def test_a_broker_that_dies_is_noticed_at_once(mosquitto) -> None:
    broker = MqttBroker(mosquitto.url, BrokerLogin("arbiterd-main"))
    async with broker.connect("arbiterd/main/status", b"") as us:
        mosquitto.process.kill()
        mosquitto.process.wait()

        began = time.monotonic()
        with pytest.raises(BrokerError, match="lost"):
            await us.publish("arbiterd/main/tables/1/moves", b"{}")
        assert time.monotonic() - began < 2
        with pytest.raises(BrokerError, match="lost"):
            await anext(us.messages())


async def test_a_broker_that_is_not_there_is_named() -> None:
    broker = MqttBroker(BrokerUrl("mqtt", "127.0.0.1", 1, "/mqtt"), BrokerLogin("arbiterd-main"))
    with pytest.raises(BrokerError, match=r"mqtt://127\.0\.0\.1:1 cannot be reached"):
        async with broker.connect("arbiterd/main/status", b""):
            pass


class ComesUp(MqttBroker):
    """Somebody starts this broker just after we have knocked for the first time."""

    up_at: BrokerUrl

    def _client(self, *args: Any, **more: Any) -> Publisher:
        client = super()._client(*args, **more)
        self.url = self.up_at
        return client


@pytest.fixture
async def unasked() -> list[dict[str, Any]]:
    """What asyncio says of errors that nobody asked about."""
    said: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, why: said.append(why))
    return said


async def be_at(broker: MqttBroker) -> None:
    async with broker.connect("arbiterd/main/status", b""):
        await asyncio.sleep(60)


@pytest.mark.parametrize("waits_for", ["nothing", "asked", "answered"])
@pytest.mark.parametrize("answer", ["2003000000", "2003008700", ""], ids=["yes", "no", "none"])
async def test_whoever_is_stopped_on_the_way_to_a_broker_leaves_nothing_behind(
    waits_for: str, answer: str, unasked: list[dict[str, Any]]
) -> None:
    """A second Ctrl-C just after the start wrote what asyncio says of errors nobody asked about."""
    begun, stopped, gone = (
        {"asked": asyncio.Event(), "answered": asyncio.Event()},
        asyncio.Event(),
        asyncio.Event(),
    )

    async def be_a_broker(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(10)
        begun["asked"].set()
        if waits_for != "answered":
            await stopped.wait()
        writer.write(bytes.fromhex(answer))
        await asyncio.sleep(0.1)
        begun["answered"].set()
        await stopped.wait()
        writer.transport.abort()
        gone.set()

    async with await asyncio.start_server(be_a_broker, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        broker = MqttBroker(BrokerUrl("mqtt", "127.0.0.1", port, "/mqtt"), BrokerLogin("us"))
        visit = asyncio.create_task(be_at(broker))
        await asyncio.sleep(0)
        if waits_for in begun:
            await begun[waits_for].wait()
        visit.cancel()
        stopped.set()
        with suppress(asyncio.CancelledError, RefusedError):
            await visit
        async with asyncio.timeout(10):
            await gone.wait()
        await asyncio.sleep(0.1)
        gc.collect()

    assert unasked == []


async def test_a_broker_that_just_starts_is_not_taken_for_an_old_one(mosquitto) -> None:
    """The second try was made as MQTT 3.1.1, and all that followed until the service's end."""
    broker = ComesUp(BrokerUrl("mqtt", "127.0.0.1", 1, "/mqtt"), BrokerLogin("arbiterd-main"))
    broker.up_at = mosquitto.url
    with suppress(BrokerError):
        async with broker.connect("arbiterd/main/status", b""):
            pass
    async with broker.connect("arbiterd/main/status", b""):
        assert broker.version is ProtocolVersion.V5


@pytest.mark.parametrize("newest", [ProtocolVersion.V311, ProtocolVersion.V5])
async def test_a_broker_of_3_1_1_that_hesitates_is_not_said_to_refuse_a_version(
    newest: ProtocolVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As nats-server on a full disk. Of MQTT 5 it is asked at most where nobody knows better."""
    monkeypatch.setattr(client, "ANSWER_S", 0.5)
    asked: list[int] = []

    async def hesitates(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hello = await reader.read(100)
        asked.append(hello[8])
        if hello[8] == ProtocolVersion.V5:
            writer.write(b"\x20\x02\x00\x01")  # CONNACK of MQTT 3.1.1: unacceptable version.
        await reader.read()
        writer.close()

    async with await asyncio.start_server(hesitates, "127.0.0.1", 0) as server:
        url = BrokerUrl("mqtt", *server.sockets[0].getsockname(), "/mqtt")
        broker = MqttBroker(url, BrokerLogin("arbiterd-main"), newest)
        broker.version = ProtocolVersion.V311
        with pytest.raises(BrokerError, match="cannot be reached"):
            async with broker.connect("arbiterd/main/status", b""):
                pass

    assert set(asked) == {ProtocolVersion.V311, newest}


async def test_confirmations_do_not_wait_for_acknowledgements_that_wait(broker: MqttBroker) -> None:
    """Each of two kernels holds short packets for the other's word, which is late by 40 ms."""
    async with broker.connect("arbiterd/main/status", b"") as us:
        held = 0
        for _ in range(50):
            began_s = time.monotonic()
            async with asyncio.timeout(60):
                sent = [us.publish("arbiterd/main/tables/1/moves", b"x" * 500) for _ in range(12)]
                await asyncio.gather(*sent)
            held += time.monotonic() - began_s > 0.038

    assert held < 10


@pytest.fixture
def guarded(mosquitto):
    """A Mosquitto that lets `arbiterd` publish moves and nothing else."""
    mosquitto.stop()
    rights = mosquitto.folder / "rights"
    rights.write_text(
        "user arbiterd\ntopic write arbiterd/main/tables/+/moves\ntopic read arbiterd/#\n"
    )
    secrets = mosquitto.folder / "secrets"
    subprocess.run(["mosquitto_passwd", "-c", "-b", secrets, "arbiterd", "chess"], check=True)
    secrets.chmod(0o644)
    mosquitto.lines = (
        "allow_anonymous false",
        f"password_file {secrets}",
        f"acl_file {rights}",
    )
    mosquitto.start()
    return mosquitto


async def test_a_publish_that_the_broker_refuses_is_no_success(guarded) -> None:
    broker = MqttBroker(guarded.url, BrokerLogin("arbiterd-main", "arbiterd", "chess"))
    async with broker.connect("arbiterd/main/tables/1/moves", b"") as us:
        await us.publish("arbiterd/main/tables/1/moves", b"{}")
        with pytest.raises(RefusedError, match="Not authorized"):
            await us.publish("arbiterd/main/tables/1/rulings", b"{}")
        await us.publish("arbiterd/main/tables/1/moves", b"{}")


LARGEST = 1_500


async def test_what_is_larger_than_the_broker_takes_is_not_sent_and_is_said(mosquitto) -> None:
    """Such a broker refuses: it is not lost again and again."""
    mosquitto.stop()
    mosquitto.lines = ("allow_anonymous true", f"max_packet_size {LARGEST}")
    mosquitto.start()
    topic = "arbiterd/main/tables/1/rulings"
    broker = MqttBroker(mosquitto.url, BrokerLogin("arbiterd-main"))
    async with broker.connect("arbiterd/main/status", b"") as us:
        sizes = range(LARGEST - len(topic) - 60, LARGEST)
        taken = 0
        for size in sizes:
            try:
                await us.publish(topic, bytes(size))
            except RefusedError as refused:
                said = str(refused)
                assert f"no message of more than {LARGEST} bytes, and one of ours has" in said
                assert "max_packet_size" in said
                break
            taken = size
        assert f"ours has {LARGEST + 1};" in said, "the very last that fits was taken"
        assert sizes[0] < taken
        await us.publish(topic, b"small")


async def test_who_is_thrown_off_for_a_large_packet_is_told_why(mosquitto) -> None:
    """A broker that does not say beforehand how much it takes."""
    mosquitto.stop()
    mosquitto.lines = ("allow_anonymous true", f"max_packet_size {LARGEST}")
    mosquitto.start()
    broker = MqttBroker(mosquitto.url, BrokerLogin("arbiterd-main"))
    async with broker.connect("arbiterd/main/status", b"") as us:
        us._client._largest = None
        with pytest.raises(RefusedError, match="no message as large as one of ours; raise its"):
            await us.publish("arbiterd/main/tables/1/rulings", bytes(2 * LARGEST))


async def test_a_wrong_password_is_said_in_a_sentence(guarded) -> None:
    broker = MqttBroker(guarded.url, BrokerLogin("arbiterd-main", "arbiterd", "checkers"))
    with pytest.raises(RefusedError, match=r"does not let us in .* password_file"):
        async with broker.connect("arbiterd/main/status", b""):
            pass


async def test_a_password_that_is_put_right_in_its_file_is_taken_at_the_next_try(
    guarded, tmp_path: Path
) -> None:
    """The technician writes it while the service runs, and starts nothing anew."""
    file = tmp_path / "mqtt.password"
    config = Config(
        hall=HallConfig("main"),
        journal=JournalFile(str(tmp_path / "journal.db")),
        mqtt=Mqtt(url=guarded.url, username="arbiterd", password_file=file.name),
    )
    file.write_text("checkers\n")
    async with broker_of(config, tmp_path, WallClock(), lambda _: None) as broker:
        for wrong, words in (("checkers\n", "does not let us in"), ("\n", "is empty")):
            file.write_text(wrong)
            with pytest.raises(RefusedError, match=words):
                async with broker.connect("arbiterd/main/tables/1/moves", b""):
                    pass
        file.write_text("chess\n")
        async with broker.connect("arbiterd/main/tables/1/moves", b"") as us:
            await us.publish("arbiterd/main/tables/1/moves", b"{}")


class OpensLate(MqttBroker):
    """The thread that connects has the wire, and is slow to say so."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.opened, self.given_up, self.told = (threading.Event() for _ in range(3))

    def _client(self, *args: Any, **more: Any) -> Publisher:
        client = super()._client(*args, **more)
        tell = client._client.on_socket_open

        def late(*wire: Any) -> None:
            self.opened.set()
            assert self.given_up.wait(10)
            tell(*wire)
            self.told.set()

        client._client.on_socket_open = late
        return client


async def test_a_wire_that_opens_as_it_is_given_up_is_not_watched(
    unasked: list[dict[str, Any]],
) -> None:
    """Its number may be another's by then."""
    gone = asyncio.Event()

    async def be_a_broker(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(10):
            pass
        writer.close()
        gone.set()

    async with await asyncio.start_server(be_a_broker, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        broker = OpensLate(BrokerUrl("mqtt", "127.0.0.1", port, "/mqtt"), BrokerLogin("us"))
        visit = asyncio.create_task(be_at(broker))
        await asyncio.to_thread(broker.opened.wait, 10)
        visit.cancel()
        # The loop hears of both in one turn: that nobody waits any more, and that the wire is open.
        broker.given_up.set()
        assert broker.told.wait(10)
        with suppress(asyncio.CancelledError):
            await visit
        async with asyncio.timeout(10):
            await gone.wait()
        await asyncio.sleep(0.1)
        gc.collect()

    assert unasked == []
