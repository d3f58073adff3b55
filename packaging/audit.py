"""Whether a hole is known in what the package carries. Called by ./test --audit.

pip-audit asks the database of osv.dev about everything in requirements.txt. Exit status 0: nothing
is known, or nobody could be asked, which is said; 1: a hole is known.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

LOCK = Path(__file__).parents[1] / "requirements.txt"
TOOL = ("uv", "tool", "run", "--quiet", "pip-audit")
ASKED = ("--service", "osv", "--disable-pip", "--require-hashes", "--progress-spinner", "off")
PATIENCE_S = 300


def main() -> int:
    report = asked(LOCK)
    sentences, status = verdict(report, LOCK.name)
    print("\n".join(f"arbiterd: {sentence}" for sentence in sentences))
    return status


def asked(lock: Path) -> dict[str, Any] | None:
    """What pip-audit reports; None: nobody could be asked."""
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        words = (*TOOL, *ASKED, "--timeout", "20", "--format", "json", "-o", report, "-r", lock)
        try:
            subprocess.run(words, capture_output=True, check=False, timeout=PATIENCE_S)
            found: dict[str, Any] = json.loads(report.read_text())
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return None
        return found


def verdict(report: dict[str, Any] | None, lock: str) -> tuple[list[str], int]:
    """What is to be said, and the exit status."""
    if report is None:
        return [f"nobody could be asked for known holes in {lock}; connect, and run it again"], 0
    parts = report["dependencies"]
    # pip-audit passes over what its source does not have, and then finds nothing wrong with it.
    unknown = [part["name"] for part in parts if "skip_reason" in part]
    holes = [
        f"{part['name']} {part['version']}: {hole['id']}; mended in"
        f" {', '.join(hole['fix_versions']) or 'no version yet'}"
        for part in parts
        for hole in part.get("vulns", ())
    ]
    told = [f"of {len(unknown)} of {len(parts)} nothing could be learnt: {', '.join(unknown)}"]
    if holes:
        return [*holes, *(told if unknown else [])], 1
    if unknown:
        return told, 0
    return [f"no hole is known in any of the {len(parts)} of {lock}"], 0


if __name__ == "__main__":
    sys.exit(main())
