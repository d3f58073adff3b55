"""The package as it is built for halls, and a machine's images made with it."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from hardware.image import Image, bare, hall, missing

TOP = Path(__file__).parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "arbiterd-machine"


@pytest.fixture(scope="session")
def package() -> Path:
    """Built by ./package, or the one that ARBITERD_PACKAGE names."""
    if why_not := missing():
        pytest.fail(why_not, pytrace=False)
    if named := os.environ.get("ARBITERD_PACKAGE"):
        return Path(named)
    subprocess.run([TOP / "package"], check=True, stdout=subprocess.DEVNULL)
    return max((TOP / "dist").glob("arbiterd_*.deb"), key=lambda built: built.stat().st_mtime)


@pytest.fixture(scope="session")
def newer(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with a higher version."""
    folder = tmp_path_factory.mktemp("newer")
    subprocess.run(["dpkg-deb", "-R", package, folder / "root"], check=True)
    control = folder / "root/DEBIAN/control"
    control.write_text(re.sub(r"(?m)^(Version: .*)$", r"\1+1", control.read_text()))
    order = ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "-b", "root", "newer.deb"]
    subprocess.run(order, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder / "newer.deb"


@pytest.fixture(scope="session")
def bare_image(package: Path) -> Image:
    """Debian without our package."""
    del package  # Its fixture says what is missing.
    return bare(CACHE)


@pytest.fixture(scope="session")
def hall_image(package: Path) -> Image:
    """Debian with it."""
    return hall(CACHE, package)
