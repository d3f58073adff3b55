"""The clock, as a DGT board passes it on.

8D 00 0A  fH MM SS  fH MM SS  ss     right side, then left, as seen from the clock's front

- H   hours 0..9 in the low nibble; MM, SS as BCD
- f   10 flag down and the clock blocked at zero, 20 time a move is on, 40 flag shown
- ss  01 running, 02 lever high on the right, 04 battery low, 08 left's turn, 10 right's turn,
      20 no clock is connected

A low nibble of 0A in either hour byte makes it an acknowledgement instead: four 8 bit values
whose top bits travel in those hour bytes.

The side that runs is taken from the lever, not from the turn bits 08 and 10: documents of two
generations of clocks disagree on those, and the lever is what the player touches.
Sources, doubts and test vectors: firmware_notes/dgt-clocks.md
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from eboards.events import Button, ClockGone, ClockReading, DeviceEvent, Fault, Noise, Side

GAIN_MAX_MS: Final = 120_000
"""No increment gives more. A running clock that gains more is not believed at once."""
LOSS_MAX_MS: Final = 2_000
"""Nor one that loses so much more than the time that went by."""
AGREE_MS: Final = 2_000
"""Two readings that lie this close say the same."""
EIGHT_HOURS_MS: Final = 28_800_000
ECHO_NS: Final = 1_000_000_000
"""A board may repeat an acknowledgement for so long instead of showing the times."""
UNPRESSED = "gained without a press"
OTHER_SIDES = "turn and lever name different sides"
PRESS_LATE_NS: Final = 1_000_000_000
"""The board asks the clock about once a second: a press is known no better."""

ACCEPTED: Final = 0x10
TEXT_ENDED: Final = 0x03
READY: Final = 0x81
BUTTON: Final = 0x88

_BUTTONS: Final = {0x31: "back", 0x32: "plus", 0x33: "run", 0x34: "minus", 0x35: "ok"}
_BUTTON_BITS: Final = {0x04: "back", 0x20: "minus", 0x10: "run", 0x08: "plus", 0x40: "ok"}
"""From left to right on the clock."""


@dataclass(frozen=True, slots=True)
class ClockAck:
    """The clock's answer to a command, or (`what` from 80 up) something it says unasked."""

    result: int
    what: int
    detail: tuple[int, int]


def is_ack(message: bytes) -> bool:
    """True for an acknowledgement, False for a reading of the times."""
    return message[3] & 0x0F == 0x0A or message[6] & 0x0F == 0x0A


def read_ack(message: bytes) -> ClockAck:
    """The four values of an acknowledgement, each put together again from its seven bits."""
    right, left = message[3], message[6]
    return ClockAck(
        message[4] | left << 3 & 0x80,
        message[5] | left << 2 & 0x80,
        (message[7] | right << 3 & 0x80, message[8] | right << 2 & 0x80),
    )


