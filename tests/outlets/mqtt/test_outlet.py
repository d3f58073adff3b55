"""The whole outlet on real brokers: truth, events, snapshots, commands, a broker that goes away."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from aiomqtt import ProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from arbiterd.edges import Received
from arbiterd.edges.real import WallClock
from arbiterd.journal.journal import Journal
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.rows import Batch, OutputRow
from arbiterd.messages import topics
from arbiterd.messages.commands import Command
from arbiterd.messages.schema import CHANNELS
from arbiterd.outlets.mqtt.client import BrokerLogin, MqttBroker, Publisher
from arbiterd.outlets.mqtt.commands import Address, Order, read_order
from arbiterd.outlets.mqtt.outlet import RETAINED, HallAtBroker, MqttOutlet


@dataclass
class House:
    """A journal with an outlet on it; commands end here."""

    journal: Journal
    outlet: MqttOutlet
    commands: list[tuple[str, Command, str]] = field(default_factory=list)
    place: int = 0

    def put(self, topic: str, payload: bytes, *, retained: bool = False) -> None:
        self.place += 1
        number = self.journal.next_output()
        row = OutputRow(number, number, "1", self.place, topic, self.place, retained, 0, payload)
        self.journal.write(Batch(outputs=(row,)))

    async def take(self, table: str, command: Command, user: str) -> bytes:
        self.commands.append((table, command, user))
        self.put(topics.reply(user), json.dumps({"ok": True, "id": command.id}).encode())
        await self.journal.synced()
        return b""


def refusal(table: str | None, order: Order) -> bytes:
    return json.dumps({"ok": False, "id": order.id, "error": order.error}).encode()


HALL = HallAtBroker("main", ("1", "2"), True, b'{"state":"offline"}', refusal)


@pytest.fixture
async def house(broker: MqttBroker, tmp_path: Path, opened) -> AsyncIterator[House]:
    async with opened(tmp_path / "journal.db") as journal:
        found = House(journal, MqttOutlet(HALL, journal, broker, WallClock()))
        journal.takes_commands(found.take)
        journal.snapshots.put("status", b'{"state":"online"}')
        running = asyncio.create_task(found.outlet.run())
        yield found
        assert not running.done(), running.exception()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_events_arrive_in_order_and_the_log_stays_at_home(
    house: House, broker: MqttBroker, listening
) -> None:
    async with listening(broker.url) as other:
        for number in range(60):
            house.put("moves", b"%d" % number)
            house.put("log", b"secret")

        await other.until(lambda _: len(other.payloads("/moves")) >= 60)
        assert other.payloads("/moves") == [b"%d" % number for number in range(60)]
        assert not other.payloads("/log")


async def test_snapshots_are_retained_and_the_last_one_wins(
    house: House, broker: MqttBroker, listening
) -> None:
    for number in range(20):
        house.journal.snapshots.put("tables/1/state", b"%d" % number)

    async with listening(broker.url, "arbiterd/main/tables/1/state") as other:
        await other.until(lambda heard: bool(heard) and heard[-1][1] == b"19")
    async with listening(broker.url, "arbiterd/main/tables/1/state") as later:
        await later.until(lambda heard: heard == [("arbiterd/main/tables/1/state", b"19", True)])


async def test_the_status_is_online_and_offline_after_a_clean_stop(
    broker: MqttBroker, tmp_path: Path, opened, listening
) -> None:
    async with (
        opened(tmp_path / "journal.db") as journal,
        listening(broker.url, "arbiterd/main/status") as other,
    ):
        journal.snapshots.put("status", b'{"state":"online"}')
        running = asyncio.create_task(MqttOutlet(HALL, journal, broker, WallClock()).run())
        await other.until(lambda heard: bool(heard) and b"online" in heard[-1][1])

        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

        await other.until(lambda heard: b"offline" in heard[-1][1])


async def test_rulings_of_another_day_are_cleared(
    broker: MqttBroker, tmp_path: Path, opened, listening
) -> None:
    async with listening(broker.url, "arbiterd/main/tables/#") as stranger:
        for leaf in ("rulings/1-0001", "rulings/1-0002", "result"):
            topic = f"arbiterd/main/tables/1/{leaf}"
            await stranger.client.publish(topic, b"stale", qos=1, retain=True)
    async with (
        opened(tmp_path / "journal.db") as journal,
        listening(broker.url, "arbiterd/main/tables/#") as other,
    ):
        row = OutputRow(journal.next_output(), 1, "1", 1, "rulings/1-0002", None, True, 0, b"open")
        journal.write(Batch(outputs=(row,)))
        running = asyncio.create_task(MqttOutlet(HALL, journal, broker, WallClock()).run())
        expected = {"result": b"", "rulings/1-0001": b"", "rulings/1-0002": b"open"}
        await other.until(
            lambda heard: (
                expected.items()
                <= {topic.rpartition("main/tables/1/")[2]: said for topic, said, _ in heard}.items()
            )
        )
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    async with listening(broker.url, "arbiterd/main/tables/#") as later:
        await later.until(lambda heard: len(heard) >= 1)
        assert later.heard == [("arbiterd/main/tables/1/rulings/1-0002", b"open", True)]


async def test_what_a_broker_has_kept_costs_no_look_at_all_the_rulings_of_an_event(
    broker: MqttBroker, tmp_path: Path, opened, listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """200 open ones of 9,000 rulings held up the whole hall for a minute at each new session."""
    looks = 0

    def counted(read: JournalReader, up_to: int) -> list[OutputRow]:
        nonlocal looks
        looks += 1
        return retained(read, up_to)

    retained = JournalReader.retained
    monkeypatch.setattr(JournalReader, "retained", counted)
    kept = {f"arbiterd/main/tables/1/rulings/1-{number:04d}" for number in range(30)}
    async with listening(broker.url, "arbiterd/main/tables/#") as stranger:
        for topic in sorted(kept):
            await stranger.client.publish(topic, b"stale", qos=1, retain=True)
    async with (
        opened(tmp_path / "journal.db") as journal,
        listening(broker.url, "arbiterd/main/tables/#") as other,
    ):
        running = asyncio.create_task(MqttOutlet(HALL, journal, broker, WallClock()).run())
        await other.until(lambda heard: kept <= {topic for topic, said, _ in heard if not said})
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert looks <= 2, "what is true is put in its place; each kept topic is looked up alone"


# Commands.


async def said(other, topic: str, payload: object, **how: object) -> dict[str, object]:
    """Sends a command and gives the answer."""
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    before = len([topic for topic, _, _ in other.heard if "/reply" in topic])
    await other.client.publish(f"arbiterd/main/{topic}", body, qos=1, **how)
    await other.until(
        lambda heard: len([topic for topic, _, _ in heard if "/reply" in topic]) > before
    )
    return json.loads(next(p for t, p, _ in reversed(other.heard) if "/reply" in t))


async def online(other) -> None:
    await other.until(lambda heard: any(topic.endswith("status") for topic, _, _ in heard))


async def test_a_command_is_carried_out_and_answered(
    house: House, broker: MqttBroker, listening
) -> None:
    async with listening(broker.url) as other:
        await online(other)
        answer = await said(
            other, "tables/1/command/ana", {"action": "pause", "by": "ana", "id": "c1"}
        )

        assert answer == {"ok": True, "id": "c1"}
        assert [topic for topic, _, _ in other.heard if "/reply" in topic] == [
            "arbiterd/main/tables/1/reply/ana"
        ]
        assert [(table, c.action, user) for table, c, user in house.commands] == [
            ("1", "pause", "ana")
        ]


async def test_one_command_reaches_all_tables(house: House, broker: MqttBroker, listening) -> None:
    async with listening(broker.url) as other:
        await online(other)
        fire = {"action": "pause", "by": "ana", "id": "fire", "tables": "all"}
        await said(other, "command/ana", fire)

        assert [table for table, _, _ in house.commands] == ["1", "2"]


@asynccontextmanager
async def on_mqtt_5(mosquitto, path: Path, opened) -> AsyncIterator[tuple[House, aiomqtt.Client]]:
    """A house at Mosquitto, and a tablet that hears every answer."""
    broker = MqttBroker(mosquitto.url, BrokerLogin("arbiterd-main"))
    async with (
        opened(path / "journal.db") as journal,
        aiomqtt.Client("127.0.0.1", mosquitto.port, protocol=ProtocolVersion.V5) as tablet,
    ):
        house = House(journal, MqttOutlet(HALL, journal, broker, WallClock()))
        journal.takes_commands(house.take)
        journal.snapshots.put("status", b"{}")
        running = asyncio.create_task(house.outlet.run())
        await tablet.subscribe("arbiterd/main/status", qos=1)
        await anext(tablet.messages)
        await tablet.subscribe([("arbiterd/main/tables/+/reply/#", 1), ("arbiterd/main/x/#", 1)])
        try:
            yield house, tablet
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


async def asked(tablet: aiomqtt.Client, said: dict[str, object], **properties: object):
    """Sends a command with these properties and gives the next answer."""
    with_them = Properties(PacketTypes.PUBLISH)
    for name, value in properties.items():
        setattr(with_them, name, value)
    topic = "arbiterd/main/tables/1/command/ana"
    await tablet.publish(topic, json.dumps(said), qos=1, properties=with_them)
    return await asyncio.wait_for(anext(tablet.messages), 60)


PAUSE: dict[str, object] = {"action": "pause", "by": "ana", "id": "c1"}
USUAL = "arbiterd/main/tables/1/reply/ana"


@pytest.mark.parametrize("said", [PAUSE, {**PAUSE, "action": "fly"}], ids=["done", "refused"])
@pytest.mark.parametrize(
    ("wanted", "answered"),
    [
        (f"{USUAL}/tablet-7", f"{USUAL}/tablet-7"),
        ("arbiterd/main/tables/2/reply/ana/x/y", "arbiterd/main/tables/2/reply/ana/x/y"),
        ("arbiterd/main/tables/1/reply/bob", USUAL),
        ("arbiterd/main/tables/1/reply/anabel", USUAL),
        ("arbiterd/main/tables/1/state", USUAL),
        ("arbiterd/main/x/reply/ana", USUAL),
        (f"{USUAL}/{'x' * 300}", USUAL),
    ],
)
async def test_on_mqtt_5_an_answer_goes_where_it_is_wanted_among_the_logins_own_topics(
    mosquitto, tmp_path: Path, opened, wanted: str, answered: str, said: dict[str, object]
) -> None:
    """The service may publish everywhere in its hall; what it is asked for must not."""
    async with on_mqtt_5(mosquitto, tmp_path, opened) as (_, tablet):
        mark = b"tablet 7, question 3"
        answer = await asked(tablet, said, ResponseTopic=wanted, CorrelationData=mark)

        assert answer.topic.value == answered
        assert json.loads(answer.payload)["ok"] is (said is PAUSE)
        assert answer.properties.CorrelationData == mark
        assert answer.properties.ContentType == "application/json"
        assert answer.properties.PayloadFormatIndicator == 1
        assert 0 < answer.properties.MessageExpiryInterval <= 60


async def test_what_is_true_until_further_notice_never_expires(
    mosquitto, tmp_path: Path, opened
) -> None:
    async with on_mqtt_5(mosquitto, tmp_path, opened) as (house, tablet):
        await tablet.subscribe("arbiterd/main/tables/1/result", qos=1)
        house.put("result", b"{}", retained=True)
        result = await asyncio.wait_for(anext(tablet.messages), 60)
        assert not hasattr(result.properties, "MessageExpiryInterval")


def held_up(house: House) -> asyncio.Event:
    """Its tables carry nothing out until this is set."""
    gone_on = asyncio.Event()

    async def slow(table: str, command: Command, user: str) -> bytes:
        await gone_on.wait()
        return await house.take(table, command, user)

    house.journal.takes_commands(slow)
    return gone_on


async def test_a_command_that_has_expired_before_its_turn_is_not_carried_out(
    mosquitto, tmp_path: Path, opened
) -> None:
    """One table takes its time; what waits behind it was for now, and now is over."""
    async with on_mqtt_5(mosquitto, tmp_path, opened) as (house, tablet):
        gone_on = held_up(house)
        topic, short = "arbiterd/main/tables/1/command/ana", Properties(PacketTypes.PUBLISH)
        short.MessageExpiryInterval = 1
        await tablet.publish(topic, json.dumps(PAUSE), qos=1)
        await tablet.publish(topic, json.dumps({**PAUSE, "id": "c2"}), qos=1, properties=short)
        await WallClock().rest(1.5)
        gone_on.set()
        answers = [json.loads((await anext(tablet.messages)).payload) for _ in range(2)]

        told = {answer["id"]: answer for answer in answers}
        assert told["c1"]["ok"] is True
        assert "message expiry" in told["c2"]["error"]
        assert [command.id for _, command, _ in house.commands] == ["c1"]


WRONG = {
    "not JSON": ("tables/1/command/ana", b"{", "cannot be read"),
    "no action": ("tables/1/command/ana", {"by": "ana"}, "action"),
    "an action that is none": ("tables/1/command/ana", {"action": "fly", "by": "ana"}, "fly"),
    "by somebody else": (
        "tables/1/command/ana",
        {"action": "pause", "by": "bob", "id": "c1"},
        "'by' is 'bob', but the login is 'ana'",
    ),
    "a table that is not there": (
        "tables/9/command/ana",
        {"action": "pause", "by": "ana"},
        "there is no table '9'",
    ),
    "tables where one is meant": (
        "tables/1/command/ana",
        {"action": "pause", "by": "ana", "tables": "all"},
        "leave it out",
    ),
    "no tables where several are meant": (
        "command/ana",
        {"action": "pause", "by": "ana"},
        "names no tables",
    ),
    "a list of tables with none in it": (
        "command/ana",
        {"action": "pause", "by": "ana", "tables": []},
        "names no tables",
    ),
}


@pytest.mark.parametrize(("topic", "payload", "words"), WRONG.values(), ids=WRONG)
async def test_a_command_that_cannot_be_done_is_refused_in_a_sentence(
    mosquitto, tmp_path: Path, opened, listening, topic: str, payload: object, words: str
) -> None:
    broker = MqttBroker(mosquitto.url, BrokerLogin("arbiterd-main"))
    async with opened(tmp_path / "journal.db") as journal:
        house = House(journal, MqttOutlet(HALL, journal, broker, WallClock()))
        journal.takes_commands(house.take)
        journal.snapshots.put("status", b"{}")
        running = asyncio.create_task(house.outlet.run())
        async with listening(broker.url) as other:
            await online(other)
            answer = await said(other, topic, payload)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

        assert answer["ok"] is False
        assert words in str(answer["error"])
        assert not house.commands
        assert journal.read.last("output") == 0


NOWHERE = {
    "beside one that is there": (["9", "2"], ["2"]),
    "beside what is no name": ([7, "2", None], ["2"]),
    "alone": (["9"], ["1"]),
}


@pytest.mark.parametrize(("named", "answered"), NOWHERE.values(), ids=NOWHERE)
def test_a_table_that_is_not_there_is_refused_where_the_sender_listens(
    named: list[object], answered: list[str]
) -> None:
    """The refusal came at the hall's first table, which was none of those that were named."""
    command = {"action": "pause", "by": "ana", "id": "c1", "tables": named}
    received = Received("arbiterd/main/command/ana", json.dumps(command).encode(), False)
    order = read_order(received, Address(None, "ana"), ("1", "2", "3"))

    assert order.command is None
    assert list(order.tables) == answered


