"""Which processes have a device open, as far as the system lets us see."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that has the device open."""

    pid: int
    program: str

    def __str__(self) -> str:
        return f"pid {self.pid} ({self.program})"


def holders(path: str, proc: Path = Path("/proc")) -> tuple[Holder, ...]:
    """Other processes with this device open, in the order of their numbers."""
    real = os.path.realpath(path)
    found = [
        Holder(pid, _program(proc / str(pid)))
        for pid in sorted(_pids(proc))
        if pid != os.getpid() and real in _open_files(proc / str(pid) / "fd")
    ]
    return tuple(found)


def held_here(path: str, proc: Path = Path("/proc")) -> bool:
    """True if this very process has it open, by whatever name."""
    return os.path.realpath(path) in _open_files(proc / str(os.getpid()) / "fd")


def _pids(proc: Path) -> Iterator[int]:
    return (int(entry.name) for entry in proc.iterdir() if entry.name.isdigit())


def _open_files(folder: Path) -> set[str]:
    """Empty for a process that ended meanwhile, or that is another user's."""
    files: set[str] = set()
    try:
        for entry in folder.iterdir():
            files.add(str(entry.readlink()))
    except OSError:
        pass
    return files


def _program(process: Path) -> str:
    try:
        return (process / "comm").read_text().strip()
    except OSError:
        return "ended"
