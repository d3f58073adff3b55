"""Lines of text out of bytes, for the devices that speak in lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar

from eboards.events import Fault, Noise

SaidT = TypeVar("SaidT")

SHOWN: Final = 32
"""So many bytes of a line that never ends are told with its fault."""


class LineBuffer:
    """Keeps what has come of a line until its end. How the bytes are cut changes nothing.

    `longest`: bytes without the end; what is longer is told once as a fault and passed over.
    `ends`: each of these bytes ends a line. Empty lines say nothing.
    """

    def __init__(self, longest: int, ends: bytes = b"\r\n") -> None:
        self._longest, self._shown = longest, min(SHOWN, longest)
        self._end = re.compile(b"[" + re.escape(ends) + b"]")
        self._begun = bytearray()
        self._drowned = False

    def feed(
        self, data: bytes, at_ns: int, hear: Callable[[bytes, int], list[SaidT]]
    ) -> list[SaidT | Fault]:
        """What `hear` makes of each line that ended."""
        found: list[SaidT | Fault] = []
        for number, part in enumerate(self._end.split(data)):
            if number:
                line = bytes(self._begun).strip()
                self._begun.clear()
                found += hear(line, at_ns) if line else ()
                self._drowned = False
            if self._drowned:
                continue
            self._begun += part
            if len(self._begun) > self._longest:
                found.append(Fault(at_ns, Noise.LENGTH, bytes(self._begun[: self._shown])))
                self._begun.clear()
                self._drowned = True
        return found
