"""Real games over the wire of each family, with its own noise, through the whole table.

`arbiterd bench boards` plays fifty on each and prints what came out.
"""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from arbiterd.cli.bench.boards import boards
from arbiterd.simulation.benchmarks.over_the_wire import HANDS, WiredGame
from arbiterd.simulation.devices.wires import KINDS
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import read_games
from kept_beside import REAL_ROUND, kept_beside

MANY = 50
EXACT = dict.fromkeys(KINDS, 0.98) | {"sentio": 0.8, "cpp-occupancy": 0.8, "cpp-colours": 0.95}
"""Least share of games that come out move by move. Where pieces are only counted and no clock is
there, nobody can tell which of two pieces was taken unless a later move says so."""
COUNTED = ("sentio", "cpp-occupancy")
"""Boards that only know where a piece stands."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_famous_game_comes_out_move_by_move_and_nobody_is_called(kind: str) -> None:
    table = WiredGame(FAMOUS[0], kind, "famous").run()

    assert table.moves == table.game.moves
    assert table.false == []


@pytest.mark.parametrize("kind", KINDS)
def test_restless_hands_call_nobody_in_vain_on_any_kind_of_board(kind: str) -> None:
    """Kings in the centre were a half-move on boards that do not tell them, and a tag that nobody
    had taught an arbiter's errand."""
    tables = [WiredGame(game, kind, kind, HANDS["hall"]).run() for game in FAMOUS[1:4]]

    assert all(table.exact or table.said_so for table in tables)
    assert kind in COUNTED or all(table.exact for table in tables)
    assert [false for table in tables for false in table.false] == []


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("hands", ["brisk", "hall"])
@pytest.mark.parametrize("kind", KINDS)
def test_fifty_real_games(kind: str, hands: str) -> None:
    games = list(read_games(kept_beside(REAL_ROUND).read_text("utf-8")))[:MANY]
    tables = [
        WiredGame(game, kind, f"{kind}/{n}", HANDS[hands]).run() for n, game in enumerate(games)
    ]

    assert sum(table.exact for table in tables) >= len(games) * EXACT[kind]
    assert all(table.exact or table.said_so for table in tables)
    assert [false for table in tables for false in table.false] == []


def test_the_benchmark_prints_a_line_for_each_kind_and_fails_on_no_kind() -> None:
    ran = CliRunner().invoke(boards, ["--games", "1", "--kinds", "cpp,movetext", "--seed", "1"])

    assert ran.exit_code == 0, ran.output
    assert [line.split()[:6] for line in ran.output.splitlines()[2:]] == [
        ["cpp", "identity", "no", "1", "of", "1"],
        ["movetext", "moves", "no", "1", "of", "1"],
    ]
    assert (
        "'dgtt' is no kind; choose from" in CliRunner().invoke(boards, ["--kinds", "dgtt"]).output
    )
