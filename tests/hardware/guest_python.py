"""The Python of this machine, with the drivers, for a guest that has neither: every file that a
program loads, and every library of those, at its own place."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
DRIVERS = HERE.parents[1] / "drivers"
LOADS = (
    "import asyncio, signal, concurrent.futures.thread, usb.backend.libusb1, encodings.ascii,"
    " eboards.transport.usbhid, libusb_package, json, sys;"
    "libusb_package.get_libusb1_backend();"
    "print(json.dumps([m.__file__ for m in sys.modules.values() if getattr(m, '__file__', None)]))"
)


def furnish(root: Path, program: Path) -> str:
    """Puts all of it under `root`; the command that runs `program` there."""
    python = Path(sys.base_prefix, "bin", f"python3.{sys.version_info.minor}").resolve()
    told = subprocess.run([sys.executable, "-c", LOADS], capture_output=True, text=True, check=True)
    loaded = {Path(file).resolve() for file in json.loads(told.stdout)}
    import libusb_package

    libusb = Path(str(libusb_package.get_library_path()))
    binaries = {python, libusb, *(file for file in loaded if file.suffix == ".so")}
    libraries = {library for binary in binaries for library in _libraries(binary)}
    for file in loaded | binaries | libraries:
        place = root / str(file).lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file.resolve(), place)
    shutil.copy(program, root / program.name)
    packages = Path(libusb_package.__file__).parents[1]
    return f"PYTHONPATH={packages}:{DRIVERS} {python} -B /{program.name}"


def _libraries(binary: Path) -> list[Path]:
    told = subprocess.run(["ldd", str(binary)], capture_output=True, text=True, check=False).stdout
    words = (word for line in told.splitlines() for word in line.split() if word.startswith("/"))
    return [Path(word) for word in words]
