"""How long a device may be silent, and what of it was told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from eboards.events import DeviceEvent, Fault, Noise, Placement, Scan

LOST_NS: Final = 3_000_000_000
"""A device that should speak and says nothing for so long is gone."""


@dataclass(slots=True)
class Vigil:
    """Tells a silence once. It begins with the first `due`, so a recording has none."""

    patience_ns: int = LOST_NS
    _since_ns: int | None = None
    _told: bool = False

    @property
    def due_at_ns(self) -> int | None:
        return None if self._since_ns is None else self._since_ns + self.patience_ns

    @property
    def lost(self) -> bool:
        """True from a silence that was told until something is heard."""
        return self._told

    def begin(self, at_ns: int) -> None:
        self._since_ns = at_ns

    def rest(self) -> None:
        """It may be silent from now on."""
        self._since_ns = None

    def heard(self, at_ns: int) -> None:
        self._told = False
        if self._since_ns is not None:
            self._since_ns = at_ns

    def silence(self, at_ns: int) -> list[DeviceEvent] | None:
        """None: it is not time yet. Otherwise the waiting begins anew."""
        due_ns = self.due_at_ns
        if due_ns is None or at_ns < due_ns:
            return None
        self._since_ns = at_ns
        if self._told:
            return []
        self._told = True
        note = f"no answer for {self.patience_ns // 1_000_000_000} s"
        return [Fault(at_ns, Noise.SILENT, note=note)]


@dataclass(slots=True)
class Steady:
    """Whole pictures of a board whose frames prove little: one counts once it was seen `times`
    in a row, and is told when it is not what was told before."""

    times: int = 2
    _seen: Placement | None = None
    _count: int = 0
    _told: Placement | None = None

    @property
    def waits(self) -> bool:
        """True where a picture was seen that does not count yet."""
        return 0 < self._count < self.times and self._seen != self._told

    def sees(self, placement: Placement, at_ns: int) -> list[DeviceEvent]:
        """The picture, as soon as it counts and says something new."""
        self._count = self._count + 1 if placement == self._seen else 1
        self._seen = placement
        if self._count < self.times or placement == self._told:
            return []
        self._told = placement
        return [Scan(at_ns, placement)]

    def tell_again(self) -> None:
        """Somebody asked: the next picture is told whether it is new or not."""
        self._told = None

    def forget(self) -> None:
        """It may be another board now."""
        self._seen, self._count, self._told = None, 0, None
