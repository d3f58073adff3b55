"""The disk of an emulated machine: Debian 12 as it is installed in halls, made from its packages.

Built in a folder by the host's own tools, then written as a file system; nothing is mounted. What
takes long (unpacking, compiling) is done here once, and kept by the hash of what it was made from:

    root-HASH/       Debian with systemd, udev, a broker and the kernel's modules
    bare-HASH.ext4   a disk of it, set up as a machine of a hall
    hall-HASH.ext4   the same with our package installed, by dpkg in a chroot
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
UNITS: Final = HERE / "machine"
"""Units of the machine that lead out of it; init starts Debian from its disk."""
TOOLS: Final = (
    "qemu-system-x86_64", "nbdkit", "mmdebstrap", "mke2fs", "e2fsck", "debugfs", "cpio", "busybox",
    "dpkg-deb", "apt-get",
)  # fmt: skip
PACKAGES: Final = (
    "systemd", "systemd-sysv", "udev", "dbus", "kmod", "e2fsprogs", "iproute2", "procps", "python3",
    "mosquitto", "mosquitto-clients",
)  # fmt: skip
KEPT: Final = (
    "drivers/usb", "drivers/hid", "drivers/virtio", "drivers/block", "drivers/char",
    "drivers/input", "drivers/net/virtio_net.ko", "drivers/net/net_failover.ko",
    "net/core/failover.ko", "fs/ext4", "fs/jbd2", "fs/mbcache.ko", "fs/configfs", "lib", "crypto",
    "arch/x86/crypto",
)  # fmt: skip
"""Of the kernel's modules."""
FIRST: Final = (
    "virtio_ring", "virtio", "virtio_pci_modern_dev", "virtio_pci_legacy_dev", "virtio_pci",
    "virtio_blk", "crc16", "crc32c_generic", "mbcache", "jbd2", "ext4",
)  # fmt: skip
"""What it takes to read the disk, in the order in which they are loaded."""
SLOW: Final = (
    "systemd-timesyncd", "systemd-networkd", "systemd-resolved", "systemd-update-utmp",
    "systemd-journal-flush", "systemd-random-seed", "getty@tty1", "serial-getty@ttyS0",
    "e2scrub_reap", "modprobe@drm", "modprobe@efi_pstore", "modprobe@loop", "modprobe@dm_mod",
    "systemd-pstore",
)  # fmt: skip
"""Services that cost time at boot and show nothing here."""
SETTINGS: Final = {
    "etc/systemd/journald.conf.d/hall.conf": "[Journal]\nStorage=volatile\n",
    "etc/systemd/system.conf.d/hall.conf": "[Manager]\n"
    "DefaultTimeoutStartSec=450\nDefaultTimeoutStopSec=450\nDefaultDeviceTimeoutSec=450\n",
    # Five times the unit's own, and what it logs is heard outside at once.
    "etc/systemd/system/arbiterd.service.d/hall.conf": "[Service]\n"
    "WatchdogSec=100\nTimeoutStopSec=75\nStandardOutput=journal+console\n",
}
DISK: Final = "1500M"


@dataclass(frozen=True, slots=True)
class Image:
    """What a machine boots from. The disk is to be copied before it is written to."""

    kernel: Path
    initrd: Path
    disk: Path


def missing() -> str:
    """What keeps this machine from emulating another, in a sentence; empty: nothing."""
    if os.geteuid() != 0:
        return "a Debian of its own is built by root: run ./test --hardware as root"
    if absent := [tool for tool in TOOLS if shutil.which(tool, path=PATH) is None]:
        return f"install {', '.join(absent)} (./test --hardware does) to emulate a machine"
    return ""


PATH: Final = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"


def bare(cache: Path) -> Image:
    """Debian without our package."""
    with _alone(cache):
        root = _root(cache)
        return _image(root, _disk(root, cache / f"bare-{_made_of(root)}.ext4", None))


def hall(cache: Path, package: Path) -> Image:
    """The same with our package installed; the service starts at boot."""
    with _alone(cache):
        root = _root(cache)
        name = f"hall-{_made_of(root, package.read_bytes())}.ext4"
        return _image(root, _disk(root, cache / name, package))


@contextmanager
def _alone(cache: Path) -> Iterator[None]:
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # Tests run side by side.
        yield


def _hash(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]


def _made_of(root: Path, *more: bytes) -> str:
    """For the name of what is made of this root and all that is set up in it."""
    recipe = (Path(__file__), *sorted(UNITS.iterdir()))
    return _hash(root.parent.name.encode(), *(path.read_bytes() for path in recipe), *more)


