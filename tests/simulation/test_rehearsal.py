"""The whole service on bad days, by seed; and that the rehearsal sees what it is there to see."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arbiterd.service import build
from arbiterd.simulation.rehearsal.findings import RehearsalReport
from arbiterd.simulation.rehearsal.rehearsal import Rehearsal
from arbiterd.simulation.rehearsal.script import Script, Trouble, TroubleKind, draw

HOURS, BOARDS = 0.15, 2
OPEN = Path("/proc/self/fd")
pytestmark = pytest.mark.timeout(600)
SEEDS = (1, 4, 8)
"""Between them most kinds of trouble."""


def played(script: Script, folder: Path) -> RehearsalReport:
    return Rehearsal(script, build, folder).run()


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_lost_on_a_bad_day(seed: int, tmp_path: Path) -> None:
    report = played(draw(seed, HOURS, BOARDS), tmp_path)
    assert not report.findings, "\n".join(map(str, report.findings))
    assert report.half_moves > 0


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
