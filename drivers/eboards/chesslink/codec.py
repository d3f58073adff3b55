"""Millennium ChessLink: 38400 baud, 7O1 on the wire, so 8N1 with parity in software: frame.py.

    > V  version     > S  position     > R aa  read register    > W aa dd  write register
    > X  lights out  > I00  model (from version 02.00 on)

    < s KQRBNPkqrbnp.   64 pieces from a fixed corner, along the ranks: a8 … h1 as the maker
                        counts; which corner that is depends on how the board lies
    < ?                 a piece unknown

Register 02 says when the board speaks by itself: 3 is "on every change", and that is written if
it is anything else. The checksum does not see an exchange of two characters (start and 1.e4 have
the same), so a position counts once it was seen twice: after a new one `S` asks at once.

An eONE tells the pieces its own tracking believes in; only whether a square is occupied is taken.
Sources: firmware_notes/chesslink.md
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from eboards.chesslink.frame import ChessLinkFramer, message
from eboards.codec import Standing
from eboards.dialogue import Request
from eboards.events import (
    EMPTY,
    UNKNOWN,
    DeviceEvent,
    Fault,
    Identity,
    Noise,
    Sensing,
    SensingClass,
)
from eboards.polled import Poll, PolledBoard

MS: Final = 1_000_000
SCAN_NS: Final = 82 * MS
"""Two scans of 41 ms: what lasts less is not believed."""
POLL_NS: Final = 1_000 * MS
"""So often the position is asked for even when the board says nothing."""
WAIT_NS: Final = 700 * MS
GAP_NS: Final = 20 * MS
FIRST_WITH_MODEL: Final = 2
"""Main version from which a board knows its model."""


def _request(text: str, tries: int = 2) -> Request:
    answer = text[0].lower()
    return Request(message(text), _begins(answer), wait_ns=WAIT_NS, tries=tries, gap_ns=GAP_NS)


def _begins(letter: str) -> Callable[[bytes], bool]:
    return lambda said: said[:1] == letter.encode()


VERSION: Final = _request("V")
POSITION: Final = _request("S")
READ_MODE: Final = _request("R02")
WRITE_MODE: Final = _request("W0203")
LIGHTS_OUT: Final = _request("X", tries=1)
MODEL: Final = _request("I00", tries=2)


class ChessLinkCodec(PolledBoard):
    """One board on a line. A King Performance answers no `W`, `L` or `X`: that is no fault."""

    driver = "chesslink"
    standing = Standing.WRITTEN
    opening = (VERSION, READ_MODE, POSITION, LIGHTS_OUT)
    polls = (Poll(POSITION, POLL_NS),)
    position = POSITION

    def __init__(self) -> None:
        super().__init__()
        self._framer = ChessLinkFramer()
        self._sensing = Sensing(SensingClass.IDENTITY, SCAN_NS)
        self._firmware = ""
        self._model_open = False
        """What its pieces are worth is being asked: so long they are not told."""

    @property
    def sensing(self) -> Sensing:
        return self._sensing

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        for found in self._framer.feed(data, at_ns):
            if isinstance(found, Fault):
                events.append(found)
                continue
            self._alive(found.encode(), at_ns)
            events += self._message(found, at_ns)
        return events

    def _asks(self, request: Request) -> bytes:
        self._framer.register_asked = request is READ_MODE
        # A board that reports every scan says where its pieces stand before it says what it is.
        self._model_open = self._model_open or request is VERSION
        return request.data

    def _given_up(self, request: Request | None, at_ns: int) -> list[DeviceEvent]:
        if request is VERSION:
            self._model_open = False
        return self._named("", at_ns) if request is MODEL and self._model_open else []

    def _message(self, text: str, at_ns: int) -> list[DeviceEvent]:
        match text[0]:
            case "s":
                return self._position(text[1:], at_ns)
            case "v":
                return self._version(text[1:], text, at_ns)
            case "i":
                return self._named(text[3:].strip(), at_ns)
            case "r" if text[1:3] == "02" and text[3:] != "03":
                self._dialogue.ask(WRITE_MODE)
        return []

    def _position(self, pieces: str, at_ns: int) -> list[DeviceEvent]:
        if self._model_open:
            return []
        if self._sensing.kind is SensingClass.OCCUPANCY:
            placement = tuple(EMPTY if piece == EMPTY else UNKNOWN for piece in pieces)
        else:
            placement = tuple({"o": "p", "O": "P"}.get(piece, piece) for piece in pieces)
        return self._sees(placement, at_ns)

    def _version(self, digits: str, text: str, at_ns: int) -> list[DeviceEvent]:
        try:
            main, sub = bytes.fromhex(digits)
        except ValueError:
            self._model_open = False
            return [Fault(at_ns, Noise.RANGE, text.encode())]
        self._firmware = f"{main}.{sub}"
        if main < FIRST_WITH_MODEL:
            return self._named("", at_ns)
        self._model_open = True
        self._dialogue.ask(MODEL)
        return []

    def _named(self, model: str, at_ns: int) -> list[DeviceEvent]:
        """Who it is, told once: what ended a silence may have said it before all is asked anew."""
        self._model_open = False
        occupancy = model.lower().startswith("e-one")
        kind = SensingClass.OCCUPANCY if occupancy else SensingClass.IDENTITY
        self._sensing = Sensing(kind, SCAN_NS)
        said = Identity(at_ns, self.driver, firmware=self._firmware, trademark=model)
        known, self._identity = self._identity, said
        return [] if known is not None and replace(known, at_ns=at_ns) == said else [said]
