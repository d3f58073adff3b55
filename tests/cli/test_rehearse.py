"""`arbiterd rehearse`: what cannot be is said before hours are spent."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from arbiterd.cli.rehearse import rehearse


@pytest.mark.parametrize("place", ["none/log", "file/log", "bytes"])
def test_a_log_that_cannot_be_gone_on_with_is_named(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")

    found = CliRunner().invoke(rehearse, ["--log", str(tmp_path / place)])

    assert found.exit_code == 2
    assert str(tmp_path / place) in found.output
    assert "name another --log" in found.output


def test_a_trouble_that_the_day_does_not_have_is_not_left_out_in_silence() -> None:
    found = CliRunner().invoke(rehearse, ["--hours", "0.1", "--only", "9999"])
    assert found.exit_code == 2
    assert "there is no trouble 9999; there are 1 to " in found.output
