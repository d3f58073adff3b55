"""Mosquitto's bridge as docs/technicians.md has it: what a hall says while the line is down comes
after, in order, and commands of the event reach the hall."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from pathlib import Path

import aiomqtt
import pytest

from conftest import MOSQUITTO, Mosquitto

PAGE = Path(__file__).parents[2] / "docs" / "technicians.md"
MESSAGES = 200


def bridge(port: int) -> tuple[str, ...]:
    """The lines of the page, but for what a test has not: TLS and logins."""
    (block,) = re.findall(
        r"^connection event\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE
    )
    lines = [line for line in block.splitlines() if not line.startswith(("bridge_ca", "remote_"))]
    assert lines[0].startswith("address event.local")
    return ("connection event", f"address 127.0.0.1:{port}", *lines[1:])


async def connected(broker: Mosquitto, name: str) -> aiomqtt.Client:
    client = aiomqtt.Client("127.0.0.1", broker.port, identifier=name, clean_session=False)
    await client.__aenter__()
    return client


async def test_what_a_hall_says_while_it_is_cut_off_comes_after_in_order(tmp_path: Path) -> None:
    if MOSQUITTO is None:
        pytest.skip("mosquitto is not installed; ./test installs it")
    for name in ("event", "hall"):
        (tmp_path / name).mkdir()
    event = Mosquitto(tmp_path / "event")
    hall = Mosquitto(
        tmp_path / "hall", ("allow_anonymous true", *bridge(event.port), "restart_timeout 1")
    )
    event.start()
    hall.start()
    heard: list[str] = []
    try:
        reader = await connected(event, "reader")
        await reader.subscribe("arbiterd/+/tables/+/moves", qos=1)
        service = await connected(hall, "service")
        await service.subscribe("arbiterd/main/tables/+/command/+", qos=1)
        await until_bridged(service, reader)
        for number in range(MESSAGES):
            if number == MESSAGES // 4:
                await leave(reader)
                event.stop()
            if number == 3 * MESSAGES // 4:
                event.start()
                reader = await connected(event, "reader")
            topic = f"arbiterd/main/tables/{number % 3}/moves"
            await service.publish(topic, f"{number}".encode(), qos=1)
            while number < MESSAGES // 4 and len(heard) <= number:
                heard.append(await word(reader))
        async with asyncio.timeout(60):
            while len(set(heard)) < MESSAGES:
                heard.append(await word(reader))
        assert list(dict.fromkeys(heard)) == [f"{number}" for number in range(MESSAGES)]
        await reader.publish("arbiterd/main/tables/1/command/ana", b"pause", qos=1)
        assert (await asyncio.wait_for(anext(service.messages), 20)).payload == b"pause"
        for client in (reader, service):
            await leave(client)
    finally:
        hall.stop()
        event.stop()


async def word(reader: aiomqtt.Client) -> str:
    while True:
        payload = (await asyncio.wait_for(anext(reader.messages), 60)).payload
        assert isinstance(payload, bytes)
        if payload != b"probe":
            return payload.decode()


async def until_bridged(service: aiomqtt.Client, reader: aiomqtt.Client) -> None:
    async with asyncio.timeout(30):
        while True:
            await service.publish("arbiterd/main/tables/0/moves", b"probe", qos=1)
            with suppress(TimeoutError):
                await asyncio.wait_for(anext(reader.messages), 0.5)
                return


async def leave(client: aiomqtt.Client) -> None:
    with suppress(aiomqtt.MqttError):
        await client.__aexit__(None, None, None)
