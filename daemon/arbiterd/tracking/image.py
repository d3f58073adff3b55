"""What the board shows now, as its sensors tell it, with its hash."""

from __future__ import annotations

from arbiterd.tracking.sensors import Sensors
from eboards.events import Piece, Placement, Square


class Image:
    """The one picture of the board. `shown` is what is believed of it, for comparing; it is changed
    in place, so what must not change takes a copy."""

    def __init__(self, sensors: Sensors, placement: Placement) -> None:
        self.sensors = sensors
        self.raw = list(placement)
        self._placement: Placement | None = placement
        self.shown = list(sensors.shown(placement))
        self.hash = sensors.hashing.placement(self.shown)
        self.otherwise: dict[Square, Piece] = {}
        """Squares that are read otherwise than they show, until they change."""

    @property
    def placement(self) -> Placement:
        """As the sensors show it; the same value until it changes, for it is asked for often."""
        if self._placement is None:
            self._placement = tuple(self.raw)
        return self._placement

    def write(self, square: Square, piece: Piece) -> None:
        """One square shows something else now."""
        self.raw[square], self._placement = piece, None
        if self.otherwise:
            self.otherwise.pop(square, None)
        self._read(square, self.sensors.shows[piece])

    def take_for(self, square: Square, piece: Piece) -> None:
        """Until it changes, a square is read as `piece` whatever it shows."""
        self.otherwise[square] = piece
        self._read(square, piece)

    def believe_all(self) -> list[tuple[Square, Piece]]:
        """Every square is read as it shows again; returns how some were read until now."""
        doubts = sorted(self.otherwise.items())
        for square, _ in doubts:
            self._read(square, self.sensors.shows[self.raw[square]])
        self.otherwise.clear()
        return doubts

    def _read(self, square: Square, piece: Piece) -> None:
        of = self.sensors.hashing.of[square]
        self.hash ^= of[self.shown[square]] ^ of[piece]
        self.shown[square] = piece
