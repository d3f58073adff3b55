"""Serial ports. pyserial opens, sets up and locks; the bytes are read by descriptor.py.

(Its own reading uses `select` and five descriptors a port: past some two hundred boards it fails
and boards go silent.)
"""

from __future__ import annotations

import fcntl
import os
import termios
from contextlib import suppress
from pathlib import Path
from typing import Final

import serial

from eboards.family import SerialLine
from eboards.transport import NowNs
from eboards.transport.descriptor import DescriptorWire
from eboards.transport.refusal import refused

LINE_9600: Final = SerialLine()
_PTY_MAJORS: Final = range(136, 144)


def open_serial(path: str, now_ns: NowNs, line: SerialLine = LINE_9600) -> DescriptorWire:
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
        raise refused(path, error) from error
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
