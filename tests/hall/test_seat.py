"""Wherever a service is killed, the table goes on as if nothing had been: the same bytes leave."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiterd.hall.tables.seat import Folded, Seat
from arbiterd.hall.tables.taking_up import restored
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Batch, InputRow
from arbiterd.laws.act import Act
from arbiterd.table.inputs import Input
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from eboards.events import ClockReading, LinkUp, Scan, Sensing, SensingClass, Side, SquareChange

SECOND = 10**9
SETUP = TableSetup(hall="main", table="1", white="A", black="B")
START = tuple("rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR")
LINE = ((52, 36, "P"), (12, 28, "p"), (62, 45, "N"), (1, 18, "n"), (61, 34, "B"), (6, 21, "n"))


def day() -> Iterator[Input]:
    """A few moves with their presses, an act, and a long silence in which things fall due."""
    at_ns = SECOND
    yield LinkUp(at_ns, "dgt", "p", Sensing(SensingClass.IDENTITY, SECOND // 4))
    yield Scan(at_ns, START)
    yield ClockReading(at_ns, 900_000, 900_000, Side.LEFT, Side.LEFT)
    for ply, (origin, target, piece) in enumerate(LINE):
        at_ns += 4 * SECOND
        yield SquareChange(at_ns, origin, ".")
        yield SquareChange(at_ns + SECOND, target, piece)
        runs = Side.RIGHT if ply % 2 == 0 else Side.LEFT
        if ply != 3:  # One is never pressed.
            yield ClockReading(at_ns + 2 * SECOND, 890_000, 890_000, runs, runs)
        at_ns += 2 * SECOND
    yield Act(at_ns, "pause", "ana", "c1")
    yield SquareChange(at_ns + SECOND, 60, ".")
    yield SquareChange(at_ns + 200 * SECOND, 60, "K")
    yield Act(at_ns + 201 * SECOND, "pause", "ana", "c1")


DAY = tuple(day())


def due_until(seat: Seat, journal: Journal, at_ns: int) -> Iterator[Folded]:
    while seat.due_at_ns is not None and seat.due_at_ns <= at_ns:
        yield seat.fold_due(journal)


def play(seat: Seat, journal: Journal, items: tuple[Input, ...], *, timely: bool) -> None:
    """Each input in a transaction of its own; `timely`: timers wake before it, else too late."""
    for item in items:
        if timely:
            for folded in due_until(seat, journal, item.at_ns - 1):
                journal.write(Batch(outputs=folded.outputs))
        row = InputRow(journal.next_input(), item.at_ns, "1", item)
        journal.write(Batch((row,), seat.fold(journal, row).outputs))


def new_seat(journal: Journal) -> Seat:
    row = InputRow(journal.next_input(), 0, "1", SETUP)
    journal.write(Batch(inputs=(row,)))
    return Seat("1", Table(SETUP), 0, row.number)


def outputs(journal: Journal) -> list[tuple[int, str, bytes]]:
    return [(row.place, row.topic, row.payload) for row in journal.reader().outputs("1")]


async def test_something_happens_on_that_day(expected: list[tuple[int, str, bytes]]) -> None:
    assert [topic for _, topic, _ in expected].count("moves") >= len(LINE)
    assert [place for place, _, _ in expected] == list(range(1, len(expected) + 1))


@pytest.mark.parametrize("timely", [True, False], ids=["timers in time", "timers late"])
async def test_killed_anywhere_it_says_the_same(
    timely: bool, tmp_path: Path, opened, expected: list[tuple[int, str, bytes]]
) -> None:
    for cut in range(len(DAY) + 1):
        checkpoints = dict.fromkeys((None, cut // 2, cut)) if timely else (cut // 2,)
        for written_down in checkpoints:
            path = tmp_path / f"{cut}-{written_down}.db"
            async with opened(path) as journal:
                seat = new_seat(journal)
                if written_down is None:
                    play(seat, journal, DAY[:cut], timely=timely)
                else:
                    play(seat, journal, DAY[:written_down], timely=timely)
                    journal.write(Batch(checkpoints=(seat.checkpoint(),)))
                    play(seat, journal, DAY[written_down:cut], timely=timely)
                if cut == len(DAY) - 2 and timely:
                    # Killed in the silence, when half of what falls due has left.
                    for folded in due_until(seat, journal, DAY[cut].at_ns - 100 * SECOND):
                        journal.write(Batch(outputs=folded.outputs))
            async with opened(path) as journal:
                again = restored(journal.read, "1")
                assert again is not None
                play(again, journal, DAY[cut:], timely=timely)
                await journal.synced()
                assert outputs(journal) == expected, (cut, written_down)


def play_with_checkpoints(seat: Seat, journal: Journal, items: tuple[Input, ...]) -> None:
    """As the service does it: a table is written down with the row that makes it time."""
    for item in items:
        for folded in due_until(seat, journal, item.at_ns - 1):
            journal.write(Batch(outputs=folded.outputs))
        row = InputRow(journal.next_input(), item.at_ns, seat.name, item)
        told = seat.fold(journal, row).outputs
        kept = (seat.checkpoint(),) if seat.wants_checkpoint else ()
        journal.write(Batch((row,), told, kept))


async def test_rows_of_other_tables_cost_a_table_no_checkpoint(
    tmp_path: Path, opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arbiterd.hall.tables.seat.CHECKPOINT_INPUTS", 5)
    async with opened(tmp_path / "journal.db") as journal:
        seat = new_seat(journal)
        for number in range(4):
            for neighbour in range(2, 60):
                journal.write(Batch((InputRow(journal.next_input(), 0, str(neighbour), None),)))
            play(seat, journal, DAY[number : number + 1], timely=True)
            assert not seat.wants_checkpoint
        play(seat, journal, DAY[4:5], timely=True)
        assert seat.wants_checkpoint
        seat.checkpoint()
        assert not seat.wants_checkpoint


async def test_killed_anywhere_between_checkpoints_of_its_own_it_says_the_same(
    tmp_path: Path,
    opened,
    monkeypatch: pytest.MonkeyPatch,
    expected: list[tuple[int, str, bytes]],
) -> None:
    monkeypatch.setattr("arbiterd.hall.tables.seat.CHECKPOINT_INPUTS", 4)
    for cut in range(len(DAY) + 1):
        path = tmp_path / f"{cut}.db"
        async with opened(path) as journal:
            play_with_checkpoints(new_seat(journal), journal, DAY[:cut])
        async with opened(path) as journal:
            again = restored(journal.read, "1")
            assert again is not None
            # Its next checkpoint counts on from what had to be folded again.
            assert again.folded < 4
            play_with_checkpoints(again, journal, DAY[cut:])
            await journal.synced()
            assert outputs(journal) == expected, cut


async def test_a_table_that_was_never_there_is_new(tmp_path: Path, opened) -> None:
    async with opened(tmp_path / "journal.db") as journal:
        assert restored(journal.read, "1") is None


async def test_a_checkpoint_of_another_version_is_passed_over(
    tmp_path: Path, opened, expected: list[tuple[int, str, bytes]]
) -> None:
    async with opened(tmp_path / "journal.db") as journal:
        seat = new_seat(journal)
        play(seat, journal, DAY[:20], timely=True)
        kept = seat.checkpoint()
        journal.write(Batch(checkpoints=(type(kept)("1", kept.input, kept.place, b"\x81"),)))
    async with opened(tmp_path / "journal.db") as journal:
        again = restored(journal.read, "1")
        assert again is not None
        play(again, journal, DAY[20:], timely=True)
        await journal.synced()
        assert outputs(journal) == expected
