"""The clock messages of a recorded DGT game, by the layout of the board's own protocol."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

from arbiterd.rules.ruleset import Colour
from arbiterd.timing.face import Reading

SECOND = 1_000_000_000


def bcd_ms(hours: int, minutes: int, seconds: int) -> int:
    return ((hours & 0x0F) * 3600 + int(f"{minutes:02x}") * 60 + int(f"{seconds:02x}")) * 1000


def readings(file: Path) -> Iterator[Reading]:
    """One a second, White at the clock's left hand (bytes 6 to 8)."""
    at_ns = 0
    for line in file.read_text().split():
        message = b64decode(line)
        if message[0] != 0x8D or message[3] & 0x0F == 0x0A:
            continue
        status = message[9]
        lever = Colour.BLACK if status & 0x02 else Colour.WHITE
        yield Reading(
            at_ns,
            white_ms=bcd_ms(message[6], message[7], message[8]),
            black_ms=bcd_ms(message[3], message[4], message[5]),
            running=lever if status & 0x01 else None,
            lever=lever,
            white_flag=bool(message[6] & 0x50),
            black_flag=bool(message[3] & 0x50),
            late_ns=SECOND,
        )
        at_ns += SECOND
