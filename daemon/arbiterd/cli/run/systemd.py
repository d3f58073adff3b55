"""What systemd wants to hear: that we are ready, alive, or stopping."""

from __future__ import annotations

import os
import socket
from contextlib import suppress


def notify(state: str) -> None:
    """`READY=1`, `WATCHDOG=1`, `STOPPING=1`, `STATUS=…`. Nothing outside systemd.

    A systemd that does not listen at this moment is told the next time.
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    kind = socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
    with socket.socket(socket.AF_UNIX, kind) as door, suppress(OSError):
        door.connect(f"\0{address[1:]}" if address.startswith("@") else address)
        door.sendall(state.encode())


def watchdog_s() -> float | None:
    """How often systemd wants to hear from this process; None: it does not watch."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    watched = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(microseconds) / 1e6 / 2 if microseconds.isdigit() and watched else None
