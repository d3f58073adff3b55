"""Raw HID nodes: a read is a report, and the kernel keeps its driver."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from functools import partial
from pathlib import Path
from typing import Final

from eboards.transport import NowNs
from eboards.transport.descriptor import DescriptorWire
from eboards.transport.refusal import refused

MAKERS_PAGE: Final = b"\x06\x00\xff"
"""How the report descriptor of a board's own interface begins: usage page FF00, the maker's. A
board may have a second interface, which shows it as a keyboard or a pad."""


_TERMINALS: Final = range(136, 144)
"""Majors of pseudo-terminals, behind which emulated boards are."""


def _check(path: str) -> None:
    """Any other node or file, once open, might never stop talking. Raises OSError."""
    node = Path(path).resolve()
    told = node.stat()
    if not stat.S_ISCHR(told.st_mode) or not (
        node.name.startswith("hidraw") or os.major(told.st_rdev) in _TERMINALS
    ):
        raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))


def open_hidraw(path: str, now_ns: NowNs) -> DescriptorWire:
    """Open for this program alone. Raises `WireError` that names the node and the mend."""
    try:
        _check(path)
        descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise refused(path, error) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise refused(path, error) from error
    return DescriptorWire(descriptor, path, now_ns, partial(os.close, descriptor))
