"""`arbiterd replay JOURNAL`: says that all is as recorded where it is, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from arbiterd.hall.tables.seat import Seat
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Batch, InputRow, Item
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from cli.test_commands import arbiterd
from eboards.dgt.codec import DgtCodec
from eboards.events import LinkUp

Opened = Callable[[Path], AbstractAsyncContextManager[Journal]]
SECOND = 1_000_000_000
ARRAY = bytes([8, 9, 10, 12, 11, 10, 9, 8, *[7] * 8, *[0] * 32, *[1] * 8, 2, 3, 4, 6, 5, 4, 3, 2])
DUMP = b"\x86\x00\x43" + ARRAY
E2_UP, E4_DOWN = bytes.fromhex("8e00053400"), bytes.fromhex("8e00052401")
WHITE_RUNS = b"\x8d\x00\n!3\x11!3\x14\t"
BLACK_RUNS = b"\x8d\x00\n!3\x11!3C\x13"
READS = (DUMP, WHITE_RUNS, E2_UP, E4_DOWN + BLACK_RUNS)
"""As they came from the wire; the last is two messages, a piece and its press."""


def items() -> Iterator[tuple[Item, bytes]]:
    """What the link makes of the reads: the first event of each with its bytes."""
    codec = DgtCodec()
    yield TableSetup(table="1", white="Ana", black="Bob"), b""
    yield LinkUp(SECOND, "dgt", "", codec.sensing), b""
    for at, read in enumerate(READS, 2):
        for place, event in enumerate(codec.receive(read, at * SECOND)):
            yield event, b"" if place else read


@pytest.fixture
async def journal(tmp_path: Path, opened: Opened) -> Path:
    """A journal as the service writes it."""
    path = tmp_path / "journal.db"
    async with opened(path) as written:
        seat: Seat | None = None
        for item, raw in items():
            number = written.next_input()
            row = InputRow(number, getattr(item, "at_ns", 0), "1", item, raw)
            if isinstance(item, TableSetup):
                seat, outputs = Seat("1", Table(item), 0, number), ()
            else:
                assert seat is not None
                outputs = seat.fold(written, row).outputs
            written.write(Batch((row,), outputs))
        await written.synced()
    return path


@pytest.mark.parametrize("more", [(), ("--decode",)])
def test_a_journal_as_it_was_written_is_as_recorded(journal: Path, more: tuple[str, ...]) -> None:
    """Read again from the bytes, an event that came second in a read was given the number of the
    first, and each ruling that rests on it was said to differ."""
    said = arbiterd("replay", journal, *more)
    assert said.stderr.endswith(" events, all as recorded\n")
    assert said.returncode == 0
    assert '"san":"e4"' in said.stdout
