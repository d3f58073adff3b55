"""What is taken out of the journal, and when nothing is."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from arbiterd.edges.real import WallClock
from arbiterd.service.housekeeping import DAY_NS, Housekeeping
from hall.test_seat import DAY, new_seat, play


@pytest.mark.parametrize("refused", [True, False])
async def test_a_silence_that_could_not_be_noted_ages_nothing_whatever_keep_says_later(
    tmp_path: Path, opened, monkeypatch: pytest.MonkeyPatch, refused: bool
) -> None:
    """The clock has gone on by decades since that day, and the configuration is read again."""
    async with opened(tmp_path / "journal.db") as journal:
        play(new_seat(journal), journal, DAY, timely=True)
        await journal.synced()
        rows = journal.read.last("input")

    def refuses(_from_ns: int, _excess_ns: int) -> None:
        raise sqlite3.OperationalError("database is locked")

    async with opened(tmp_path / "journal.db") as journal:
        house = Housekeeping(journal, WallClock(), None)
        if refused:
            monkeypatch.setattr(journal, "note_silence", refuses)
        await house.note_silence()
        house.keep_ns = 90 * DAY_NS
        await house.purge()

        assert len(list(journal.read.inputs(after=0))) == rows
