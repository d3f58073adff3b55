"""What a broker keeps of the tables of another day's hall, which this journal never knew."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiomqtt

from arbiterd.edges.real import WallClock
from arbiterd.outlets.mqtt.client import MqttBroker
from arbiterd.outlets.mqtt.outlet import RETAINED, MqttOutlet
from outlets.mqtt.test_outlet import HALL

TABLES = "arbiterd/main/tables"
YESTERDAY = 250
"""More tables than messages of one sender may wait to be read."""


async def test_it_goes_and_what_is_of_this_hall_stays(
    broker: MqttBroker, tmp_path: Path, opened, listening
) -> None:
    """Yesterday's event had more tables and a journal of its own: they went on "playing"."""
    url, of_yesterday = broker.url, [f"T{number}" for number in range(YESTERDAY)]
    async with aiomqtt.Client(url.host, url.port) as yesterday:
        for table in ("1", *of_yesterday):
            for leaf in RETAINED:
                await yesterday.publish(f"{TABLES}/{table}/{leaf}", b"old", qos=1, retain=True)

    gone = {f"{TABLES}/{table}/{leaf}" for table in of_yesterday for leaf in RETAINED}
    async with opened(tmp_path / "journal.db") as journal, listening(url) as listener:
        journal.snapshots.put("tables/1/state", b"new")
        running = asyncio.create_task(MqttOutlet(HALL, journal, broker, WallClock()).run())
        await listener.until(lambda heard: gone <= {t for t, payload, _ in heard if not payload})
        await listener.until(lambda heard: (f"{TABLES}/1/state", b"new", False) in heard)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    async with listening(url, f"{TABLES}/+/state") as late:
        await late.until(lambda heard: len(heard) > 0)
        assert late.heard == [(f"{TABLES}/1/state", b"new", True)]
