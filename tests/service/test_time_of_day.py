"""A computer that learns the time of day late, or had a wrong one when the journal was written."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from pathlib import Path

import pytest

from arbiterd.config import Config
from arbiterd.config.model import Broadcast
from arbiterd.edges.real import WallClock
from arbiterd.journal.head import Head, newest
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


async def set_right_in_mid_game(path: Path, running, config: Config, computer: Computer) -> None:
    """A half-move is made while the computer is an hour behind, which is mended then."""
    computer.off_ns = -HOUR_NS
    async with running(path, config) as house:
        await house.ready()
        wire = house.links.boards["serial:/dev/board1"]
        for square, piece in ((52, "."), (36, "P"), (12, "."), (28, "p")):
            wire.emulator.set_square(square, piece, house.links.clock.now_ns())
            wire.stir()
            await house.links.clock.rest(0.3)
        await house.until(lambda: house.broker.last("tables/1/moves").get("ply") == 2)
        if not config.broadcast.delay:
            await house.until(lambda: house.broker.of("public/tables/1/moves"))
        computer.off_ns = 0
        await house.service.journal.prove()


async def test_a_clock_set_an_hour_on_makes_nothing_public_sooner_at_a_new_start(
    path: Path, running, config: Config, computer: Computer
) -> None:
    await set_right_in_mid_game(path, running, config, computer)
    async with running(path, config) as house:
        await house.until(lambda: house.broker.of("status"))
        await house.links.clock.rest(1.0)
        assert not house.broker.of("public/tables/1/moves")
        (note,) = house.broker.last("status")["notes"]

    assert note.startswith("times here are 1 h 0 min behind this computer's")


async def test_a_new_start_has_the_right_time_once_everything_is_public(
    path: Path, running, config: Config, computer: Computer
) -> None:
    at_once = replace(config, broadcast=Broadcast(delay=0))
    await set_right_in_mid_game(path, running, at_once, computer)
    async with running(path, at_once) as house:
        await house.until(lambda: house.broker.of("status"))
        assert house.broker.last("status")["notes"] == []


def test_what_was_noted_last_after_the_same_row_counts() -> None:
    heads = [Head(input=3, noted_ns=at_ns, ahead_ns=-at_ns).encoded() for at_ns in (1, 2)]
    for places in (heads, heads[::-1]):
        noted = newest(places)
        assert noted is not None
        assert noted.ahead_ns == -2


def test_seconds_and_a_time_that_runs_faster_are_nothing_to_speak_of(computer: Computer) -> None:
    told, fast = TimeOfDay(WallClock()), TimeOfDay(WallClock(speed=20.0))
    computer.off_ns = HOUR_NS // 120
    assert told.notes() == []
    computer.off_ns = HOUR_NS
    assert told.notes()
    assert fast.notes() == []
