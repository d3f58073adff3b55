"""A real kernel's USB stack in an emulated machine: built from Debian's kernel, booted in seconds.

Inside there is a shell and nothing else (init.sh): a USB gadget is the device, the kernel's own
drivers find it, and three serial ports lead out: the device's end, the program's end, and orders.
"""

from __future__ import annotations

import fcntl
import shutil
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from hardware.guest_python import furnish

HERE = Path(__file__).parent
TOOLS = ("qemu-system-x86_64", "cpio", "busybox", "dpkg-deb", "apt-get")
MODULES = (
    "virtio_ring", "virtio", "virtio_pci_modern_dev", "virtio_pci_legacy_dev", "virtio_pci",
    "virtio_console", "configfs", "usb-common", "usbcore", "hid", "usbhid", "hid-generic",
    "udc-core", "libcomposite", "usb_f_hid", "dummy_hcd",
)  # fmt: skip
"""In the order in which they are loaded."""
SAYS = (0x01, 0x0F, 0x23, 0x28, 0x2A, 0x2D, 0x32, 0x36, 0x37, 0x38, 0x41)
HEARS = (0x0A, 0x0B, 0x1B, 0x21, 0x26, 0x27, 0x29, 0x2B, 0x31)
PORTS = ("board", "reader", "control")
BOOT_S = 60


def missing() -> list[str]:
    """What has to be installed first."""
    return [tool for tool in TOOLS if shutil.which(tool) is None]


def descriptor() -> bytes:
    """Usage page FF00, a numbered report of 63 bytes for everything the board says or hears."""
    head = bytes.fromhex("06 00 ff 09 01 a1 01 15 00 26 ff 00 75 08 95 3f")
    said = b"".join(bytes((0x85, number, 0x09, 2, 0x81, 2)) for number in SAYS)
    heard = b"".join(bytes((0x85, number, 0x09, 3, 0x91, 2)) for number in HEARS)
    return head + said + heard + b"\xc0"


def build(cache: Path, folder: Path) -> tuple[Path, Path]:
    """The kernel, downloaded once into the cache, and a root in the folder."""
    kernels = cache / "kernel"
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # Tests run side by side.
        if not kernels.is_dir():
            _unpack(kernels)
    (kernel,) = kernels.glob("boot/vmlinuz-*")
    root = folder / "root"
    for name in ("bin", "modules"):
        (root / name).mkdir(parents=True)
    shutil.copy(str(shutil.which("busybox")), root / "bin/busybox")
    (root / "bin/sh").symlink_to("busybox")
    shutil.copy(HERE / "init.sh", root / "init")
    (root / "init").chmod(0o755)
    for name in MODULES:
        shutil.copy(next(kernels.rglob(f"{name}.ko")), root / "modules")
    (root / "modules/order").write_text("".join(f"{name}.ko\n" for name in MODULES))
    (root / "descriptor").write_bytes(descriptor())
    (root / "program").write_text(furnish(root, HERE / "usb_reader.py"))
    packed = folder / "root.cpio"
    names = "".join(f"./{path.relative_to(root)}\n" for path in sorted(root.rglob("*")))
    with packed.open("wb") as out:
        order = ["cpio", "-o", "-H", "newc", "--quiet"]
        subprocess.run(order, cwd=root, input=names.encode(), stdout=out, check=True)
    return kernel, packed


def _unpack(kernels: Path) -> None:
    """Debian's own kernel package, of which only the image and the modules above are kept."""
    load = kernels.with_suffix(".load")
    shutil.rmtree(load, ignore_errors=True)
    load.mkdir(parents=True)
    depends = subprocess.run(
        ["apt-cache", "depends", "linux-image-amd64"], capture_output=True, text=True, check=True
    )
    package = next(word for word in depends.stdout.split() if word.startswith("linux-image-6"))
    subprocess.run(["apt-get", "-q", "download", package], cwd=load, check=True)
    (archive,) = load.glob("*.deb")
    subprocess.run(["dpkg-deb", "-x", archive, load / "all"], check=True)
    keep = load / "keep"
    (keep / "boot").mkdir(parents=True)
    for image in load.glob("all/boot/vmlinuz-*"):
        shutil.move(image, keep / "boot")
    for name in MODULES:
        shutil.move(next(load.rglob(f"{name}.ko")), keep)
    keep.rename(kernels)
    shutil.rmtree(load)


class Guest:
    """The running machine. Its ports never block: what is not there yet is empty."""

    def __init__(self, image: tuple[Path, Path], folder: Path) -> None:
        self._folder = folder
        kernel, root = image
        ports: list[str] = []
        for name in PORTS:
            ports += ["-chardev", f"socket,id={name},path={name}.sock,server=on,wait=off"]
            ports += ["-device", f"virtserialport,chardev={name},name={name}"]
        self._process = subprocess.Popen(
            [
                *("qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi"),
                *("-cpu", "qemu64", "-smp", "2", "-m", "512", "-nodefaults", "-no-user-config"),
                *("-display", "none", "-serial", "file:console", "-no-reboot"),
                *("-kernel", str(kernel), "-initrd", str(root), "-append"),
                "console=ttyS0 quiet mitigations=off nokaslr random.trust_cpu=on panic=-1",
                *("-device", "virtio-serial-pci", *ports),
            ],
            cwd=folder,
        )
        self._sockets = {name: self._connected(name) for name in PORTS}
        self._control = ""
        self.wait_for("ready", BOOT_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait(10)
        for port in self._sockets.values():
            port.close()

    def read(self, name: str) -> bytes:
        try:
            return self._sockets[name].recv(65536)
        except BlockingIOError:
            return b""

    def write(self, name: str, data: bytes) -> None:
        self._sockets[name].sendall(data)

    def order(self, word: str) -> None:
        self.write("control", f"{word}\n".encode())

    def said(self, word: str) -> str | None:
        """The line of the guest that begins so, once; None: not yet."""
        self._control += self.read("control").decode()
        *lines, half = self._control.split("\n")
        for place, line in enumerate(lines):
            if line.startswith(word):
                self._control = "\n".join([*lines[place + 1 :], half])
                return line
        return None

    def wait_for(self, word: str, seconds: float) -> str:
        deadline = time.monotonic() + seconds
        while (line := self.said(word)) is None:
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise AssertionError(f"the guest never said {word!r}:\n{self._console()}")
            time.sleep(0.01)
        return line

    def _console(self) -> str:
        return (self._folder / "console").read_text(errors="replace")[-2000:]

    def _connected(self, name: str) -> socket.socket:
        port = socket.socket(socket.AF_UNIX)
        deadline = time.monotonic() + 10
        while True:
            try:
                port.connect(str(self._folder / f"{name}.sock"))
            except (FileNotFoundError, ConnectionRefusedError):
                assert time.monotonic() < deadline, "QEMU did not start"
                time.sleep(0.05)
                continue
            port.setblocking(False)
            return port
