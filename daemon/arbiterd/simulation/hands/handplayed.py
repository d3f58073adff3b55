"""Hands on any emulated board: a story's deeds, done at their times, in front of its wire."""

from __future__ import annotations

from typing import Any

from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.world import LeverPress, PlyPlayed, Put, Story
from eboards.certabo.emulator import CertaboEmulator
from eboards.emulator import Emulator
from eboards.events import EMPTY
from eboards.movetext.emulator import MoveTextEmulator
from eboards.staunton.emulator import StauntonEmulator

ACROSS_NS = 2_000_000_000
"""A piece stands across two squares for less than this."""


class HandPlayed:
    """One board and who plays on it, as a computer at the other end of the cable finds them."""

    def __init__(self, device: Emulator, story: Story) -> None:
        self._device: Any = device
        self._deeds: list[tuple[int, Any]] = [(deed.at_ns, deed) for deed in story.deeds]
        if isinstance(device, MoveTextEmulator):
            self._deeds = [(ply.made_ns, ply) for ply in story.truth.plies]

    @property
    def due_at_ns(self) -> int | None:
        times = [self._device.due_at_ns] + [at_ns for at_ns, _ in self._deeds[:1]]
        return min((time for time in times if time is not None), default=None)

    def receive(self, data: bytes, at_ns: int) -> None:
        self._device.receive(data, at_ns)

    def advance(self, at_ns: int) -> bytes:
        """All deeds up to now are done; what the board has said since the last call."""
        said = b""
        while self._deeds and self._deeds[0][0] <= at_ns:
            done_ns, deed = self._deeds.pop(0)
            said += self._device.advance(done_ns)
            self._do(deed, done_ns)
        return said + bytes(self._device.advance(at_ns))

    def _do(self, deed: Any, at_ns: int) -> None:
        device = self._device
        if isinstance(deed, Put):
            if isinstance(device, CertaboEmulator) and not device.holds(deed.piece):
                self._lift_first(deed.piece, at_ns)
            device.set_square(deed.square, deed.piece, at_ns)
        elif isinstance(deed, PlyPlayed):
            device.play(deed.move, at_ns)
        elif isinstance(deed, LeverPress) and isinstance(device, StauntonEmulator):
            device.press("left" if deed.side is Colour.WHITE else "right", at_ns)

    def _lift_first(self, piece: str, at_ns: int) -> None:
        """A piece that stands across two squares has one tag: it is read where it goes to."""
        for deed_ns, deed in self._deeds:
            if deed_ns > at_ns + ACROSS_NS:
                return
            lifts = isinstance(deed, Put) and deed.piece == EMPTY
            if lifts and self._device.pieces[deed.square] == piece:
                self._device.set_square(deed.square, EMPTY, at_ns)
                return
