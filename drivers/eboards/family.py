"""A board family as the registry knows it: how to talk to it, and by what to recognise it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from eboards.codec import Codec, Standing
from eboards.emulator import Emulator


class WireKind(StrEnum):
    """What a family's bytes travel on."""

    SERIAL = "a serial port, real or over USB"
    HIDRAW = "USB HID reports"


@dataclass(frozen=True, slots=True)
class SerialLine:
    """How a family talks on a serial line."""

    baud: int = 9600
    data_bits: int = 8
    parity: str = "N"
    stop_bits: int = 1
    modem_lines: bool = True
    """DTR and RTS; False for adapters that work only with both off."""


@dataclass(frozen=True, slots=True)
class UsbId:
    """A USB id under which boards of a family appear."""

    vendor: int
    product: int
    product_mask: int = 0xFFFF
    """Which bits of the product id count."""
    name: str = ""
    """A part of the product's text that must be there too."""
    shared: bool = False
    """True for the id of a bridge chip that all kinds of devices use: only an answer tells."""

    def fits(self, vendor: int, product: int, name: str) -> bool:
        """True for a device with these ids."""
        same = vendor == self.vendor and (product ^ self.product) & self.product_mask == 0
        return same and self.name.lower() in name.lower()


@dataclass(frozen=True, slots=True)
class Radio:
    """How a family is reached over Bluetooth LE: the same messages, in notifications and writes."""

    names: tuple[str, ...]
    """What the name that a board sends begins with."""
    write: str
    """The characteristic that takes what the computer says."""
    notify: tuple[str, ...]
    """Those that tell what the board says."""
    gap_ms: int = 0
    """At least so long between two writes."""

    def fits(self, name: str) -> bool:
        """True for a device that calls itself so."""
        return name.lower().startswith(tuple(each.lower() for each in self.names))


NORDIC_UART: Final = "6e40000{}-b5a3-f393-e0a9-e50e24dcca9e"
"""Of the serial service that many boards use: 2 is written to, 3 notifies."""


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of board."""

    name: str
    """As `driver` in a configuration: "dgt"."""
    title: str
    """For people."""
    codec: Callable[[], Codec]
    emulator: Callable[[], Emulator]
    """One such device as it comes out of its box, for tests and demonstrations."""
    usb_ids: tuple[UsbId, ...]
    wire: WireKind = WireKind.SERIAL
    line: SerialLine = SerialLine()
    radio: Radio | None = None
    """None: not reached over the air, or nothing certain is known of how."""

    @property
    def standing(self) -> Standing:
        """How far the codec has been proven."""
        return self.codec().standing
