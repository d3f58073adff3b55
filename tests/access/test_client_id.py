"""The name at the broker: kept, secret, and nobody else's."""

from __future__ import annotations

import stat
from pathlib import Path

from arbiterd.access.client_id import FILE, client_id


def test_it_stays_and_is_for_our_eyes(tmp_path: Path) -> None:
    first = client_id("main", tmp_path / "state")

    assert client_id("main", tmp_path / "state") == first
    assert client_id("main", tmp_path / "other") != first
    assert first.startswith("arbiterd-main-")
    assert len(first) > 40
    assert stat.S_IMODE((tmp_path / "state" / FILE).stat().st_mode) == 0o600


def test_a_file_that_was_damaged_is_made_anew(tmp_path: Path) -> None:
    for damage in (b"", b"\xff\xfe", b"main", b"a" * 5_000):
        (tmp_path / FILE).write_bytes(damage)
        assert client_id("main", tmp_path) == client_id("main", tmp_path)


def test_a_folder_that_cannot_be_written_costs_a_new_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert client_id("main", tmp_path / "file") != client_id("main", tmp_path / "file")
