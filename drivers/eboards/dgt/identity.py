"""What a DGT board says of itself, message by message."""

from __future__ import annotations

import re
from dataclasses import replace

from eboards.bounds import NAME_MAX, TRADEMARK_MAX, readable
from eboards.events import Identity

_REVELATION_VERSION = re.compile(r"\d\.\d\d")


def introduced(message: bytes, known: Identity) -> Identity:
    """What is known of the board after this message.

    The long serial number counts where there is one: the short one has five digits, or as many as
    its board has room for.
    On a Revelation II the long one begins with a version instead. A trademark has several lines.
    """
    data = message[3:]
    match message[0]:
        case 0x90:
            return replace(known, bus_address=data[0] << 7 | data[1])
        case 0x91:
            said = data.decode("ascii")[:NAME_MAX]
            digits = re.match(r"\d*", said)
            if digits is None or known.serial.endswith(digits[0]):
                return known
            return replace(known, serial=digits[0])
        case 0x92:
            said = " ".join(data.decode("ascii").split())
            return replace(known, trademark=readable(said, TRADEMARK_MAX))
        case 0x93:
            return replace(known, firmware=f"{data[0]}.{data[1]}")
        case _:
            text = data.decode("ascii")
            if _REVELATION_VERSION.match(text):
                return replace(known, firmware=text[:4])
            return replace(known, serial=text.strip())
