"""`python -m fuzz TARGET SECONDS`: coverage-guided fuzzing with atheris.

What reaches new code is kept in corpus/TARGET when `--keep` is given; a crash is written to
crash-… and ends the run.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from pathlib import Path

import atheris

SECONDS = 600
INPUT_SECONDS_MAX = 5
"""An input that takes longer is a hang."""
INPUT_BYTES_MAX = 4096

with atheris.instrument_imports(include=["arbiterd", "eboards"]):
    from fuzz.targets import CORPUS, TARGETS, corpus


def main(words: list[str]) -> None:
    keep = "--keep" in words
    name, *rest = [word for word in words if word != "--keep"] or ["?"]
    if name not in TARGETS:
        sys.exit(f"there is no target {name!r}; write one of {', '.join(TARGETS)}")
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
