"""Boards of every family on wires of their own, each with the noise that such a wire has.

    hands ──▶ emulator ──▶ wire: noise, pace, reports that get lost ──▶ whoever reads it

None of this comes from a real device; `docs/simulation.md` says where each figure is from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Final

from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.devices.clock import TableClock
from arbiterd.simulation.profiles import MS, SECOND
from arbiterd.timing.control import Rate
from eboards.certabo.codec import CertaboCodec
from eboards.certabo.emulator import CertaboEmulator, CoilNoise
from eboards.certabo.tags import SPARE_QUEENS
from eboards.chesslink.emulator import ChessLinkEmulator
from eboards.chessnut.emulator import ChessnutEmulator
from eboards.codec import Codec
from eboards.cpp.emulator import CppEmulator
from eboards.emulator import Emulator
from eboards.events import EMPTY, Placement, SensingClass
from eboards.ichessone.emulator import IChessOneEmulator
from eboards.movetext.emulator import MoveTextEmulator
from eboards.registry import family
from eboards.staunton.emulator import StauntonEmulator
from eboards.transport.noisy import LineNoise, NoisyLine
from eboards.transport.paced import PacedLine

LEAD_NS: Final = 20 * SECOND
"""The board is switched on so long before the first hand."""
BYTE_38400_NS: Final = 260_417
LINE_NOISE: Final = LineNoise(lost=1e-5, inserted=1e-5, flipped=1e-5)
"""A byte in thirty thousand: far more than a cable in order has."""
REPORTS_LOST: Final = 0.01
"""Of USB reports."""
COILS: Final = CoilNoise(noise=0.3, missed=0.002, altered=0.005)
"""Of a coil's readings. Noise on empty squares was counted; how often pieces are missed was not."""


class Reports:
    """USB that loses a whole report now and then, as it does when a hub is short of power."""

    def __init__(self, device: Emulator, dice: Random) -> None:
        self._device, self._dice = device, dice

    @property
    def due_at_ns(self) -> int | None:
        return self._device.due_at_ns

    def receive(self, data: bytes, at_ns: int) -> None:
        self._device.receive(data, at_ns)

    def advance(self, at_ns: int) -> bytes:
        said = self._device.advance(at_ns)
        return b"" if self._dice.random() < REPORTS_LOST else said


@dataclass(frozen=True, slots=True)
class BoardKind:
    """One kind of board, as it is played on."""

    driver: str
    device: Callable[[Placement, Random, Rate], Emulator]
    """From the pieces that stand on it, dice, and what its clock is set to, if it has one."""
    wire: Callable[[Emulator, Random], Emulator] = lambda device, _: device
    tagged: bool = False
    """Its pieces have tags, and were taught before the round."""

    def codec(self, device: Emulator) -> Codec:
        """What reads it."""
        if self.tagged and isinstance(device, CertaboEmulator):
            return _taught(device)
        return family(self.driver).codec()


def _serial(device: Emulator, dice: Random) -> Emulator:
    return PacedLine(NoisyLine(device, LINE_NOISE, dice), BYTE_38400_NS)


def _staunton(pieces: Placement, _: Random, rate: Rate) -> StauntonEmulator:
    """Its clock shows the increment of the first move from the start."""
    face = TableClock.set_up(rate)
    return StauntonEmulator(
        pieces,
        left_ms=face.left_ns[Colour.WHITE] // MS,
        right_ms=face.left_ns[Colour.BLACK] // MS,
        increment_ms=face.increment_ns // MS,
    )


def _taught(device: CertaboEmulator) -> CertaboCodec:
    """With the spare queens on d3 and d6."""
    for square, queen in SPARE_QUEENS.items():
        device.set_square(square, queen, 0)
    codec = CertaboCodec()
    for at_ns in range(0, LEAD_NS // 2, SECOND // 2):
        codec.receive(device.advance(at_ns), at_ns)
    for square in SPARE_QUEENS:
        device.set_square(square, EMPTY, LEAD_NS // 2)
    return CertaboCodec(codec.tags)


def _cpp(kind: SensingClass) -> BoardKind:
    return BoardKind("cpp", lambda pieces, *_: CppEmulator(list(pieces), kind=kind))


def _tags(pieces: Placement, dice: Random, _: Rate) -> CertaboEmulator:
    return CertaboEmulator(pieces, coils=COILS, dice=dice)


def _contacts(pieces: Placement, *_: object) -> CertaboEmulator:
    return CertaboEmulator(pieces, occupancy=True, period_ns=100 * MS)


KINDS: Final = MappingProxyType(
    {
        "chesslink": BoardKind("chesslink", lambda pieces, *_: ChessLinkEmulator(pieces), _serial),
        "certabo": BoardKind("certabo", _tags, _serial, tagged=True),
        "sentio": BoardKind("certabo", _contacts, _serial),
        "chessnut": BoardKind("chessnut", lambda pieces, *_: ChessnutEmulator(pieces), Reports),
        "staunton": BoardKind("staunton", _staunton, Reports),
        "ichessone": BoardKind("ichessone", lambda pieces, *_: IChessOneEmulator(pieces), _serial),
        "cpp": _cpp(SensingClass.IDENTITY),
        "cpp-colours": _cpp(SensingClass.COLOUR),
        "cpp-occupancy": _cpp(SensingClass.OCCUPANCY),
        "movetext": BoardKind("movetext", lambda *_: MoveTextEmulator()),
    }
)
"""What games are played on."""
