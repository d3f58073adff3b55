"""What `keep` takes out of the journal takes no later game with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiterd.journal.rows import Batch, Checkpoint
from arbiterd.laws.act import Act
from arbiterd.outlets.pgn.files import PgnFiles, of_round
from arbiterd.outlets.pgn.games import scores
from arbiterd.table.inputs import ServiceStarted
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from outlets.pgn.test_pgn import RATE, Noon, Writer, games

SETUP = TableSetup(hall="main", table="1", white="Ana", black="Bob", round=3, rate=RATE)
NEXT = TableSetup(hall="main", table="1", white="Cy", black="Di", round=4, rate=RATE)


def two_moves(writer: Writer, game: str) -> None:
    writer.move(game, 1, "e4", 5403)
    writer.move(game, 2, "e5", 5400)


async def test_a_game_that_is_cut_leaves_the_rounds_after_it(tmp_path: Path, opened) -> None:
    """A week's games were to be kept; the hour that went ended in mid-round, and no page and no
    command gave the PGN of any round any more."""
    async with opened(tmp_path / "journal.db") as journal:
        writer = Writer(journal, SETUP)
        two_moves(writer, "1-1")
        writer.say(ServiceStarted(2, "0"))
        writer.move("1-1", 3, "Qh5", 5300)
        writer.say(NEXT)
        two_moves(writer, "1-2")
        await journal.synced()
        await journal.purge(writer.number - 1)

        assert of_round(journal.read, 3) is None
        (game,) = games(of_round(journal.read, 4))
        assert game.headers["White"] == "Cy"
        assert [move.uci() for move in game.mainline_moves()] == ["e2e4", "e7e5"]
        files = PgnFiles(journal.read, ("1",), Noon(0))
        assert await files.of_round(4) == of_round(journal.read, 4)
        assert await files.of_table("1") == of_round(journal.read, 4)


@pytest.mark.parametrize("named", [False, True])
async def test_games_go_on_under_a_set_up_older_than_is_kept(
    tmp_path: Path, opened, named: bool
) -> None:
    """A club's table has one set-up for years. What is left of the game in which the journal
    begins now is no record; its result is."""
    async with opened(tmp_path / "journal.db") as journal:
        writer = Writer(journal, SETUP)
        two_moves(writer, "1-1")
        writer.say(ServiceStarted(2, "0"))
        writer.move("1-1", 3, "Qh5", 5300)
        writer.event("result", "1-1", result="1-0", reason="resignation")
        if named:
            writer.say(Act(3, "start-game", "ana", id="x", white="Cy", black="Di"))
        two_moves(writer, "1-2")
        body = Table(NEXT if named else SETUP).checkpoint()
        kept = Checkpoint("1", writer.number, writer.place, body)
        journal.write(Batch(checkpoints=(kept,)))
        await journal.synced()
        await journal.purge(2)

        before, _ = scores(journal.read, "1")
        assert before.result == "1-0"
        assert before.match.white == ("" if named else "Ana")
        (game,) = games(of_round(journal.read, 4 if named else 3))
        assert game.headers["White"] == ("Cy" if named else "Ana")
        assert [move.uci() for move in game.mainline_moves()] == ["e2e4", "e7e5"]
        (shown,) = games(await PgnFiles(journal.read, ("1",), Noon(0)).of_table("1"))
        assert shown.headers == game.headers
