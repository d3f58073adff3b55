"""The DGT family's entries in the registry: one board on a wire, several on a bus line."""

from __future__ import annotations

from typing import Final

from eboards.dgt.bus_codec import DgtBusCodec
from eboards.dgt.bus_emulator import DgtBusEmulator
from eboards.dgt.codec import DgtCodec
from eboards.dgt.emulator import DgtEmulator
from eboards.family import Family, SerialLine, UsbId

SINGLE_LINE: Final = SerialLine()
BUS_LINE: Final = SerialLine(modem_lines=False)
"""The adapter of a bus works only with DTR and RTS off."""

FAMILY: Final = Family(
    name="dgt",
    title="DGT",
    codec=DgtCodec,
    emulator=DgtEmulator,
    usb_ids=(
        UsbId(0x04D8, 0x000A, shared=True),
        UsbId(0x045B, 0x8111),
        UsbId(0x0403, 0x6001, shared=True),
    ),
    line=SINGLE_LINE,
)

BUS_FAMILY: Final = Family(
    name="dgt-bus",
    title="DGT on a bus line",
    codec=DgtBusCodec,
    emulator=lambda: DgtBusEmulator([DgtEmulator()]),
    usb_ids=(),
    line=BUS_LINE,
)
