"""A file is made when a game changes; who asks again is given the same text."""

from __future__ import annotations

from pathlib import Path

from arbiterd.outlets.pgn.files import PgnFiles, of_round
from arbiterd.outlets.pgn.full import full_pgn
from arbiterd.table.setup import TableSetup

from .test_pgn import Noon, Writer


async def test_only_the_game_that_changed_is_written_anew(tmp_path: Path, opened) -> None:
    made: list[str] = []
    text_of = full_pgn

    def counted(score) -> str:
        made.append(score.match.table)
        return text_of(score)

    async with opened(tmp_path / "journal.db") as journal:
        tables = [str(number) for number in range(1, 9)]
        writers = {
            name: Writer(journal, TableSetup(hall="main", table=name, round=3)) for name in tables
        }
        for name, writer in writers.items():
            writer.move(f"{name}-1", 1, "e4")
        await journal.synced()
        files = PgnFiles(journal.read, tables, Noon(0), form=counted)
        for _ in range(50):
            assert await files.of_round(3) == of_round(journal.read, 3)
        assert sorted(made) == tables

        writers["5"].move("5-1", 2, "e5")
        await journal.synced()
        for _ in range(50):
            text = await files.of_round(3)
        assert text == of_round(journal.read, 3)
        assert await files.of_table("5") in str(text)
    assert len(made) == 9
