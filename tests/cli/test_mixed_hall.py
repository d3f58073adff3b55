"""`arbiterd simulate --mixed`: one board of every family, found as on a bus and named for a run."""

from __future__ import annotations

from pathlib import Path

from arbiterd.cli.boards import configuration
from arbiterd.cli.simulate.mixed_hall import PLACES, mixed_hall, plug_in_mixed
from arbiterd.config import read_config
from arbiterd.edges.real import WallClock
from arbiterd.simulation.profiles import CLEAN
from eboards.discovery.survey import survey
from eboards.registry import FAMILIES

SPEED = 10.0
ON_OTHER_LINES = {"dgt-bus", "movetext-57600"}
"""A bus line has a hall of its own (`--bus`); the fast computers differ in their baud rate only."""


async def test_each_board_is_found_where_it_is_plugged_in_and_named_for_a_run(
    tmp_path: Path,
) -> None:
    clock, seats = WallClock(SPEED), mixed_hall(CLEAN, 1, SPEED)
    drivers = [place.driver for place in PLACES]
    servers, devices = plug_in_mixed(seats, clock, tmp_path)
    try:
        found = await survey(clock.now_ns, root=tmp_path, speed=SPEED)
    finally:
        for server in servers:
            server.close()

    assert {family.name for family in FAMILIES} - set(drivers) == ON_OTHER_LINES
    told = {board.port: board.family.name for board in found.boards if board.family}
    assert told == {
        str(tmp_path / "dev" / place.node): place.driver for place in PLACES if place.ids
    }
    assert not found.hindered

    file = tmp_path / "arbiterd.toml"
    file.write_text(configuration(seats, devices, SPEED, 1, drivers), "utf-8")
    tables = read_config(file).tables
    assert [(table.device, table.driver) for table in tables] == list(
        zip(devices, drivers, strict=True)
    )