def _run(*words: str | Path, cwd: Path | None = None) -> str:
    env = {**os.environ, "PATH": PATH, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
    done = subprocess.run(
        words, cwd=cwd, env=env, text=True, check=False, stderr=subprocess.STDOUT,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    assert done.returncode == 0, f"{words}:\n{done.stdout[-3000:]}"
    return done.stdout


def _root(cache: Path) -> Path:
    """Debian in a folder, with its kernel and initrd beside it."""
    depends = _run("apt-cache", "depends", "linux-image-amd64").split()
    kernel = next(word for word in depends if word.startswith("linux-image-6"))
    names = " ".join((kernel, *PACKAGES, *KEPT, *FIRST))
    root = cache / f"root-{_hash(names.encode(), (UNITS / 'init').read_bytes())}"
    if not root.is_dir():
        place = cache / "root.load"
        shutil.rmtree(place, ignore_errors=True)
        (place / "debian").mkdir(parents=True)
        _debian(place / "debian")
        _kernel(kernel, place)
        _initrd(place)
        place.rename(root)
    return root / "debian"


def _debian(root: Path) -> None:
    unwanted = [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("man", "locale")]
    _run(
        *("mmdebstrap", "--quiet", "--variant=apt", f"--include={','.join(PACKAGES)}"),
        *('--aptopt=Apt::Install-Recommends "false"', *unwanted, "bookworm", root),
    )


def _kernel(package: str, place: Path) -> None:
    """Its image, and the modules that a machine of this kind can use."""
    _run("apt-get", "-q", "download", package, cwd=place)
    (archive,) = place.glob("*.deb")
    _run("dpkg-deb", "-x", archive, place / "kernel")
    (image,) = place.glob("kernel/boot/vmlinuz-*")
    shutil.move(image, place / "vmlinuz")
    (modules,) = place.glob("kernel/lib/modules/*")
    for name in KEPT:
        found = modules / "kernel" / name
        if found.exists():
            kept = place / "debian/lib/modules" / modules.name / "kernel" / name
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(found, kept)
    for listing in modules.glob("modules.*"):
        shutil.copy(listing, place / "debian/lib/modules" / modules.name)
    _run("chroot", place / "debian", "depmod", modules.name)
    shutil.rmtree(place / "kernel")
    archive.unlink()


def _settle(root: Path) -> None:
    """A name, a disk, the patience that an emulated processor needs, and the ways out."""
    (root / "etc/machine-id").write_text(f"{_hash(b'hall')}{'0' * 20}\n")
    (root / "etc/hostname").write_text("hall\n")
    (root / "etc/fstab").write_text("/dev/vda / ext4 errors=remount-ro 0 1\n")
    for path, text in SETTINGS.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    system = root / "etc/systemd/system"
    wanted = [system / "multi-user.target.wants", system / "sockets.target.wants"]
    for folder in wanted:
        folder.mkdir(parents=True, exist_ok=True)
    for unit in UNITS.iterdir():
        if unit.suffix in (".service", ".socket"):
            shutil.copy(unit, system)
            if "WantedBy" in unit.read_text():
                (wanted[unit.suffix == ".socket"] / unit.name).symlink_to(f"../{unit.name}")
    timers = [timer.name for timer in root.glob("lib/systemd/system/*.timer")]
    for name in (*(f"{name}.service" for name in SLOW), *timers):
        (system / name).unlink(missing_ok=True)
        (system / name).symlink_to("/dev/null")
    # It would have the port of ours; tests start it where they want it.
    (system / "multi-user.target.wants/mosquitto.service").unlink(missing_ok=True)


def _initrd(place: Path) -> None:
    root = place / "first"
    for name in ("bin", "proc", "sys", "dev", "disk", "modules"):
        (root / name).mkdir(parents=True)
    shutil.copy(str(shutil.which("busybox", path=PATH)), root / "bin/busybox")
    shutil.copy(UNITS / "init", root / "init")
    (root / "init").chmod(0o755)
    for name in FIRST:
        shutil.copy(next((place / "debian/lib/modules").rglob(f"{name}.ko")), root / "modules")
    (root / "modules/order").write_text(" ".join(FIRST) + "\n")
    names = "".join(f"./{path.relative_to(root)}\n" for path in sorted(root.rglob("*")))
    with (place / "initrd").open("wb") as out:
        order = ["cpio", "-o", "-H", "newc", "--quiet"]
        subprocess.run(order, cwd=root, input=names.encode(), stdout=out, check=True)
    shutil.rmtree(root)


def _disk(root: Path, disk: Path, package: Path | None) -> Path:
    if not disk.exists():
        place, load = disk.with_suffix(".root"), disk.with_suffix(".load")
        shutil.rmtree(place, ignore_errors=True)
        load.unlink(missing_ok=True)
        _run("cp", "-a", root, place)
        _settle(place)
        if package is not None:
            shutil.copy(package, place / "root/arbiterd.deb")
            _run("chroot", place, "dpkg", "-i", "/root/arbiterd.deb")
            (place / "root/arbiterd.deb").unlink()
        _run("truncate", "-s", DISK, load)
        options = ("-E", "lazy_itable_init=0,root_owner=0:0")
        _run("mke2fs", "-q", "-t", "ext4", *options, "-d", place, load)
        shutil.rmtree(place)
        load.rename(disk)
    return disk


def _image(root: Path, disk: Path) -> Image:
    return Image(root.parent / "vmlinuz", root.parent / "initrd", disk)
