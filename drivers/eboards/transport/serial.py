"""Serial ports. pyserial opens, sets up and locks; the bytes are read by descriptor.py.

(Its own reading uses `select` and five descriptors a port: past some two hundred boards it fails
and boards go silent.)
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import termios
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import serial

from eboards.transport import NowNs, Trouble, WireError
from eboards.transport.descriptor import DescriptorWire
from eboards.transport.holders import holders

_PTY_MAJORS: Final = range(136, 144)


@dataclass(frozen=True, slots=True)
class Line:
    """How a family talks on a serial line."""

    baud: int = 9600
    data_bits: int = 8
    parity: str = "N"
    stop_bits: int = 1
    modem_lines: bool = True
    """DTR and RTS; False for adapters that work only with both off."""


DGT_LINE: Final = Line()
BUS_LINE: Final = Line(modem_lines=False)


def open_serial(path: str, now_ns: NowNs, line: Line = DGT_LINE) -> DescriptorWire:
    """Open for this process alone. Raises `WireError` that names the port and the mend."""
    port = serial.Serial()
    port.port = path
    port.baudrate = line.baud
    port.bytesize = line.data_bits
    port.parity = line.parity
    port.stopbits = line.stop_bits
    port.timeout = port.write_timeout = 0
    port.exclusive = True
    port.dtr = port.rts = line.modem_lines
    try:
        port.open()
    except (serial.SerialException, OSError, termios.error) as error:
        raise _refused(path, error) from error
    descriptor = port.fileno()
    shared = _is_pty(descriptor)
    if not shared:
        with suppress(OSError):
            fcntl.ioctl(descriptor, termios.TIOCEXCL)
    _hurry(path)
    return DescriptorWire(descriptor, path, now_ns, port.close)


def _is_pty(descriptor: int) -> bool:
    """A pseudo-terminal outlives its user, and so would a lock in the kernel's terminal."""
    return os.major(os.fstat(descriptor).st_rdev) in _PTY_MAJORS


def _hurry(path: str) -> None:
    """Ask an FTDI adapter to pass bytes on after 1 ms instead of 16; others have no such file."""
    timer = Path("/sys/class/tty", Path(path).resolve().name, "device/latency_timer")
    with suppress(OSError):
        timer.write_text("1")


def _refused(path: str, error: Exception) -> WireError:
    """What the system said, as a sentence with a mend."""
    number = error.errno if isinstance(error, OSError) else None
    if not Path(path).exists():
        return WireError(Trouble.MISSING, f"{path} is not there; plug the board in")
    if number in (errno.EACCES, errno.EPERM):
        return WireError(Trouble.FORBIDDEN, f"{path} may not be opened; {_group_mend(path)}")
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in str(error):
        users = ", ".join(str(holder) for holder in holders(path))
        by = f" by {users}" if users else " by another program"
        return WireError(Trouble.BUSY, f"{path} is in use{by}; close that first")
    return WireError(Trouble.WRONG, f"{path} cannot be used as a serial port: {error}")


def _group_mend(path: str) -> str:
    """Who owns the port, in the words of the command that helps."""
    try:
        group_id = Path(path).stat().st_gid
        mode = Path(path).stat().st_mode
        group = Path(path).group()
    except (KeyError, OSError):
        return "run with the rights to open it"
    if group_id in os.getgroups() and mode & stat.S_IRGRP:
        return "the unit's DeviceAllow, or a container, forbids it"
    return f"add the user to the group {group}: usermod -aG {group} USER"