ROUND: dict[str, object] = {"action": "round", "op": "end", "by": "ana", "id": "r1"}
REFUSED_ROUNDS = {
    "not to be read": ({**ROUND, "op": "nonsense"}, "nonsense"),
    "by somebody else": ({**ROUND, "by": "bob"}, "the login is 'ana'"),
    "not by this login": (ROUND, "for a chief arbiter"),
}


@pytest.mark.parametrize(("payload", "words"), REFUSED_ROUNDS.values(), ids=REFUSED_ROUNDS)
async def test_a_round_is_refused_where_it_is_answered(
    mosquitto, tmp_path: Path, opened, listening, payload: object, words: str
) -> None:
    """The refusal went to the hall's first table, and who had sent it waited for ever."""
    hall = replace(HALL, may=lambda _user, _command: "this is for a chief arbiter")
    broker = MqttBroker(mosquitto.url, BrokerLogin("arbiterd-main"))
    async with opened(tmp_path / "journal.db") as journal:
        house = House(journal, MqttOutlet(hall, journal, broker, WallClock()))
        journal.snapshots.put("status", b"{}")
        running = asyncio.create_task(house.outlet.run())
        async with listening(broker.url) as other:
            await online(other)
            answer = await said(other, "command/ana", payload)
            answered = [topic for topic, _, _ in other.heard if "/reply/" in topic]
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    assert answered == ["arbiterd/main/reply/ana"]
    assert words in str(answer["error"])


