"""Bytes of devices with the time they were read: the only room with descriptors in it.

Each kind of wire has an `open_...` that gives a `Wire` or raises `WireError`; a wire that breaks
later raises it from `read` or `write`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

NowNs: TypeAlias = Callable[[], int]
"""Nanoseconds since the epoch, never going back; asked once for every read."""


class DeviceTrouble(StrEnum):
    """Why a device cannot be opened or used, in the words people see."""

    MISSING = "is not there"
    BUSY = "is in use by another program"
    FORBIDDEN = "may not be opened"
    GONE = "was unplugged"
    WRONG = "cannot be used"


class WireError(Exception):
    """A device cannot be opened, or is gone. The message names it and the mend."""

    def __init__(self, trouble: DeviceTrouble, sentence: str) -> None:
        super().__init__(sentence)
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class Chunk:
    """What one read brought, and when."""

    at_ns: int
    data: bytes


class Wire(Protocol):
    """An open device."""

    port: str

    async def read(self) -> Chunk:
        """The next bytes. Raises `WireError` once the device is gone."""
        ...

    def write(self, data: bytes) -> None:
        """Send without waiting. Raises `WireError` once the device is gone."""
        ...

    def close(self) -> None:
        """Let the device go. A second time does nothing."""
        ...
