"""The entry of House of Staunton boards and the Tap'n Set clock in the registry."""

from __future__ import annotations

from typing import Final

from eboards.family import Family, UsbId, WireKind
from eboards.staunton.codec import StauntonCodec
from eboards.staunton.emulator import StauntonEmulator

FAMILY: Final = Family(
    name="staunton",
    title="House of Staunton and Tap'n Set",
    codec=StauntonCodec,
    emulator=StauntonEmulator,
    usb_ids=(UsbId(0x0925, 0, product_mask=0, shared=True),),
    wire=WireKind.HIDRAW,
)
