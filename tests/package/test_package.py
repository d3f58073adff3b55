"""The Debian package in bare Debian roots: installed, run, upgraded, removed, purged.

The roots are made by debootstrap from the mirror that this machine itself uses.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import free_port

TOP = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(
        os.geteuid() != 0 or shutil.which("debootstrap") is None,
        reason="bare roots need root and debootstrap (apt-get install debootstrap)",
    ),
]
INSTALL = "DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends"


def run(*words: str | Path) -> str:
    done = subprocess.run(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, f"{words}:\n{done.stdout[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run(TOP / "package")
    (built,) = (TOP / "dist").glob("arbiterd_*.deb")
    return built


@pytest.fixture(scope="module")
def newer(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with a higher version."""
    folder = tmp_path_factory.mktemp("newer")
    run("dpkg-deb", "-R", package, folder / "root")
    control = folder / "root/DEBIAN/control"
    control.write_text(re.sub(r"(?m)^(Version: .*)$", r"\1+1", control.read_text()))
    run("dpkg-deb", "--root-owner-group", "-Zgzip", "-b", folder / "root", folder / "newer.deb")
    return folder / "newer.deb"


def mirror() -> str:
    for file in [*Path("/etc/apt").rglob("*.sources"), *Path("/etc/apt").glob("sources.list")]:
        found = re.search(r"(?m)^(?:URIs:|deb) +(http\S+/debian)/?(?: |$)", file.read_text())
        if found is not None:
            return found[1]
    pytest.skip("this machine names no Debian mirror")


@pytest.fixture(params=["bookworm", "trixie"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / request.param
    run("debootstrap", "--variant=minbase", request.param, place, mirror())
    for settings in Path("/etc/apt/apt.conf.d").glob("99*"):
        shutil.copy(settings, place / "etc/apt/apt.conf.d")
    shutil.copy("/etc/resolv.conf", place / "etc/resolv.conf")
    run("mount", "-t", "proc", "proc", place / "proc")
    run("mount", "--bind", "/dev", place / "dev")
    try:
        yield place
    finally:
        run("umount", place / "dev", place / "proc")


def health(root: Path) -> str:
    """What `/healthz` answers of the installed service, run as its own user."""
    page, config = free_port(), root / "etc/arbiterd/arbiterd.toml"
    sample = (root / "usr/share/doc/arbiterd/examples/arbiterd.toml").read_text()
    listens = f'\n[http]\nlisten = "127.0.0.1:{page}"\n[mqtt]\nlisten = "127.0.0.1:{free_port()}"\n'
    config.write_text(sample + listens)
    user = ("setpriv", "--reuid=arbiterd", "--regid=arbiterd", "--init-groups")
    command = ("arbiterd", "run", "--config", "/etc/arbiterd/arbiterd.toml")
    service = subprocess.Popen(["chroot", root, *user, *command])
    try:
        for _ in range(300):
            time.sleep(0.1)
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{page}/healthz") as answer:
                    said: str = answer.read().decode().strip()
                    return said
            except OSError:
                continue
        pytest.fail("the page never came")
    finally:
        service.terminate()
        assert service.wait(timeout=30) == 0


def test_installed_run_upgraded_removed_and_purged(root: Path, package: Path, newer: Path) -> None:
    inside = ("chroot", root, "sh", "-c")
    for file in (package, newer):
        shutil.copy(file, root / "root")
    run(*inside, "apt-get -q update")
    run(*inside, f"{INSTALL} /root/{package.name}")
    assert run(*inside, "arbiterd --version").startswith("arbiterd, version ")
    assert ": ok" in run(*inside, "arbiterd check /etc/arbiterd/arbiterd.toml")
    assert health(root) == "ok"

    config = (root / "etc/arbiterd/arbiterd.toml").read_text()
    run(*inside, f"{INSTALL} /root/{newer.name}")
    assert (root / "etc/arbiterd/arbiterd.toml").read_text() == config
    assert health(root) == "ok"
    run(*inside, "arbiterd journal verify /var/lib/arbiterd/journal.db")

    run(*inside, "apt-get -q remove -y arbiterd")
    assert not (root / "usr/lib/arbiterd").exists()
    assert (root / "etc/arbiterd/arbiterd.toml").exists()
    said = run(*inside, "apt-get -q purge -y arbiterd")
    assert "the journals of past rounds stay in /var/lib/arbiterd" in said
    left = run(*inside, "find / -xdev -name '*arbiterd*' -not -path '/root/*' -not -path '/proc/*'")
    assert left.split() == ["/var/lib/arbiterd"]


@pytest.mark.skipif(shutil.which("buildah") is None, reason="needs buildah")
def test_an_image_of_it_runs_as_its_own_user(
    root: Path, package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Built on a bare root, since no image can be fetched here."""
    monkeypatch.setenv("BUILDAH_ISOLATION", "chroot")
    monkeypatch.setenv("STORAGE_DRIVER", "vfs")
    bare = run("buildah", "from", "scratch").strip()
    run("umount", root / "dev", root / "proc")
    run("buildah", "copy", "-q", bare, root, "/")
    run("buildah", "commit", "-q", bare, "bare")
    shutil.copy(package, tmp_path / "arbiterd.deb")
    file = TOP / "packaging/Containerfile"
    run("buildah", "build", "--build-arg", "BASE=bare", "-t", "tried", "-f", file, tmp_path)
    made = run("buildah", "from", "tried").strip()
    try:
        assert run("buildah", "run", made, "id", "-un").strip() == "arbiterd"
        config = "/etc/arbiterd/arbiterd.toml"
        assert ": ok" in run("buildah", "run", made, "arbiterd", "check", config)
    finally:
        run("buildah", "rm", bare, made)
        run("buildah", "rmi", "tried", "bare")
        run("mount", "-t", "proc", "proc", root / "proc")
        run("mount", "--bind", "/dev", root / "dev")


def test_everything_it_carries_is_on_its_bill(package: Path, tmp_path: Path) -> None:
    run("dpkg-deb", "-x", package, tmp_path)
    bill = json.loads((tmp_path / "usr/share/doc/arbiterd/materials.cdx.json").read_text())
    named = {part["name"].lower() for part in bill["components"]}
    for python in (tmp_path / "usr/lib/arbiterd").glob("python*"):
        carried = {path.name.partition("-")[0].lower() for path in python.glob("*.dist-info")}
        assert {name.replace("_", "-") for name in carried} - {"arbiterd"} <= {
            name.replace("_", "-").replace(".", "-") for name in named
        }
    assert all(part["licenses"][0]["license"]["name"] for part in bill["components"])
