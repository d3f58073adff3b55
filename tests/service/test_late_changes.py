"""Late changes in mid-game: nothing that was played is lost, and the public's delay holds."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from arbiterd.config import Config
from arbiterd.config.model import Broadcast
from arbiterd.laws.act import Act
from arbiterd.messages.commands import Command
from arbiterd.messages.times import rfc3339
from arbiterd.table.inputs import Renamed

from .test_rounds import commanded, games, move

SECOND_NS = 1_000_000_000
DEEDS = (Renamed, Act)
_IDS = count(1)
PAIRS = [
    {"table": "1", "white": "A", "black": "B"},
    {"table": "2", "white": "C", "black": "D"},
]


async def carry(house, device: str, origin: int, target: int) -> None:
    """A piece from square to square (0 is a8), and the clock of no one."""
    emulator = house.links.boards[device].emulator
    for square, piece in ((target, await lifted(house, emulator, origin)),):
        emulator.place(square, piece, house.links.clock.now_ns())
    await house.links.clock.rest(0.4)


async def lifted(house, emulator, square: int) -> str:
    piece = emulator.lift(square, house.links.clock.now_ns())
    await house.links.clock.rest(0.4)
    return str(piece)


async def plies(house, table: str, many: int) -> None:
    await house.until(lambda: house.broker.last(f"tables/{table}/state").get("ply") == many)


async def test_two_pairings_change_tables_with_half_moves_on_them(
    path: Path, running, config: Config
) -> None:
    """They sat down at each other's boards: the names follow, the half-moves stay."""
    async with running(path, config) as house:
        await commanded(house, "begin", round=1, games=PAIRS)
        await move(house, "1", "e2e4", "e7e5")
        await move(house, "2", "d2d4")
        answer = await commanded(house, "swap", tables=["1", "2"])
        assert answer["ok"], answer
        await move(house, "1", "g1f3")
        found = games(house, 1)
        assert [found[t].headers["White"] for t in ("1", "2")] == ["C", "A"]
        assert [len(list(found[t].mainline_moves())) for t in ("1", "2")] == [3, 1]


async def test_a_game_goes_on_at_another_board_with_all_its_half_moves(
    path: Path, running, config: Config
) -> None:
    """Board 1 fails in mid-game; the players carry the position to the board of table 2."""
    one, other = "serial:/dev/board1", "serial:/dev/board2"
    async with running(path, config) as house:
        await house.ready("1")
        await house.ready("2")
        await commanded(house, "begin", round=1, games=PAIRS[:1])
        await carry(house, one, 52, 36)
        await plies(house, "1", 1)
        await carry(house, other, 52, 36)  # They set the position up there.
        answer = await commanded(house, "move", tables=["1", "2"])
        assert answer["ok"], answer
        assert answer["findings"][0] == f"table 1 is played at the board {other}"
        await house.until(lambda: house.broker.last("tables/1/state")["device"] == "ok")
        await carry(house, other, 12, 28)
        await plies(house, "1", 2)
        await carry(house, other, 62, 45)  # No clock is pressed: a half-move is over by the reply.
        await plies(house, "1", 3)
        (game,) = games(house, 1).values()
        assert (game.headers["Board"], game.headers["White"]) == ("1", "A")
        assert [m.uci() for m in game.mainline_moves()] == ["e2e4", "e7e5"]


@pytest.mark.parametrize("begun", [False, True])
async def test_a_swap_that_is_sent_again_after_a_restart_is_not_undone(
    path: Path, running, config: Config, begun: bool
) -> None:
    """The service was killed before anybody heard that it had been done."""
    swap = {"op": "swap", "tables": ["1", "2"], "id": "tablet-17"}

    def whites() -> list[str]:
        return [house.service.desk.seats[name].table.setup.white for name in ("1", "2")]

    async with running(path, config) as house:
        await commanded(house, "begin", round=1, games=PAIRS)
        if begun:
            await move(house, "1", "e2e4")
        first = await commanded(house, **swap)
        assert whites() == ["C", "A"]
    async with running(path, config) as house:
        again = await commanded(house, **swap)
        assert whites() == ["C", "A"]
        assert (again["ok"], again["findings"]) == (True, first["findings"])
        await commanded(house, "swap", tables=["1", "2"], id="tablet-18")
        assert whites() == ["A", "C"]


