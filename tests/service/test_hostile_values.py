"""One value that nobody could keep costs one answer or one reading, and no table."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from arbiterd.messages.commands import Command
from eboards.events import ClockReading, Identity


@pytest.mark.parametrize(
    "command",
    [
        Command(action="set-clock", by="ana", id="c1", white_ms=10**29, black_ms=1),
        Command(action="report", by="ana", id="c2", kind="noise", note="\ud800"),
    ],
    ids=["a million years", "half a letter"],
)
async def test_a_command_that_no_row_keeps_is_refused(
    path: Path, running, command: Command
) -> None:
    async with running(path) as house:
        await house.ready()
        before = house.service.journal.read.last("input")
        answer = await house.service.journal.submit("1", command, "")
        said = msgspec.json.decode(answer)
        assert not said["ok"]
        assert "cannot be kept" in said["error"]
        assert (said["id"], said["action"]) == (command.id, command.action)
        pause = Command(action="pause", by="ana", id="c3")
        for table in ("1", "2"):
            done = await house.service.journal.submit(table, pause, "")
            assert msgspec.json.decode(done)["ok"]
        assert house.service.ill() == ""
        told = [row for row in house.service.journal.read.inputs(after=before) if row.kept]
        assert not any(getattr(row.item, "id", "") == command.id for row in told)
    async with running(path) as house:
        await house.ready()
        assert house.service.ill() == ""


async def test_a_reading_that_no_row_keeps_is_a_fault_of_its_board(path: Path, running) -> None:
    async with running(path) as house:
        await house.ready()
        seat = house.service.desk.seats["1"]
        now_ns = house.service.desk.now_ns(seat)
        hostile = (
            Identity(now_ns, "dgt", serial="\ud800"),
            ClockReading(now_ns, 1 << 70, 0, None, None),
        )
        done, _ = house.service.desk.take(seat, hostile, b"\x8d")
        await done
        faults = house.broker.last("tables/1/device")["faults"]
        await house.until(lambda: len(faults_of(house)) >= 2)
        assert all("cannot be kept" in str(fault) for fault in faults_of(house)), faults
        assert house.service.ill() == ""


def faults_of(house) -> list[object]:
    said = house.broker.last("tables/1/device")["faults"]
    assert isinstance(said, list)
    return [fault for fault in said if "kept" in str(fault)]
