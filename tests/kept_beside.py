"""What a real board sent and real players played: beside the checkout, as its licence wants it.

A test that needs it is skipped where it is absent, and `conftest.py` counts those in one line at
the end of the run. Everything else is proved with data of the project's own making.
"""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[1] / "../shared"
RECORDED_GAME = "recordings/dgt-game-1.inbytes"
RECORDED_MOVES = "recordings/dgt-game-1.uci"
REAL_GAMES = "games"
REAL_ROUND = "games/world-cup-2025-round-4.pgn"
ABSENT = "is not beside this checkout"


def kept_beside(name: str) -> Path:
    """A file or folder of `../shared`. Skips the test where there is none."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"../shared/{name} {ABSENT}")
    return path
