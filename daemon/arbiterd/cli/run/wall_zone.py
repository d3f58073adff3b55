"""Which zone the clock on this machine's wall is in."""

from __future__ import annotations

from pathlib import Path

LOCALTIME = Path("/etc/localtime")
"""A link into the zone data on every system that systemd runs on."""


def wall_zone(localtime: Path = LOCALTIME) -> str:
    """By its name, Europe/Madrid; UTC where the machine does not say."""
    try:
        _, found, name = str(localtime.readlink()).partition("zoneinfo/")
    except OSError:
        return "UTC"
    return name if found and name not in ("Etc/UTC", "UTC", "Universal", "Zulu") else "UTC"
