"""The whole service on bad days, by seed; and that the rehearsal sees what it is there to see."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arbiterd.service import build
from arbiterd.simulation.rehearsal.findings import BrokenRule, RehearsalReport
from arbiterd.simulation.rehearsal.log import RehearsalLog, drawn_day, told
from arbiterd.simulation.rehearsal.rehearsal import Rehearsal
from arbiterd.simulation.rehearsal.script import Script, Trouble, TroubleKind, draw

HOURS, BOARDS = 0.15, 2
OPEN = Path("/proc/self/fd")
pytestmark = pytest.mark.timeout(600)
SEEDS = (1, 4, 8)
"""Between them most kinds of trouble."""
FAILED_ONCE = (
    (1157, 0.5, 2, {1, 2, 4, 5, 6, 7}),
    (1561, 0.1, 23, {1, 2}),
    (2251, 0.5, 2, {18, 22}),
)
"""Seed, hours, boards, and the troubles that it took."""


def played(script: Script, folder: Path) -> RehearsalReport:
    return Rehearsal(script, build, folder).run()


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_lost_on_a_bad_day(seed: int, tmp_path: Path) -> None:
    report = played(draw(seed, HOURS, BOARDS), tmp_path)
    assert not report.findings, "\n".join(map(str, report.findings))
    assert report.half_moves > 0


@pytest.mark.parametrize(("seed", "hours", "boards", "only"), FAILED_ONCE)
def test_a_day_that_failed_once(
    seed: int, hours: float, boards: int, only: set[int], tmp_path: Path
) -> None:
    script = draw(seed, hours, boards)
    troubles = tuple(trouble for trouble in script.troubles if trouble.number in only)
    assert len(troubles) == len(only)
    report = played(replace(script, troubles=troubles), tmp_path)
    assert not report.findings, "\n".join(map(str, report.findings))


def test_play_goes_on_while_a_full_disk_keeps_the_boards_memories_from_being_asked_for(
    tmp_path: Path,
) -> None:
    """Seed 3071: of 50 tables 19 did not know what had been played, and one told another line."""
    troubles = (
        Trouble(1, 107.691, TroubleKind.POWER, lasts_s=1.8),
        Trouble(2, 109.766, TroubleKind.FULL, lasts_s=25.8),
    )
    report = played(Script(3071, 0.1, 7, troubles), tmp_path)
    assert not report.findings, "\n".join(map(str, report.findings))
    assert report.exact == 7


def test_a_seed_is_the_same_run_in_every_process() -> None:
    """Byte for byte: the digest is over every message and both ends of the journal."""
    command = (Path(sys.executable).with_name("arbiterd"), "rehearse", "--seed", "3")
    said = []
    for hash_seed in "12":
        run = subprocess.run(
            (*command, "--hours", "0.1", "--boards", "2"),
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=False,
        )
        said.append(run.stdout.split("run ")[-1])
    assert said[0] == said[1]
    assert len(said[0].strip()) == 16


def test_a_broker_that_confirms_nothing_is_no_reason_to_start_the_service_again(
    tmp_path: Path,
) -> None:
    silence = Trouble(1, 40.0, TroubleKind.DEAF, lasts_s=120.0)
    report = played(Script(1, 0.1, 1, (silence,)), tmp_path)
    assert not report.findings, "\n".join(map(str, report.findings))
    assert report.lives == 1


def test_each_hour_is_told_with_what_is_held(tmp_path: Path) -> None:
    """No more files are open after the second hour than after the first."""
    hours: dict[int, int] = {}
    rehearsal = Rehearsal(Script(1, 2.0, 1, ()), build, tmp_path)
    rehearsal.each_hour(lambda hour: hours.update({hour: len(list(OPEN.iterdir()))}))
    assert not rehearsal.run().findings
    assert list(hours) == [1, 2]
    assert hours[1] == hours[2]


def test_a_log_is_gone_on_with_and_has_each_seed_once(tmp_path: Path) -> None:
    """A line that was cut off, as at a stop in its middle, is no day: its seed is played again."""
    log, arbiterd = tmp_path / "rehearsals.log", Path(sys.executable).with_name("arbiterd")
    again = (arbiterd, "rehearse", "--log", log, "--seeds", "1")
    first = subprocess.run(again, capture_output=True, text=True, check=True)
    assert "1 seeds, 1 board-hours, 0 of them with a finding" in first.stdout
    with log.open("a") as file:
        file.write("seed 2: 2 boards, 0.5\n")
    second = subprocess.run(again, capture_output=True, text=True, check=True)
    assert "2 seeds, 2 board-hours, 0 of them with a finding" in second.stdout
    seeds = [line.split(":")[0] for line in log.read_text().splitlines()]
    assert seeds == ["seed 1", "seed 2", "seed 2"]


def test_a_log_says_which_seeds_failed_until_they_are_played_again() -> None:
    day = drawn_day(7)
    failed = told(day, RehearsalReport([BrokenRule("lost", 3.0, "")], seconds=360.0), 1.0)
    assert RehearsalLog.read([failed]).failed == {7}
    mended = told(day, RehearsalReport(seconds=360.0), 1.0)
    assert RehearsalLog.read([failed, mended]).failed == set()


def test_halls_of_a_log_are_small_and_large() -> None:
    days = [drawn_day(seed) for seed in range(1, 1001)]
    assert min(day.boards for day in days) == 2
    assert 60 < max(day.boards for day in days) <= 64
    assert sum(day.boards * day.hours for day in days) > 1_000


def test_one_day_in_thirty_of_a_log_is_as_long_as_a_round() -> None:
    long = [day for day in map(drawn_day, range(1, 1001)) if day.hours > 0.5]
    assert {day.hours for day in long} == {4.0}
    assert 20 <= len(long) <= 45
    assert min(day.boards for day in long) == 2
    assert max(day.boards for day in long) > 30
