"""Games for the simulation's tests: famous ones always, real ones where they lie beside us."""

from __future__ import annotations

import pytest

from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import GameLine, StagedGame, follow, read_games
from kept_beside import REAL_GAMES, kept_beside


@pytest.fixture(scope="session")
def famous_lines() -> list[GameLine]:
    return [follow(game) for game in FAMOUS]


@pytest.fixture(scope="session")
def real_games() -> list[StagedGame]:
    files = sorted(kept_beside(REAL_GAMES).glob("*.pgn"))
    return [game for file in files for game in read_games(file.read_text("utf-8"))]
