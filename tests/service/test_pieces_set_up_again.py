"""Players put the pieces back once they are done: the round knows their result all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiterd.config import Config

from .test_late_changes import carry, plies
from .test_rounds import acted, commanded

PAIR = [{"table": "1", "white": "A", "black": "B"}]
BOARD, E2, E4 = "serial:/dev/board1", 52, 36


async def set_up_again(house) -> None:
    """The pieces stand in the start array, and the table waits for its next game."""
    played = house.broker.last("tables/1/state")["game"]
    await carry(house, BOARD, E4, E2)
    await house.until(lambda: house.broker.last("tables/1/state")["game"] != played)


async def one_decided(house, result: str) -> None:
    await house.ready("1")
    await commanded(house, "begin", round=1, games=PAIR)
    await carry(house, BOARD, E2, E4)
    await plies(house, "1", 1)
    answer = await acted(house, "1", action="set-result", result=result, reason="agreed")
    assert answer["ok"], answer
    await set_up_again(house)


async def test_a_round_ends_where_the_pieces_stand_in_the_start_array_again(
    path: Path, running, config: Config
) -> None:
    """With 100 boards set up for the next round, each was named as one without a result."""
    async with running(path, config) as house:
        await one_decided(house, "1-0")
        for op in ("check", "end"):
            answer = await commanded(house, op)
            assert (answer["ok"], answer["findings"]) == (True, []), op
        refused = await commanded(house, "bye", tables=["1"])
        assert refused["error"] == "the game at table 1 has begun; set its result instead"
    async with running(path, config) as house:
        assert (await commanded(house, "end"))["ok"], "a restart forgets none"


async def test_a_game_that_is_played_behind_it_lacks_its_result(
    path: Path, running, config: Config
) -> None:
    async with running(path, config) as house:
        await one_decided(house, "1-0")
        await carry(house, BOARD, E2, E4)
        await plies(house, "1", 1)
        assert "table 1: no result" in (await commanded(house, "end"))["error"]


@pytest.mark.parametrize(
    ("result", "acts"),
    [("replay", ()), ("1-0", ("start-game",))],
    ids=["the same game again", "another that an arbiter begins"],
)
async def test_a_game_that_is_asked_for_after_it_lacks_its_result(
    path: Path, running, config: Config, result: str, acts: tuple[str, ...]
) -> None:
    async with running(path, config) as house:
        await one_decided(house, result)
        for action in acts:
            assert (await acted(house, "1", action=action))["ok"]
        assert "table 1: no result" in (await commanded(house, "end"))["error"]


async def test_the_next_round_has_no_result_of_the_last(
    path: Path, running, config: Config
) -> None:
    async with running(path, config) as house:
        await one_decided(house, "1-0")
        turned = [{"table": "1", "white": "B", "black": "A"}]
        again = await commanded(house, "begin", round=2, games=turned)
        assert again["ok"], again
        assert "table 1: no result" in (await commanded(house, "end"))["error"]
