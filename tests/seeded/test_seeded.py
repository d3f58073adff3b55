"""The rehearsal sees what it is there to see: each bug that is put in is found.

And it is the bug that is found: the same day without it shows nothing. All of them:
`python -m pytest -m slow tests/seeded`, about six minutes on an idle machine.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import arbiterd
from arbiterd.simulation.rehearsal.findings import BrokenRule, RehearsalReport
from arbiterd.simulation.rehearsal.script import Script, TroubleKind, draw
from arbiterd.simulation.rehearsal.shorten import shortest

from .bugs import BUGS, Bug

PACKAGE = Path(arbiterd.__file__).parent
PLAY = Path(__file__).with_name("play.py")
HOURS = 0.1
TRIES = 6
"""Days of other seeds, until one shows the bug."""
QUICK = ("seq begins again after a start", "a command that comes twice is done twice")
"""Tried every time."""


def patched(bug: Bug, folder: Path) -> None:
    """The package with this bug, in a folder to be imported from."""
    shutil.copytree(PACKAGE, folder / "arbiterd", copy_function=os.symlink)
    file = folder / "arbiterd" / bug.file
    text = file.read_text(encoding="utf-8")
    file.unlink()
    file.write_text(text.replace(bug.before, bug.after), encoding="utf-8")


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_each_bug_still_fits_the_code(bug: Bug) -> None:
    text = (PACKAGE / bug.file).read_text(encoding="utf-8")
    assert text.count(bug.before) == 1


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "bug",
    [
        pytest.param(bug, id=bug.name, marks=() if bug.name in QUICK else pytest.mark.slow)
        for bug in BUGS
    ],
)
def test_each_bug_is_found(bug: Bug, tmp_path: Path) -> None:
    patched(bug, tmp_path)
    said = found(tmp_path, TRIES, bug.seed, bug.boards, bug.day)
    print(said)
    day = re.match(r"seed (\d+): ", said)
    assert day is not None
    assert found(PACKAGE.parent, 1, int(day[1]), bug.boards, bug.day) == ""


@cache
def found(folder: Path, tries: int, seed: int, boards: int, day: tuple[TroubleKind, ...]) -> str:
    """What the first such day that shows something shows, with the package in the folder."""
    return subprocess.run(
        (sys.executable, PLAY, *map(str, (tries, seed, HOURS, boards)), *day),
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_a_failure_is_told_with_the_fewest_troubles_that_lead_to_it() -> None:
    """Two of many are to blame."""
    day = draw(1, 1.0, 2)
    numbers = [trouble.number for trouble in day.troubles]
    guilty = {numbers[len(numbers) // 3], numbers[len(numbers) // 2]}

    def play(script: Script) -> RehearsalReport:
        report = RehearsalReport()
        if guilty <= {trouble.number for trouble in script.troubles}:
            report.findings.append(BrokenRule("it broke", day.troubles[-1].at_s, ""))
        return report

    short, report = shortest(day, play(day), play, tries=100)
    assert {trouble.number for trouble in short.troubles} == guilty
    assert report.findings
