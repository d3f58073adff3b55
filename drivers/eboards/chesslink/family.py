"""ChessLink's entry in the registry."""

from __future__ import annotations

from typing import Final

from eboards.chesslink.codec import ChessLinkCodec
from eboards.chesslink.emulator import ChessLinkEmulator
from eboards.family import Family, Radio, SerialLine, UsbId

FAMILY: Final = Family(
    name="chesslink",
    title="Millennium ChessLink",
    codec=ChessLinkCodec,
    emulator=ChessLinkEmulator,
    usb_ids=(UsbId(0x0403, 0x6001, shared=True),),
    line=SerialLine(baud=38_400, modem_lines=False),
    radio=Radio(
        names=("MILLENNIUM CHESS",),
        write="49535343-8841-43f4-a8d4-ecbe34729bb3",
        notify=("49535343-1e4d-4bd9-ba61-23c647249616",),
        gap_ms=150,
    ),
)
