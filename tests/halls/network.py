"""Computers of an event as network namespaces on one switch: what is run in one is alone there.

switch ── node-1 10.77.0.1      each a namespace of its own, with a cable that can be pulled;
       ├─ node-2 10.77.0.2      nothing of this machine's own network is touched
       └─ …
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HOSTS = Path("/etc/netns")
IP = shutil.which("ip", path="/usr/sbin:/sbin:/usr/bin:/bin")


def possible() -> bool:
    """Namespaces can be made here."""
    if IP is None or os.geteuid() != 0:
        return False
    made = subprocess.run([IP, "netns", "add", "arbiterd-probe"], capture_output=True)
    subprocess.run([IP, "netns", "del", "arbiterd-probe"], capture_output=True)
    return made.returncode == 0


def _ip(*words: str) -> None:
    assert IP is not None
    subprocess.run([IP, *words], check=True, capture_output=True)


@dataclass(frozen=True)
class Computer:
    name: str
    address: str

    @property
    def space(self) -> str:
        return f"arbiterd-{self.name}"

    def command(self, *words: object) -> list[str]:
        """The words as a command of this computer."""
        assert IP is not None
        return [IP, "netns", "exec", self.space, *map(str, words)]

    def pull(self) -> None:
        """The cable is out, at the switch: nothing here hears of it."""
        _ip("-n", "arbiterd-switch", "link", "set", self.name, "down")

    def plug(self) -> None:
        _ip("-n", "arbiterd-switch", "link", "set", self.name, "up")


@contextmanager
def network(names: Sequence[str], hosts: str) -> Iterator[dict[str, Computer]]:
    """Computers by name. `hosts`: what each has in /etc/hosts."""
    found = {
        name: Computer(name, f"10.77.0.{number}") for number, name in enumerate(names, start=1)
    }
    try:
        _ip("netns", "add", "arbiterd-switch")
        _ip("-n", "arbiterd-switch", "link", "add", "bridge", "type", "bridge")
        _ip("-n", "arbiterd-switch", "link", "set", "bridge", "up")
        for computer in found.values():
            space = computer.space
            folder = HOSTS / space
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "hosts").write_text(hosts)
            _ip("netns", "add", space)
            _ip("-n", space, "link", "add", "cable", "type", "veth", "peer", computer.name)
            _ip("-n", space, "link", "set", computer.name, "netns", "arbiterd-switch")
            _ip("-n", "arbiterd-switch", "link", "set", computer.name, "master", "bridge", "up")
            _ip("-n", space, "addr", "add", f"{computer.address}/24", "dev", "cable")
            _ip("-n", space, "link", "set", "cable", "up")
            _ip("-n", space, "link", "set", "lo", "up")
        yield found
    finally:
        for space in ("arbiterd-switch", *(each.space for each in found.values())):
            assert IP is not None
            subprocess.run([IP, "netns", "del", space], capture_output=True)
            shutil.rmtree(HOSTS / space, ignore_errors=True)
