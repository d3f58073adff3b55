"""What is carried of others: pinned by hash, on the bill, as installed, under licences that fit.

Whether a hole is known in any of it is asked by ./test --audit, which needs the internet.
"""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import distribution, requires
from pathlib import Path

import pytest
from audit import verdict
from materials import component, materials
from packaging.markers import Marker
from packaging.requirements import Requirement

TOP = Path(__file__).parents[2]
PINNED = re.compile(
    r"^([a-z0-9][a-z0-9._-]*)==([^\s;]+)(.*?)(?=^[a-z0-9]|\Z)", re.MULTILINE | re.DOTALL
)
FREE = (
    "MIT", "BSD", "Apache", "ISC", "PSF", "Python Software Foundation", "LGPL", "GNU Lesser",
    "GPL-3.0", "GNU General Public License v3", "MPL", "zlib", "0BSD", "CC-BY-SA", "OFL-1.1",
)  # fmt: skip
"""What may be carried by a program under the GPL, version 3 or later."""


def locked(file: str) -> dict[str, tuple[str, str]]:
    """Version and the rest, by name."""
    text = (TOP / file).read_text()
    return {name: (version, rest) for name, version, rest in PINNED.findall(text)}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("file", ["requirements.txt", "requirements-dev.txt"])
def test_everything_is_pinned_to_a_version_and_to_hashes(file: str) -> None:
    lines = [line for line in (TOP / file).read_text().splitlines() if line[:1].strip("# ")]
    assert len(lines) == len(locked(file)) > 20
    for name, (_, rest) in locked(file).items():
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", rest), f"{name} has no hash"


def test_what_is_carried_is_what_the_tests_run_on() -> None:
    tested = locked("requirements-dev.txt")
    for name, (version, _) in locked("requirements.txt").items():
        assert tested[name][0] == version


def test_the_lock_has_all_that_the_project_needs_and_nothing_else() -> None:
    """By what each installed module says it needs on this system."""
    waiting: list[str] = tomllib.loads((TOP / "pyproject.toml").read_text())["project"][
        "dependencies"
    ]
    needed: set[str] = set()
    while waiting:
        requirement = Requirement(waiting.pop())
        name, marker = plain(requirement.name), requirement.marker
        if name not in needed and (marker is None or marker.evaluate({"extra": ""})):
            needed.add(name)
            waiting += requires(name) or ()
    assert needed == {name for name, (_, rest) in locked("requirements.txt").items() if holds(rest)}


def holds(rest: str) -> bool:
    """On this system, by the marker behind a version."""
    marker = rest.lstrip(" ;").partition("\\")[0].strip()
    return not marker or Marker(marker).evaluate()


@pytest.mark.parametrize("name", locked("requirements.txt"))
def test_each_stands_on_the_bill_as_it_is_installed(name: str) -> None:
    version, _ = locked("requirements.txt")[name]
    said = component(distribution(name))
    assert said["version"] == version
    assert said["purl"] == f"pkg:pypi/{name}@{version}"
    licence = said["licenses"][0]["license"]["name"]
    assert any(free in licence for free in FREE), f"{name} is under {licence}"


def test_what_the_page_has_of_others_stands_on_the_bill() -> None:
    bill = materials([], "0.1.0")
    vendored = TOP / "daemon/arbiterd/web/vendor"
    beside = ("LICENSE", "manifest.json")
    carried = {path.name for path in vendored.iterdir() if not path.name.startswith(beside)}
    assert carried == {part["name"].partition(": ")[2] for part in bill["components"]}
    for part in bill["components"]:
        licence = part["licenses"][0]["license"]["name"]
        assert any(free in licence for free in FREE), f"{part['name']} is under {licence}"


PART = {"name": "segno", "version": "1.6.6", "vulns": []}
SKIPPED = {"name": "click", "skip_reason": "Dependency not found on PyPI: click (8.5.1)"}
HOLE = {"id": "PYSEC-2026-1", "fix_versions": ["1.6.7"], "aliases": [], "description": ""}


@pytest.mark.parametrize(
    ("report", "words", "status"),
    [
        (None, "nobody could be asked", 0),
        ({"dependencies": [PART]}, "no hole is known in any of the 1", 0),
        ({"dependencies": [PART, SKIPPED]}, "of 1 of 2 nothing could be learnt: click", 0),
        ({"dependencies": [{**PART, "vulns": [HOLE]}, SKIPPED]}, "mended in 1.6.7", 1),
    ],
)
def test_an_audit_says_what_was_learnt_and_never_more(
    report: dict[str, object] | None, words: str, status: int
) -> None:
    sentences, found = verdict(report, "requirements.txt")
    assert words in sentences[0]
    assert found == status
    assert ("no hole" in " ".join(sentences)) is (words.startswith("no hole"))
