"""An emulated machine with Debian on its disk: switched on, given orders, its power cut.

    test ──orders, cables, MQTT (TCP on loopback)──▶ QEMU ──disk──▶ nbdkit ──▶ a file

nbdkit keeps what was written until the machine says that it shall last, as the disk of a real
machine may; both are killed when the power is cut, so what was not flushed is gone.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from conftest import free_port
from hardware.image import Image

ORDERS, CABLES, MQTT = 1000, 3240, 1884
BOOT_S: Final = 300.0
"""Ten to fifteen on an idle computer with two cores."""
ORDER_S: Final = 120.0
_QEMU: Final = (
    "qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "qemu64", "-smp", "2",
    "-m", "1024", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
    "-device", "virtio-rng-pci", "-serial", "file:console", "-append",
    "console=ttyS0 quiet mitigations=off nokaslr random.trust_cpu=on net.ifnames=0 audit=0",
    "-drive", "if=none,id=disk,file=nbd:unix:disk.sock,format=raw,cache=writeback",
    "-device", "virtio-blk-pci,drive=disk",
)  # fmt: skip
USB: Final = "the machine has USB"
UP: Final = "the machine is up"
"""What it says on its console: cables can be plugged; everything is started."""


class Machine:
    """It is off at first. `folder` gets its disk and what it says on its console."""

    def __init__(self, image: Image, folder: Path, *, honest: bool = True) -> None:
        """`honest` False: a disk that says it has written what it has not."""
        self._image = image
        self.folder = folder
        self._cache = "writeback" if honest else "unsafe"
        self._processes: list[subprocess.Popen[bytes]] = []
        self._ports: dict[int, int] = {}
        folder.mkdir(parents=True, exist_ok=True)
        copy = ["cp", "--sparse=always", image.disk, folder / "disk"]
        subprocess.run(copy, check=True)

    def switch_on(self) -> None:
        """Returns at once; `wait_for` tells how far it is."""
        for name in ("disk.sock", "console"):
            (self.folder / name).unlink(missing_ok=True)
        self._start(
            *("nbdkit", "-f", "-U", "disk.sock", "--filter=cache", "file", "disk"),
            f"cache={self._cache}",
        )
        self.wait(lambda: (self.folder / "disk.sock").exists(), "its disk", 30)
        self._ports = {port: free_port() for port in (ORDERS, CABLES, MQTT)}
        ways = [f"hostfwd=tcp:127.0.0.1:{ours}-:{its}" for its, ours in self._ports.items()]
        self._start(
            *_QEMU,
            *("-kernel", str(self._image.kernel), "-initrd", str(self._image.initrd)),
            *("-netdev", f"user,id=net,restrict=on,{','.join(ways)}"),
            *("-device", "virtio-net-pci,netdev=net,romfile="),
        )

    def wait_for(self, line: str) -> None:
        """Until its console says so: USB or UP."""
        self.wait(lambda: line in self.console(), repr(line), BOOT_S)

    def cut(self) -> None:
        """The power goes, now."""
        for process in reversed(self._processes):
            process.send_signal(signal.SIGKILL)
            process.wait(30)
        self._processes.clear()

    def switch_off(self) -> None:
        """In order: everything stops, the disk is written."""
        with suppress(AssertionError):
            self.order("systemctl --no-block poweroff")
        self._processes[-1].wait(BOOT_S)
        self._processes[0].terminate()
        self._processes[0].wait(30)
        self._processes.clear()

    def port(self, of_machine: int) -> int:
        """Where on loopback a port of the machine is reached."""
        return self._ports[of_machine]

    def order(self, script: str, seconds: float = ORDER_S) -> str:
        """What it prints. Raises AssertionError where it fails."""
        status, said = self.ordered(script, seconds)
        assert status == 0, f"{script!r} failed with {status}:\n{said}\n{self.told()}"
        return said

    def ordered(self, script: str, seconds: float = ORDER_S) -> tuple[int, str]:
        """Exit status, and what it prints."""
        wrapped = f"(\n{script}\n) </dev/null 2>&1\nstatus=$?; echo; echo $status\n"
        said = self._exchange(wrapped.encode(), seconds).decode(errors="replace")
        assert said.endswith("\n"), f"{script!r} was not carried out:\n{said}\n{self.told()}"
        printed, _, status = said.rstrip("\n").rpartition("\n")
        return int(status), printed.removesuffix("\n")

    def send(self, file: Path, path: str, seconds: float = ORDER_S) -> None:
        """A file into the machine."""
        self._exchange(f"exec cat >{path}\n".encode() + file.read_bytes(), seconds)

    def fetch(self, path: str, file: Path, seconds: float = ORDER_S) -> None:
        """A file out of the machine."""
        file.write_bytes(self._exchange(f"exec cat {path}\n".encode(), seconds))

    def wait(self, true: Callable[[], bool], what: str, seconds: float) -> None:
        """Returns once it is true. Raises AssertionError with all that the machine told."""
        deadline = time.monotonic() + seconds
        while not true():
            gone = [process.args for process in self._processes if process.poll() is not None]
            assert not gone, f"waiting for {what}, ended: {gone}\n{self.told()}"
            assert time.monotonic() < deadline, (
                f"{what} never came in {seconds:.0f} s:\n{self.told()}"
            )
            time.sleep(0.05)

    def console(self) -> str:
        """What it has said since it was switched on."""
        with suppress(FileNotFoundError):
            return (self.folder / "console").read_text(errors="replace")
        return ""

    def told(self) -> str:
        """The end of its console."""
        return self.console()[-6000:]

    def _start(self, *words: str) -> None:
        program = shutil.which(words[0], path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        assert program is not None
        with (self.folder / f"{words[0]}.log").open("ab") as log:
            self._processes.append(
                subprocess.Popen(
                    ["nice", "-n", "5", program, *words[1:]],
                    cwd=self.folder,
                    stdout=log,
                    stderr=log,
                )
            )

    def _exchange(self, said: bytes, seconds: float) -> bytes:
        heard = bytearray()
        with socket.create_connection(("127.0.0.1", self.port(ORDERS)), 30) as way:
            way.settimeout(seconds)
            way.sendall(said)
            way.shutdown(socket.SHUT_WR)
            try:
                while chunk := way.recv(1 << 20):
                    heard += chunk
            except TimeoutError as error:
                raise AssertionError(
                    f"no answer in {seconds:.0f} s to {said[:200]!r}\n{self.told()}"
                ) from error
        return bytes(heard)
