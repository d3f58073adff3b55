"""A configuration that was changed in the middle of a round: what it does to games, and says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arbiterd.config import Config
from arbiterd.messages.commands import read_command


async def asked(house, **said: Any) -> dict[str, Any]:
    command = read_command({"by": "ana", "id": "-".join(map(str, said.values())), **said})
    answer: dict[str, Any] = json.loads(await house.service.command("1", command, ""))
    assert answer["ok"], answer
    return answer


def with_of_table_1(config: Config, **said: str) -> Config:
    first, *others = config.tables
    return replace(config, tables=(replace(first, **said), *others))


async def test_another_label_leaves_the_game_as_it_is(path: Path, running, config: Config) -> None:
    """At the start and at a reload; it had begun another game, with nothing on its record."""

    def shown(house) -> dict[str, Any]:
        state: dict[str, Any] = house.broker.last("tables/1/state")
        return {name: state.get(name) for name in ("label", "game", "ply")}

    async with running(path, config) as house:
        await asked(house, action="set-move", op="insert", move="e4")

    stage = with_of_table_1(config, label="Stage")
    async with running(path, stage) as house:
        await house.until(lambda: shown(house) == {"label": "Stage", "game": "1-1", "ply": 1})
        told = house.service.reload(with_of_table_1(config, label="Hall"))
        assert told == ("table 1 is called Hall from now on",)
        await house.until(lambda: shown(house) == {"label": "Hall", "game": "1-1", "ply": 1})
    async with running(path, config) as house:
        await house.until(lambda: shown(house) == {"label": None, "game": "1-1", "ply": 1})


async def test_a_game_that_is_left_for_another_set_up_is_named(
    path: Path, running, config: Config, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(path, config) as house:
        await asked(house, action="set-move", op="insert", move="e4")
        (told,) = house.service.reload(with_of_table_1(config, white="Eva"))
        assert "table 1 is in play: what has changed of it (white) holds from the next" in told
        assert "arbiterd round rename" in told

    async with running(path, with_of_table_1(config, white="Eva")) as house:
        await house.until(lambda: house.broker.last("tables/1/state").get("game") == "1-2")
    (left,) = [said for said in caplog.messages if "was in play, and a new game" in said]
    assert left.startswith("table 1 was in play, and a new game is set up there: the configuration")
    assert "changed of it (white). What was played stays in the journal" in left


async def test_a_reload_leaves_a_round_that_was_commanded(
    path: Path, running, config: Config
) -> None:
    """The configuration says of the tables what it said before, whatever it says of the rest."""
    games = [{"table": "1", "white": "Ada", "black": "Bea"}]
    begin = {"action": "round", "op": "begin", "round": 7, "games": games, "by": "ana", "id": "r"}
    async with running(path, config) as house:
        await house.service.journal.submit_round(read_command(begin), "")
        await house.until(lambda: house.broker.last("tables/1/state").get("white") == "Ada")

        told = house.service.reload(replace(config, broadcast=replace(config.broadcast, delay=1)))

        assert [line.partition(":")[0] for line in told] == [
            "[broadcast] has changed",
            "table 1 has another delay",
            "table 2 has another delay",
        ]
        assert house.service.desk.seats["1"].table.setup.round == 7
