"""The hall's list of coils to look at, read from a journal that a service wrote."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import msgspec
from click.testing import CliRunner

from arbiterd.cli.coils import hall_list, learnt
from arbiterd.cli.devices import devices
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Batch, OutputRow
from arbiterd.messages.payloads import Device, Sensor
from arbiterd.messages.topics import DEVICE

E4 = Sensor(square="e4", piece=None, times=5, hours=2.5, weak=True, words="lost its piece 5 times")
QUEEN = Sensor(square=None, piece="Q", times=3, hours=2.5, weak=False, words="its chip")


def device(table: str, *sensors: Sensor) -> bytes:
    return msgspec.json.encode(
        Device(
            v=1,
            hall="main",
            at="2026-01-01T10:00:00.000Z",
            simulated=False,
            table=table,
            game=f"{table}-1",
            seq=0,
            driver="dgt",
            identity=f"4804{table}",
            port="/dev/ttyACM0",
            firmware="1.0",
            battery=None,
            state="ok",
            since="2026-01-01T10:00:00.000Z",
            faults=[],
            sensors=list(sensors) or msgspec.UNSET,
        )
    )


Opened = Callable[[Path], AbstractAsyncContextManager[Journal]]


async def write(opened: Opened, path: Path, said: list[tuple[str, bytes]]) -> None:
    async with opened(path) as journal:
        for place, (table, payload) in enumerate(said, 1):
            row = OutputRow(
                journal.next_output(), place, table, place, DEVICE, None, True, 0, payload
            )
            journal.write(Batch(outputs=(row,)))
        await journal.synced()


def configured(folder: Path) -> Path:
    file = folder / "hall.toml"
    file.write_text(f'[journal]\npath = "{folder / "journal.db"}"\n', encoding="utf-8")
    return file


def test_the_hall_list_has_the_worst_board_first_and_what_is_true_now(
    opened: Opened, tmp_path: Path
) -> None:
    said = [("1", device("1", E4)), ("2", device("2", QUEEN)), ("3", device("3", E4))]
    asyncio.run(write(opened, tmp_path / "journal.db", [*said, ("3", device("3"))]))

    found = hall_list(learnt(configured(tmp_path)))
    assert found[1:] == [
        "  table 1 (48041): arbiterd test-board 1",
        "    e4 lost its piece 5 times (5 in 2.5 h of play): believed less",
        "  table 2 (48042): arbiterd test-board 2",
        "    pieces Q: its chip (3 in 2.5 h of play)",
    ]


def test_devices_prints_it_beneath_what_is_plugged_in(opened: Opened, tmp_path: Path) -> None:
    asyncio.run(write(opened, tmp_path / "journal.db", [("1", device("1", E4))]))
    command = ["--root", str(tmp_path), "--config", str(configured(tmp_path))]
    done = CliRunner().invoke(devices, command)
    assert done.exit_code == 0, done.output
    assert "e4 lost its piece 5 times" in done.output


def test_without_a_journal_there_is_no_list(tmp_path: Path) -> None:
    assert hall_list(learnt(configured(tmp_path))) == []
