"""The benchmark of rulings in shogi and in the river game: their own breaches are found, and nobody
is called in vain.

`arbiterd bench rulings --rules shogi` (or `guadalete`) plays many; here each comes a few times.
"""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from arbiterd.cli.bench.rulings import rulings
from arbiterd.simulation.benchmarks.recall import day_with, judged, tried
from arbiterd.simulation.benchmarks.seeding import AT_ONCE, SeededGame
from arbiterd.simulation.drawn_games import MADE_GAMES, made_games
from arbiterd.simulation.game import follow
from arbiterd.simulation.hands.incidents import IN_ANY_GAME, OWED_IN

OTHERS = ("shogi", "guadalete")
SLICE = [
    (game, number, OWED_IN[game][first : first + AT_ONCE])
    for game in OTHERS
    for number, first in enumerate(range(0, len(OWED_IN[game]), AT_ONCE), 2)
]


@pytest.mark.parametrize(("game", "number", "names"), SLICE)
def test_incidents_of_this_game_are_found_and_nobody_is_called_in_vain(
    game: str, number: int, names: tuple[str, ...]
) -> None:
    line, seed = follow(made_games(game, number + 1)[number]), f"{game}/{number}"
    result = judged(*tried(line, day_with(names, 2.0), seed), seed)

    assert [(one.name, one.ply) for one in result.owed if not one.found] == []
    assert result.vain == ()
    assert result.owed


def test_every_kind_is_known_and_has_to_be_followed() -> None:
    for game in OTHERS:
        assert all(IN_ANY_GAME[name].owed for name in OWED_IN[game])


def test_games_are_made_the_same_each_time() -> None:
    once, again = made_games("shogi", 2), made_games("shogi", 2)
    assert once == again
    assert once[0] != once[1]
    assert len(once[0].moves) > MADE_GAMES


def test_the_command_takes_the_game_and_knows_its_incidents() -> None:
    """A case is played again by its seed, and a kind of another game is refused."""
    case = SeededGame(0, 0, ("two-pawns",)).seed(5)
    told = CliRunner().invoke(rulings, ["--rules", "shogi", "--case", case])
    assert told.exit_code == 0, told.output
    assert "hand    press black" in told.output

    wrong = CliRunner().invoke(rulings, ["--rules", "shogi", "--kinds", "pawn-left"])
    assert wrong.exit_code == 2
    assert "two-pawns" in wrong.output