async def test_a_move_to_another_board_that_is_sent_again_after_a_restart_is_not_undone(
    path: Path, running, config: Config
) -> None:
    order = {"op": "move", "tables": ["1", "2"], "id": "tablet-17"}
    async with running(path, config) as house:
        await commanded(house, "begin", round=1, games=PAIRS)
        first = await commanded(house, **order)
        assert first["findings"][0] == "table 1 is played at the board serial:/dev/board2"
    async with running(path, config) as house:
        again = await commanded(house, **order)
        assert (again["ok"], again["findings"]) == (True, first["findings"])


@pytest.mark.parametrize("op", ["swap", "move"])
async def test_two_tables_are_exchanged_whole_or_not_at_all(
    path: Path, running, config: Config, op: str
) -> None:
    """Whatever ends the service: what is done at both is in one commit."""
    commits: list[list[str]] = []
    async with running(path, config) as house:
        await commanded(house, "begin", round=1, games=PAIRS)
        await move(house, "1", "e2e4")
        journal = house.service.journal
        before = journal.read.last("input")

        async def watch() -> None:
            mark = journal.head.input
            while True:
                if journal.head.input != mark:
                    rows = journal.read.inputs(after=mark)
                    commits.append([row.table for row in rows if isinstance(row.item, DEEDS)])
                    mark = journal.head.input
                await asyncio.sleep(0)

        watching = asyncio.create_task(watch())
        assert (await commanded(house, op, tables=["1", "2"]))["ok"]
        watching.cancel()
        rows = [row for row in journal.read.inputs(after=before) if isinstance(row.item, DEEDS)]
        assert sorted(row.table for row in rows) == ["1", "2"]
        assert ["1", "2"] in [sorted(each) for each in commits]


async def test_the_delay_changes_in_mid_round_and_holds_after_a_restart(
    path: Path, running, config: Config
) -> None:
    held = replace(config, broadcast=Broadcast(delay=3600 * SECOND_NS))
    public = "public/tables/1/moves"
    async with running(path, held) as house:
        await commanded(house, "begin", round=1, games=PAIRS)
        await move(house, "1", "e2e4", "e7e5")
        await move(house, "2", "d2d4", "d7d5")
        answer = await commanded(house, "delay", tables=["1"], delay_s=0)
        assert answer["findings"] == ["table 1: what is public is not behind"]
        await house.until(lambda: len(house.broker.of(public)) == 2)
        assert house.broker.last("public/tables/1/state")["delay_s"] == 0
        assert house.broker.of("public/tables/2/moves") == []
        await commanded(house, "delay", delay_s=7200)
        await move(house, "1", "g1f3", "b8c6")
        await house.until(lambda: house.broker.last("public/tables/1/state")["delay_s"] == 7200)
        await house.links.clock.rest(0.3)
        assert [said["ply"] for said in house.broker.of(public)] == [1, 2]
    async with running(path, held) as house:
        await house.until(lambda: house.broker.last("public/tables/1/state").get("ply") == 2)
        await house.links.clock.rest(0.3)
        assert house.broker.last("public/tables/1/state")["delay_s"] == 7200
        assert house.broker.of(public)[2:] == []
        assert house.broker.of("public/tables/2/moves") == []
    # Another delay in the configuration holds for games under way, and begins none anew.
    edited = replace(config, broadcast=Broadcast(delay=0))
    async with running(path, edited) as house:
        await house.until(lambda: house.broker.last("public/tables/1/state").get("ply") == 4)
        await house.until(lambda: len(house.broker.of("public/tables/2/moves")) == 2)
        assert house.broker.last("public/tables/1/state")["delay_s"] == 0
        (first, _) = games(house, 1).values()
        assert len(list(first.mainline_moves())) == 4


