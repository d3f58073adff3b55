"""What is installed is what was locked, and the locks say nothing of where it comes from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
LOCKS = ["requirements.txt", "requirements-dev.txt"]


def pinned(lock: str) -> dict[str, list[str]]:
    """Name with version and marker, and its hashes."""
    found: dict[str, list[str]] = {}
    for block in (PROJECT / lock).read_text().replace("\\\n", " ").splitlines():
        if block and not block.lstrip().startswith("#"):
            requirement, *hashes = block.split("--hash=")
            found[requirement.strip()] = [text.strip() for text in hashes]
    return found


@pytest.mark.parametrize("lock", LOCKS)
def test_every_requirement_is_pinned_and_hashed(lock: str) -> None:
    for requirement, hashes in pinned(lock).items():
        assert re.match(r"[a-z0-9-]+==\S+", requirement), requirement
        assert hashes, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", text) for text in hashes), requirement


@pytest.mark.parametrize("lock", LOCKS)
def test_no_lock_names_a_place(lock: str) -> None:
    text = (PROJECT / lock).read_text()

    assert "://" not in text
    assert not re.search(r"^\s*-", text.replace("    --hash", ""), re.MULTILINE)


def test_the_tests_run_on_what_users_get() -> None:
    runtime = {text.split(" ;")[0] for text in pinned("requirements.txt")}
    tested = {text.split(" ;")[0] for text in pinned("requirements-dev.txt")}

    assert runtime - tested == set()