class ClockReader:
    """Readings and acknowledgements out of clock messages, without what must not be believed."""

    def __init__(self, *, summed: bool = False) -> None:
        """`summed`: each message has a sum, so that a bit that came as another is no reading."""
        self._summed = summed
        self.doubts = False
        """True after a reading that another one has to confirm."""
        self._last: ClockReading | None = None
        self._doubted: ClockReading | ClockGone | None = None
        self._unsaid: Fault | None = None
        """What is told of the doubted reading only if the next one says otherwise."""
        self._turn_reported = False
        self._turn_follows: bool | None = None
        """Whether this clock's turn bits name the side of the lever; None: not known yet."""
        self._expected: tuple[int, int, int] | None = None
        self._echo: tuple[bytes, int] | None = None

    def expect(self, left_ms: int, right_ms: int, until_ns: int) -> None:
        """The clock is being set: until it shows these times, old ones may still come."""
        self._expected = (left_ms, right_ms, until_ns)

    def set_failed(self) -> None:
        """The clock did not take the new times: what it shows counts again."""
        self._expected = None

    def ack(self, message: bytes, at_ns: int) -> ClockAck | None:
        """The acknowledgement, or None for the repetition of one."""
        if self._echo and self._echo[0] == message and at_ns - self._echo[1] < ECHO_NS:
            return None
        self._echo = (message, at_ns)
        return read_ack(message)

    def read(self, message: bytes, at_ns: int) -> list[DeviceEvent]:
        """What a message with times says. All zeros are a quirk of old boards and say nothing."""
        body = message[3:10]
        if not any(body):
            return []
        status = body[6]
        if status & 0x20:
            return self._gone(message, at_ns)
        right, left = _time_ms(body[0:3]), _time_ms(body[3:6])
        if right is None or left is None:
            return [Fault(at_ns, Noise.RANGE, message, "no such time on a clock")]
        if status & 0x40:
            return [Fault(at_ns, Noise.STRANGE_BITS, message, "a bit that clocks leave at 0")]
        reading = _reading(body, left, right, at_ns)
        if self._is_stale(reading):
            return []
        doubted = self._doubted
        turn_follows = _turn_follows(status)
        faults = self._unlikely(reading, message, turn_follows)
        if self.doubts:
            return faults
        faults += self._contradicted(status, message, at_ns) or self._odd(reading, message)
        if isinstance(doubted, ClockReading):
            # It may have been so since before the one that had to be confirmed.
            reading = replace(reading, late_ns=PRESS_LATE_NS + at_ns - doubted.at_ns)
        self._last = reading
        if turn_follows is not None:
            self._turn_follows = turn_follows
        return [*faults, reading]

    def _is_stale(self, reading: ClockReading) -> bool:
        if self._expected is None:
            return False
        left, right, until = self._expected
        if reading.at_ns < until and not _agree(reading, left, right):
            return True
        self._expected = self._last = None
        return False

    def _unlikely(
        self, reading: ClockReading, message: bytes, turn_follows: bool | None
    ) -> list[DeviceEvent]:
        """What does not follow from the reading before waits for a second one that says the same.

        Where the end of a message and the begin of the next are lost, the rest of both makes a
        message of the right length, and digits stand where others and the flags belong. A clock
        that is said to have stopped since is no better known. Where the turn has always named the
        side of the lever, or always the other, one bit of the lever may have come as another: that
        would be two presses nobody made. A digit may have too, and then a clock has gained though
        nobody pressed, or there were two presses: nothing is wrong with the line before the next
        reading says so.
        """
        doubted, self._doubted, self.doubts = self._doubted, None, False
        known = None not in (turn_follows, self._turn_follows)
        other_sides = OTHER_SIDES if known and turn_follows != self._turn_follows else ""
        unsaid, self._unsaid = self._unsaid, None
        if isinstance(doubted, ClockReading) and _same(reading, doubted):
            return []
        told: list[DeviceEvent] = [] if unsaid is None else [replace(unsaid, at_ns=reading.at_ns)]
        if why := _does_not_follow(self._last, reading) or other_sides:
            return told + self._doubt(reading, message, why)
        if not self._summed and _gained_unpressed(self._last, reading):
            self._unsaid = Fault(reading.at_ns, Noise.RANGE, message, UNPRESSED)
            self._doubted, self.doubts = reading, True
        return told

    def _gone(self, message: bytes, at_ns: int) -> list[DeviceEvent]:
        """No clock is connected. With a time beside it, and one there just now, that is one bit of
        a reading that may have come as another: it waits likewise."""
        gone = ClockGone(at_ns)
        timed, doubted = any(message[3:9]), isinstance(self._doubted, ClockGone)
        if timed and self._last is not None and not doubted:
            return self._doubt(gone, message, "no clock, and a time beside it")
        self._last, self._doubted, self.doubts = None, None, False
        self._turn_follows = None
        return [gone]

    def _doubt(self, said: ClockReading | ClockGone, message: bytes, why: str) -> list[DeviceEvent]:
        self._doubted, self.doubts = said, True
        return [Fault(said.at_ns, Noise.RANGE, message, why)]

    def _contradicted(self, status: int, message: bytes, at_ns: int) -> list[DeviceEvent]:
        """The turn bits against the lever; said once, since a whole generation may differ."""
        if _turn_follows(status) is not False or self._turn_reported:
            return []
        self._turn_reported = True
        return [Fault(at_ns, Noise.STRANGE_BITS, message, OTHER_SIDES)]

    def _odd(self, reading: ClockReading, message: bytes) -> list[DeviceEvent]:
        """Some clock shows eight hours for nothing at all. It is passed on, and said."""
        times = (reading.left_ms, reading.right_ms)
        last = self._last
        if EIGHT_HOURS_MS not in times or (last and _agree(reading, last.left_ms, last.right_ms)):
            return []
        return [Fault(reading.at_ns, Noise.RANGE, message, "8:00:00, which may mean zero")]