async def test_a_round_that_has_expired_before_its_turn_is_answered(
    mosquitto, tmp_path: Path, opened
) -> None:
    """Nobody was told: it belongs to no table."""
    async with on_mqtt_5(mosquitto, tmp_path, opened) as (house, tablet):
        gone_on = held_up(house)
        await tablet.subscribe("arbiterd/main/reply/ana", qos=1)
        short = Properties(PacketTypes.PUBLISH)
        short.MessageExpiryInterval = 1
        await tablet.publish("arbiterd/main/tables/1/command/ana", json.dumps(PAUSE), qos=1)
        topic = "arbiterd/main/command/ana"
        await tablet.publish(topic, json.dumps(ROUND), qos=1, properties=short)
        await WallClock().rest(1.5)
        gone_on.set()
        async with asyncio.timeout(20):
            answers = [json.loads((await anext(tablet.messages)).payload) for _ in range(2)]

    told = {answer["id"]: answer for answer in answers}
    assert "message expiry" in told["r1"]["error"]


async def test_a_retained_command_is_refused_and_does_not_come_again(
    broker: MqttBroker, tmp_path: Path, opened, listening
) -> None:
    topic = "arbiterd/main/tables/1/command/ana"
    async with listening(broker.url, "arbiterd/main/tables/1/reply/#") as other:
        await other.client.publish(topic, b'{"action":"pause","by":"ana"}', qos=1, retain=True)
        async with opened(tmp_path / "journal.db") as journal:
            house = House(journal, MqttOutlet(HALL, journal, broker, WallClock()))
            journal.takes_commands(house.take)
            running = asyncio.create_task(house.outlet.run())
            await other.until(lambda heard: bool(heard))
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
        assert b"retained" in other.heard[0][1]
        assert not house.commands
    async with listening(broker.url, topic) as later:
        await later.client.publish(topic, b"marker", qos=1)
        await later.until(lambda heard: bool(heard))
        assert later.heard == [(topic, b"marker", False)]


