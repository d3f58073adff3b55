"""A shogi game from the arbiter's page alone: every half-move is an act, no board is there."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from arbiterd.config import Config
from arbiterd.config.model import TableEntry
from arbiterd.messages.commands import Command

MOVES = ("7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "B*8e", "4e6c+")
"""Promotion, a recapture, drops by both sides, a dropped piece that is turned over later."""


def act(number: int, **said: Any) -> Command:
    return Command(action="set-move", by="ana", id=f"m{number}", **said)


async def test_moves_drops_and_promotions_are_entered_and_told(
    path: Path, running, config: Config
) -> None:
    table = TableEntry(table="1", device="auto", ruleset="shogi")
    async with running(path, replace(config, tables=(table,))) as house:
        for number, move in enumerate(MOVES):
            order = act(number, op="insert", move=move)
            answer = json.loads(await house.service.command("1", order, ""))
            assert answer["ok"], answer
        await house.until(lambda: len(house.broker.of("tables/1/moves")) == len(MOVES))

        told = house.broker.of("tables/1/moves")
        assert [event["uci"] for event in told] == list(MOVES)
        assert [event["san"] for event in told][2:6] == ["Bx2b+", "Sx2b", "B*4e", "B*8e"]
        assert {event["how"] for event in told} == {"arbiter"}
        assert {event["certainty"] for event in told} == {"certain"}
        await house.until(lambda: house.broker.last("tables/1/state").get("ply") == len(MOVES))
        state = house.broker.last("tables/1/state")
        assert state["extras"]["hand_black"] == "P"

        for number, move in enumerate(("G*5e", "7f7e+", "B*4f", "nonsense"), 100):
            answer = json.loads(
                await house.service.command("1", act(number, op="insert", move=move), "")
            )
            assert not answer["ok"]
            assert move in answer["error"]
        answer = json.loads(
            await house.service.command("1", act(200, op="replace", ply=5, move="B*5e"), "")
        )
        assert not answer["ok"], "what came after does not fit it"
        answer = json.loads(
            await house.service.command("1", act(201, op="replace", ply=7, move="4e6c"), "")
        )
        assert answer["ok"], answer
        await house.until(lambda: house.broker.last("tables/1/moves")["uci"] == "4e6c")
        assert house.broker.last("tables/1/moves")["replaces"] == told[-1]["seq"]
