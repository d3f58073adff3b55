"""iChessOne's entry in the registry. Its USB ids are not recorded: name it in the configuration."""

from __future__ import annotations

from typing import Final

from eboards.family import Family, Line
from eboards.ichessone.codec import IChessOneCodec
from eboards.ichessone.emulator import IChessOneEmulator

FAMILY: Final = Family(
    name="ichessone",
    title="iChessOne",
    codec=IChessOneCodec,
    emulator=IChessOneEmulator,
    usb_ids=(),
    line=Line(baud=115_200),
)
