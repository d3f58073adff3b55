"""`python -m fuzz TARGET SECONDS`: coverage-guided fuzzing with atheris.

`all` in a target's place is each of them for so long, in turn, with a line of figures each.

What reaches new code is kept in corpus/TARGET when `--keep` is given; a crash is written to
crash-… and ends the run.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import atheris

SECONDS = 600
INPUT_SECONDS_MAX = 5
"""An input that takes longer is a hang."""
INPUT_BYTES_MAX = 4096
EVERY = "all"
FIGURES = ("number_of_executed_units", "average_exec_per_sec", "new_units_added", "peak_rss_mb")
"""What libFuzzer counts, as it is printed."""
SHOWN = 600
"""Of what a target said that crashed, so many characters of the end."""

with atheris.instrument_imports(include=["arbiterd", "eboards"]):
    from fuzz.targets import CORPUS, TARGETS, corpus


def main(words: list[str]) -> None:
    keep = "--keep" in words
    name, *rest = [word for word in words if word != "--keep"] or ["?"]
    if name == EVERY:
        sys.exit(_each(rest))
    if name not in TARGETS:
        sys.exit(f"there is no target {name!r}; write {EVERY}, or one of {', '.join(TARGETS)}")
    work = Path(tempfile.mkdtemp(prefix="fuzz-"))
    for data in corpus(name):
        (work / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
    known = {path.name for path in work.iterdir()}
    options = [
        f"-max_total_time={rest[0] if rest else SECONDS}",
        f"-timeout={INPUT_SECONDS_MAX}",
        f"-max_len={INPUT_BYTES_MAX}",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *options, str(work)], TARGETS[name])
    try:
        atheris.Fuzz()
    finally:
        if keep:
            _keep(name, work, known)


def _each(rest: list[str]) -> int:
    """Every target in a process of its own; 1 where one crashed or hung."""
    failed = 0
    print(f"{'target':20} {'inputs':>10} {'a second':>9} {'new':>6} {'MB':>5}", flush=True)
    for name in TARGETS:
        run = subprocess.run(
            (sys.executable, "-m", "fuzz", name, *rest),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        counts = [_figure(run.stdout, what) for what in FIGURES]
        print("{:20} {:>10} {:>9} {:>6} {:>5}".format(name, *counts), flush=True)
        if run.returncode:
            failed = 1
            print(run.stdout[-SHOWN:], flush=True)
    return failed


def _figure(said: str, what: str) -> str:
    found = re.search(rf"stat::{what}:\s+(\d+)", said)
    return found[1] if found else "-"


def _keep(name: str, work: Path, known: set[str]) -> None:
    """The smallest hundred of what was found."""
    found = sorted(
        (path for path in work.iterdir() if path.name not in known),
        key=lambda path: (path.stat().st_size, path.name),
    )
    (CORPUS / name).mkdir(parents=True, exist_ok=True)
    for path in found[:100]:
        shutil.copy(path, CORPUS / name / hashlib.sha256(path.read_bytes()).hexdigest()[:16])


main(sys.argv[1:])
