"""One DGT board among several on a bus line.

Who is asked when is the line's business (bus_poller.py): this codec is given the bytes that came
back while its board was asked, none for a question that was given up, and asks by itself only for
what the regular round leaves out. The round of a long line takes longer than a board that is alone
on its wire may be silent, so a board is lost only if it was asked in vain.

A board on a bus says what changed since it was asked last, in the tags of its memory (log.py):
squares in their order, and the lever by the time of the side that stopped.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from eboards.codec import AskBoard, AskClock, AskLog, DeviceCommand, SetClock, ShowText, Standing
from eboards.dgt import bus_frame, clock, log
from eboards.dgt.bus_poller import AWAY_AFTER
from eboards.dgt.codec import CHECK_NS, LOST_NS, SENSING
from eboards.dgt.pieces import PIECES
from eboards.dgt.requests import SET_CLOCK, SHOW_TEXT
from eboards.events import (
    ClockReading,
    ClockReply,
    DeviceEvent,
    Fault,
    Identity,
    Lever,
    LogLine,
    LogMark,
    Noise,
    Piece,
    Placement,
    Remembered,
    Scan,
    Side,
    SquareChange,
)
from eboards.memory import START

FRESH_AFTER: Final = 2
"""A packet may be an old one, asked for again in vain; of two in a row one is new."""
NO_TURN_NS: Final = 30_000_000_000
"""No round of a line takes so long: nobody asks this board any more."""
PACKET_NS: Final = 100_000_000
"""A packet was closed no longer than this before its last byte arrived."""

_STARTS: Final = frozenset({START, tuple(reversed(START))})


class DgtBusCodec:
    """The board with one address. `Fault(SILENT)` means that it is lost, once for each silence."""

    driver = "dgt-bus"
    standing = Standing.WRITTEN
    # A press is followed by the clock alone: the line repeats what was lost, and has to be shared.
    sensing = replace(SENSING, pictures=False, one_wire=False)

    def __init__(self, address: int | None = None) -> None:
        """None: whoever answered, for bytes of a board whose address is not said any more."""
        self.address = address
        self._framer = bus_frame.BusFramer()
        self._clock = clock.ClockReader(summed=True)
        self._placement: Placement | None = None
        self._lever: Side | None = None
        self._stood: tuple[LogLine, ...] = ()
        """The clock that stood when it was last read, as a memory would say it."""
        self._scan: Placement | None = None
        self._lines_since: tuple[LogLine, ...] = ()
        """What changed since the first whole board was asked for."""
        self._reading: ClockReading | None = None
        self._moved = False
        self._packets_to_wait = 0
        self._packet = b""
        self._polled_ns: int | None = None
        self._wanted: deque[int] = deque()
        self._started = False
        self._lost = False
        self._packets_missed = 0
        """So many packets after an absence are still to be told as a memory."""
        self._lines_missed: tuple[LogLine, ...] = ()
        self._at_start = False
        self._heard_at_ns = 0
        self._in_vain = 0
        """So many questions in a row had no answer."""
        self._check_at_ns = 0
        self._refused: list[DeviceEvent] = []

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        """What this board said. Replies of other boards are passed over."""
        events: list[DeviceEvent] = []
        if not data:
            self._in_vain += 1
        for found in self._framer.feed(data, at_ns):
            if isinstance(found, Fault):
                events.append(found)
            elif self.address in (None, found.address):
                away = self._lost or at_ns - self._heard_at_ns >= self._patience_ns
                if away and self._placement is not None:
                    self._packets_missed = FRESH_AFTER
                self._heard_at_ns = at_ns
                self._lost, self._in_vain = False, 0
                events += self._reply(found, at_ns)
        return events

    def send(self, command: DeviceCommand, at_ns: int) -> bytes:
        """Nothing to write at once. On a bus a clock can be read, never written to."""
        match command:
            case AskBoard():
                self._want(bus_frame.BOARD)
            case AskClock():
                self._want(bus_frame.CLOCK)
            case AskLog():
                self._want(bus_frame.FROM_START)
            case SetClock() | ShowText():
                name = SET_CLOCK if isinstance(command, SetClock) else SHOW_TEXT
                why = "the clock of a board on a bus can only be read"
                self._refused.append(ClockReply(at_ns, name, accepted=False, detail=why))
        return b""

    @property
    def due_at_ns(self) -> int | None:
        if not self._started or self._wanted or self._refused:
            return 0
        return min(self._check_at_ns, self._heard_at_ns + self._patience_ns)

    @property
    def _patience_ns(self) -> int:
        """How long this board may be silent: it speaks only when it is its turn."""
        return LOST_NS if self._in_vain >= AWAY_AFTER else NO_TURN_NS

    def due(self, at_ns: int) -> tuple[bytes, list[DeviceEvent]]:
        """What is to be asked beside the regular round, all at once: the line spaces it."""
        events, self._refused = self._refused, []
        if not self._started:
            self._started = True
            self._heard_at_ns = at_ns
            self._want(bus_frame.VERSION)
        silent_ns = at_ns - self._heard_at_ns
        if silent_ns >= self._patience_ns:
            self._heard_at_ns = at_ns
            if not self._lost:
                note = f"no answer from address {self.address} for {silent_ns // 1_000_000_000} s"
                events.append(Fault(at_ns, Noise.SILENT, note=note))
            self._lost = True
        if at_ns >= self._check_at_ns:
            self._check_at_ns = at_ns + CHECK_NS
            self._want(bus_frame.BOARD, bus_frame.CLOCK)
        wanted = list(self._wanted) if self.address is not None else []
        self._wanted.clear()
        return b"".join(bus_frame.command(number, self.address or 0) for number in wanted), events

    def _want(self, *numbers: int) -> None:
        self._wanted.extend(number for number in numbers if number not in self._wanted)

    def _reply(self, reply: bus_frame.BusReply, at_ns: int) -> list[DeviceEvent]:
        match reply.message_id:
            case bus_frame.SHOWS_BOARD:
                return self._shown(reply.data, at_ns)
            case bus_frame.SHOWS_CLOCK:
                return self._times(reply.data, at_ns)
            case changed if changed in bus_frame.CHANGED:
                return self._changed(reply.data, at_ns)
            case bus_frame.LOGGED:
                return [Remembered(at_ns, log.read(reply.data))]
            case bus_frame.SAYS_VERSION:
                firmware = f"{reply.data[0]}.{reply.data[1]}" if len(reply.data) == 2 else ""
                return [Identity(at_ns, self.driver, firmware=firmware, bus_address=reply.address)]
            case _:
                return []

    def _shown(self, codes: bytes, at_ns: int) -> list[DeviceEvent]:
        """A whole board waits for the next changes: what it shows of them has an order there."""
        if max(codes) >= len(PIECES):
            return [Fault(at_ns, Noise.RANGE, codes, "no such piece")]
        self._scan, self._moved = tuple(PIECES[code] for code in codes), False
        self._lines_since = ()
        self._packets_to_wait = FRESH_AFTER
        return []

    def _times(self, body: bytes, at_ns: int) -> list[DeviceEvent]:
        """A reading with another lever waits too, for the pieces that were moved before the
        press."""
        told: list[DeviceEvent] = []
        for event in self._clock.read(b"\x8d\x00\x0a" + body, at_ns):
            if isinstance(event, ClockReading):
                if self._lever not in (None, event.lever):
                    self._reading = event
                    self._packets_to_wait = FRESH_AFTER
                    continue
                self._lever, self._reading = event.lever, None
                self._stood = _standing(event)
            told.append(event)
        return told

    def _changed(self, packet: bytes, at_ns: int) -> list[DeviceEvent]:
        """What changed since the last packet, then what waited for it.

        The same packet twice in a row is one that was asked for again. Changes from before the
        first whole board, or from an absence, are told as memories: nobody knows how long ago
        they were.
        """
        if packet and packet == self._packet:
            packet = b""
        else:
            self._packet = packet
        since_ns = at_ns if self._polled_ns is None else self._polled_ns
        late_ns = clock.PRESS_LATE_NS + PACKET_NS + at_ns - since_ns
        self._polled_ns = at_ns
        lines = log.read(packet)
        events: list[DeviceEvent] = []
        if self._placement is None:
            events += [Remembered(at_ns, lines)] if lines else []
        else:
            if self._packets_missed:
                self._packets_missed -= 1
                self._lines_missed += lines
                if not self._packets_missed:
                    events += self._missed(at_ns, late_ns)
            else:
                events += self._live(lines, at_ns, late_ns)
        if self._scan is not None and self._placement is None:
            self._lines_since += lines
        self._moved = self._moved or any(line.mark is LogMark.SQUARE for line in lines)
        self._packets_to_wait -= 1
        if self._packets_to_wait == 0:
            events += self._compared(at_ns, late_ns)
        reading = self._reading
        if reading is not None and (self._lever is reading.lever or self._packets_to_wait <= 0):
            events.append(replace(reading, at_ns=at_ns))
            self._lever, self._reading = reading.lever, None
            self._stood = _standing(reading)
        return events

    def _compared(self, at_ns: int, late_ns: int) -> list[DeviceEvent]:
        """The whole board that waited, if it can be compared: not while pieces are being moved."""
        scan, self._scan = self._scan, None
        if scan is None:
            return []
        if self._placement is None:
            # Somebody may be moving already: what changed behind the picture is told behind it.
            self._placement = scan
            self._mark_start(scan)
            live = self._lines_since[_known_by(scan, self._lines_since) :]
            return [Scan(at_ns, scan), *self._live(live, at_ns, late_ns)]
        if self._moved and scan != self._placement:
            self._want(bus_frame.BOARD)
            return []
        before, self._placement = self._placement, scan
        self._mark_start(scan)
        events: list[DeviceEvent] = [Scan(at_ns, scan)]
        if before != scan:
            # Or this very picture came otherwise than it was sent, with a sum that is right all the
            # same: the sum does not see an exchange of two squares. The next one shows.
            self._want(bus_frame.BOARD)
            events.insert(0, Fault(at_ns, Noise.LOST_UPDATE))
        return events

    def _live(self, lines: Sequence[LogLine], at_ns: int, late_ns: int) -> list[DeviceEvent]:
        """Squares and presses in their order.

        Behind a power-up or a marked start the board lists all its pieces: most are where they
        were.
        """
        events: list[DeviceEvent] = []
        listing = False
        for line in lines:
            if line.mark is LogMark.SQUARE and line.square is not None and line.piece is not None:
                if not (listing and self._shows(line.square, line.piece)):
                    self._put(line.square, line.piece)
                    events.append(SquareChange(at_ns, line.square, line.piece))
            elif line.mark is LogMark.CLOCK:
                self._want(bus_frame.CLOCK)
                self._stood = (line,)
                self._lever = Side.RIGHT if line.side is Side.LEFT else Side.LEFT
                events.append(Lever(at_ns, self._lever, late_ns))
            elif line.mark in (LogMark.POWER_UP, LogMark.GAME_START):
                listing = True
                if line.mark is LogMark.POWER_UP:
                    self._want(bus_frame.BOARD, bus_frame.CLOCK)
        return events

    def _missed(self, at_ns: int, late_ns: int) -> list[DeviceEvent]:
        """What was done during an absence, as a memory that begins where the board was known last;
        then what it shows now."""
        lines, self._lines_missed = self._lines_missed, ()
        known = () if self._placement is None else self._placement
        pieces = [LogLine(LogMark.SQUARE, square=n, piece=piece) for n, piece in enumerate(known)]
        memory = Remembered(at_ns, (*pieces, *self._stood, *lines))
        self._live(lines, at_ns, late_ns)
        assert self._placement is not None, "only a board that was seen can be missed"
        return [memory, Scan(at_ns, self._placement)]

    def _shows(self, square: int, piece: Piece) -> bool:
        return self._placement is not None and self._placement[square] == piece

    def _put(self, square: int, piece: Piece) -> None:
        if self._placement is not None:
            shown = self._placement
            self._placement = (*shown[:square], piece, *shown[square + 1 :])
            self._mark_start(self._placement)

    def _mark_start(self, placement: Placement) -> None:
        """When the pieces are set up, the board is told so: its log of the game begins there."""
        at_start = placement in _STARTS
        if at_start and not self._at_start:
            self._want(bus_frame.MARK_START, bus_frame.CLOCK)
        self._at_start = at_start


def _known_by(shown: Placement, lines: Sequence[LogLine]) -> int:
    """How many of the lines a picture has in it already: after them all squares they name are as it
    shows them."""
    pieces: dict[int, Piece] = {}
    known = 0
    for place, line in enumerate(lines, 1):
        if line.square is not None and line.piece is not None:
            pieces[line.square] = line.piece
        if all(shown[square] == piece for square, piece in pieces.items()):
            known = place
    return known


def _standing(reading: ClockReading) -> tuple[LogLine, ...]:
    """The press that stopped the side that does not run; nothing where both stand."""
    if reading.running is None:
        return ()
    left = reading.running is Side.RIGHT
    side, stopped_ms = (Side.LEFT, reading.left_ms) if left else (Side.RIGHT, reading.right_ms)
    return (LogLine(LogMark.CLOCK, side=side, stopped_ms=stopped_ms),)
