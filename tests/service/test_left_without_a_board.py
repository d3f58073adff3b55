"""A table that has no board any more says so, and the broker keeps nothing else of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from arbiterd.config import Config
from arbiterd.config.model import TableEntry
from arbiterd.messages.commands import Command


async def test_a_table_whose_board_another_was_given_has_lost_it(path: Path, running) -> None:
    """It went on as "ok" at the other's port, and nobody was sent there."""
    async with running(path) as house:
        await house.ready("1")
        await house.ready("2")
        given = Command(action="assign-device", by="ana", id="c1", device="serial:/dev/board2")
        assert json.loads(await house.service.command("1", given, ""))["ok"]
        last = house.broker.last
        await house.until(lambda: last("tables/2/device").get("state") == "lost")
        await house.until(lambda: last("tables/2/state").get("device") == "lost")

    assert "no board serves this table" in str(last("tables/2/device")["faults"])
    assert last("tables/1/device")["port"] == "serial:/dev/board2"
    assert last("tables/1/device")["state"] != "lost"


async def test_a_board_that_is_not_there_at_a_new_start_is_lost(
    path: Path, running, config: Config
) -> None:
    """Nobody opens a port for a table with `auto` while nothing is plugged in."""
    free = replace(config, tables=(TableEntry(table="1"),))
    async with running(path, free) as house:
        house.links.plug("serial:/dev/spare")
        await house.ready()

    async with running(path, free) as house:
        last = house.broker.last
        await house.until(lambda: last("tables/1/device").get("state") == "lost")
        house.links.plug("serial:/dev/spare")
        await house.until(lambda: last("tables/1/device").get("state") in ("ok", "degraded"))


async def test_a_table_that_never_had_one_has_lost_none(
    path: Path, running, config: Config
) -> None:
    async with running(path, replace(config, tables=(TableEntry(table="1"),))) as house:
        await house.until(lambda: house.broker.last("tables/1/state"))
        await house.links.clock.rest(1.5)
        assert house.broker.last("tables/1/state")["device"] == "none"
        assert house.broker.last("tables/1/device") == {}


async def test_two_tables_that_change_their_boards_lose_none(path: Path, running) -> None:
    async with running(path) as house:
        await house.ready("1")
        await house.ready("2")
        begin = len(house.broker.heard)
        moved = Command(action="round", op="move", tables=["1", "2"], by="ana", id="m1")
        assert json.loads(await house.service.journal.submit_round(moved, ""))["ok"]
        last = house.broker.last
        await house.until(lambda: last("tables/1/device").get("port") == "serial:/dev/board2")
        await house.until(lambda: last("tables/2/device").get("port") == "serial:/dev/board1")
        await house.links.clock.rest(1.5)

    told = [json.loads(p) for t, p in house.broker.heard[begin:] if t.endswith("/device")]
    assert "lost" not in [device["state"] for device in told]
