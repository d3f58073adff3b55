"""Raw HID nodes: a read is a report, and the kernel keeps its driver."""

from __future__ import annotations

import fcntl
import os
from functools import partial
from typing import Final

from eboards.transport import NowNs
from eboards.transport.descriptor import DescriptorWire
from eboards.transport.refusal import refused

MAKERS_PAGE: Final = b"\x06\x00\xff"
"""How the report descriptor of a board's own interface begins: usage page FF00, the maker's. A
board may have a second interface, which shows it as a keyboard or a pad."""


def open_hidraw(path: str, now_ns: NowNs) -> DescriptorWire:
    """Open for this program alone. Raises `WireError` that names the node and the mend."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise refused(path, error) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise refused(path, error) from error
    return DescriptorWire(descriptor, path, now_ns, partial(os.close, descriptor))
