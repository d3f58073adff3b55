"""Games for the simulation's tests: famous ones always, real ones where they lie beside us."""

from __future__ import annotations

import pytest

from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import GameLine, follow


@pytest.fixture(scope="session")
def famous_lines() -> list[GameLine]:
    return [follow(game) for game in FAMOUS]
