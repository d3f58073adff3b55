"""Evidence is what the journal holds, no more and no less."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import msgspec

from arbiterd.edges.real import FileStore, Threads, WallClock
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Batch, InputRow, Item
from arbiterd.outlets.http.evidence import JournalEvidence
from arbiterd.table.inputs import Renamed
from arbiterd.table.setup import TableSetup
from eboards.events import SquareChange


async def test_the_inputs_of_one_table_between_two_numbers(tmp_path: Path) -> None:
    workers = Threads()
    journal = await Journal.open(FileStore(tmp_path / "journal.db"), WallClock(), workers)
    running = asyncio.create_task(journal.run())
    for number in range(1, 9):
        item = SquareChange(number * 1_000_000, 52, ".") if number != 4 else None
        row = InputRow(
            journal.next_input(), number * 1_000_000, "12"[number % 2], item, b"\x8e\x00"
        )
        await journal.write(Batch(inputs=(row,)))

    told = await JournalEvidence(journal.read, WallClock()).inputs("1", 3, 7)

    assert [msgspec.json.decode(line) for line in told] == [
        {
            "number": 4,
            "at": "1970-01-01T00:00:00.004Z",
            "kind": "bytes",
            "said": {},
            "raw": "8e 00",
        },
        {
            "number": 6,
            "at": "1970-01-01T00:00:00.006Z",
            "kind": "SquareChange",
            "said": {"square": 52, "piece": "."},
            "raw": "8e 00",
        },
    ]
    journal.close()
    await running
    workers.close()


async def test_the_players_are_those_of_the_game_it_was_seen_in(tmp_path: Path) -> None:
    """A round later others sit at the table; a name that was put right is right in both."""
    workers = Threads()
    journal = await Journal.open(FileStore(tmp_path / "journal.db"), WallClock(), workers)
    running = asyncio.create_task(journal.run())
    evidence, setup = JournalEvidence(journal.read, WallClock()), TableSetup(table="1")
    items: list[Item] = [
        SquareChange(1, 52, "."),
        replace(setup, white="Morphi", black="Anderssen", round=3),
        SquareChange(3, 52, "."),
        Renamed(4, "Morphy", "Anderssen"),
        replace(setup, white="Paulsen", black="Blackburne", round=4),
        SquareChange(6, 52, "."),
    ]
    for number, item in enumerate(items, 1):
        row = InputRow(journal.next_input(), number, "1", item, b"")
        await journal.write(Batch(inputs=(row,)))

    found = [evidence.match("1", number) for number in (1, 3, 6)]
    assert [game and (game.round, game.white, game.black) for game in found] == [
        None,
        (3, "Morphy", "Anderssen"),
        (4, "Paulsen", "Blackburne"),
    ]
    assert evidence.match("2", 3) is None
    journal.close()
    await running
    workers.close()
