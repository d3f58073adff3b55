"""`kill -9` in mid-game, again and again: the game goes on, nothing is lost, nothing told twice.

Two hundred kills, and what was checked: `pytest -m slow -s tests/service/test_crash.py -k 200`.
"""

from __future__ import annotations

import asyncio
import signal
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from arbiterd.cli.boards import configuration, plug_in
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import StagedGame
from arbiterd.simulation.hall import hall
from arbiterd.simulation.profiles import PROFILES
from killing.hall import EVENTS, Subscriber, World, prove, run

OPERA = FAMOUS[0]
OPENING = replace(OPERA, moves=OPERA.moves[:12], clock_ms=OPERA.clock_ms[:12], result="*")
LONG = replace(max(FAMOUS, key=lambda game: len(game.moves)), result="*")
"""Black won it by resignation, of which hands on a board say nothing."""
PLAYS_S, AWAY_S = 2.0, 0.7
"""A life and the time to the next one last so long at most, or less where there are many."""


@asynccontextmanager
async def subscribed(port: int) -> AsyncIterator[Subscriber]:
    process = await asyncio.create_subprocess_exec(
        *("mosquitto_sub", "-h", "127.0.0.1", "-p", str(port), "-q", "1", "-V", "5", "-v"),
        *("-t", "arbiterd/+/status"),
        *(word for leaf in EVENTS for word in ("-t", f"arbiterd/+/tables/+/{leaf}")),
        stdout=PIPE,
    )
    subscriber = Subscriber()

    async def hear() -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            subscriber.hear(line)

    hearing = asyncio.create_task(hear())
    try:
        yield subscriber
    finally:
        process.terminate()
        await process.wait()
        await hearing


CASES = [
    pytest.param(3, OPENING, 4.0, id="3 times"),
    pytest.param(20, OPERA, 6.0, id="20 times", marks=pytest.mark.slow),
    pytest.param(200, LONG, 5.0, id="200 times", marks=pytest.mark.slow),
]


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("kills", "game", "speed"), CASES)
async def test_the_game_goes_on(
    kills: int, game: StagedGame, speed: float, mosquitto, tmp_path: Path
) -> None:
    dice, began_s = Random(kills), monotonic()
    share = min(1.0, 100 / kills)
    (seat,) = hall(1, PROFILES["clean"], seed=1, games=[game])
    clock = World(speed)
    (board,) = plug_in([seat], clock, None)
    config = tmp_path / "arbiterd.toml"
    config.write_text(
        configuration([seat], [f"serial:{board.port}"], speed, 1)
        + f'\n[mqtt]\nurl = "{mosquitto.url}"\n[http]\nlisten = ""\n'
    )
    async with subscribed(mosquitto.port) as heard:
        service = await run(config)
        try:
            await heard.online()
            for _ in range(kills):
                await clock.rest(dice.uniform(0.0, PLAYS_S * share))
                service.send_signal(signal.SIGKILL)
                await service.wait()
                await clock.rest(dice.uniform(0.0, AWAY_S * share))
                clock.hold()
                service = await run(config)
                await heard.online()
                clock.go()
            while heard.record() != list(game.moves) or heard.result() != game.result:
                await heard.more()
            service.terminate()
            assert await asyncio.wait_for(service.wait(), 60) == 0
        finally:
            if service.returncode is None:
                service.kill()
    board.close()

    checked = await prove(tmp_path, heard.raw)
    print(f"{kills} kills of the service in {monotonic() - began_s:.0f} s: {checked}")
