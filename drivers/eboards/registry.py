"""The board families there are. A new one is a folder, an import and a name in this tuple."""

from __future__ import annotations

from typing import Final

from eboards.certabo.family import FAMILY as CERTABO
from eboards.chesslink.family import FAMILY as CHESSLINK
from eboards.chessnut.family import FAMILY as CHESSNUT
from eboards.cpp.family import FAMILY as CPP
from eboards.dgt.family import BUS_FAMILY as DGT_BUS
from eboards.dgt.family import FAMILY as DGT
from eboards.family import Family
from eboards.ichessone.family import FAMILY as ICHESSONE
from eboards.movetext.family import FAMILY as MOVETEXT
from eboards.movetext.family import FAST_FAMILY as MOVETEXT_57600
from eboards.staunton.family import FAMILY as STAUNTON

FAMILIES: Final[tuple[Family, ...]] = (
    DGT,
    DGT_BUS,
    CERTABO,
    CHESSLINK,
    CHESSNUT,
    STAUNTON,
    ICHESSONE,
    CPP,
    MOVETEXT,
    MOVETEXT_57600,
)
"""In the order in which a port is asked whether it is theirs."""


def family(name: str) -> Family:
    """The family of this name. Raises KeyError."""
    return {each.name: each for each in FAMILIES}[name]


def families_of(vendor: int, product: int, name: str) -> tuple[Family, ...]:
    """Those whose boards appear under this USB id; its own before those that share a chip's."""
    found = [
        (usb_id.shared, place, each)
        for place, each in enumerate(FAMILIES)
        for usb_id in each.usb_ids
        if usb_id.fits(vendor, product, name)
    ]
    return tuple(each for _, _, each in sorted(found, key=lambda item: item[:2]))
