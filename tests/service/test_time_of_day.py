"""A computer that learns the time of day late, or had a wrong one when the journal was written."""

from __future__ import annotations

import logging
import time
from pathlib import Path

import pytest

from arbiterd.edges.real import WallClock
from arbiterd.service.time_of_day import TimeOfDay

HOUR_NS = 3_600_000_000_000


class Computer:
    """Its time of day, which somebody sets; what passes since it was started goes on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.off_ns = 0
        true_ns = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: true_ns() + self.off_ns)


@pytest.fixture
def computer(monkeypatch: pytest.MonkeyPatch) -> Computer:
    return Computer(monkeypatch)


async def test_a_journal_of_tomorrow_keeps_the_service_a_day_ahead_and_it_says_so(
    path: Path, running, computer: Computer
) -> None:
    computer.off_ns = 26 * HOUR_NS
    async with running(path) as house:
        await house.until(lambda: house.broker.of("status"))
        assert house.broker.of("status")[0]["notes"] == []
    computer.off_ns = 0
    async with running(path) as house:
        await house.until(lambda: house.broker.of("status"))
        (note,) = house.broker.of("status")[0]["notes"]

    assert note.startswith("times here are 26 h 0 min ahead of this computer's")
    assert "[journal] path" in note


def test_a_computer_that_learns_the_time_after_the_start_is_said_once_in_the_log(
    computer: Computer, caplog: pytest.LogCaptureFixture
) -> None:
    computer.off_ns = -3 * HOUR_NS
    told = TimeOfDay(WallClock())
    assert told.notes() == []
    computer.off_ns = 0
    with caplog.at_level(logging.WARNING):
        (note,) = told.notes()
        assert told.notes() == [note]

    assert note.startswith("times here are 3 h 0 min behind this computer's")
    assert caplog.messages == [note]
    computer.off_ns = -3 * HOUR_NS
    assert told.notes() == []


def test_seconds_and_a_time_that_runs_faster_are_nothing_to_speak_of(computer: Computer) -> None:
    told, fast = TimeOfDay(WallClock()), TimeOfDay(WallClock(speed=20.0))
    computer.off_ns = HOUR_NS // 120
    assert told.notes() == []
    computer.off_ns = HOUR_NS
    assert told.notes()
    assert fast.notes() == []
