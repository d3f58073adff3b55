"""The zone of the machine, for times of the day in texts."""

from __future__ import annotations

from pathlib import Path

from arbiterd.cli.run.wall_zone import wall_zone


def test_the_link_names_the_zone(tmp_path: Path) -> None:
    link = tmp_path / "localtime"
    link.symlink_to("/usr/share/zoneinfo/Europe/Madrid")
    assert wall_zone(link) == "Europe/Madrid"


def test_a_machine_that_does_not_say_has_utc(tmp_path: Path) -> None:
    assert wall_zone(tmp_path / "none") == "UTC"
    link = tmp_path / "localtime"
    link.symlink_to("/usr/share/zoneinfo/Etc/UTC")
    assert wall_zone(link) == "UTC"
