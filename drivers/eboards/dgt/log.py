"""The memory of a DGT board: everything it saw while it had power, computer or not.

    40..5F ss     square: 010r nnnn 00ss ssss; n piece, s square, r within 250 ms of the tag before
    60..69 MM SS  right side of the clock stopped with this time; H in the low nibble, BCD behind
    70..79 MM SS  left side of the clock, the same
    6A power up   6B end   6C outer rows   6D empty board   6E downloaded   6F start array
    7A start array turned  7B start marked  7C restarted by its watchdog    7F 00 nothing

There are no times but those of the clock, and no names of games: only the order of things. The
memory is a ring of 7,936 bytes, so the oldest tag may be a half. What is unknown is skipped byte
by byte. Sources and doubts: firmware_notes/dgt-log.md
"""

from __future__ import annotations

from typing import Final

from eboards.dgt.pieces import PIECES
from eboards.events import LogLine, LogMark, Side

END: Final = 0x6B
"""The last byte of every download."""

_MARKS: Final = {
    0x6A: LogMark.POWER_UP,
    0x6C: LogMark.OUTER_ROWS,
    0x6D: LogMark.EMPTY_BOARD,
    0x6E: LogMark.DOWNLOADED,
    0x6F: LogMark.START_ARRAY,
    0x7A: LogMark.START_ARRAY_TURNED,
    0x7B: LogMark.GAME_START,
    0x7C: LogMark.POWER_UP,
}


def read(data: bytes) -> tuple[LogLine, ...]:
    """The lines of a download, of a changes packet or of a game, oldest first."""
    lines: list[LogLine] = []
    place = 0
    while place < len(data):
        line, length = _tag(data[place : place + 3])
        if line is not None:
            lines.append(line)
        place += length
    return tuple(lines)


def _tag(tag: bytes) -> tuple[LogLine | None, int]:
    """The line that begins here, and its length; an unknown byte is no line and one long."""
    first = tag[0]
    if 0x40 <= first <= 0x5F and len(tag) > 1 and tag[1] < 0x40:
        piece, quick = PIECES[first & 0x0F], bool(first & 0x10)
        return LogLine(LogMark.SQUARE, square=tag[1], piece=piece, quick=quick), 2
    if first & 0x60 == 0x60 and first & 0x0F <= 9 and len(tag) == 3:
        stopped_ms = _time_ms(first & 0x0F, tag[1], tag[2])
        if stopped_ms is not None:
            side = Side.LEFT if first & 0x10 else Side.RIGHT
            return LogLine(LogMark.CLOCK, side=side, stopped_ms=stopped_ms), 3
    mark = _MARKS.get(first)
    return (None if mark is None else LogLine(mark)), 1


def _time_ms(hours: int, minutes: int, seconds: int) -> int | None:
    """Milliseconds, or None where the digits are none."""
    digits = (minutes >> 4, minutes & 0x0F, seconds >> 4, seconds & 0x0F)
    if digits[0] > 5 or digits[1] > 9 or digits[2] > 5 or digits[3] > 9:
        return None
    in_minutes = hours * 60 + digits[0] * 10 + digits[1]
    return (in_minutes * 60 + digits[2] * 10 + digits[3]) * 1000
