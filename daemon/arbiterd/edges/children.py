"""What a child process of ours is told before it becomes the program that it is begun for."""

from __future__ import annotations

import ctypes

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


def ends_with_parent(by_signal: int) -> None:
    """In the child: however the service ends, it is sent this signal then (prctl(2))."""
    _libc.prctl(PR_SET_PDEATHSIG, by_signal)