# A broker that goes away.


async def test_nothing_is_lost_while_the_broker_is_away(
    mosquitto, tmp_path: Path, opened, listening
) -> None:
    broker = MqttBroker(mosquitto.url, BrokerLogin("arbiterd-main"))
    async with opened(tmp_path / "journal.db") as journal:
        house = House(journal, MqttOutlet(HALL, journal, broker, WallClock()))
        running = asyncio.create_task(house.outlet.run())
        journal.snapshots.put("status", b"{}")
        async with listening(broker.url) as before:
            house.put("moves", b"1")
            house.put("result", b"first", retained=True)
            await before.until(lambda _: b"first" in before.payloads("/result"))

        mosquitto.stop()
        for number in range(2, 30):
            house.put("moves", b"%d" % number)
        house.put("result", b"second", retained=True)
        await journal.synced()
        assert house.outlet.trouble is None or "broker" in house.outlet.trouble

        # A broker that has forgotten everything.
        for left in mosquitto.folder.glob("*.db"):
            left.unlink()
        mosquitto.start()
        async with listening(broker.url) as after:
            await after.until(
                lambda heard: ("arbiterd/main/tables/1/result", b"second") in [h[:2] for h in heard]
            )
            moves = [int(payload) for payload in after.payloads("/moves")]
            assert moves == sorted(moves), "in order"
        async with listening(broker.url, "arbiterd/main/tables/1/result") as later:
            await later.until(lambda heard: [h[1] for h in heard] == [b"second"])
        # What was heard is confirmed a moment later, and then the cursor moves.
        async with asyncio.timeout(60):
            while journal.read.cursor("mqtt") != journal.committed_outputs:
                await WallClock().rest(0.02)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_who_takes_our_place_is_seen_and_said(
    house: House, broker: MqttBroker, caplog: pytest.LogCaptureFixture, listening
) -> None:
    """With the client id that no other login knows any more."""
    async with listening(broker.url, "arbiterd/main/tables/1/moves") as other:
        house.put("moves", b"0")
        await other.until(lambda heard: len(heard) == 1)
        for number in range(1, 4):
            with contextlib.suppress(aiomqtt.MqttError):
                async with aiomqtt.Client(
                    broker.url.host, broker.url.port, identifier="arbiterd-main"
                ):
                    pass
            house.put("moves", b"%d" % number)
            await other.until(lambda heard, n=number: heard[-1][1] == b"%d" % n)
    assert "does another program use our client id" in caplog.text


