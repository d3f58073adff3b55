"""A configuration that was changed in the middle of a round: what it does to games, and says."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import aiohttp
import pytest

from arbiterd.config import Config
from arbiterd.config.model import Http
from arbiterd.config.values import Listen
from arbiterd.journal.roster import Roster
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


async def test_another_time_zone_leaves_the_game_as_it_is(
    path: Path, running, config: Config
) -> None:
    """It is the machine's where the configuration names none: whoever sets that in mid-round has
    changed no game. Times in words, and PGN's dates, are of the new one."""

    def of(zone: str) -> Config:
        return replace(config, settings={"time_zone": zone})

    def shown(house) -> tuple[Any, ...]:
        state = house.broker.last("tables/1/state")
        return state.get("game"), state.get("ply")

    async with running(path, of("UTC")) as house:
        for move in ("f3", "e5", "g4"):
            await asked(house, action="set-move", op="insert", move=move)
    async with running(path, of("Europe/Madrid")) as house:
        await house.until(lambda: shown(house) == ("1-1", 3))
        told = house.service.reload(of("Asia/Kolkata"))
        assert told == tuple(f"times at table {n} are of Asia/Kolkata from now on" for n in "12")
        await asked(house, action="set-move", op="insert", move="Qh4#")
        await house.until(lambda: house.broker.of("tables/1/rulings"))
        mate = house.broker.last("tables/1/rulings")
        made = datetime.fromisoformat(mate["facts"]["made_at"]).astimezone(ZoneInfo("Asia/Kolkata"))
        assert f"when the move was made at {made:%H:%M:%S}." in mate["text"]["en"]["detail"]
    async with running(path, of("Asia/Kolkata")) as house:
        await house.until(lambda: shown(house) == ("1-1", 4))
        read = house.service.journal.read
        kinds = [type(row.item).__name__ for row in read.inputs("1")]
        assert kinds.count("Labelled") == 2
        match = Roster(read, "1").of_game(read.last("input"))
        assert match is not None
        assert match.time_zone == "Asia/Kolkata"


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


async def test_pages_are_told_the_zone_of_the_wall_as_it_is_now(
    path: Path, running, config: Config
) -> None:
    """UTC, which a machine that says nothing is taken to have, is no hall's."""

    def of(zone: str) -> Config:
        shown = Http(listen=Listen("127.0.0.1", 0))
        return replace(config, http=shown, settings={"time_zone": zone})

    async def told(house) -> str | None:
        async with (
            aiohttp.ClientSession(house.service.addresses.page) as http,
            http.get("/api/v1/events") as answer,
        ):
            while not (line := await answer.content.readline()).startswith(b"data: "):
                assert line
        zone: str | None = json.loads(line.removeprefix(b"data: ")).get("zone")
        return zone

    async with running(path, of("America/Lima")) as house:
        assert await told(house) == "America/Lima"
        house.service.reload(of("Europe/Madrid"))
        assert await told(house) == "Europe/Madrid"
        house.service.reload(of("UTC"))
        assert await told(house) is None
