"""The pawn race of `tests/rules/test_a_new_rule_set.py` in a whole service: configuration, journal,
MQTT and PGN. Nothing outside its module knows of it."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiomqtt
import msgspec
import pytest
from tests.rules.test_a_new_rule_set import LINE, PawnRace

from arbiterd.config import Config
from arbiterd.config.model import TableEntry
from arbiterd.messages.commands import Command
from arbiterd.outlets.mqtt.client import BrokerLogin, MqttBroker
from arbiterd.outlets.mqtt.embedded import EmbeddedBroker
from arbiterd.outlets.pgn.files import of_round

TABLE = TableEntry(table="1", device="auto", ruleset=PawnRace.name)


def act(number: int, action: str, **said: Any) -> Command:
    return Command(action=action, by="ana", id=f"m{number}", **said)


async def test_a_pawn_race_is_played_published_and_written(
    path: Path, running: Any, config: Config, capsys: pytest.CaptureFixture[str]
) -> None:
    async with running(path, replace(config, tables=(TABLE,))) as house:
        for number, move in enumerate(LINE):
            order = act(number, "set-move", op="insert", move=move)
            answer = json.loads(await house.service.command("1", order, ""))
            assert answer["ok"], answer
        answer = json.loads(await house.service.command("1", act(9, "resign", side="white"), ""))
        assert answer["ok"], answer
        await house.until(lambda: house.broker.last("tables/1/result").get("result") == "0-1")

        assert [event["uci"] for event in house.broker.of("tables/1/moves")] == LINE
        state = house.broker.last("tables/1/state")
        assert state["ruleset"] == "pawn-race"
        pgn = of_round(house.service.journal.read, 1)
        assert pgn is not None
        print(pgn)
        for line in ('[Variant "Pawn race"]', '[FEN "pppp/4/4/PPPP w"]', '[Result "0-1"]'):
            assert line in pgn
        # PGN numbers a pair of half-moves (8.2.2 of its standard); why the game ended is the
        # published reason, as a comment (8.2.5) before the result that ends the movetext (8.2.6).
        result = house.broker.last("tables/1/result")
        pairs = [f"{n // 2 + 1}. {' '.join(LINE[n : n + 2])}" for n in range(0, len(LINE), 2)]
        why = f"{{{result['reason']}}} {result['result']}"
        assert f"{' '.join(pairs)} {why}" in pgn
        assert (result["article"], result["reason"]) == ("5.1.2", "resignation")


async def test_a_tablet_plays_a_pawn_race_over_a_real_broker(
    path: Path, running: Any, config: Config, embedded: EmbeddedBroker
) -> None:
    """Commands in and everything out by MQTT."""
    orders = [act(n, "set-move", op="insert", move=move) for n, move in enumerate(LINE)]
    orders.append(act(9, "resign", side="white"))
    broker = MqttBroker(embedded.url, BrokerLogin("arbiterd-main"))
    root, heard = "arbiterd/main/tables/1", Counter[str]()
    told: dict[str, list[dict[str, Any]]] = {}
    async with (
        aiomqtt.Client("127.0.0.1", embedded.url.port) as tablet,
        running(path, replace(config, tables=(TABLE,)), broker=broker),
        asyncio.timeout(60),
    ):
        await tablet.subscribe(f"{root}/#", qos=1)
        async for message in tablet.messages:
            topic = str(message.topic).removeprefix(f"{root}/")
            if topic.startswith("command") or message.payload in (b"", None):
                continue
            told.setdefault(topic, []).append(json.loads(bytes(message.payload)))
            heard[topic] += 1
            # The first state says that the table is there; then each order waits for its answer.
            if orders and (topic == "reply/ana" or (topic, heard[topic]) == ("state", 1)):
                order = msgspec.json.encode(orders.pop(0))
                await tablet.publish(f"{root}/command/ana", order, qos=1)
            if "result" in told and not orders:
                break

    assert [reply["ok"] for reply in told["reply/ana"]] == [True] * heard["reply/ana"]
    assert [event["uci"] for event in told["moves"]] == LINE
    assert told["result"][-1]["result"] == "0-1"
    assert {state["ruleset"] for state in told["state"]} == {"pawn-race"}
