"""What a DGT board is asked, byte for byte.

    40 reset to silence       41 clock            42 whole board      4B report changes
    45 serial number          46 bus address      49 log memory       4C battery
    4D version                55 long serial number

    2B n 03 cmd ... 00        to the clock; n counts the bytes after it
        03 end of a text    09 version
        0A set and run lh lm ls rh rm rs run (binary, not BCD)
        01 segments C B A F E D (DGT XL)    0C eight characters (DGT 3000)

4A, 4E, 51, 53 and 54 are never sent: they leave single-board mode, start a boot loader, or change
a setting in the board's permanent memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from eboards.codec import SetClock
from eboards.dgt import clock
from eboards.dialogue import Request
from eboards.events import Side

SET_CLOCK: Final = "set-clock"
SHOW_TEXT: Final = "show-text"
VERSION: Final = "version"

XL: Final = 1
"""Main version of a clock with seven segments a digit; later ones take characters."""

_SHORT_NS = 300_000_000
_LOG_NS = 15_000_000_000
_ACK_NS = 2_000_000_000
_ACK_TRIES = 3


def _message(message_id: int) -> Callable[[bytes], bool]:
    return lambda message: message[0] == message_id


def _is_times(message: bytes) -> bool:
    return message[0] == 0x8D and not clock.is_ack(message)


def _acknowledges(command: int) -> Callable[[bytes], bool]:
    """An acknowledgement of this command. One that names no command, and fails, is meant for it."""

    def answered_by(message: bytes) -> bool:
        if message[0] != 0x8D or not clock.is_ack(message):
            return False
        ack = clock.read_ack(message)
        return ack.what == command or (ack.what == 0 and ack.result != clock.ACCEPTED)

    return answered_by


RESET: Final = Request(b"\x40", gap_ns=200_000_000)
CLOCK: Final = Request(b"\x41", _is_times)
DUMP: Final = Request(b"\x42", _message(0x86), tries=2)
SERIAL: Final = Request(b"\x45", _message(0x91))
BUS_ADDRESS: Final = Request(b"\x46", _message(0x90))
LOG: Final = Request(b"\x49", _message(0x8F), wait_ns=_LOG_NS)
UPDATES: Final = Request(b"\x4b")
BATTERY: Final = Request(b"\x4c", _message(0xA0), wait_ns=_SHORT_NS)
"""Only of boards whose version is `FIRST_WITH_BATTERY` or later."""
FIRST_WITH_BATTERY: Final = 2
"""Main version of the first boards with Bluetooth. The cable of a board tells nothing: one with a
battery may be on USB, and its radio looks like any other port."""
BOARD_VERSION: Final = Request(b"\x4d", _message(0x93))
LONG_SERIAL: Final = Request(b"\x55", _message(0xA2), wait_ns=_SHORT_NS)
"""Older boards do not know it and stay silent."""

CLOCK_VERSION: Final = Request(
    b"\x2b\x03\x03\x09\x00", _acknowledges(0x09), _ACK_NS, _ACK_TRIES, name=VERSION
)


def start_up() -> tuple[Request, ...]:
    """Who the board is, that it shall tell what changes, and what it shows now.

    In this order no hand is missed: what changes before the whole board is sent stands in it.
    """
    who = (RESET, BOARD_VERSION, SERIAL, LONG_SERIAL, BUS_ADDRESS)
    return (*who, UPDATES, DUMP, CLOCK)


def set_clock(command: SetClock) -> Request:
    """Times, and which side runs; a running clock changes sides with the lever by itself."""
    running = {None: 0x04, Side.LEFT: 0x09, Side.RIGHT: 0x0A}[command.running]
    times = _hms(command.left_ms) + _hms(command.right_ms)
    data = b"\x2b\x0a\x03\x0a" + times + bytes([running, 0x00])
    return Request(data, _acknowledges(0x0A), _ACK_NS, _ACK_TRIES, name=SET_CLOCK)


END_TEXT: Final = Request(b"\x2b\x03\x03\x03\x00")
"""Back to the times. Some clocks take no text before the last one was ended."""


def show_text(text: str, clock_kind: int) -> tuple[Request, ...]:
    """A text that is cut to what the clock has room for; none at all brings the times back."""
    return (END_TEXT, _text(text, clock_kind)) if text.strip() else (END_TEXT,)


def _text(text: str, clock_kind: int) -> Request:
    if clock_kind == XL:
        c, b, a, f, e, d = (_segments(text)[digit] for digit in (2, 1, 0, 5, 4, 3))
        data = bytes((0x2B, 0x0B, 0x03, 0x01, c, b, a, f, e, d, 0x00, 0x01, 0x00))
        return Request(data, _acknowledges(0x01), _ACK_NS, _ACK_TRIES, name=SHOW_TEXT)
    shown = text.encode("ascii", "replace")[:8].ljust(8)
    data = b"\x2b\x0c\x03\x0c" + shown + b"\x00\x00"
    return Request(data, _acknowledges(0x0C), _ACK_NS, _ACK_TRIES, name=SHOW_TEXT)


def _hms(milliseconds: int) -> bytes:
    """Hours, minutes, seconds. A clock shows less than ten hours."""
    seconds = min(max(milliseconds, 0) // 1000, 35_999)
    return bytes((seconds // 3600, seconds // 60 % 60, seconds % 60))


_SEGMENTS: Final = {
    **dict(zip("0123456789", b"\x3f\x06\x5b\x4f\x66\x6d\x7d\x07\x7f\x6f", strict=True)),
    **dict(zip("abcdefgh", b"\x5f\x7c\x58\x5e\x7b\x71\x3d\x74", strict=True)),
    **dict(zip("nopqrstuk-_", b"\x54\x5c\x73\x67\x50\x6d\x78\x3e\x75\x40\x08", strict=True)),
    **dict(zip("il", b"\x06\x06", strict=True)),
}


def _segments(text: str) -> list[int]:
    """Six digits of segments; a letter that seven segments cannot show stays dark."""
    return [_SEGMENTS.get(letter, 0) for letter in text.lower()[:6].ljust(6)]