async def test_a_broker_that_throws_us_off_for_a_message_is_asked_seldom_and_said_once(
    mosquitto, tmp_path: Path, opened, caplog: pytest.LogCaptureFixture
) -> None:
    """Mosquitto answers what is over `message_size_limit` with what is no MQTT 5; it was sent again
    four times a second, with two lines in the log each time."""
    caplog.set_level(logging.INFO)
    mosquitto.stop()
    mosquitto.lines = ("allow_anonymous true", "message_size_limit 1000")
    mosquitto.start()
    visits: list[None] = []

    class Counted(MqttBroker):
        def _client(self, *args: Any, **more: Any) -> Publisher:
            visits.append(None)
            return super()._client(*args, **more)

    async with opened(tmp_path / "journal.db") as journal:
        broker = Counted(mosquitto.url, BrokerLogin("arbiterd-main"))
        house = House(journal, MqttOutlet(HALL, journal, broker, WallClock()))
        house.put("rulings", bytes(1001))
        running = asyncio.create_task(house.outlet.run())
        await asyncio.sleep(8)
        assert house.outlet.trouble is not None
        assert "is one of our messages too large" in house.outlet.trouble
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert 3 <= len(visits) <= 6
    said = [each.message for each in caplog.records if each.name.endswith("outlet")]
    assert len(said) <= 5, "lost and back, twice; then that it happens again and again"


