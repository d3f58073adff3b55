"""Plays bad days until something is found, and prints it; the package is the one on the path.

`python play.py TRIES SEED HOURS BOARDS KIND ...`: days of these seeds, one after another.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from arbiterd.service import build
from arbiterd.simulation.rehearsal.rehearsal import Rehearsal
from arbiterd.simulation.rehearsal.script import TroubleKind, draw


def main() -> None:
    tries, seed, hours, boards, *kinds = sys.argv[1:]
    for number in range(int(seed), int(seed) + int(tries)):
        script = draw(number, float(hours), int(boards), tuple(map(TroubleKind, kinds)))
        with tempfile.TemporaryDirectory() as folder:
            report = Rehearsal(script, build, Path(folder)).run()
        if report.findings:
            print(f"seed {number}: {report.findings[0]}")
            return


if __name__ == "__main__":
    main()
