"""Both brokers, each as a service would use it, and somebody else who listens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field

import aiomqtt
import pytest
from aiomqtt import ProtocolVersion

from arbiterd.config.values import BrokerUrl
from arbiterd.outlets.mqtt.client import BrokerLogin, MqttBroker


@dataclass
class Listener:
    """A client of the broker that remembers what it hears."""

    client: aiomqtt.Client
    heard: list[tuple[str, bytes, bool]] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def until(self, enough: Callable[[list[tuple[str, bytes, bool]]], bool]) -> None:
        """Waits for what is expected; says what came instead."""
        try:
            async with asyncio.timeout(60):
                while not enough(self.heard):
                    self.news.clear()
                    await self.news.wait()
        except TimeoutError:
            raise AssertionError(f"heard only {self.heard}") from None

    def payloads(self, leaf: str) -> list[bytes]:
        return [payload for topic, payload, _ in self.heard if topic.endswith(leaf)]


@asynccontextmanager
async def _listening(url: BrokerUrl, topic: str = "arbiterd/#") -> AsyncIterator[Listener]:
    async with aiomqtt.Client(url.host, url.port) as client:
        await client.subscribe(topic, qos=1)
        listener = Listener(client)

        async def hear() -> None:
            async for message in client.messages:
                assert isinstance(message.payload, bytes)
                listener.heard.append((message.topic.value, message.payload, bool(message.retain)))
                listener.news.set()

        hearing = asyncio.create_task(hear())
        try:
            yield listener
        finally:
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)


@pytest.fixture
def listening() -> Callable[..., AbstractAsyncContextManager[Listener]]:
    return _listening


@pytest.fixture(params=["mosquitto, MQTT 5", "mosquitto, MQTT 3.1.1", "embedded, MQTT 3.1.1"])
def broker(request: pytest.FixtureRequest) -> MqttBroker:
    """Each broker in each version it speaks."""
    name, _, version = request.param.partition(", ")
    running = request.getfixturevalue(name)
    found = MqttBroker(running.url, BrokerLogin("arbiterd-main"))
    if version == "MQTT 3.1.1" and name == "mosquitto":
        found.version = ProtocolVersion.V311
    return found
