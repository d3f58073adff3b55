"""A value that no row can keep costs itself: nothing else, and nothing at the next start."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from arbiterd.edges.real import FileStore, Threads, WallClock
from arbiterd.journal.delays import Delays
from arbiterd.journal.encode import RowError, kept
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Batch, InputRow, OutputRow, Unread
from arbiterd.journal.verify import verify
from arbiterd.laws.act import Act
from arbiterd.table.inputs import DelaySaid
from eboards.events import Battery, ClockReading, Fault, Identity, Noise, SquareChange

Opened = Callable[[Path], AbstractAsyncContextManager[Journal]]


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


HOSTILE = {
    "a clock of a million years": Act(1, "set-clock", "ana", white_ms=10**29),
    "a reading beyond 64 bits": ClockReading(1, 1 << 64, 1, None, None),
    "half a letter": Identity(1, "dgt", serial="\ud800"),
    "half a letter of an arbiter's": Act(1, "report", "ana", note="x\udfff"),
    "no number": Battery(1, None, None, float("nan")),
    "no end": Battery(1, None, None, float("inf")),
    "lists without a floor": Act(1, "confirm", "ana", changes=(("x", nested(100_000)),)),
    "a time that SQLite cannot count to": SquareChange(1 << 63, 1, "P"),
    "a time before all times": SquareChange(-1, 1, "P"),
    "longer than any row": Fault(1, Noise.STRAY, bytes(1 << 20)),
}


@pytest.mark.parametrize("item", HOSTILE.values(), ids=HOSTILE)
def test_no_row_keeps_it_and_a_short_sentence_says_why(item: Act) -> None:
    with pytest.raises(RowError, match=type(item).__name__) as refused:
        kept(item)
    assert len(str(refused.value)) < 200
    str(refused.value).encode()


def output(journal: Journal, table: str = "1", **said: object) -> OutputRow:
    fields = {"topic": "moves", "seq": 1, "payload": b"{}", **said}
    return OutputRow(
        journal.next_output(),
        1,
        table,
        1,
        retained=False,
        input=0,
        **fields,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    "said",
    [{"topic": "reply/\ud800"}, {"seq": 1 << 64}, {"payload": "no bytes"}, {"seq": "seven"}],
    ids=["half a letter", "a number too long", "text for bytes", "text for a number"],
)
async def test_a_row_that_got_as_far_as_the_writer_ends_nobody_else(
    said: dict[str, object], tmp_path: Path, opened: Opened
) -> None:
    path = tmp_path / "journal.db"
    async with opened(path) as journal:
        before = journal.write(Batch(outputs=(output(journal),)))
        spoilt = journal.write(Batch(outputs=(output(journal, **said),)))
        after = journal.write(Batch(outputs=(output(journal),)))

        with pytest.raises(RowError):
            await spoilt
        await before
        await after
        assert journal.trouble is None
    async with opened(path) as journal:
        assert [row.topic for row in journal.read.outputs()] == ["moves", "log", "moves"]
        assert verify(FileStore(path).connect_for_reading()).whole


async def test_a_writer_that_was_ended_goes_on_where_it_was(tmp_path: Path, opened: Opened) -> None:
    """Ended while rows were on their way to the disk: each is written, and once."""
    path = tmp_path / "journal.db"
    workers, store = Threads(), FileStore(path)
    journal = await Journal.open(store, WallClock(), workers)
    running = asyncio.create_task(journal.run())
    for number in range(1, 51):
        item = SquareChange(number, 1, "P")
        done = journal.write(Batch((InputRow(journal.next_input(), number, "1", item),)))
        if number % 3 == 0:
            await asyncio.sleep(0)
            running.cancel()
            await asyncio.wait({running})
            running = asyncio.create_task(journal.run())
    await asyncio.wait_for(done, 20)
    assert [row.number for row in journal.read.inputs()] == list(range(1, 51))
    journal.close()
    await running
    workers.close()
    store.close()
    assert verify(FileStore(path).connect_for_reading()).whole


async def test_a_row_that_cannot_be_read_is_told_in_its_place(
    tmp_path: Path, opened: Opened
) -> None:
    path = tmp_path / "journal.db"
    async with opened(path) as journal:
        for number in (1, 2, 3):
            row = InputRow(journal.next_input(), number, "1", SquareChange(number, 1, "P"))
            journal.write(Batch((row,)))
    with sqlite3.connect(path) as db:
        db.execute("UPDATE input SET body = ? WHERE number = 2", (b'{"at_ns":' + b"9" * 5000,))
    async with opened(path) as journal:
        first, second, third = journal.read.inputs()
        assert isinstance(second.item, Unread)
        assert "SquareChange" in second.item.why
        assert first.item == SquareChange(1, 1, "P")
        assert third.item == SquareChange(3, 1, "P")


async def test_an_altered_delay_lets_nothing_out_sooner(tmp_path: Path, opened: Opened) -> None:
    path, long_ns = tmp_path / "journal.db", 900_000_000_000
    async with opened(path) as journal:
        for number in (1, 2):
            item = DelaySaid(number, long_ns)
            journal.write(Batch((InputRow(journal.next_input(), number, str(number), item),)))
    with sqlite3.connect(path) as db:
        db.execute(
            "UPDATE input SET body = CAST(replace(CAST(body AS TEXT), '900000000000', '9')"
            " AS BLOB) WHERE number = 2"
        )
    async with opened(path) as journal:
        delays = Delays(journal.read, ("1", "2"), long_ns)
        assert [delays.of(table).in_force_ns(1 << 60) for table in ("1", "2")] == [long_ns] * 2
