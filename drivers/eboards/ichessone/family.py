"""iChessOne's entry in the registry. Its USB ids are not recorded: name it in the configuration."""

from __future__ import annotations

from typing import Final

from eboards.family import NORDIC_UART, Family, Radio, SerialLine
from eboards.ichessone.codec import IChessOneCodec
from eboards.ichessone.emulator import IChessOneEmulator

FAMILY: Final = Family(
    name="ichessone",
    title="iChessOne",
    codec=IChessOneCodec,
    emulator=IChessOneEmulator,
    usb_ids=(),
    line=SerialLine(baud=115_200),
    radio=Radio(
        names=("iChessOne",),
        write=NORDIC_UART.format(2),
        notify=(NORDIC_UART.format(3),),
        gap_ms=50,
    ),
)
