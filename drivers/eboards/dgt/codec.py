"""DGT boards in single-board mode. 9600 8N1; how messages are framed: frame.py.

From the board:
    86  board dump    PP x 64          a8, b8 ... h1
    8D  clock         7 bytes          clock.py
    8E  field update  SS PP            square, piece; square 0 is a8, 63 is h1
    8F  log memory    tags             log.py
    90  bus address   HH LL            two 7 bit halves
    91  serial        5 digits         A2: long serial, 10 characters
    93  version       main sub         binary
    A0  battery       percent ...      Bluetooth boards

    PP  00 nothing, 01..06 white P R N B K Q, 07..0C black; 0D..0F pieces with a meaning of
        their own (draw, White wins, Black wins), which show as an unknown piece

To the board one byte a request, no length, no checksum; what they are: requests.py.

The board numbers its squares with White at the connector's left hand, and never turns them.
Sources, doubts and test vectors: firmware_notes/dgt.md
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from eboards.codec import AskBoard, AskClock, AskLog, DeviceCommand, SetClock, ShowText, Standing
from eboards.dgt import clock, log, requests
from eboards.dgt.frame import DgtFramer, ends_another
from eboards.dgt.identity import introduced
from eboards.dgt.pieces import PIECES
from eboards.dialogue import GAP_NS, Dialogue, Request
from eboards.events import (
    Battery,
    ClockReading,
    ClockReply,
    DeviceEvent,
    Fault,
    Identity,
    Noise,
    Placement,
    Remembered,
    Scan,
    Sensing,
    SensingClass,
    Side,
    SquareChange,
)

LOST_NS: Final = 3_000_000_000
"""A board that says nothing for so long although it is asked is gone."""
KEEP_ALIVE_NS: Final = 1_250_000_000
"""A clock that runs speaks each second: asked as soon as that, its board would be asked for nothing
half of the time. A second request still finds its answer before the board counts as lost."""
RUBBISH_BYTES: Final = 4
"""Fewer than these are noise on a line that went silent."""
SETTLE_NS: Final = 1_000_000_000
"""After so much quiet following an update the whole board is asked for, to catch a lost one. Most
pieces that are lifted are down by then, and their landing may be what is lost."""
LOSSY_SETTLE_NS: Final = 500_000_000
LOSSY_NS: Final = 60_000_000_000
"""So soon, for so long after a message was found to be lost: a line that loses one loses more."""
CHECK_NS: Final = 60_000_000_000
"""The whole board, and automatic updates, are asked for at least this often."""
NO_NEWS_NS: Final = 3_000_000_000
"""Automatic updates are asked for again so long after the last: a board that lost its power for a
moment still answers, but reports nothing by itself."""
SETTING_NS: Final = 5_000_000_000
"""A clock that is being set may show old times for so long."""

BATTERY_NS: Final = 300_000_000_000
"""A board on Bluetooth is asked so often how long it will last."""
AGAIN_NS: Final = 2_000_000_000
"""A whole board that was asked for in vain, or contradicts what was told, is asked for again after
so long."""

SQUARE: Final = b"\x8e"
"""How a message of one square begins."""

SENSING: Final = Sensing(
    SensingClass.IDENTITY, scan_ns=250_000_000, remembers=True, pictures=True, one_wire=True
)


class DgtCodec:
    """One board on a wire of its own.

    A recording is read with `receive` alone; start-up and keep-alive begin with the first `due`.
    `Fault(SILENT)` means that the board is lost, once for each silence. The codec then starts
    over by itself every three seconds; whatever comes after it begins a new session.
    """

    driver = "dgt"
    standing = Standing.RECORDED
    sensing = SENSING

    def __init__(self, *, settle_ns: int = SETTLE_NS) -> None:
        """`settle_ns`: after so much quiet the whole board is asked for."""
        self._settle_ns = settle_ns
        self._framer = DgtFramer()
        self._clock = clock.ClockReader()
        self._dialogue = Dialogue()
        self._clock_talk = Dialogue()
        self._identity = Identity(0, self.driver)
        self._battery: Battery | None = None
        self._battery_at_ns: int | None = None
        """When it is asked next how long it will last; None: it has no battery that we know of."""
        self._placement: Placement | None = None
        self._lever: Side | None = None
        self._clock_kind: int | None = None
        self._text: ShowText | None = None
        self._started = False
        self._rubbish = 0
        """So many bytes have come since the last message that belong to none."""
        self._lost = False
        self._heard_at_ns = 0
        self._spoke_at_ns: int | None = None
        self._asked_at_ns = 0
        self._settled_at_ns: int | None = None
        self._lossy_until_ns = 0
        self._check_at_ns = 0
        self._news_at_ns = 0

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        for found in self._framer.feed(data, at_ns):
            if isinstance(found, Fault):
                events.append(found)
                self._rubbish += len(found.data)
                if _squares_are_wrong(found):
                    # Which they are shows in the whole board; a bad line has not ten a second.
                    self._lossy_until_ns = at_ns + LOSSY_NS
                    self._settled_at_ns = at_ns + self._quiet_ns(at_ns)
                continue
            self._rubbish = 0
            if self._spoke_at_ns is not None and at_ns - self._spoke_at_ns >= LOST_NS:
                self._forget()
            self._lost = False
            self._spoke_at_ns = self._heard_at_ns = at_ns
            events += self._message(found, at_ns)
        if data and self._framer.coming:
            self._heard_at_ns = at_ns
        return events

    def send(self, command: DeviceCommand, at_ns: int) -> bytes:
        """Nothing to write at once: each request waits for its turn, which `due_at_ns` tells."""
        match command:
            case AskBoard():
                self._dialogue.ask(requests.DUMP)
            case AskClock():
                self._dialogue.ask(requests.CLOCK)
            case AskLog():
                self._dialogue.ask(requests.LOG)
            case SetClock():
                self._clock_talk.ask(requests.set_clock(command))
                self._clock.expect(command.left_ms, command.right_ms, at_ns + SETTING_NS)
            case ShowText():
                self._show(command)
        return b""

    @property
    def due_at_ns(self) -> int | None:
        if not self._started:
            return 0
        first_ns = min(self._silent_at_ns, self._check_at_ns)
        for at_ns in (
            self._keep_alive_at_ns,
            self._settled_at_ns,
            self._battery_at_ns,
            self._dialogue.due_at_ns,
            self._clock_talk_at_ns,
        ):
            if at_ns is not None and at_ns < first_ns:
                first_ns = at_ns
        return first_ns

    def due(self, at_ns: int) -> tuple[bytes, list[DeviceEvent]]:
        """The next request, and the loss of the board when it has been silent for too long."""
        events: list[DeviceEvent] = []
        if not self._started:
            self._start(at_ns)
        elif at_ns >= self._silent_at_ns:
            events += self._silence(at_ns)
            self._start(at_ns)
        self._ask_what_is_due(at_ns)
        request, unanswered = self._dialogue.turn(at_ns)
        if unanswered == requests.DUMP:
            # Asked twice, and both came damaged: without it a square stays as it was misread.
            self._settled_at_ns = at_ns + AGAIN_NS
        clock_talk_at_ns = self._clock_talk_at_ns
        if request is None and clock_talk_at_ns is not None and at_ns >= clock_talk_at_ns:
            request, unanswered = self._clock_talk.turn(at_ns)
            if unanswered is not None:
                events.append(self._failed(unanswered, at_ns, "the clock did not answer"))
        if request is None:
            return b"", events
        self._asked_at_ns = at_ns
        return request.data, events

    @property
    def _keep_alive_at_ns(self) -> int | None:
        if not self._dialogue.idle:
            return None
        return max(self._heard_at_ns, self._asked_at_ns) + KEEP_ALIVE_NS

    @property
    def _clock_talk_at_ns(self) -> int | None:
        """The clock takes seconds to answer: the board is asked meanwhile, never both at once."""
        at_ns = self._clock_talk.due_at_ns
        return None if at_ns is None else max(at_ns, self._asked_at_ns + GAP_NS)

    @property
    def _silent_at_ns(self) -> int:
        return self._heard_at_ns + LOST_NS

    def _start(self, at_ns: int) -> None:
        self._started = True
        self._heard_at_ns = at_ns
        self._check_at_ns = at_ns + CHECK_NS
        self._settled_at_ns = None
        self._dialogue.start_over()
        self._dialogue.ask(*requests.start_up())

    def _forget(self) -> None:
        """After a silence it may be another board, and pieces may have been moved."""
        self._placement = None
        self._lever = None
        self._identity = Identity(0, self.driver)
        self._battery = self._battery_at_ns = None

    def _silence(self, at_ns: int) -> list[DeviceEvent]:
        half = self._framer.half
        given_up = self._framer.give_up(at_ns)
        faults: list[DeviceEvent] = [*given_up]
        if not self._lost:
            rubbish = self._rubbish + sum(len(fault.data) for fault in given_up) - len(half)
            note = "half a message for 3 s: bad cable?" if half else "no answer for 3 s"
            if rubbish >= RUBBISH_BYTES:
                note = "answers what no DGT board would: another device, or a bad cable?"
            faults.append(Fault(at_ns, Noise.SILENT, half, note))
        self._lost = True
        return faults

    def _ask_what_is_due(self, at_ns: int) -> None:
        if self._settled_at_ns is not None and at_ns >= self._settled_at_ns:
            self._settled_at_ns = None
            self._dialogue.ask(requests.DUMP)
        if at_ns >= self._check_at_ns:
            self._check_at_ns = at_ns + CHECK_NS
            self._dialogue.ask(requests.UPDATES, requests.DUMP)
        if self._battery_at_ns is not None and at_ns >= self._battery_at_ns:
            self._battery_at_ns = at_ns + BATTERY_NS
            self._dialogue.ask(requests.BATTERY)
        keep_alive_at_ns = self._keep_alive_at_ns
        if keep_alive_at_ns is not None and at_ns >= keep_alive_at_ns:
            self._dialogue.ask(requests.SERIAL)
            if at_ns - self._news_at_ns >= NO_NEWS_NS:
                self._news_at_ns = at_ns
                self._dialogue.ask(requests.UPDATES)

    def _show(self, command: ShowText) -> None:
        """Which form a text takes depends on the clock, so the first one has to wait for that."""
        if self._clock_kind is None:
            self._text = command
            self._clock_talk.ask(requests.CLOCK_VERSION)
        else:
            self._clock_talk.ask(*requests.show_text(command.text, self._clock_kind))

    def _failed(self, request: Request, at_ns: int, why: str) -> DeviceEvent:
        """A command came to nothing. A clock that does not say its version may still be an XL."""
        if request.name == requests.SET_CLOCK:
            self._clock.set_failed()
        if request.name == requests.VERSION and self._text is not None:
            self._clock_talk.ask(*requests.show_text(self._text.text, requests.XL))
            self._text = None
        return ClockReply(at_ns, request.name, accepted=False, detail=why)

    def _message(self, message: bytes, at_ns: int) -> list[DeviceEvent]:
        self._dialogue.heard(message)
        match message[0]:
            case 0x86 if len(message) == 67:
                return self._dump(message, at_ns)
            case 0x8D if clock.is_ack(message):
                return self._ack(message, at_ns)
            case 0x8D:
                return self._times(message, at_ns)
            case 0x8E:
                return self._field(message, at_ns)
            case 0x8F if message[-1] == log.END:
                return [Remembered(at_ns, log.read(message[3:]))]
            case 0x90 | 0x91 | 0x92 | 0x93 | 0xA2:
                return self._introduced(message, at_ns)
            case 0x96:
                return []
            case 0xA0:
                return self._charge(message, at_ns)
            case _:
                return [Fault(at_ns, Noise.UNKNOWN_MESSAGE, message[:16])]

    def _dump(self, message: bytes, at_ns: int) -> list[DeviceEvent]:
        codes = message[3:]
        if max(codes) >= len(PIECES):
            return [Fault(at_ns, Noise.RANGE, message, "no such piece")]
        placement = tuple(PIECES[code] for code in codes)
        before, self._placement = self._placement, placement
        faults: list[DeviceEvent] = []
        if before is not None and before != placement:
            # Or a bit of this very picture came as another, which only the next one shows.
            self._settled_at_ns, self._lossy_until_ns = at_ns + AGAIN_NS, at_ns + LOSSY_NS
            faults.append(Fault(at_ns, Noise.LOST_UPDATE, note=_differences(before, placement)))
        return [*faults, Scan(at_ns, placement)]

    def _field(self, message: bytes, at_ns: int) -> list[DeviceEvent]:
        square, piece = message[3] & 0x3F, PIECES[message[4] & 0x0F]
        events: list[DeviceEvent] = []
        if message[3] & 0x40 or message[4] & 0x70:
            events.append(Fault(at_ns, Noise.STRANGE_BITS, message))
        self._settled_at_ns, self._news_at_ns = at_ns + self._quiet_ns(at_ns), at_ns
        if self._placement is not None:
            shown = self._placement
            if shown[square] == piece:
                # Something came between, and its message was lost: look now, and at all of it.
                self._settled_at_ns, self._lossy_until_ns = at_ns, at_ns + LOSSY_NS
            self._placement = (*shown[:square], piece, *shown[square + 1 :])
        return [*events, SquareChange(at_ns, square, piece)]

    def _quiet_ns(self, at_ns: int) -> int:
        """How much quiet there has to be after an update."""
        return LOSSY_SETTLE_NS if at_ns < self._lossy_until_ns else self._settle_ns

    def _times(self, message: bytes, at_ns: int) -> list[DeviceEvent]:
        events, self._news_at_ns = self._clock.read(message, at_ns), at_ns
        if self._clock.doubts:
            self._dialogue.ask(requests.CLOCK)
        for event in events:
            if isinstance(event, ClockReading):
                if self._lever not in (None, event.lever):
                    self._settled_at_ns = at_ns
                self._lever = event.lever
        return events

    def _ack(self, message: bytes, at_ns: int) -> list[DeviceEvent]:
        ack = self._clock.ack(message, at_ns)
        if ack is None:
            return []
        if ack.what == clock.BUTTON:
            return [clock.button(ack, at_ns)]
        if ack.what == clock.READY:
            self._dialogue.ask(requests.CLOCK)
            return []
        if ack.what >= 0x80 or ack.what == clock.TEXT_ENDED:
            return []
        answered = self._clock_talk.heard(message)
        if answered is None:
            return [Fault(at_ns, Noise.UNEXPECTED_REPLY, message)]
        if ack.result != clock.ACCEPTED:
            return [self._failed(answered, at_ns, f"the clock refused ({ack.result:02X})")]
        detail = ""
        if answered.name == requests.VERSION:
            self._clock_kind, minor = divmod(ack.detail[0], 16)
            detail = f"{self._clock_kind}.{minor}"
            if self._text is not None:
                self._show(self._text)
                self._text = None
        return [ClockReply(at_ns, answered.name, accepted=True, detail=detail)]

    def _charge(self, message: bytes, at_ns: int) -> list[DeviceEvent]:
        """How long the board will last, told again only when that is news."""
        charging = bool(message[11] & 1) if len(message) == 12 else None
        percent = message[3] if message[3] <= 100 else None
        known = self._battery
        if known is not None and (known.percent, known.charging) == (percent, charging):
            return []
        self._battery = Battery(at_ns, percent, charging)
        return [self._battery]

    def _introduced(self, message: bytes, at_ns: int) -> list[DeviceEvent]:
        """What the board says of itself, told again only when it says something new."""
        if message[0] == 0x93 and message[3] >= requests.FIRST_WITH_BATTERY:
            self._battery_at_ns = at_ns
        known = introduced(message, self._identity)
        if known == self._identity:
            return []
        self._identity = known
        return [replace(known, at_ns=at_ns)]


def _squares_are_wrong(fault: Fault) -> bool:
    """A square's message was lost, or one before these bytes said what was not sent."""
    if fault.noise is Noise.STRAY:
        return not ends_another(fault.data)
    return fault.data.startswith(SQUARE)


def _differences(before: Placement, now: Placement) -> str:
    squares = [
        f"{square}: {a}>{b}"
        for square, (a, b) in enumerate(zip(before, now, strict=True))
        if a != b
    ]
    return ", ".join(squares)
