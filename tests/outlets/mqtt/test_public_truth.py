"""What a broker keeps of `public/` is what is public now, whatever it has kept or lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiomqtt

from arbiterd.config.values import BrokerUrl
from arbiterd.edges.real import WallClock
from arbiterd.journal.delays import Delays
from arbiterd.journal.journal import Journal
from arbiterd.outlets.mqtt.client import MqttBroker
from arbiterd.outlets.mqtt.outlet import MqttOutlet
from arbiterd.outlets.public.gate import DelayGate
from outlets.mqtt.test_outlet import HALL
from outlets.public.test_gate import Desk

PUBLIC = "arbiterd/main/public/tables"
OF_ANOTHER_DAY = json.dumps({"game": "of another day", "result": "0-1"}).encode()


@asynccontextmanager
async def served(journal: Journal, broker: MqttBroker) -> AsyncIterator[None]:
    """A run of the service, as far as the broker hears of it."""
    gate = DelayGate(journal, HALL.tables, WallClock(), Delays(journal.read, HALL.tables, 0))
    outlet = MqttOutlet(HALL, journal, broker, WallClock(), gate)
    running = [asyncio.create_task(gate.run()), asyncio.create_task(outlet.run())]
    try:
        yield
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def kept(url: BrokerUrl) -> dict[str, object]:
    """What whoever comes now is told at once, by table and kind."""
    found: dict[str, object] = {}
    async with aiomqtt.Client(url.host, url.port) as reader:
        await reader.subscribe(f"{PUBLIC}/#", qos=1)
        with suppress(TimeoutError):
            while True:
                message = await asyncio.wait_for(anext(reader.messages), 0.3)
                assert isinstance(message.payload, bytes)
                leaf = message.topic.value.removeprefix(f"{PUBLIC}/")
                found[leaf] = message.payload and json.loads(message.payload).get("result")
    return {leaf: said for leaf, said in found.items() if said != b""}


async def comes_to_keep(url: BrokerUrl, wanted: dict[str, object]) -> None:
    found: dict[str, object] = {}
    try:
        async with asyncio.timeout(30):
            while found != wanted:
                found = await kept(url)
    except TimeoutError:
        raise AssertionError(f"the broker keeps {found}") from None


async def test_what_a_broker_keeps_of_another_day_goes_and_what_it_lost_comes_again(
    broker: MqttBroker, tmp_path: Path, opened
) -> None:
    url, now = broker.url, {"1/state": "1-0", "1/result": "1-0"}
    async with (
        opened(tmp_path / "journal.db") as journal,
        aiomqtt.Client(url.host, url.port) as day,
    ):
        for topic in ("1/result", "2/state", "2/result", "9/state"):
            await day.publish(f"{PUBLIC}/{topic}", OF_ANOTHER_DAY, qos=1, retain=True)
        async with served(journal, broker):
            await comes_to_keep(url, {})

            desk = Desk(journal)
            desk.move(1, "e2e4")
            desk.result("1-0")
            await comes_to_keep(url, now)

        for topic in now:  # It was started again, and had all that in memory alone.
            await day.publish(f"{PUBLIC}/{topic}", b"", qos=1, retain=True)
        async with served(journal, broker):
            await comes_to_keep(url, now)
