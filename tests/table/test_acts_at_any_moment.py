"""Whatever arbiters do, at any moment of a real game: every reader has one record, and an act that
is undone was never done."""

from __future__ import annotations

import pytest

from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import StagedGame, follow, read_games
from kept_beside import REAL_GAMES, SHARED

from .acting import Figures, acted_upon

PLAYED = SHARED / REAL_GAMES
"""Real games that are not the project's to give away; without them the famous ones are played."""
ACTS = 2000


def games() -> list[StagedGame]:
    found = [
        game
        for path in sorted(PLAYED.glob("*.pgn"))
        for game in list(read_games(path.read_text(encoding="utf-8", errors="replace")))[:20]
    ]
    return [*FAMOUS, *(game for game in found if game.ruleset == "chess" and len(game.moves) > 20)]


def test_a_few_acts_at_any_moment() -> None:
    figures = Figures()
    for seed in range(3):
        acted_upon(follow(FAMOUS[seed]), f"slice/{seed}", 6, figures)

    assert figures.acts >= 18
    assert figures.undone


FAILED_ONCE = [0, 2, 8]
"""A ruling told twice as one revision; a file that began elsewhere; a confirmation that meant
another ruling where the fold was done again."""


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_two_thousand_acts_at_any_moment(capsys: pytest.CaptureFixture[str]) -> None:
    figures, known, seed = Figures(), games(), 0
    while figures.acts < ACTS:
        acted_upon(follow(known[seed % len(known)]), f"acts/{seed}", 25, figures)
        seed += 1

    with capsys.disabled():
        print(f"\n{figures}")
    assert figures.second > 100
    assert figures.finished > 100


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", FAILED_ONCE)
def test_what_failed_once_does_not_fail_again(seed: int) -> None:
    acted_upon(follow(FAMOUS[seed % len(FAMOUS)]), f"acts/{seed}", 15, Figures())
