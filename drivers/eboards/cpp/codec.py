"""Chess Peripheral Protocol over serial: one command a line, LF. 115200 8N1.

    > feature submove_state         tell each lift and drop, please; said again with each question
    > get_state                     the whole board, also as a sign of life
    < state rnbqkbnr/pp…            as the first field of a FEN; `sync` and `unsync` say the same
    < move e2e4                     the board's own idea of a finished move: answered `ok`
    < senses colour 9x9 50 touch    what it tells, its squares, ms of a scan, if it feels a finger
                                    (our extension; unsaid: identity 8x8 200)
    < touch e2   < untouch e2       a finger, on boards that feel one (our extension)
    < hands 2Pr                     the hand stands of a shogi board that senses them, as in an
                                    SFEN; `-` where they are empty (our extension)
    < ok  < nok  < err …  < option …

Pieces are the letters of FEN; `u U ?` are unknown black, white and any. A board of nine by nine
writes nine ranks as in SFEN, with `+` for promoted pieces (our extension), and may add its hands
and a time, which are not read. Loose counters (the river game) are `o`. Sources:
firmware_notes/cpp.md
"""

from __future__ import annotations

import re
from typing import Final

from eboards.codec import AskBoard, DeviceCommand, Standing
from eboards.events import (
    BLACK_PIECE,
    CHESS_BOARD,
    COUNTER,
    EMPTY,
    SHOGI_BOARD,
    UNKNOWN,
    WHITE_PIECE,
    DeviceEvent,
    Fault,
    Finger,
    Geometry,
    HandsSeen,
    Identity,
    Noise,
    Piece,
    Placement,
    Scan,
    Sensing,
    SensingClass,
)
from eboards.lines import LineBuffer

SECOND: Final = 1_000_000_000
ASK_NS: Final = 10 * SECOND
AGAIN_NS: Final = SECOND
"""So soon after a question the next one, where there is no answer or a line came damaged."""
ANSWER_NS: Final = 3 * SECOND
DAMAGED: Final = frozenset({Noise.STRAY, Noise.RANGE, Noise.LENGTH})
"""What a board would not say of its own."""
LINE_MAX: Final = 512
"""Longer than any line the protocol has."""
SCAN_MAX_MS: Final = 10_000

OPENING: Final = b"feature submove_state\nget_state\n"
_UNKNOWN: Final = {"u": BLACK_PIECE, "U": WHITE_PIECE, "?": UNKNOWN}
_CHESS_PIECES: Final = frozenset("PNBRQKpnbrqk" + COUNTER)
_SHOGI_PIECES: Final = frozenset((*"PLNSGBRKplnsgbrk", *(f"+{piece}" for piece in "PLNSBRplnsbr")))
_HANDS: Final = re.compile(r"((1?\d)?[PLNSGBRplnsgbr])+")
_BOARDS: Final = {"8x8": (CHESS_BOARD, _CHESS_PIECES), "9x9": (SHOGI_BOARD, _SHOGI_PIECES)}
_KINDS: Final = {
    kind.value: kind
    for kind in (
        SensingClass.IDENTITY,
        SensingClass.IDENTITY_NOISY,
        SensingClass.KIND,
        SensingClass.COLOUR,
        SensingClass.OCCUPANCY,
    )
}
_QUIET: Final = frozenset(("ok", "nok", "option", "moved", "resign", "draw_offer", "undo_offer"))
"""What needs no event: only hands and sensors are listened to."""


