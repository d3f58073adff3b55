"""A driver in a day: a whole family for a toy board, as docs/drivers.md builds it, in one file.

The toy sends a line for each square that changes, `e2 P` or `e2 -`, and the whole board, sixty-four
letters from a8 on, when it is asked with `?`. Nothing else is needed to be a driver: the
conformance suite (tests/eboards/conformance) holds it to what it holds all others to.
"""

from __future__ import annotations

from eboards.codec import Standing
from eboards.dialogue import Request
from eboards.events import (
    CHESS_BOARD,
    DeviceEvent,
    Fault,
    Noise,
    Scan,
    Sensing,
    SensingClass,
    SquareChange,
)
from eboards.family import Family, SerialLine
from eboards.polled import Poll, PolledBoard

SECOND = 1_000_000_000
START = "rnbqkbnrpppppppp--------------------------------PPPPPPPPRNBQKBNR"
PIECES = frozenset("PNBRQKpnbrqk-")


# The codec: bytes in, events out.


ASK = Request(b"?\n")


class ToyCodec(PolledBoard):
    """One toy on a line."""

    driver = "toy"
    standing = Standing.WRITTEN
    sensing = Sensing(SensingClass.IDENTITY, scan_ns=SECOND // 10)
    opening, polls, position = (ASK,), (Poll(ASK, SECOND),), ASK

    def __init__(self) -> None:
        super().__init__()
        self._line = b""

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        *lines, self._line = (self._line + data).split(b"\n")
        return [self._heard(line, at_ns) for line in lines]

    def _heard(self, said: bytes, at_ns: int) -> DeviceEvent:
        self._alive(said, at_ns)
        line = said.decode("ascii", "replace")
        if len(line) == 64 and PIECES.issuperset(line):
            return Scan(at_ns, tuple(line.replace("-", ".")))
        name, _, piece = line.partition(" ")
        if name in CHESS_BOARD.names and piece in PIECES and piece:
            return SquareChange(at_ns, CHESS_BOARD.square(name), piece.replace("-", "."))
        return Fault(at_ns, Noise.UNKNOWN_MESSAGE, said[:32])


# The emulator: the same wire from the other end, written without looking at the codec.


class ToyEmulator:
    """One toy."""

    def __init__(self) -> None:
        self._pieces = list(START)
        self._out = b""
        self._now_ns = 0

    def set_square(self, square: int, piece: str, at_ns: int) -> None:
        self._pieces[square] = piece if piece != "." else "-"
        self._say(f"{'abcdefgh'[square % 8]}{8 - square // 8} {self._pieces[square]}", at_ns)

    @property
    def due_at_ns(self) -> int | None:
        return self._now_ns if self._out else None

    def receive(self, data: bytes, at_ns: int) -> None:
        for _ in range(data.count(b"?")):
            self._say("".join(self._pieces), at_ns)

    def advance(self, at_ns: int) -> bytes:
        self._now_ns = at_ns
        out, self._out = self._out, b""
        return out

    def _say(self, line: str, at_ns: int) -> None:
        self._now_ns = at_ns
        self._out += line.encode() + b"\n"


# The family. A real one stands in registry.FAMILIES.

TOY = Family("toy", "Toy", ToyCodec, ToyEmulator, usb_ids=(), line=SerialLine(baud=19_200))
