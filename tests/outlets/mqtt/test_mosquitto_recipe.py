"""MQTT 5 as docs/integrators.md has it: its Mosquitto, its rights, a tablet over WebSocket."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import aiomqtt
from aiomqtt import ProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from arbiterd.edges.real import WallClock
from arbiterd.outlets.mqtt.client import BrokerLogin, MqttBroker
from arbiterd.outlets.mqtt.outlet import MqttOutlet
from cli.test_commands import arbiterd
from conftest import Mosquitto, free_port, wait_for_port
from outlets.mqtt.test_outlet import HALL, House

PAGE = Path(__file__).parents[3] / "docs" / "integrators.md"
ANSWERS = "arbiterd/main/tables/1/reply/tarrasch/tablet-7"


async def test_a_technician_over_websocket_hears_on_a_topic_of_his_own(
    tmp_path: Path, opened
) -> None:
    (recipe,) = re.findall(
        r"^listener 1883 .*?(?=^```)", PAGE.read_text(), re.MULTILINE | re.DOTALL
    )
    mqtt, sockets = free_port(), free_port()
    for name in ("service", "tarrasch"):
        (tmp_path / name).write_text("chess\n")
        (tmp_path / name).chmod(0o600)
    config = tmp_path / "hall.toml"
    config.write_text(
        f'[mqtt]\nurl = "mqtt://127.0.0.1:{mqtt}"\nusername = "arbiterd"\n'
        'password_file = "service"\n[[people]]\nname = "tarrasch"\nrole = "technician"\n'
        'password_file = "tarrasch"\n'
    )
    told = arbiterd("trust", "broker", "--config", config, "--folder", tmp_path / "conf.d")
    assert told.returncode == 0, told.stderr
    lines = recipe.replace("1883", f"{mqtt}").replace("9001", f"{sockets}").splitlines()
    assert lines[0] == f"listener {mqtt} 127.0.0.1"
    mosquitto = Mosquitto(tmp_path, (*lines[1:], f"include_dir {tmp_path / 'conf.d'}"), mqtt)
    mosquitto.start()
    wait_for_port(sockets)
    try:
        async with (
            opened(tmp_path / "journal.db") as journal,
            aiomqtt.Client(
                "127.0.0.1", sockets, transport="websockets", websocket_path="/mqtt",
                protocol=ProtocolVersion.V5, username="tarrasch", password="chess",
            ) as tablet,
        ):  # fmt: skip
            service = MqttBroker(mosquitto.url, BrokerLogin("arbiterd-main", "arbiterd", "chess"))
            house = House(journal, MqttOutlet(HALL, journal, service, WallClock()))
            journal.takes_commands(house.take)
            journal.snapshots.put("status", b"{}")
            running = asyncio.create_task(house.outlet.run())
            await tablet.subscribe([("arbiterd/main/status", 1), (ANSWERS, 1)])
            await asyncio.wait_for(anext(tablet.messages), 60)
            asked = Properties(PacketTypes.PUBLISH)
            asked.ResponseTopic, asked.CorrelationData = ANSWERS, b"3"
            await tablet.publish(
                "arbiterd/main/tables/1/command/tarrasch",
                b'{"action":"mute","id":"c1"}',
                qos=1,
                properties=asked,
            )
            answer = await asyncio.wait_for(anext(tablet.messages), 60)
            assert answer.topic.value == ANSWERS
            assert answer.properties is not None
            assert answer.properties.CorrelationData == b"3"
            assert isinstance(answer.payload, bytes)
            assert json.loads(answer.payload)["ok"] is True
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
    finally:
        mosquitto.stop()