class CppCodec:
    """One board on one line."""

    driver = "cpp"
    standing = Standing.WRITTEN

    def __init__(
        self,
        geometry: Geometry = CHESS_BOARD,
        kind: SensingClass = SensingClass.IDENTITY,
        *,
        scan_ns: int = SECOND // 5,
        feels_touch: bool = False,
    ) -> None:
        self._sensing = Sensing(kind, scan_ns, geometry, feels_touch)
        self._pieces = _SHOGI_PIECES if geometry.files == SHOGI_BOARD.files else _CHESS_PIECES
        self._lines = LineBuffer(LINE_MAX)
        self._out = bytearray()
        self._introduced = False
        self._ask_at_ns = 0
        self._may_ask_at_ns = 0
        self._asked_at_ns: int | None = None
        """The first question that has no answer yet."""
        self._silent = False
        self._shown = False
        """Its squares were told since it last fell silent."""

    @property
    def sensing(self) -> Sensing:
        return self._sensing

    # In.

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        events = self._lines.feed(data, at_ns, self._heard)
        if any(isinstance(event, Fault) and event.noise in DAMAGED for event in events):
            # What the board wanted to show is lost, and blitz has no ten seconds.
            self._ask_at_ns = min(self._ask_at_ns, self._may_ask_at_ns)
        return events

    def _heard(self, line: bytes, at_ns: int) -> list[DeviceEvent]:
        try:
            words = line.decode("ascii").split()
        except UnicodeDecodeError:
            return [Fault(at_ns, Noise.STRAY, line)]
        match words:
            case [("state" | "sync" | "unsync"), board, *_]:
                return [self._board(board, line, at_ns)]
            case ["senses", kind, squares, scan_ms, *feels]:
                return self._senses(kind, squares, scan_ms, feels, line, at_ns)
            case [("touch" | "untouch") as word, name]:
                return [self._finger(name, word == "touch", line, at_ns)]
            case ["hands", pieces] if self._sensing.geometry is SHOGI_BOARD:
                return [self._hands(pieces, line, at_ns)]
            case ["move", _]:
                self._out += b"ok\n"
                return []
            case ["err", *why]:
                return [Fault(at_ns, Noise.UNEXPECTED_REPLY, line, " ".join(why))]
            case [word, *_] if word in _QUIET:
                return []
        return [Fault(at_ns, Noise.UNKNOWN_MESSAGE, line)]

    def _board(self, text: str, line: bytes, at_ns: int) -> DeviceEvent:
        placement = read_board(text, self._sensing.geometry, self._pieces)
        if placement is None:
            return Fault(at_ns, Noise.RANGE, line)
        if self._asked_at_ns is not None:
            self._asked_at_ns, self._ask_at_ns = None, at_ns + ASK_NS
        self._silent, self._shown = False, True
        return Scan(at_ns, placement)

    def _hands(self, pieces: str, line: bytes, at_ns: int) -> DeviceEvent:
        if pieces != "-" and not _HANDS.fullmatch(pieces):
            return Fault(at_ns, Noise.RANGE, line)
        return HandsSeen(at_ns, pieces)

    def _senses(
        self, kind: str, squares: str, scan_ms: str, feels: list[str], line: bytes, at_ns: int
    ) -> list[DeviceEvent]:
        """What the board says of itself, before it shows its squares."""
        known = kind in _KINDS and squares in _BOARDS and feels in ([], ["touch"])
        if not known or not (scan_ms.isdecimal() and 0 < int(scan_ms) <= SCAN_MAX_MS):
            return [Fault(at_ns, Noise.RANGE, line)]
        geometry, pieces = _BOARDS[squares]
        if self._shown and geometry != self._sensing.geometry:
            return [Fault(at_ns, Noise.RANGE, line, "another board than the one that was shown")]
        self._pieces = pieces
        scan_ns = int(scan_ms) * SECOND // 1000
        sensing = Sensing(_KINDS[kind], scan_ns, geometry, feels_touch=bool(feels))
        if self._introduced and sensing == self._sensing:
            return []
        self._sensing, self._introduced = sensing, True
        return [Identity(at_ns, self.driver)]

    def _finger(self, name: str, down: bool, line: bytes, at_ns: int) -> DeviceEvent:
        if not self._sensing.feels_touch or name not in self._sensing.geometry.names:
            return Fault(at_ns, Noise.RANGE, line)
        return Finger(at_ns, self._sensing.geometry.square(name), down)

    # Out.

    def send(self, command: DeviceCommand, at_ns: int) -> bytes:
        """The board is asked for; a clock there is none."""
        if isinstance(command, AskBoard):
            self._asked(at_ns)
            return b"get_state\n"
        return b""

    @property
    def due_at_ns(self) -> int | None:
        if self._out:
            return 0
        if self._asked_at_ns is None:
            return self._ask_at_ns
        return min(self._ask_at_ns, self._asked_at_ns + ANSWER_NS)

    def due(self, at_ns: int) -> tuple[bytes, list[DeviceEvent]]:
        events: list[DeviceEvent] = []
        if self._asked_at_ns is not None and at_ns >= self._asked_at_ns + ANSWER_NS:
            self._asked_at_ns, self._ask_at_ns = None, at_ns + ASK_NS
            if not self._silent:
                self._silent, self._introduced, self._shown = True, False, False
                events.append(Fault(at_ns, Noise.SILENT))
        out = bytes(self._out)
        self._out.clear()
        if at_ns >= self._ask_at_ns and not out:
            # A board that was reset in between has forgotten what it was told.
            out = OPENING
            self._asked(at_ns)
        return out, events

    def _asked(self, at_ns: int) -> None:
        self._asked_at_ns = at_ns if self._asked_at_ns is None else self._asked_at_ns
        self._may_ask_at_ns = self._ask_at_ns = at_ns + AGAIN_NS


def read_board(text: str, geometry: Geometry, letters: frozenset[str]) -> Placement | None:
    """The placement; None where it is none of this geometry."""
    pieces: list[Piece] = []
    rows = text.split("/")
    for row in rows:
        before, plus = len(pieces), ""
        for letter in row:
            if letter == "+" and not plus:
                plus = "+"
                continue
            if letter.isdecimal() and not plus:
                pieces += [EMPTY] * int(letter)
            elif letter in _UNKNOWN and not plus:
                pieces.append(_UNKNOWN[letter])
            elif plus + letter in letters:
                pieces.append(plus + letter)
            else:
                return None
            plus = ""
        if plus or len(pieces) - before != geometry.files:
            return None
    return tuple(pieces) if len(rows) == geometry.ranks else None
