"""What an emulated clock answers to a computer: `03 cmd ... 00` in, seven bytes out.

An acknowledgement carries four values of eight bits in seven-bit bytes: the values' top bits
travel beside the 0A that marks the two hour bytes.

    a0   10 done, 40 refused          a1   which command; 80 and up: said unasked
    a2, a3   version, or which button
"""

from __future__ import annotations

from typing import Final

from eboards.dgt.emulated_clock import VERSIONS, EmulatedClock, EmulatedClockKind, Quirk

ACK_NS: Final = 76_000_000
"""How long a clock takes to acknowledge a command."""

DONE: Final = 0x10
REFUSED: Final = 0x40

_DISPLAY = 0x01
_END = 0x03
_BUTTON = 0x08
_VERSION = 0x09
_SET_AND_RUN = 0x0A
_BEEP = 0x0B
_TEXT = 0x0C

BUTTONS: Final = {
    "back": (0x05, 0x31),
    "minus": (0x21, 0x34),
    "run": (0x11, 0x33),
    "plus": (0x09, 0x32),
    "ok": (0x41, 0x35),
}
"""The mask of a button and its own number, from left to right on the clock."""


def acknowledgement(a0: int, a1: int, a2: int = 0, a3: int = 0) -> bytes:
    """The seven bytes that carry these four."""
    return bytes(
        (
            0x0A | (a2 & 0x80) >> 3 | (a3 & 0x80) >> 2,
            a0 & 0x7F,
            a1 & 0x7F,
            0x0A | (a0 & 0x80) >> 3 | (a1 & 0x80) >> 2,
            a2 & 0x7F,
            a3 & 0x7F,
            0x00,
        )
    )


def pressed(names: str) -> bytes:
    """One button, or several at once as in `back+ok`."""
    buttons = [BUTTONS[name] for name in names.split("+")]
    mask = 0
    for bits, _ in buttons:
        mask |= bits
    return acknowledgement(DONE, 0x88, mask, buttons[-1][1])


def replies(clock: EmulatedClock, command: bytes, before: bytes) -> list[tuple[int, bytes]]:
    """What comes back and after how long: an acknowledgement, and what its quirks make of it.

    `before` is what acknowledged the command before; empty: there was none.
    """
    ack = answer(clock, command)
    if ack is None:
        return []
    if clock.acks_to_lose:
        clock.acks_to_lose -= 1
        return []
    if Quirk.ERROR_20 in clock.quirks:
        return [(ACK_NS, acknowledgement(0x20, 0))]
    sent = [(ACK_NS, ack)]
    if Quirk.PREVIOUS_ACK in clock.quirks and before:
        sent.insert(0, (ACK_NS // 2, before))
    if Quirk.REPEATED_ACK in clock.quirks:
        sent += [(ACK_NS + quarter * 250_000_000, ack) for quarter in (1, 2, 3)]
    if Quirk.ZERO_MESSAGE in clock.quirks:
        sent.append((ACK_NS, bytes(7)))
    return sent


def answer(clock: EmulatedClock, command: bytes) -> bytes | None:
    """Carry a command out. None for one that the clock does not know."""
    if len(command) < 3 or command[0] != 0x03 or command[-1] != 0x00:
        return None
    number, data = command[1], command[2:-1]
    if number == _VERSION:
        if Quirk.NO_VERSION in clock.quirks:
            return None
        return acknowledgement(DONE, number, VERSIONS[clock.kind])
    if number == _SET_AND_RUN:
        return acknowledgement(DONE if _set_and_run(clock, data) else REFUSED, number)
    if number == _TEXT and clock.kind is EmulatedClockKind.XL:
        return None
    if number in (_DISPLAY, _TEXT):
        clock.text = data[:8].decode("ascii") if number == _TEXT else data[:6].hex()
    elif number == _END:
        clock.text = ""
    elif number not in (_BUTTON, _BEEP):
        return None
    return acknowledgement(DONE, number)


def _set_and_run(clock: EmulatedClock, data: bytes) -> bool:
    """Times in binary, left first, and the side that runs: 1 left, 2 right, 4 none."""
    if not clock.pc_mode or len(data) != 7:
        return False
    if Quirk.STALE_TIMES in clock.quirks:
        clock.lag()
    clock.set_times(_milliseconds(data[0:3]), _milliseconds(data[3:6]))
    run = data[6]
    clock.running = bool(run & 0x03)
    if clock.running:
        clock.right_high = bool(run & 0x02)
    return True


def _milliseconds(field: bytes) -> int:
    return ((field[0] * 60 + field[1]) * 60 + field[2]) * 1000
