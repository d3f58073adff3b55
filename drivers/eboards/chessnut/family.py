"""Chessnut's entry in the registry: the high byte of the product id is the model."""

from __future__ import annotations

from typing import Final

from eboards.chessnut.codec import ChessnutCodec
from eboards.chessnut.emulator import ChessnutEmulator
from eboards.family import Family, Radio, UsbId, WireKind

VENDOR: Final = 0x2D80
"""Other goods have it, too: a drawing tablet is 2D80:3013."""
MODELS: Final = (0x8000, 0x8100, 0x8200, 0x8300, 0x8400, 0x8500, 0x8600)
"""Air, Pro, Air+, Evo, one without a name, Go, another without a name."""

FAMILY: Final = Family(
    name="chessnut",
    title="Chessnut",
    codec=ChessnutCodec,
    emulator=ChessnutEmulator,
    usb_ids=tuple(UsbId(VENDOR, model, product_mask=0xFF00) for model in MODELS),
    wire=WireKind.HIDRAW,
    radio=Radio(
        names=("Chessnut", "Smart Chess"),
        write="1b7e8272-2877-41c3-b46e-cf057c562023",
        notify=(
            "1b7e8262-2877-41c3-b46e-cf057c562023",
            "1b7e8273-2877-41c3-b46e-cf057c562023",
        ),
        gap_ms=200,
    ),
)
