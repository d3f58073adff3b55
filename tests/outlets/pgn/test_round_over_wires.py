"""A round played over emulated wires, as its PGN tells it to a reader of python-chess.

`python -m pytest tests/outlets/pgn/test_round_over_wires.py -m slow -s` plays all 67 real games.
"""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import chess.pgn
import pytest

from arbiterd.journal.rows import Batch, InputRow, OutputRow
from arbiterd.laws.act import Act
from arbiterd.messages.step import Step
from arbiterd.outlets.pgn.files import of_round
from arbiterd.outlets.pgn.full import full_pgn
from arbiterd.outlets.pgn.safe import safe_pgn
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import StagedGame, read_games
from arbiterd.simulation.hall import SimulatedSeat, hall
from arbiterd.simulation.profiles import CLEAN, SECOND
from arbiterd.simulation.virtual import VirtualTime
from broadcast.reader import read
from kept_beside import REAL_ROUND, kept_beside
from simulation.test_round import WiredTable

NUMBER = 4


class Recorded(WiredTable):
    """A wired table whose outputs keep their times."""

    def __init__(self, seat: SimulatedSeat) -> None:
        self.now_ns = seat.story.begin_ns
        self.rows: list[tuple[int, Step]] = []
        super().__init__(seat)

    def due(self, at_ns: int) -> None:
        self.now_ns = at_ns
        super().due(at_ns)

    def _keep(self, step: Step) -> None:
        super()._keep(step)
        self.rows.append((self.now_ns, step))

    def ends(self, result: str) -> None:
        """The arbiter enters the result, once all is still."""
        self.now_ns = max(self.table.at_ns, self.now_ns) + SECOND
        act = Act(self.now_ns, "set-result", "Ada", result=result)
        self._keep(self.table.take(self._inputs + 1, act))


async def as_pgn(tmp_path: Path, opened, games: list[StagedGame], form) -> str:
    tables = [Recorded(seat) for seat in hall(len(games), CLEAN, seed=1, games=games)]
    VirtualTime(tables).run()
    for table, game in zip(tables, games, strict=True):
        if game.result != "*":
            table.ends(game.result)
    async with opened(tmp_path / "journal.db") as journal:
        for table, game in zip(tables, games, strict=True):
            setup = replace(table.table.setup, white=game.white, black=game.black, round=NUMBER)
            first = journal.next_input()
            rows = [
                OutputRow(
                    journal.next_output(), at_ns, setup.table, place, output.topic, output.seq,
                    output.retained, first, output.payload,
                )
                for place, (at_ns, output) in enumerate(
                    ((at_ns, output) for at_ns, step in table.rows for output in step.outputs), 1
                )
            ]  # fmt: skip
            journal.write(Batch((InputRow(first, 0, setup.table, setup),), tuple(rows)))
        await journal.synced()
        text = of_round(journal.read, NUMBER, form=form)
    assert text is not None
    return text


def measured(text: str, games: list[StagedGame]) -> tuple[int, int, int, int]:
    """Games alike, half-moves, those with a clock, those with an elapsed time."""
    stream = io.StringIO(text)
    alike = plies = clocks = elapsed = 0
    for game in games:
        found = chess.pgn.read_game(stream)
        assert found is not None
        assert found.errors == []
        nodes = list(found.mainline())
        moves = tuple(node.move.uci() for node in nodes)
        names = found.headers["White"], found.headers["Black"]
        alike += (moves, found.headers["Result"], names) == (
            game.moves, game.result, (game.white, game.black)
        )  # fmt: skip
        plies += len(nodes)
        clocks += sum(node.clock() is not None for node in nodes)
        elapsed += sum(node.emt() is not None for node in nodes)
    assert chess.pgn.read_game(stream) is None
    return alike, plies, clocks, elapsed


@pytest.mark.parametrize("form", [safe_pgn, full_pgn])
async def test_games_over_wires_read_back_with_every_clock(tmp_path: Path, opened, form) -> None:
    games = [FAMOUS[0], FAMOUS[13]]
    text = await as_pgn(tmp_path, opened, games, form)

    alike, plies, clocks, elapsed = measured(text, games)
    assert (alike, clocks) == (2, plies)
    # The first half-move of a game has no press before it.
    assert elapsed == plies - len(games)
    assert [game.moves for game in read(text)] == [list(game.moves) for game in games]


@pytest.mark.slow
@pytest.mark.timeout(3600)
async def test_67_real_games_read_back_as_they_were_played(tmp_path: Path, opened) -> None:
    games = list(read_games(kept_beside(REAL_ROUND).read_text("utf-8")))
    text = await as_pgn(tmp_path, opened, games, safe_pgn)
    alike, plies, clocks, elapsed = measured(text, games)
    print(
        f"\n{alike} of {len(games)} games alike; {clocks} clocks and {elapsed} elapsed times",
        end=" ",
    )
    print(f"of {plies} half-moves")
    assert (alike, clocks) == (len(games), plies)
    assert [game.moves for game in read(text)] == [list(game.moves) for game in games]
