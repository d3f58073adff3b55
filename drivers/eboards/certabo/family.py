"""Certabo's entry in the registry. Tabutronic's boards differ by what they send only."""

from __future__ import annotations

from typing import Final

from eboards.certabo.codec import CertaboCodec
from eboards.certabo.emulator import CertaboEmulator
from eboards.family import Family, SerialLine, UsbId

FAMILY: Final = Family(
    name="certabo",
    title="Certabo and Tabutronic",
    codec=CertaboCodec,
    emulator=CertaboEmulator,
    usb_ids=(UsbId(0x10C4, 0xEA60, shared=True),),
    line=SerialLine(baud=38_400),
)
