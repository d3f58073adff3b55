"""A table that is made again from its rows while others play: slice by slice, and nothing twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiterd.hall.tables.seat import Seat
from arbiterd.hall.tables.taking_up import SLICE_ROWS, TakingUp, restored
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Batch, InputRow
from arbiterd.table.inputs import Input

from .test_seat import DAY, new_seat, outputs, play


def record(journal: Journal, items: tuple[Input, ...]) -> None:
    """They come in while the table stands still."""
    for item in items:
        journal.write(Batch((InputRow(journal.next_input(), item.at_ns, "1", item),)))


def gone_on(journal: Journal, seat: Seat) -> None:
    """What it was late with leaves."""
    journal.write(Batch(outputs=seat.late_outputs(journal)))


async def test_a_slice_folds_so_many_rows_and_no_more(
    tmp_path: Path, opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path / "journal.db") as journal:
        play(new_seat(journal), journal, DAY, timely=True)
        await journal.synced()
        taking = TakingUp(journal.read, "1")
        assert taking.left(1000) == len(DAY)
        assert taking.left(5) == 5
        folded: list[int] = []
        step = Seat.stepped
        monkeypatch.setattr(
            Seat, "stepped", lambda seat, row: folded.append(row.number) or step(seat, row)
        )
        slices = []
        while rows := taking.fold(SLICE_ROWS):
            slices.append((rows, len(folded)))
            folded.clear()
        assert len(slices) == -(-len(DAY) // SLICE_ROWS)
        assert all(rows == steps <= SLICE_ROWS for rows, steps in slices)


@pytest.mark.parametrize("timely", [True, False], ids=["timers in time", "timers late"])
async def test_what_was_only_recorded_leaves_afterwards_and_once(
    timely: bool,
    tmp_path: Path,
    opened,
    expected: list[tuple[int, str, bytes]],
) -> None:
    """Folded until the kill, recorded until the next kill, then told, and played to the end."""
    for cut in range(len(DAY) + 1):
        for until in sorted({cut, (cut + len(DAY)) // 2, len(DAY)}):
            path = tmp_path / f"{cut}-{until}.db"
            async with opened(path) as journal:
                play(new_seat(journal), journal, DAY[:cut], timely=timely)
            async with opened(path) as journal:
                record(journal, DAY[cut:until])
            for _ in range(2):  # Told by now, it is not told again.
                async with opened(path) as journal:
                    again = restored(journal.read, "1")
                    assert again is not None
                    gone_on(journal, again)
            async with opened(path) as journal:
                again = restored(journal.read, "1")
                assert again is not None
                assert not again.late
                play(again, journal, DAY[until:], timely=timely)
                await journal.synced()
                assert outputs(journal) == expected, (cut, until)


async def test_it_goes_on_from_a_checkpoint_between_two_slices(
    tmp_path: Path,
    opened,
    monkeypatch: pytest.MonkeyPatch,
    expected: list[tuple[int, str, bytes]],
) -> None:
    monkeypatch.setattr("arbiterd.hall.tables.seat.CHECKPOINT_INPUTS", 5)
    path = tmp_path / "journal.db"
    async with opened(path) as journal:
        play(new_seat(journal), journal, DAY[:22], timely=True)
    async with opened(path) as journal:
        taking = TakingUp(journal.read, "1")
        taking.fold(8)
        assert taking.may_be_put_down
        journal.write(Batch(checkpoints=(taking.seat.checkpoint(),)))
    async with opened(path) as journal:
        taking = TakingUp(journal.read, "1")
        assert taking.left(1000) == 22 - 8
        while taking.fold(SLICE_ROWS):
            pass
        play(taking.done(), journal, DAY[22:], timely=True)
        await journal.synced()
        assert outputs(journal) == expected
