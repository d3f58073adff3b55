"""What the public's clock of a finished game shows while its next game waits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from arbiterd.config import Config
from arbiterd.config.model import Broadcast

from .test_rounds import acted, commanded, move

PAIRS = [{"table": "1", "white": "A", "black": "B"}]
NEXT = [{"table": "1", "white": "C", "black": "D"}]
PUBLIC = "public/tables/1/state"


async def test_a_restart_shows_the_clock_of_a_finished_game_as_it_was_at_the_end(
    path: Path, running, config: Config
) -> None:
    """The next round waits at the table; the public was thrown back to the last half-move."""
    config = replace(config, broadcast=Broadcast(delay=0))

    def shown(house) -> dict[str, Any]:
        said = house.broker.last(PUBLIC)
        return {} if said.get("status") != "ended" else said

    async with running(path, config) as house:
        await commanded(house, "begin", round=1, games=PAIRS)
        clock = {"action": "set-clock", "running": None}
        await acted(house, "1", **clock, white_ms=60_000, black_ms=50_000)
        await move(house, "1", "e2e4", "e7e5")
        await acted(house, "1", **clock, white_ms=30_000, black_ms=50_000)
        await acted(house, "1", action="set-result", result="0-1", reason="resigned")
        await house.until(lambda: (shown(house).get("clock") or {}).get("white_ms") == 30_000)
        before = shown(house)
        for number in (2, 3):
            await commanded(house, "begin", round=number, games=NEXT)
    async with running(path, config) as house:
        await house.until(lambda: bool(shown(house)))
        await house.until(lambda: house.broker.last("tables/1/state").get("round") == 3)
        await house.links.clock.rest(0.5)
        after = shown(house)
        assert (after["game"], after["clock"]) == (before["game"], before["clock"])