def button(ack: ClockAck, at_ns: int) -> Button:
    """Which button went down; two at once are named from left to right, as in `back+ok`."""
    pressed = [name for bit, name in _BUTTON_BITS.items() if ack.detail[0] & bit]
    return Button(at_ns, "+".join(pressed) or _BUTTONS.get(ack.detail[1], "unknown"))


def _reading(body: bytes, left_ms: int, right_ms: int, at_ns: int) -> ClockReading:
    status = body[6]
    lever = Side.RIGHT if status & 0x02 else Side.LEFT
    return ClockReading(
        at_ns,
        left_ms,
        right_ms,
        running=lever if status & 0x01 else None,
        lever=lever,
        left_flag=bool(body[3] & 0x50),
        right_flag=bool(body[0] & 0x50),
        battery_low=bool(status & 0x04),
        late_ns=PRESS_LATE_NS,
    )


def _turn_follows(status: int) -> bool | None:
    """Whether the turn is that of the side whose time the lever lets run. None: it is nobody's."""
    turn = status & 0x18
    return None if not turn else turn == (0x10 if status & 0x02 else 0x08)


def _time_ms(field: bytes) -> int | None:
    hours, minutes, seconds = field[0] & 0x0F, _bcd(field[1]), _bcd(field[2])
    if hours > 9 or minutes is None or seconds is None:
        return None
    return ((hours * 60 + minutes) * 60 + seconds) * 1000


def _bcd(byte: int) -> int | None:
    """00..59, or None."""
    tens, ones = divmod(byte, 16)
    return tens * 10 + ones if tens <= 5 and ones <= 9 else None


def _does_not_follow(last: ClockReading | None, reading: ClockReading) -> str:
    """Why, or nothing: times fall no faster than time, and a flag falls at zero."""
    left_fell = reading.left_flag and not (last and last.left_flag)
    right_fell = reading.right_flag and not (last and last.right_flag)
    if (left_fell and reading.left_ms) or (right_fell and reading.right_ms):
        return "a flag down beside time that is left"
    if last is None or (reading.running is None and last.running is None):
        return ""  # Whoever sets a clock by hand does so while it stands.
    elapsed_ms = (reading.at_ns - last.at_ns) // 1_000_000
    changes = (reading.left_ms - last.left_ms, reading.right_ms - last.right_ms)
    if max(changes) > GAIN_MAX_MS:
        return "more gained at once than a press gives"
    if min(changes) < -elapsed_ms - LOSS_MAX_MS:
        return "more lost at once than time went by"
    return ""


def _gained_unpressed(last: ClockReading | None, reading: ClockReading) -> bool:
    """Whether a side has more although it did not press since, as far as one lever tells. Once its
    flag is down some clocks count upwards."""
    if last is None or last.running is None or reading.running is None:
        return False
    pressed = None if reading.lever is last.lever else last.lever
    left = reading.left_ms > last.left_ms and not last.left_flag and pressed is not Side.LEFT
    right = reading.right_ms > last.right_ms and not last.right_flag and pressed is not Side.RIGHT
    return left or right


def _same(reading: ClockReading, doubted: ClockReading) -> bool:
    flags = (doubted.left_flag, doubted.right_flag)
    return _agree(reading, doubted.left_ms, doubted.right_ms) and flags == (
        reading.left_flag,
        reading.right_flag,
    )


def _agree(reading: ClockReading, left_ms: int, right_ms: int) -> bool:
    return (
        abs(reading.left_ms - left_ms) <= AGREE_MS and abs(reading.right_ms - right_ms) <= AGREE_MS
    )