async def test_open_rulings_of_a_table_that_is_gone_leave_the_broker_and_come_back_with_it(
    broker: MqttBroker, tmp_path: Path, opened, listening
) -> None:
    """A table was taken out of the configuration, or named anew: nobody could decide them."""
    known = {f"arbiterd/main/tables/{table}/rulings/{table}-0001" for table in ("1", "9")}
    async with (
        opened(tmp_path / "journal.db") as journal,
        listening(broker.url, "arbiterd/main/tables/#") as other,
    ):
        for table in ("9", "1"):
            place, topic = journal.next_output(), f"rulings/{table}-0001"
            row = OutputRow(place, place, table, 1, topic, None, True, 0, b"open")
            journal.write(Batch(outputs=(row,)))

        def stands() -> set[str]:
            newest = {topic: said for topic, said, _ in other.heard}
            return {topic for topic in known if newest.get(topic)}

        for tables in (("1", "9"), ("1",), ("1", "9")):
            hall = replace(HALL, tables=tables)
            standing = {topic for topic in known if topic.split("/")[3] in tables}
            running = asyncio.create_task(MqttOutlet(hall, journal, broker, WallClock()).run())
            await other.until(lambda _, wanted=standing: stands() == wanted)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


def test_of_a_table_that_is_gone_nothing_stays_on_the_broker() -> None:
    """Open rulings are cleared by their numbers; each other retained topic of a table by name."""
    kept = {
        address.rpartition("/")[2]
        for _, address, _, how in CHANNELS
        if "/tables/{table}/" in address and how.startswith("retained")
    }
    missing = sorted(kept - {"{id}"} - set(RETAINED))
    assert not missing, f"name {', '.join(missing)} in RETAINED of outlets/mqtt/outlet.py"