async def test_a_round_that_is_begun_again_with_another_delay_keeps_to_it(
    path: Path, running, config: Config
) -> None:
    """It said that all was well, and went on in public as before."""
    async with running(path, replace(config, broadcast=Broadcast(delay=0))) as house:
        await commanded(house, "begin", round=1, games=PAIRS)
        await move(house, "1", "e2e4", "e7e5")
        await house.until(lambda: len(house.broker.of("public/tables/1/moves")) == 2)
        answer = await commanded(house, "begin", round=1, games=PAIRS, delay_s=1800)
        assert answer["ok"], answer
        await move(house, "1", "g1f3", "b8c6")
        await house.until(lambda: house.broker.last("public/tables/1/state")["delay_s"] == 1800)
        await house.links.clock.rest(0.3)
        assert len(house.broker.of("public/tables/1/moves")) == 2
        (game,) = games(house, 1).values()
        assert len(list(game.mainline_moves())) == 4
        await commanded(house, "begin", round=1, games=PAIRS)
        assert house.broker.last("public/tables/1/state")["delay_s"] == 1800


async def test_tables_have_their_own_delay_in_the_configuration(
    path: Path, running, config: Config
) -> None:
    own = tuple(replace(entry, delay=0) if entry.table == "2" else entry for entry in config.tables)
    async with running(path, replace(config, tables=own)) as house:
        await commanded(house, "begin", round=1, games=PAIRS, delay_s=1800)
        await move(house, "1", "e2e4", "e7e5")
        await move(house, "2", "d2d4", "d7d5")
        await house.until(lambda: len(house.broker.of("public/tables/2/moves")) == 2)
        assert house.broker.of("public/tables/1/moves") == []


async def test_the_public_learns_a_name_that_was_put_right_in_the_game(
    path: Path, running, config: Config
) -> None:
    async with running(path, replace(config, broadcast=Broadcast(delay=0))) as house:
        await commanded(house, "begin", round=1, games=PAIRS)
        await move(house, "1", "e2e4", "e7e5")
        answer = await commanded(house, "rename", tables=["1"], white="Right, Name")
        assert answer["ok"], answer
        await move(house, "1", "g1f3", "b8c6")
        await house.until(lambda: house.broker.last("public/tables/1/state").get("ply") == 4)
        assert house.broker.last("public/tables/1/state")["white"] == "Right, Name"


async def test_boards_of_the_folder_keep_their_places_whatever_their_delays(
    path: Path, running, config: Config, tmp_path: Path
) -> None:
    own = (replace(config.tables[0], delay=3600 * SECOND_NS), replace(config.tables[1], delay=0))
    wanted = replace(config, tables=own, broadcast=Broadcast(folder=str(tmp_path / "out")))
    async with running(path, wanted) as house:
        await commanded(house, "begin", round=1, games=PAIRS)
        await move(house, "1", "e2e4", "e7e5")
        await move(house, "2", "d2d4", "d7d5")
        second, first = (tmp_path / f"out/round-1/game-{n}.pgn" for n in (2, 1))
        await house.until(lambda: second.is_file() and "1. d4 d5" in second.read_text())
        assert '[White "A"]' in first.read_text()
        assert "e4" not in first.read_text()


async def test_a_pause_that_waits_for_the_public_outlives_a_restart(
    path: Path, running, config: Config
) -> None:
    """A pause stands in no half-move: until the delay was over the public's clock ran through."""
    held = replace(config, broadcast=Broadcast(delay=4 * SECOND_NS))
    public = "public/tables/1/state"
    async with running(path, held) as house:
        for said in (
            {"action": "set-clock", "white_ms": 60_000, "black_ms": 50_000, "running": "white"},
            {"action": "set-move", "op": "insert", "move": "e2e4"},
            {"action": "set-clock", "white_ms": 55_000, "black_ms": 50_000},
        ):
            command = Command(by="ana", id=str(next(_IDS)), **said)
            await house.service.command("1", command, "")
        stopped_at = rfc3339(house.links.clock.now_ns())
    async with running(path, held) as house:
        await house.until(
            lambda: any(
                said["clock"] and not said["clock"]["running"] for said in house.broker.of(public)
            )
        )
        shown = house.broker.last(public)
        assert shown["clock"] == {
            "white_ms": 55_000, "black_ms": 50_000, "running": None, "flag": None
        }  # fmt: skip
        assert shown["at"] <= stopped_at, "it is of the time when it was stopped"
        now = rfc3339(house.links.clock.now_ns() - 4 * SECOND_NS)
        assert shown["at"] <= now, "nothing newer than the delay is public"
