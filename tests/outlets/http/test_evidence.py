"""Evidence is what the journal holds, no more and no less."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from arbiterd.edges.real import FileStore, Threads, WallClock
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Batch, InputRow
from arbiterd.outlets.http.evidence import JournalEvidence
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
