"""The entries of computers that report finished moves, by the speed of their ports.

They hang on adapters of every make, so no USB id tells them: the configuration names the driver.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from eboards.family import Family, SerialLine
from eboards.movetext.codec import MoveTextCodec
from eboards.movetext.emulator import MoveTextEmulator

FAMILY: Final = Family(
    name="movetext",
    title="Computers that report moves (9600)",
    codec=MoveTextCodec,
    emulator=MoveTextEmulator,
    usb_ids=(),
)

FAST_FAMILY: Final = Family(
    name="movetext-57600",
    title="Computers that report moves (57600)",
    codec=partial(MoveTextCodec, "movetext-57600"),
    emulator=MoveTextEmulator,
    usb_ids=(),
    line=SerialLine(baud=57_600),
)
