"""The entry of home-made boards in the registry."""

from __future__ import annotations

from typing import Final

from eboards.cpp.codec import CppCodec
from eboards.cpp.emulator import CppEmulator
from eboards.family import Family, SerialLine, UsbId

FAMILY: Final = Family(
    name="cpp",
    title="Chess Peripheral Protocol",
    codec=CppCodec,
    emulator=CppEmulator,
    usb_ids=(UsbId(0x1A86, 0x55D3, shared=True), UsbId(0x1A86, 0x7523, shared=True)),
    line=SerialLine(baud=115_200),
)
