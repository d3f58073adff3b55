"""Certabo and Tabutronic on the wire. 38400 8N1; the board talks without being asked.

    < :n n n ... n \\r\\n      decimal numbers 0..255, a space after each

    320 numbers   five bytes of a tag for each square, a8 b8 ... h1; five zeros: no tag
      8 numbers   what is occupied, rank 8 first; bit 7 is file a (Sentio, Tactum)

    < L \\r\\n   < D \\r\\n      lights done; come at any moment, inside a frame too

Only a line feed ends a frame, and only the count tells the two kinds apart. There is no checksum.
A colon begins one, also where the end of the frame before was lost; over the air it may be missing.
"""

from __future__ import annotations

from typing import Final

from eboards.events import Fault, Noise
from eboards.lines import LineBuffer

TAGS: Final = 320
OCCUPANCY: Final = 8
LINE_MAX: Final = 2048
"""A third longer than the longest frame, with everything that may come between."""
_DROPPED: Final = b"LD*\r\x00\xff"


class CertaboFramer:
    """Finds the lines, and in each its numbers."""

    def __init__(self) -> None:
        self._lines = LineBuffer(LINE_MAX, b"\n")

    def feed(self, data: bytes, at_ns: int) -> list[bytes | Fault]:
        """Frames of 8 or of 320 numbers, and what was no frame."""
        return self._lines.feed(data, at_ns, _numbers)


def _numbers(line: bytes, at_ns: int) -> list[bytes | Fault]:
    """One frame or one fault, and a fault for a frame before it that did not end; nothing for a
    line that is empty without its acknowledgements."""
    before, _, frame = line.translate(None, _DROPPED).rpartition(b":")
    cut_off = [Fault(at_ns, Noise.CUT_OFF, line[:32])] if before.strip() else []
    return [*cut_off, *_frame(frame.split(), line, at_ns)]


def _frame(words: list[bytes], line: bytes, at_ns: int) -> list[bytes | Fault]:
    if not words:
        return []
    if not all(word.isdigit() and len(word) <= 3 for word in words):
        return [Fault(at_ns, Noise.STRAY, line[:32])]
    values = [int(word) for word in words]
    if len(values) not in (TAGS, OCCUPANCY):
        return [Fault(at_ns, Noise.LENGTH, line[:32], f"{len(values)} numbers")]
    if max(values) > 255:
        return [Fault(at_ns, Noise.RANGE, line[:32])]
    return [bytes(values)]
