"""A USB device as the kernel's virtual host controller sees it through a socket: USB/IP.

    48 bytes of head, big-endian, then data where there is some

    1 submit    command seqnum devid direction ep | flags length frame packets interval setup[8]
    3 answer    command seqnum 0     0         0  | status actual frame packets errors 0[8]
    2 unlink    command seqnum devid direction ep | seqnum of the victim 0[24]
    4 answer    command seqnum 0     0         0  | status 0[24]

Direction 1 is towards the computer. A request for data that is not there yet is kept until there is
some. After its unlink was answered a request is never answered: the kernel would drop the device.
"""

from __future__ import annotations

import struct
from collections import deque
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

_HEAD: Final = struct.Struct(">5I28s")
_SUBMIT: Final = struct.Struct(">5I8s")
_STALLED: Final = -32
_WITHDRAWN: Final = -104
BULK_IN: Final = 1
BULK_OUT: Final = 2
NOTICES: Final = 3
WAITING_MAX: Final = 65_536
"""Bytes that are kept for a program that has the port open and is slow."""
_OPENED: Final = (0x21, 0x22)
"""SET_CONTROL_LINE_STATE; bit 0 (DTR) is set while a program has the port open."""


class _Command(IntEnum):
    SUBMIT = 1
    UNLINK = 2
    SUBMITTED = 3
    UNLINKED = 4


class _Descriptor(IntEnum):
    DEVICE = 1
    CONFIGURATION = 2
    STRING = 3


@dataclass(frozen=True, slots=True)
class Badge:
    """Who the device says it is."""

    vendor: int = 0x04D8
    product: int = 0x000A
    serial: str = ""
    texts: tuple[str, str] = ("Emulated", "Chess board")
    """Maker and product."""

    @property
    def device(self) -> bytes:
        """Its descriptor: USB 2.0, a communications device."""
        ids = struct.pack("<HHH", self.vendor, self.product, 0x0100)
        strings = bytes((1, 2, 3 if self.serial else 0))
        return bytes((18, 1, 0, 2, 2, 0, 0, 64)) + ids + strings + bytes((1,))

    def string(self, number: int) -> bytes | None:
        """Text of this number; None: there is none."""
        if number == 0:
            return bytes((4, 3, 9, 4))
        known = (*self.texts, self.serial)
        if number > len(known):
            return None
        text = known[number - 1].encode("utf-16-le")
        return bytes((2 + len(text), 3)) + text


def _configuration() -> bytes:
    """A serial port (CDC-ACM): orders and notices on one interface, bytes on the other."""
    inner = b"".join(
        (
            bytes((9, 4, 0, 0, 1, 2, 2, 1, 0)),
            bytes.fromhex("0524001001 0524010001 04240202 0524060001"),
            bytes((7, 5, 0x80 | NOTICES, 3, 8, 0, 255)),
            bytes((9, 4, 1, 0, 2, 10, 0, 0, 0)),
            bytes((7, 5, 0x80 | BULK_IN, 2, 64, 0, 0)),
            bytes((7, 5, BULK_OUT, 2, 64, 0, 0)),
        )
    )
    return bytes((9, 2)) + struct.pack("<H", 9 + len(inner)) + bytes((2, 1, 0, 0xC0, 0)) + inner


class AcmDevice:
    """A serial port on the bus. Pure: bytes of the socket in and out, bytes of the line in and out.

    One lives as long as one cable is in.
    """

    def __init__(self, badge: Badge) -> None:
        self._badge = badge
        self._in = bytearray()
        self._out = bytearray()
        self._asked: deque[tuple[int, int]] = deque()
        """Requests for bytes of the line: number, length."""
        self._notices: set[int] = set()
        self._waiting = bytearray()
        self._heard = bytearray()
        self._opened = False

    def receive(self, data: bytes) -> bytes:
        """From the kernel. Returns what it has written to the line."""
        self._in += data
        while (message := self._message()) is not None:
            self._carry_out(*message)
        heard = bytes(self._heard)
        self._heard.clear()
        return heard

    def say(self, data: bytes) -> None:
        """The device sends this. It is lost while no program has the port open."""
        if not self._opened:
            return
        self._waiting += data
        self._hand_over()
        del self._waiting[WAITING_MAX:]

    def take(self) -> bytes:
        """For the kernel, since this was asked last."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def _message(self) -> tuple[int, int, bool, int, bytes, bytes] | None:
        """Command, number, towards the computer?, endpoint, rest of the head, data."""
        if len(self._in) < _HEAD.size:
            return None
        command, number, _, direction, endpoint, rest = _HEAD.unpack_from(self._in)
        length = 0
        if command == _Command.SUBMIT and not direction:
            length = _SUBMIT.unpack(rest)[1]
        end = _HEAD.size + length
        if len(self._in) < end:
            return None
        data = bytes(self._in[_HEAD.size : end])
        del self._in[:end]
        return command, number, bool(direction), endpoint, rest, data

    def _carry_out(
        self, command: int, number: int, inwards: bool, endpoint: int, rest: bytes, data: bytes
    ) -> None:
        if command == _Command.UNLINK:
            self._unlink(number, struct.unpack_from(">I", rest)[0])
            return
        _, length, _, _, _, setup = _SUBMIT.unpack(rest)
        if endpoint == 0:
            self._control(number, inwards, setup)
        elif not inwards:
            self._heard += data
            self._answer(number, 0, len(data))
        elif endpoint == BULK_IN:
            self._asked.append((number, length))
            self._hand_over()
        else:
            self._notices.add(number)  # Nothing is ever told there.

    def _control(self, number: int, inwards: bool, setup: bytes) -> None:
        kind, request, value, _, length = struct.unpack("<BBHHH", setup)
        if not inwards:
            if (kind, request) == _OPENED:
                self._opened = bool(value & 1)
                if not self._opened:
                    self._waiting.clear()
            self._answer(number, 0, length)  # Configuration, line settings: as it likes.
            return
        told: bytes | None = None
        if (kind, request) == (0x80, 6):
            told = self._described(value >> 8, value & 0xFF)
        elif request == 0:
            told = bytes(2)
        if told is None:
            self._answer(number, _STALLED, 0)
        else:
            self._answer(number, 0, len(told[:length]), told[:length])

    def _described(self, kind: int, number: int) -> bytes | None:
        if kind == _Descriptor.DEVICE:
            return self._badge.device
        if kind == _Descriptor.CONFIGURATION:
            return _configuration()
        return self._badge.string(number) if kind == _Descriptor.STRING else None

    def _unlink(self, number: int, victim: int) -> None:
        asked = deque(each for each in self._asked if each[0] != victim)
        withdrawn = len(asked) < len(self._asked) or victim in self._notices
        self._asked = asked
        self._notices.discard(victim)
        status = _WITHDRAWN if withdrawn else 0
        self._out += struct.pack(">5Ii24x", _Command.UNLINKED, number, 0, 0, 0, status)

    def _hand_over(self) -> None:
        while self._waiting and self._asked:
            number, length = self._asked.popleft()
            part = bytes(self._waiting[:length])
            del self._waiting[:length]
            self._answer(number, 0, len(part), part)

    def _answer(self, number: int, status: int, actual: int, data: bytes = b"") -> None:
        head = struct.pack(">5Ii4I8x", _Command.SUBMITTED, number, 0, 0, 0, status, actual, 0, 0, 0)
        self._out += head + data
