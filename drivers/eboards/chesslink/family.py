"""ChessLink's entry in the registry."""

from __future__ import annotations

from typing import Final

from eboards.chesslink.codec import ChessLinkCodec
from eboards.chesslink.emulator import ChessLinkEmulator
from eboards.family import Family, Line, UsbId

FAMILY: Final = Family(
    name="chesslink",
    title="Millennium ChessLink",
    codec=ChessLinkCodec,
    emulator=ChessLinkEmulator,
    usb_ids=(UsbId(0x0403, 0x6001, shared=True),),
    line=Line(baud=38_400, modem_lines=False),
)
