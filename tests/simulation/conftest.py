"""Games for the simulation's tests: famous ones always, real ones where they lie beside us."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import GameLine, StagedGame, follow, read_games

REAL = Path(__file__).parents[2] / "../shared/games"


@pytest.fixture(scope="session")
def famous_lines() -> list[GameLine]:
    return [follow(game) for game in FAMOUS]


@pytest.fixture(scope="session")
def real_games() -> list[StagedGame]:
    if not REAL.is_dir():
        pytest.skip("no ../shared/games beside this checkout: real games are not played")
    files = sorted(REAL.glob("*.pgn"))
    return [game for file in files for game in read_games(file.read_text("utf-8"))]
