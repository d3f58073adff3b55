"""The Debian package in bare Debian roots: installed, run, upgraded, removed, purged.

The roots are made by debootstrap from the mirror that this machine itself uses. Each prints a line
of what it took: `nice python -m pytest -m slow -n 0 -s tests/package/test_package.py`.
"""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shutil
import sqlite3
import subprocess
import sys
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
    run(
        "dpkg-deb",
        "--root-owner-group",
        "-Zgzip",
        "-z1",
        "-b",
        folder / "root",
        folder / "newer.deb",
    )
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


def rows(root: Path) -> list[bytes]:
    """Every input in the journal, in order; the service was stopped before."""
    name = root / "var/lib/arbiterd/journal.db"
    with sqlite3.connect(f"file:{name}?immutable=1", uri=True) as journal:
        return journal.execute("SELECT * FROM input ORDER BY number").fetchall()


def health(root: Path) -> str:
    """What `/healthz` answers of the installed service, run as its own user."""
    page, config = free_port(), root / "etc/arbiterd/arbiterd.toml"
    sample = (root / "usr/share/arbiterd/arbiterd.toml").read_text()
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


def offered(root: Path, typed: str) -> str:
    """What bash answers in the root to `typed` and two taps on TAB."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvp("chroot", ["chroot", str(root), "env", "TERM=dumb", "bash", "--norc", "-i"])
    os.write(terminal, b". /usr/share/bash-completion/bash_completion; PS1='ready'; echo\n")
    os.write(terminal, typed.encode() + b"\t\t")
    said, until = "", time.monotonic() + 60
    while time.monotonic() < until and "journal" not in said:
        if select.select([terminal], [], [], 1)[0]:
            said += os.read(terminal, 65536).decode(errors="replace")
    os.close(terminal)
    os.waitpid(child, 0)
    return said


def test_installed_run_upgraded_removed_and_purged(root: Path, package: Path, newer: Path) -> None:
    inside = ("chroot", root, "sh", "-c")
    for file in (package, newer):
        shutil.copy(file, root / "root")
    run(*inside, "apt-get -q update")
    began = time.monotonic()
    run(*inside, f"{INSTALL} /root/{package.name} bash-completion")
    took = time.monotonic() - began
    version, python = run(*inside, "arbiterd --version; python3 --version").splitlines()
    assert version.startswith("arbiterd, version ")
    unit = (root / "usr/lib/systemd/system/arbiterd.service").read_text()
    for program in re.findall(r"(?m)^Exec\w+=(\S+)", unit):
        assert (root / program[1:]).exists(), f"the unit calls {program}"
    assert ": ok" in run(*inside, "arbiterd check /etc/arbiterd/arbiterd.toml")
    assert "journal" in offered(root, "arbiterd ")
    assert health(root) == "ok"

    config = (root / "etc/arbiterd/arbiterd.toml").read_text()
    written = rows(root)
    run(*inside, f"{INSTALL} /root/{newer.name}")
    assert (root / "etc/arbiterd/arbiterd.toml").read_text() == config
    assert health(root) == "ok"
    assert rows(root)[: len(written)] == written
    assert len(rows(root)) > len(written)
    run(*inside, "arbiterd journal verify /var/lib/arbiterd/journal.db")
    copied = run(*inside, "mkdir /root/stick && arbiterd journal backup /root/stick/")
    assert copied.startswith("/root/stick/journal-"), "the installed service's, without a word"

    (root / "etc/arbiterd/trust").mkdir()
    run(*inside, "apt-get -q remove -y arbiterd")
    assert not (root / "usr/lib/arbiterd").exists()
    assert (root / "etc/arbiterd/arbiterd.toml").exists()
    said = run(*inside, "apt-get -q purge -y arbiterd")
    assert "the journals of past rounds stay in /var/lib/arbiterd" in said
    assert "what was added to /etc/arbiterd stays there" in said
    left = run(*inside, "find / -xdev -name '*arbiterd*' -not -path '/root/*' -not -path '/proc/*'")
    assert sorted(left.split()) == ["/etc/arbiterd", "/var/lib/arbiterd"]
    assert rows(root)[: len(written)] == written
    print(f"\n{root.name}: {python}, installed in {took:.0f} s, {len(written)} rows read on")


def test_it_needs_nothing_of_its_documentation(root: Path, package: Path) -> None:
    """Small images leave out all of /usr/share/doc; the first configuration is there anyway."""
    shutil.copy(package, root / "root")
    (root / "etc/dpkg/dpkg.cfg.d/small").write_text("path-exclude=/usr/share/doc/*\n")
    inside = ("chroot", root, "sh", "-c")
    run(*inside, "apt-get -q update")
    run(*inside, f"{INSTALL} /root/{package.name}")
    assert not (root / "usr/share/doc/arbiterd/README.md").exists()
    assert ": ok" in run(*inside, "arbiterd check /etc/arbiterd/arbiterd.toml")
    run(*inside, "apt-get -q purge -y arbiterd")
    assert not (root / "etc/arbiterd").exists()


def test_it_brings_what_a_technician_looks_for(package: Path, tmp_path: Path) -> None:
    run("dpkg-deb", "-x", package, tmp_path)
    for name in (
        "lib/systemd/system/arbiterd.service", "lib/udev/rules.d/70-arbiterd.rules",
        "lib/sysusers.d/arbiterd.conf", "lib/tmpfiles.d/arbiterd.conf",
        "share/polkit-1/rules.d/50-arbiterd.rules", "share/man/man1/arbiterd.1.gz",
        "share/bash-completion/completions/arbiterd", "share/zsh/vendor-completions/_arbiterd",
        "share/fish/vendor_completions.d/arbiterd.fish", "share/arbiterd/arbiterd.toml",
        "share/doc/arbiterd/examples/arbiterd.toml", "share/doc/arbiterd/copyright",
    ):  # fmt: skip
        assert (tmp_path / "usr" / name).stat().st_size > 0, name
    doc = tmp_path / "usr/share/doc/arbiterd"
    for_all = doc / "README.md", doc / "docs/technicians.md"
    for page in doc.rglob("*.md"):
        for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text()):
            leads = (page.parent / target).resolve()
            code = leads.relative_to(doc).parts[0] in {"tests", "daemon", "drivers"}
            may_lack = code and page not in for_all
            assert may_lack or leads.exists(), f"{page.name} leads to {target}"


@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_wheel_and_sdist_are_complete_by_themselves(
    package: Path, kind: str, tmp_path: Path
) -> None:
    """Installed by pip where nothing else is, and told what a machine without the package lacks."""
    (built,) = package.parent.glob(f"arbiterd-{kind}")
    run(sys.executable, "-m", "venv", tmp_path)
    run(tmp_path / "bin/python", "-m", "pip", "install", "-q", built)
    assert run(tmp_path / "bin/arbiterd", "--version").startswith("arbiterd, version ")
    doctor = [tmp_path / "bin/arbiterd", "doctor"]
    said = subprocess.run(doctor, stdout=subprocess.PIPE, text=True, cwd=tmp_path, check=False)
    assert re.search(r"^ok +broker +embedded, nats-server", said.stdout, re.MULTILINE)
    (bill,) = tmp_path.glob("lib/python*/site-packages/arbiterd-*.dist-info")
    assert "GNU GENERAL PUBLIC LICENSE" in (bill / "licenses/LICENSE").read_text()


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
        assert "dialout" in run("buildah", "run", made, "id", "-nG").split(), "it opens boards"
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
