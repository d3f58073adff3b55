"""The pawn race of `tests/rules/test_a_new_rule_set.py` in a whole service: configuration, journal,
broker and PGN. Nothing outside its module knows of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.rules.test_a_new_rule_set import LINE, PawnRace

from arbiterd.config import Config
from arbiterd.config.model import TableEntry
from arbiterd.messages.commands import Command
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
        assert "1. a1a2 b4b3 2. a2b3 a4b3 {resignation} 0-1" in pgn
