"""A port of a family, opened as this family needs it."""

from __future__ import annotations

from eboards.family import Family, WireKind
from eboards.transport import NowNs, Wire
from eboards.transport.hidraw import open_hidraw
from eboards.transport.serial import open_serial


def open_port(path: str, family: Family, now_ns: NowNs) -> Wire:
    """Raises `WireError` that names the port and the mend."""
    if family.wire is WireKind.HIDRAW:
        return open_hidraw(path, now_ns)
    return open_serial(path, now_ns, family.line)
