"""Whoever sends a command over MQTT is answered there, also where no table has an answer."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import aiomqtt
import pytest

from arbiterd.config import Config
from arbiterd.config.model import Mqtt
from arbiterd.outlets.mqtt.client import BrokerLogin, MqttBroker
from eboards.events import SquareChange

E2 = 52


async def answered(house, table: str, **said: object) -> dict[str, object]:
    """The answer to a command of the login ana, which must come."""
    house.broker.send(f"tables/{table}/command/ana", by="ana", **said)
    reply = f"tables/{table}/reply/ana"
    await house.until(lambda: house.broker.last(reply).get("id") == said["id"])
    return house.broker.last(reply)


async def test_a_device_that_may_not_be_opened_is_refused_where_it_was_asked(
    path: Path, running
) -> None:
    async with running(path) as house:
        await house.ready()
        for number, device in enumerate(("teapot", "serial:/dev/not-there", "tcp:127.0.0.1:9")):
            said = {"action": "assign-device", "device": device, "id": f"c{number}"}
            refused = await answered(house, "1", **said)
            assert not refused["ok"]
            assert device in str(refused["error"])
        assert (await answered(house, "1", action="pause", id="c9"))["ok"]
        assert len(house.broker.of("tables/1/reply/ana")) == 4


@pytest.mark.usefixtures("table_1_fails")
async def test_a_table_that_has_stopped_says_so_to_who_commands_it(path: Path, running) -> None:
    async with running(path) as house:
        await house.ready("1")
        await house.ready("2")
        at_ns = house.service.edges.clock.now_ns()
        house.service.desk.take(house.service.desk.seats["1"], (SquareChange(at_ns, E2, "."),))
        await house.until(house.service.ill)

        refused = await answered(house, "1", action="pause", id="c1")
        assert not refused["ok"]
        assert "start the service again" in str(refused["error"])

        house.broker.send("command/ana", action="mute", tables="all", by="ana", id="c2")
        for table, done in (("1", False), ("2", True)):
            reply = f"tables/{table}/reply/ana"
            await house.until(lambda reply=reply: house.broker.last(reply).get("id") == "c2")
            assert house.broker.last(reply)["ok"] is done


PASSWORDLESS, WITH_LOGIN = Mqtt(), Mqtt(username="arbiterd", password_file="mqtt.password")


@pytest.mark.parametrize("mqtt", [PASSWORDLESS, WITH_LOGIN], ids=["nobody logs in", "with logins"])
async def test_the_bare_topic_is_heard_at_a_broker_of_this_machine_where_nobody_logs_in(
    path: Path, running, config: Config, mosquitto, mqtt: Mqtt
) -> None:
    root, order = "arbiterd/main/tables/1", {"action": "pause", "by": "Ana", "id": "c1"}
    config = replace(config, mqtt=replace(mqtt, url=mosquitto.url))
    broker = MqttBroker(mosquitto.url, BrokerLogin("arbiterd-main"))
    answers = []
    async with (
        aiomqtt.Client("127.0.0.1", mosquitto.url.port) as tablet,
        running(path, config, broker=broker) as house,
        asyncio.timeout(60),
    ):
        await house.ready()
        await tablet.subscribe(f"{root}/reply/#", qos=1)
        await tablet.publish(f"{root}/command", json.dumps(order), qos=1)
        await tablet.publish(f"{root}/command/ana", json.dumps(order | {"by": "ana"}), qos=1)
        async for message in tablet.messages:
            answers.append(str(message.topic).removeprefix(f"{root}/"))
            if answers[-1] == "reply/ana":
                break

    assert answers == (["reply"] if mqtt is PASSWORDLESS else []) + ["reply/ana"]
