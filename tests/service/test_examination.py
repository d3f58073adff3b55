"""A proof that takes long, in a whole service: asked, lost with the service, asked again."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiomqtt
import pytest

from arbiterd.edges.real import FileStore
from arbiterd.journal.export import export
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.verify import verify
from arbiterd.messages.commands import Command
from arbiterd.table.inputs import MatingAnswered
from arbiterd.table.table import Table

LONG_PROOF = "8/1p2p1p1/1P2P1P1/Bp2pBp1/1P2P1P1/7k/1P2P3/3K4 b - - 0 60"


def told(path: Path) -> list[dict[str, object]]:
    read = JournalReader(FileStore(path).connect_for_reading())
    said = [json.loads(row.payload) for row in read.outputs("1") if row.topic == "rulings"]
    return [ruling for ruling in said if ruling["kind"] == "resign-unwinnable"]


def answers(path: Path) -> int:
    read = JournalReader(FileStore(path).connect_for_reading())
    return sum(isinstance(row.item, MatingAnswered) for row in read.inputs("1"))


async def test_a_question_outlives_the_service(path: Path, running) -> None:
    async with running(path) as house:
        command = house.service.command
        for order in (
            Command(action="set-position", by="ana", id="c1", fen=LONG_PROOF),
            Command(action="resign", by="ana", id="c2", side="black"),
        ):
            assert json.loads(await command("1", order, ""))["ok"]
    (first,) = told(path)
    assert first["facts"]["opponent_can_mate"] == "being-examined"
    assert answers(path) == 0

    async with running(path) as house:
        await house.until(lambda: answers(path))
        await house.service.journal.synced()

    first, then = told(path)
    assert (then["id"], then["revision"]) == (first["id"], 2)
    assert then["facts"]["opponent_can_mate"] == "possible"
    assert (then["proposal"]["result"], then["certainty"]) == ("1-0", "fact")
    db = FileStore(path).connect_for_reading()
    assert verify(db).whole
    assert sum(b'"MatingAnswered"' in line for line in export(JournalReader(db))) == 1

    read, table, again = JournalReader(db), None, []
    for row in read.inputs("1"):
        if table is None:
            table = Table(row.item)
        elif row.item is not None:
            again += table.take(row.number, row.item).outputs
    assert table is not None
    last = read.last_output("1")
    assert last is not None
    again += table.due(last.at_ns).outputs
    assert [(o.topic, o.payload) for o in again] == [
        (r.topic, r.payload) for r in read.outputs("1")
    ]


@asynccontextmanager
async def serving(config: Path) -> AsyncIterator[None]:
    """`arbiterd run` in a process of its own, which is killed in the end."""
    words = ("-c", "from arbiterd.cli import main; main()", "run", "--config", str(config))
    with config.with_suffix(".log").open("ab") as log:
        service = await asyncio.create_subprocess_exec(sys.executable, *words, stderr=log)
    try:
        yield
    finally:
        service.kill()
        await service.wait()


async def ruled(client: aiomqtt.Client, revision: int) -> dict[str, Any]:
    """The ruling on the resignation, at this revision."""
    async for message in client.messages:
        assert isinstance(message.payload, bytes)
        said: dict[str, Any] = json.loads(message.payload)
        if said.get("kind") == "resign-unwinnable" and said["revision"] == revision:
            return said
    raise AssertionError("the broker has closed")


@pytest.mark.timeout(120)
async def test_a_question_outlives_a_killed_service(mosquitto, tmp_path: Path) -> None:
    """`kill -9` as soon as the arbiter was told that it is being examined."""
    config = tmp_path / "arbiterd.toml"
    config.write_text(
        f'[mqtt]\nurl = "{mosquitto.url}"\n[http]\nlisten = ""\n[journal]\npath = "journal.db"\n'
        '[[tables]]\ntable = "1"\n'
    )
    orders = (
        {"action": "set-position", "fen": LONG_PROOF, "id": "c1", "by": "ana"},
        {"action": "resign", "side": "black", "id": "c2", "by": "ana"},
    )
    async with aiomqtt.Client("127.0.0.1", mosquitto.port) as client:
        await client.subscribe("arbiterd/+/status", qos=1)
        await client.subscribe("arbiterd/+/tables/1/rulings", qos=1)
        async with serving(config):
            async for message in client.messages:
                if str(message.topic).endswith("/status") and b"online" in bytes(message.payload):
                    break
            topic = f"{str(message.topic).removesuffix('/status')}/tables/1/command/ana"
            for order in orders:
                await client.publish(topic, json.dumps(order), qos=1)
            first = await ruled(client, 1)
        assert first["facts"]["opponent_can_mate"] == "being-examined"
        async with serving(config):
            then = await ruled(client, 2)
    assert then["id"] == first["id"]
    assert then["facts"]["opponent_can_mate"] == "possible"
    assert answers(tmp_path / "journal.db") == 1
