"""Old computers with a host port: lines of text, one for each move they have accepted. 8N1.

    < Me2e4   < Mb7b8/Q             Universal Chess Board, 9600 baud
    < M   1   e2-e4                 Sapphire II 9600, Citrine and Star Diamond 57600
    < M   1,  e7xe5 ep   M 5 O-O    a comma after the number: Black's
    < T   1,  e7-e5                 taken back
    < ID.UCBII V1.09                the answer to I

    > I          who is there; boards that do not know it say nothing
    > X ON       send each move, please; only to those that answered

Lines end with CR, LF or both. What the computer refuses never comes out of it, nor does a touch, a
slip of the hand, or anything of the position: nothing can be ruled from such a board.
Sources: firmware_notes/movetext.md
"""

from __future__ import annotations

import re
from typing import Final

from eboards.codec import DeviceCommand, Standing
from eboards.events import (
    DeviceEvent,
    Fault,
    Identity,
    MoveReported,
    Noise,
    Sensing,
    SensingClass,
)
from eboards.lines import LineBuffer

MS: Final = 1_000_000
GAP_NS: Final = 100 * MS
LINE_MAX: Final = 128
SENSING: Final = Sensing(SensingClass.MOVES, 1_000 * MS)

_SAID: Final = re.compile(
    r"(?P<what>[MT])\s*(?:(?P<number>\d{1,3})(?P<black>,)?\s+)?"
    r"(?:(?P<castles>O-O(?:-O)?)|(?P<from>[a-h][1-8])[-x]?(?P<to>[a-h][1-8])(?:/(?P<piece>[QRBN]))?)"
    r"\s*(?:ep)?[+#]*"
)
_IDENTITY: Final = re.compile(r"ID\.(?P<trademark>\S+)(?:\s+(?P<firmware>\S.*))?")
_QUIET: Final = ("new game", "clock", "position", ".", "level", "referee", "xmit")
"""How lines begin that say nothing of a move."""


class MoveTextCodec:
    """One computer on a line. It may be silent for an hour: silence means nothing."""

    standing = Standing.WRITTEN
    sensing = SENSING

    def __init__(self, driver: str = "movetext") -> None:
        self.driver = driver
        self._lines = LineBuffer(LINE_MAX)
        self._to_ask = [b"I\r\n"]
        self._free_at_ns = 0

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        return self._lines.feed(data, at_ns, self._heard)

    def _heard(self, line: bytes, at_ns: int) -> list[DeviceEvent]:
        text = line.decode("ascii", "replace")
        if said := _SAID.fullmatch(text):
            return [_move(said, line, at_ns)]
        if known := _IDENTITY.fullmatch(text):
            self._to_ask.append(b"X ON\r\n")
            firmware, trademark = known["firmware"] or "", known["trademark"]
            return [Identity(at_ns, self.driver, firmware=firmware, trademark=trademark)]
        if text.lower().startswith(_QUIET):
            return []
        return [Fault(at_ns, Noise.UNKNOWN_MESSAGE, line)]

    def send(self, _command: DeviceCommand, _at_ns: int) -> bytes:
        """It shows no board and sets no clock."""
        return b""

    @property
    def due_at_ns(self) -> int | None:
        return self._free_at_ns if self._to_ask else None

    def due(self, at_ns: int) -> tuple[bytes, list[DeviceEvent]]:
        if not self._to_ask or at_ns < self._free_at_ns:
            return b"", []
        self._free_at_ns = at_ns + GAP_NS
        return self._to_ask.pop(0), []


def _move(said: re.Match[str], line: bytes, at_ns: int) -> DeviceEvent:
    """Castling needs the side, and only a numbered move tells it."""
    if said["castles"] and not said["number"]:
        return Fault(at_ns, Noise.RANGE, line, "castling, and nothing says whose")
    if said["castles"]:
        rank = "8" if said["black"] else "1"
        text = f"e{rank}{'c' if said['castles'].count('O') == 3 else 'g'}{rank}"
    else:
        text = said["from"] + said["to"] + (said["piece"] or "").lower()
    if said["what"] == "T":
        note = f"{text} was taken back on the computer: correct the record"
        return Fault(at_ns, Noise.UNEXPECTED_REPLY, line, note)
    return MoveReported(at_ns, text)
